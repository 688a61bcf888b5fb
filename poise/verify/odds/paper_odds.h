#pragma once

// The probability of a counterexample as the paper on ISMs calculates it (section 4.4): for each
// rule of the path, the probability that its own condition holds if its readings are off at random
// from the values of the counterexample; then the product of these. It ignores that stronger rules
// must not fire, what actions do, and the failure itself; a Gauss law is cut to its range and not
// scaled back to mass 1. It depends on which values were found, and is there only for comparison.

#include <map>
#include <optional>
#include <vector>

#include "poise/verify/result.h"
#include "poise/verify/system/cubes.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

class PaperOdds {
 public:
  // The system must outlive it.
  explicit PaperOdds(const System& system) : system_(system) {}
  // None if a condition is not linear, or has too many cases.
  [[nodiscard]] std::optional<double> of(const Trace& trace);

 private:
  [[nodiscard]] std::optional<double> of(const StepTrace& step);
  const System& system_;
  std::map<model::FormulaId, std::optional<std::vector<Cube>>> cubes_;
};

}  // namespace poise::verify
