#pragma once

// How likely it is that a path is taken and fails.
//
// Errors have laws; the environment has none. So the probability of a path is a function of its
// environment, of what sensed variables are at the start and of what they become where actions
// leave that open, and what is given here is its greatest value, together with the environment in
// which the path is that likely. The environment does not know the errors: it is chosen first.
//
//   Odds odds(system);
//   const Result<PathOdds> one = odds.of(failing, {});
//   one->joint.value   // at most so likely, in the worst environment
//
// How: the path becomes an event (path_event.h), which falls into parts that have nothing to do
// with each other (part.h). Of each part the worst environment is looked for (worst.h), where its
// probability is exact, or found along a line, or estimated (joint.h).

#include <optional>

#include "poise/base/result.h"
#include "poise/chance/linear_event.h"
#include "poise/verify/odds/paper_odds.h"
#include "poise/verify/odds/path_event.h"
#include "poise/verify/odds/sampling.h"
#include "poise/verify/result.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// What an environment decides of a run: the actual values before each step and after each act, one
// after another, by slot; none where errors have a part in them.
using Sketch = std::vector<std::vector<std::optional<Rational>>>;

struct PathOdds {
  Likelihood joint;    // that the path is taken and fails, in its worst environment
  Values environment;  // at the start, by slot
  // A run in that environment with likely errors. Empty if none was found with numbers that can be
  // written down; replay.h has looked at it.
  Trace trace;
  std::vector<Sketch> sketches = {};  // of runs in that environment, if the trace is empty
  std::optional<double> paper_odds;   // the product of the paper, at the values of the trace
};

class Odds {
 public:
  // The system must outlive it.
  explicit Odds(const System& system) : system_(system), reader_(system), printed_(system) {}

  // Fails where a condition is not linear or has too many cases, or where the mode knows no errors.
  [[nodiscard]] Result<PathOdds> of(const FailingPath& path, const chance::Precision& precision);

  // The paper's product for a run that is known already.
  [[nodiscard]] std::optional<double> paper_odds(const Trace& trace) { return printed_.of(trace); }

 private:
  const System& system_;
  PathReader reader_;
  PaperOdds printed_;
};

// The probability of an event in a given environment, by chance, with a guarantee: one value for
// each number of the event, of which those of noise are not looked at.
[[nodiscard]] Sampled sampled(const PathEvent& event, const std::vector<double>& numbers,
                              const Sampling& sampling);

}  // namespace poise::verify
