#pragma once

// The report of shaking, as plain data.

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

// Measures of a flow; metrics.h defines them.
struct FlowFacts {
  std::string from;                 // how it was made: "ramp", "hold", "refined saw"
  std::size_t profiles = 0;         // earthquake profiles, the paper's EP
  double oscillation = 0;           // 0 to 1
  std::size_t hold = 0;             // the longest dwell, in ticks
  std::size_t cell = 0;             // its shape, of 81
  std::size_t violent = 0;          // how many steps are violent
  std::size_t smooth = 0;           // how many steps are smooth
  std::vector<double> distances;    // by tick: from the origin, 0 to 1
  std::vector<std::uint8_t> steps;  // by step: 0 smooth, 1 moderate, 2 violent
  std::optional<double> realism;    // similarity to the recording, 0 to 1, if there is one
};

// A coverage criterion.
struct Criterion {
  std::string what;  // "pairs", "cells", "options"
  std::size_t covered = 0;
  std::size_t feasible = 0;
  std::vector<std::string> missing = {};  // the first 20 that are not covered
};

// ---- Failures ----

// A tick, or several in a row with the same context and the same outcome.
struct ShownTick {
  std::size_t first = 0;
  std::size_t ticks = 1;  // how many
  Instance instance;
  Variant actual;                        // after the tick; empty if the subject failed before
  std::optional<Variant> expected = {};  // that of the reference, where it differs
  std::vector<std::string> acted = {};   // options or rules
  std::vector<std::string> expected_acted = {};
};

// A failure, with the smallest flow that shows it.
struct Failing {
  enum class Kind {
    Expectation,  // an expectation of the model is violated
    Range,        // a variant leaves its declared range
    Difference,   // a variant differs from that of the reference
    Ended,        // a program crashed, hung, or gave an answer that is no variant
  };
  Kind kind = Kind::Expectation;
  std::string name;            // the expectation's; "a variant"; the reference's; "program"
  std::string text;            // what happened, in words, at the end of the smallest flow
  std::optional<Position> at;  // of the expectation
  std::size_t flow = 0;   // the first flow that shows it; from Report::flows.size() on, a quake
  std::size_t tick = 0;   // the tick in that flow at which it shows
  std::size_t flows = 0;  // how many flows show it
  std::size_t kept = 0;   // how many quakes show it
  Flow original;          // that first flow, cut after the failure
  Flow smallest;          // 1-minimal: without any one instance it does not fail
  FlowFacts original_facts = {};
  FlowFacts smallest_facts = {};
  std::vector<Variant> original_variants = {};  // by tick, until the subject failed
  std::vector<Variant> smallest_variants = {};
  std::size_t executions = 0;    // how many flows shrinking executed
  std::vector<ShownTick> shown;  // the smallest flow and its outcome
};

// What became of an expectation. One that never was judged was not kept: nobody knows.
struct Judging {
  model::ExpectationId expectation;
  std::size_t judged = 0;  // how often: oracle/expectations.h says what counts
  std::size_t wait = 0;    // how many ticks it waits: a flow must be longer to judge it
};

// ---- Mutants ----

struct MutantResult {
  enum class Status {
    Killed,
    Survived,    // no flow kills it, and it is not known whether any can
    Killable,    // no flow kills it, but `shortest` would
    Equivalent,  // no flow on the grid can kill it
  };
  std::string id;
  std::string group;
  std::string description;
  std::string replacement;
  Position at;
  Position end;
  Status status = Status::Survived;
  std::string reason;                           // for the status, in words; may be empty
  std::size_t kills = 0;                        // how many flows kill it
  std::vector<std::int32_t> killed_at;          // by flow: the first tick that differs, -1 if none
  std::optional<std::size_t> subsumed_by = {};  // a mutant: each flow that kills it kills this one
  std::optional<Flow> shortest = {};            // Killable: a shortest flow that kills it
  bool killed_by_random = false;                // as many random flows kill it: the baseline
};

struct MutationReport {
  std::vector<MutantResult> mutants;
  std::size_t killed = 0;
  std::size_t equivalent = 0;
  std::size_t undecided = 0;  // survived, and not known to be equivalent
  std::size_t killed_by_random = 0;
  std::size_t signatures = 0;              // different sets of flows that kill a mutant (matrix.h)
  std::vector<std::size_t> minimal_flows;  // few flows that kill every mutant that is killed
  bool decided = true;                     // each survivor is known to be killable or equivalent
};

struct Report {
  std::string subject;  // "policy", "rules", "program"
  std::vector<Field> fields;
  double tick = 1;  // seconds
  std::string generator;
  std::uint64_t seed = 1;
  Grid grid;
  std::optional<std::uint64_t> instances;  // valid ones on the grid; none: too many to count
  std::vector<Flow> flows;
  std::vector<FlowFacts> facts;  // by flow
  std::vector<Variant> reached;  // different variants, in the order in which they were reached
  std::vector<Criterion> coverage;
  std::vector<Failing> failures;
  std::vector<Judging> expectations;           // as declared
  std::vector<std::vector<Variant>> variants;  // by flow and tick
  std::optional<MutationReport> mutation;
  // Random flows without a failure: the probability that such a flow fails is at most this, with a
  // confidence of 95 %.
  std::optional<double> confidence_bound;
  Extent extent;
};

}  // namespace poise::shake
