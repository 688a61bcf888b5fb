#pragma once

// What shaking says about a policy, as plain data.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/base/extent.h"
#include "poise/base/source.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

// ---- Flows ----

// What a flow looks like (metrics.h).
struct FlowFacts {
  std::string from;                 // what it was made of: "ramp", "hold", "tabu search"
  std::size_t profiles = 0;         // earthquake profiles, the paper's EP
  double oscillation = 0;           // 0 to 1
  std::size_t hold = 0;             // the longest dwell, in ticks
  std::size_t cell = 0;             // of 81 shapes
  std::size_t violent = 0;          // steps
  std::size_t smooth = 0;           // steps
  std::vector<double> distances;    // to the origin, by tick
  std::vector<std::uint8_t> steps;  // by step: 0 smooth, 1 moderate, 2 violent
  std::optional<double> realism;    // how near to what was recorded, 0 to 1
};

struct Criterion {
  std::string what;  // "pairs", "options acted"
  std::size_t covered = 0;
  std::size_t feasible = 0;
  std::vector<std::string> missing = {};  // the first of those that were not covered
};

// ---- Failures ----

// A tick, or several of the same: of the context, and of what came out.
struct ShownTick {
  std::size_t first = 0;
  std::size_t ticks = 1;
  Instance instance;
  Variant actual;                        // after the last of them; empty if there is none
  std::optional<Variant> expected = {};  // of the reference, if there is one and it differs
  std::vector<std::string> acted = {};   // in the last of them
  std::vector<std::string> expected_acted = {};
};

// Something that must not be, with the smallest flow that shows it.
struct Failing {
  enum class Kind {
    Expectation,  // of the model
    Range,        // a variant outside of what is declared
    Difference,   // from the reference
    Ended,        // a program crashed, hung, or said what is no variant
  };
  Kind kind = Kind::Expectation;
  std::string name;            // of the expectation; else what failed
  std::string text;            // what happened, in words, at the end of the smallest flow
  std::optional<Position> at;  // of the expectation
  std::size_t flow = 0;        // the first flow that shows it, from 0; past the flows: of `quakes`
  std::size_t tick = 0;        // where in it
  std::size_t flows = 0;       // how many show it
  std::size_t kept = 0;        // and how many of `quakes`
  Flow original;               // up to the failure
  Flow smallest;               // 1-minimal: without any one instance it does not fail
  FlowFacts original_facts = {};
  FlowFacts smallest_facts = {};
  std::vector<Variant> original_variants = {};  // by tick, as far as there are any
  std::vector<Variant> smallest_variants = {};
  std::size_t executions = 0;    // that shrinking took
  std::vector<ShownTick> shown;  // the smallest flow, and what came out
};

// ---- Mutants ----

struct MutantResult {
  enum class Status {
    Killed,
    Survived,    // and it is not known whether it can be killed
    Killable,    // not by these flows, but there is a flow: `shortest`
    Equivalent,  // on the grid, in every state that can be reached
  };
  std::string id;
  std::string group;
  std::string description;
  std::string replacement;
  Position at;
  Position end;
  Status status = Status::Survived;
  std::string reason;                           // of the status, where there is something to say
  std::size_t kills = 0;                        // flows
  std::vector<std::int32_t> killed_at;          // by flow: the first tick that differs, -1 if none
  std::optional<std::size_t> subsumed_by = {};  // a mutant: whatever kills that one kills this one
  std::optional<Flow> shortest = {};            // to kill it, where that was worked out
  bool killed_by_random = false;                // by as many random flows
};

struct MutationReport {
  std::vector<MutantResult> mutants;
  std::size_t killed = 0;
  std::size_t equivalent = 0;
  std::size_t undecided = 0;  // survived, and not known to be equivalent
  std::size_t killed_by_random = 0;
  std::size_t signatures = 0;              // different sets of flows that kill
  std::vector<std::size_t> minimal_flows;  // enough to kill all that are killed
  bool decided = true;                     // equivalence was looked at for all survivors
};

struct Report {
  std::string subject;  // "policy", "rules", "program"
  std::vector<Field> fields;
  double tick = 1;  // seconds
  std::string generator;
  std::uint64_t seed = 1;
  Grid grid;
  std::optional<std::uint64_t> instances;  // valid ones, of the grid
  std::vector<Flow> flows;
  std::vector<FlowFacts> facts;  // by flow
  std::vector<Variant> reached;  // different variants, as they were reached first
  std::vector<Criterion> coverage;
  std::vector<Failing> failures;
  std::vector<std::vector<Variant>> variants;  // by flow and tick, of the subject
  std::optional<MutationReport> mutation;
  std::optional<double> confidence_bound;  // of a failure in such a flow, with 95 %, if none failed
  Extent extent;
};

}  // namespace poise::shake
