#pragma once

// The probability that a path is taken and fails.
//
// Errors have laws; the environment has none. So the probability of a path is a function of its
// environment: of the sensed variables at the start, and of their new values where actions leave
// them open. The answer is the supremum of this function, together with an environment in which the
// path is that likely (docs/decisions/0010). The environment is chosen before the errors and does
// not know them.
//
//   Odds odds(system);
//   const Result<PathOdds> one = odds.of(failing, {}, 2000, budget);
//   one->joint.value    // the probability in the worst environment that was found
//   one->joint.at_most  // no environment exceeds it
//
// How: the path becomes an event (path_event.h), which falls into independent parts
// (independent_part.h). For each part the worst environment is searched for (worst_environment.h);
// the probability of a part in an environment is exact, or estimated (part_probability.h), and on a
// line it is known for all environments at once (along_line.h). Then a bound is proved (at_most.h).

#include <optional>

#include "poise/base/budget.h"
#include "poise/base/result.h"
#include "poise/chance/linear_event.h"
#include "poise/verify/odds/paper_odds.h"
#include "poise/verify/odds/path_event.h"
#include "poise/verify/odds/sampling.h"
#include "poise/verify/result.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// The part of a run that its environment determines: the actual values before each step and after
// each act, in order, by slot; none for a value that depends on errors.
using Sketch = std::vector<std::vector<std::optional<Rational>>>;

struct PathOdds {
  Likelihood joint;    // that the path is taken and fails, in the worst environment that was found
  Values environment;  // at the start, by slot
  std::vector<std::size_t> acts;  // of the last rule: those after which it may fail
  std::size_t act = 0;            // the one after which the trace fails
  // A run in that environment with likely errors, confirmed by replay.h. Empty if none was found
  // with few decimals.
  Trace trace;
  std::vector<Sketch> sketches = {};  // if the trace is empty: for a solver to complete
  std::optional<double> paper_odds;   // the paper's product for the trace
};

class Odds {
 public:
  // The system must outlive it.
  explicit Odds(const System& system) : system_(system), reader_(system), printed_(system) {}

  // `work` is how much may be spent on the bound, as AtMostOptions counts it. Fails if a condition
  // is not linear or has too many cases, if no environment is found in which the path can fail, or
  // if the mode is not Actual.
  [[nodiscard]] Result<PathOdds> of(const FailingPath& path, const chance::Precision& precision,
                                    std::size_t work, Budget& budget);

  // The paper's product for a run that is known already.
  [[nodiscard]] std::optional<double> paper_odds(const Trace& trace) { return printed_.of(trace); }

 private:
  const System& system_;
  PathReader reader_;
  PaperOdds printed_;
};

// The probability of an event in a given environment, by sampling, with a guaranteed interval.
// `numbers` has a value for each number of the event; those of noise are ignored.
[[nodiscard]] Sampled sampled(const PathEvent& event, const std::vector<double>& numbers,
                              const Sampling& sampling);

}  // namespace poise::verify
