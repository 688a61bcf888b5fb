#pragma once

// The probability of a counterexample as the paper on ISMs has it (section 4.4): the product, over
// the rules of the path, of the probability that the rule's own condition holds when what it reads
// is off by chance from the values of the counterexample. It leaves out that stronger rules must
// not fire, what is done, and the failure itself; a Gauss law is cut to its range and not brought
// back to mass 1. So it depends on which values were found, and is there to be compared with.

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
  // Nothing where a condition is not linear, or has too many cases.
  [[nodiscard]] std::optional<double> of(const Trace& trace);

 private:
  [[nodiscard]] std::optional<double> of(const StepTrace& step);
  const System& system_;
  std::map<model::FormulaId, std::optional<std::vector<Cube>>> cubes_;
};

}  // namespace poise::verify
