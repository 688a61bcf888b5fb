#pragma once

// The report of a verification, as plain data.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "poise/base/extent.h"
#include "poise/base/integer.h"
#include "poise/base/rational.h"
#include "poise/model/model.h"

namespace poise::verify {

// How much of the world is taken into account; docs/verify.md, "Modes".
enum class Mode {
  Naive,      // no errors, and conditions of actions are ignored: afterwards anything is sensed
  Ideal,      // no errors
  Actual,     // everything
  AsPrinted,  // as the paper prints it: conditions of actions are about sensed values
};

enum class Verdict { Safe, Unsafe, Unknown };
enum class Engine { Auto, Zones, Smt };

// One value per slot.
using Values = std::vector<Rational>;

// One action of a trace.
struct ActTrace {
  std::string text;
  std::vector<std::pair<model::SlotId, Rational>> done;  // own variables with errors, as executed
  Values actual;                                         // after it
  Values read = {};                                      // AsPrinted: as sensed after it
};
// One step: the values on which a rule fired, and its actions.
struct StepTrace {
  model::StateId from;
  model::RuleId rule;
  Values actual;
  Values sensed;
  std::vector<ActTrace> acts;  // up to the one that fails
};
// A run along a path, with the values at every moment.
using Trace = std::vector<StepTrace>;

struct Likelihood {
  double value = 0;
  double error = 0;    // half the width of the 95 % interval around it
  std::string method;  // "exact", "line", "lattice rule", "sampling"
};

// A path whose last rule causes a failure for the first time.
struct Counterexample {
  model::FailureId failure;
  std::vector<model::RuleId> path;
  std::size_t act = 0;  // the act of the last rule after which it fails
  Trace trace;
  // That the path is taken and fails, in its worst environment. None if that is not known, was not
  // asked for, or there was no time left.
  std::optional<Likelihood> probability;
  Values environment = {};           // the worst start, if there is a probability
  std::optional<double> paper_odds;  // the paper's product for the trace (odds/paper_odds.h)
};

// A comparison of a guard that has to ask for more: `disF > 21` instead of `disF >= 20`.
struct Repair {
  model::SlotId slot;
  bool least = true;    // the comparison is > or >=, not < or <=
  Rational from;        // the number in the guard
  Rational to;          // the number that is enough
  bool strict = false;  // > or <, with `to`
};

// A place where the model can fail: a failure after an action of a rule in a state.
struct Hazard {
  model::StateId state;
  model::RuleId rule;
  std::size_t act = 0;
  model::FailureId failure;
  std::size_t first = 0;  // the length of `shortest`
  std::vector<model::RuleId> shortest;
  std::vector<Integer> paths;  // how many paths fail there; at [n - 1], those of n steps
  // The likeliest of the paths whose probability is known, and that probability.
  std::vector<model::RuleId> likeliest = {};
  std::optional<Likelihood> probability = {};
  std::vector<Repair> repairs = {};  // each one alone removes the hazard
};

// What always holds in a state as long as nothing has failed: at least one of the cases. Facts that
// follow from the ranges of sensed variables are left out; "true" says nothing beyond them.
struct Invariant {
  model::StateId state;
  std::vector<std::string> cases;  // none if the state cannot be reached
  std::string in_all;              // bounds that hold in every case
  bool in_range = true;            // no sensed number leaves its range
};

// Frequencies from simulation (simulate/simulate.h). low .. high is the interval that contains the
// probability with the confidence.
struct Observed {
  std::uint64_t hits = 0;
  double low = 0;
  double high = 1;
};
struct Simulation {
  struct Hit {
    model::StateId state;
    model::RuleId rule;
    std::size_t act = 0;
    model::FailureId failure;
    std::uint64_t runs = 0;
  };
  std::uint64_t runs = 0;  // replays of each counterexample, and as many random runs
  double confidence = 0.99;
  std::vector<Observed> replays;  // by counterexample
  std::size_t bound = 0;          // most steps of a random run
  std::uint64_t failed = 0;       // how many random runs failed
  std::uint64_t stuck = 0;        // how many ended because no values satisfied an action, or the
                                  // constraints at the start
  // Where random runs failed, ordered by state, rule, act and failure. A run that fails in several
  // ways at once counts for each.
  std::vector<Hit> hits;
};

struct Report {
  Mode mode = Mode::Actual;
  Engine engine = Engine::Zones;
  std::optional<std::size_t> bound;  // none: any number of steps
  bool linear = true;                // all conditions are; otherwise there need not be an answer
  Verdict verdict = Verdict::Unknown;
  std::string reason;           // Unknown: why; Safe: how it is known
  std::vector<Hazard> hazards;  // by the length of the shortest path, then as declared
  std::vector<Counterexample> counterexamples;  // likeliest first, then shortest
  std::vector<Invariant> invariants;            // if Safe without a bound
  bool invariants_checked = false;              // by a solver, independently of how they were found
  std::vector<Integer> paths;    // how many are possible; at [n - 1], those of n steps
  std::vector<Integer> failing;  // how many counterexamples, likewise
  Extent extent;
  std::optional<double> decisions_per_hour;
  std::optional<Simulation> simulation;
};

// The probability that a path happens within an hour of so many decisions, if each of them could be
// its first one in the worst environment. An upper estimate, since no hour is at its worst all the
// time.
[[nodiscard]] inline double per_hour(double probability, double decisions) {
  return -std::expm1(decisions * std::log1p(-probability));
}

}  // namespace poise::verify
