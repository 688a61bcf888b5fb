#pragma once

// The report of a verification, as plain data.

#include <algorithm>
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
#include "poise/base/text.h"
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

// How likely something is. The value is what was found, in some environment; at_most is proved, and
// no environment exceeds it: value - error <= supremum <= at_most.
struct Likelihood {
  double value = 0;
  double error = 0;    // how far off it may be: proved for "exact" and "bounds", else with 95 %
  std::string method;  // "exact", "bounds", "line", "lattice rule", "sampling"
  double at_most = 1;
};

// Whether the bound is what was found, but for rounding.
[[nodiscard]] inline bool is_exact(const Likelihood& odds) {
  return odds.error == 0 && odds.at_most <= odds.value * (1 + 1e-6);
}
// Whether the bound is more than a tenth above what was found, so that one of the two may be far
// from the truth.
[[nodiscard]] inline bool is_loose(const Likelihood& odds) {
  return odds.at_most > 1.1 * (odds.value + odds.error);
}

// A probability that is known between two bounds.
struct Within {
  double low = 0;
  double high = 1;
  bool complete = true;  // false: the effort was spent before the bounds were close
};

// A path whose last rule causes a failure for the first time.
struct Counterexample {
  model::FailureId failure;
  std::vector<model::RuleId> path;
  std::size_t act = 0;  // the act of the last rule after which it fails
  Trace trace;
  // That the path is taken and fails, after whichever act of its last rule, in its worst
  // environment. None if that is not known, was not asked for, or there was no time left.
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
  // Whether no shorter path leads here. A solver's path need not be a shortest one.
  bool first_exact = true;
  std::vector<model::RuleId> shortest;
  std::vector<Integer> paths;  // how many paths fail there; at [n - 1], those of n steps
  // The likeliest of the paths whose probability is known, and that probability.
  std::vector<model::RuleId> likeliest = {};
  std::optional<Likelihood> probability = {};
  // A run along `shortest`, where no counterexample has one: if that path may fail after several
  // acts, its counterexample shows another.
  Trace trace = {};
  std::vector<Repair> repairs = {};    // each one alone removes the hazard
  std::optional<Within> mission = {};  // within the decisions of Report::mission
};

// What always holds in a state as long as nothing has failed: at least one of the cases. Conditions
// of the language over actual values, complete: they are inductive as they stand, if one knows the
// types (a whole number is whole, a member is one of its type), and nothing else.
struct Invariant {
  model::StateId state;
  std::vector<std::string> cases;  // none if the state cannot be reached
  // The same for people: variables that may be anything in their ranges are left out, and so are
  // own ones that never change; "any values in range" if nothing is left.
  std::vector<std::string> brief = {};
  std::string in_all = {};  // in brief, what all cases have in common
};
// The cases as one condition; none if the state cannot be reached.
[[nodiscard]] inline std::optional<std::string> condition_of(const Invariant& invariant) {
  if (invariant.cases.empty()) return std::nullopt;
  if (std::ranges::find(invariant.cases, "true") != invariant.cases.end()) return "true";
  return joined(invariant.cases, " or ");
}

// Something in the text of the model that never happens in its world (system/happenings.h).
struct Vacuous {
  enum class What {
    Rule,     // never fires in a state
    Guard,    // no reading satisfies it, in any state of its rule
    Action,   // of the world
    Failure,  // is asked for after an action that never happens
  };
  enum class Why {
    StateNeverReached,  // the application never looks at its sensors there
    GuardNeverHolds,
    OthersAreStronger,  // the guard holds, but never without that of a stronger rule
    NoRuleDoesIt,
    NoRuleGetsToIt,      // no rule that does it fires, or gets that far
    NoValuesSatisfyIt,   // it is tried, but no values after it satisfy its condition
    ActionNeverHappens,  // of a failure
  };
  What what;
  Why why;
  Position at;
  std::optional<model::StateId> state = {};  // Rule
  std::optional<model::RuleId> rule = {};    // Rule, Guard
  std::optional<model::WorldActionId> action = {};
  std::optional<model::FailureId> failure = {};
  std::vector<model::RuleId> stronger = {};  // OthersAreStronger: those whose guards hold at times
};

// A rule that can lead out of a constraint: to a context that cannot happen, so that runs are not
// followed from there.
struct Departure {
  model::ConstraintId constraint;
  model::StateId state;
  model::RuleId rule;
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
  std::uint64_t stuck = 0;  // how many ended because no values satisfied an action, or because
                            // theirs did not satisfy the constraints
  // Where random runs failed, ordered by state, rule, act and failure. A run that fails in several
  // ways at once counts for each.
  std::vector<Hit> hits;
};

// The greatest probability of a failure within so many decisions (mission/mission.h).
struct Mission {
  std::size_t decisions = 0;
  std::optional<Within> failure = {};  // of any kind
  std::string reason = {};             // if there is none: why
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
  // What never happens, with paths up to the bound if there is one. None if that is not known.
  std::optional<std::vector<Vacuous>> vacuous;
  std::vector<Departure> departures;  // by constraint; all there are, if `vacuous` is known
  std::vector<Integer> paths;         // how many are possible; at [n - 1], those of n steps
  std::vector<Integer> failing;       // how many counterexamples, likewise
  Extent extent;
  std::optional<double> decisions_per_hour;
  std::optional<Mission> mission = {};  // if it was asked for
  std::optional<Simulation> simulation;
};

// Whether a certificate proves what it claims (certificate/confirm.h).
struct Confirmation {
  enum class Verdict { Confirmed, NotConfirmed, Unknown };
  // What has to be proved: that the condition of the initial state holds at the start, that no
  // failure follows, and that each rule leads to the condition of its target.
  enum class Part { Start, Failure, Step };
  Verdict verdict = Verdict::Unknown;
  std::size_t proved = 0;  // how many conditions were
  // Unless Confirmed, the condition that was not proved:
  Part part = Part::Start;
  model::StateId state;
  model::RuleId rule = {};        // not of the start
  std::size_t act = 0;            // of a failure
  model::FailureId failure = {};  // likewise
  Values before = {};             // NotConfirmed: values that show it; none if they are irrational
  Values after = {};
  std::string why = {};  // Unknown
};

// The probability that a path happens within an hour of so many decisions, if each of them could be
// its first one in the worst environment. Too much rather than too little, since no hour is at its
// worst all the time.
[[nodiscard]] inline double per_hour(double probability, double decisions) {
  return -std::expm1(decisions * std::log1p(-probability));
}

}  // namespace poise::verify
