#pragma once

// What verification says about a model, as plain data.

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

enum class Mode {
  Naive,      // no errors, and actions say nothing about what comes after them
  Ideal,      // no errors
  Actual,     // all of it
  AsPrinted,  // as the paper prints it: actions tie sensed values to each other
};

enum class Verdict { Safe, Unsafe, Unknown };
enum class Engine { Auto, Zones, Smt };

// One value per slot.
using Values = std::vector<Rational>;

// A run that follows a path, value by value.
struct ActTrace {
  std::string text;
  std::vector<std::pair<model::SlotId, Rational>> done;  // within their errors
  Values actual;                                         // after it
  Values read = {};                                      // AsPrinted: what is sensed then
};
struct StepTrace {
  model::StateId from;
  model::RuleId rule;
  Values actual;
  Values sensed;
  std::vector<ActTrace> acts;  // up to the one that fails
};
using Trace = std::vector<StepTrace>;

struct Likelihood {
  double value = 0;
  double error = 0;  // half the width of the interval that holds it with 95 %
  std::string method;
};

// A path whose last rule causes a failure for the first time.
struct Counterexample {
  model::FailureId failure;
  std::vector<model::RuleId> path;
  std::size_t act = 0;  // of the last rule, after which it fails
  Trace trace;
  // That the path is taken and fails, in its worst environment; none where that is not known, or
  // not asked for, or where there was no time left.
  std::optional<Likelihood> probability;
  Values environment = {};           // at the start, if there is a probability
  std::optional<double> paper_odds;  // the product of the paper
};

// A guard that asks for more: at least, or at most, another number.
struct Repair {
  model::SlotId slot;
  bool least = true;
  Rational from;
  Rational to;
  bool strict = false;
};

// Where it can fail: a failure after an action of a rule in a state.
struct Hazard {
  model::StateId state;
  model::RuleId rule;
  std::size_t act = 0;
  model::FailureId failure;
  std::size_t first = 0;  // the length of the shortest path that fails there
  std::vector<model::RuleId> shortest;
  std::vector<Integer> paths;  // how many fail there, by their length less one
  // Of the paths whose probability is known; none if there is no such path.
  std::vector<model::RuleId> likeliest = {};
  std::optional<Likelihood> probability = {};
  std::vector<Repair> repairs = {};  // each is enough, so that it cannot fail there any more
};

// What always holds in a state, while nothing has failed: one of the cases. What follows from the
// ranges of sensed variables is left out; "true" says nothing beyond them.
struct Invariant {
  model::StateId state;
  std::vector<std::string> cases;  // none if the state cannot be reached
  std::string in_all;              // bounds that hold in every case
  bool in_range = true;            // no sensed number leaves its range
};

// What was seen in simulation (simulate.h). Limits are of the interval that holds the probability
// with the confidence.
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
  std::uint64_t runs = 0;  // of each counterexample, and random ones
  double confidence = 0.99;
  std::vector<Observed> replays;  // by counterexample
  std::size_t bound = 0;          // steps of a random run
  std::uint64_t failed = 0;       // random runs
  std::uint64_t stuck = 0;  // random runs that ended because no value was found that an action
                            // or the constraints allow
  // Where random runs failed, by state, rule, act and failure. One that fails in several ways at
  // once is in several of them.
  std::vector<Hit> hits;
};

struct Report {
  Mode mode = Mode::Actual;
  Engine engine = Engine::Zones;
  std::optional<std::size_t> bound;  // none: any number of steps
  bool linear = true;                // else whether there is an answer at all is not promised
  Verdict verdict = Verdict::Unknown;
  std::string reason;           // Unknown: why; Safe: how it is known
  std::vector<Hazard> hazards;  // by the length of the shortest path, then as declared
  std::vector<Counterexample> counterexamples;  // likeliest first, then shortest
  std::vector<Invariant> invariants;            // Safe, for any number of steps
  bool invariants_checked = false;  // by a solver that knows nothing of how they came about
  std::vector<Integer> paths;       // that are possible, by their length less one
  std::vector<Integer> failing;     // counterexamples, likewise
  Extent extent;
  std::optional<double> decisions_per_hour;
  std::optional<Simulation> simulation;
};

// That it happens within an hour, if each decision may be the first of a path with that
// probability, in its worst environment: rather more than it is.
[[nodiscard]] inline double per_hour(double probability, double decisions) {
  return -std::expm1(decisions * std::log1p(-probability));
}

}  // namespace poise::verify
