#pragma once

// Comparisons of a mission: what a literal says once the values that are fixed or chosen are put
// in.

#include <cstddef>
#include <optional>
#include <vector>

#include "poise/base/rational.h"
#include "poise/verify/mission/field.h"
#include "poise/verify/mission/numbers.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// A comparison with known values put in: terms + constant < 0, <= 0 or == 0.
struct Comparison {
  struct Term {
    std::size_t axis;
    Rational factor;
  };
  struct ErrorTerm {
    model::SlotId slot;
    Rational factor;
  };
  std::vector<Term> now;
  std::vector<Term> later;
  std::vector<ErrorTerm> errors;  // of what is done
  Rational constant;
  Literal::Sign sign = Literal::Sign::AtMost;

  [[nodiscard]] bool is_decided() const { return now.empty() && later.empty() && errors.empty(); }
  [[nodiscard]] bool holds() const;  // if it is decided
};
using Comparisons = std::vector<Comparison>;

// In all, some or no places of a box.
[[nodiscard]] Truth truth_of(const Comparison& comparison, const Grid& grid, const Box& box);
[[nodiscard]] Truth truth_of(const Comparisons& all, const Grid& grid, const Box& box);

// What the comparisons speak about, sorted.
[[nodiscard]] std::vector<std::size_t> axes_of(const std::vector<Comparisons>& all);

// The value where all comparisons hold, and 0 elsewhere.
[[nodiscard]] Field where(Workshop& shop, const Comparisons& comparisons, const Field& value);

// Puts in what is known of a comparison, given the combinations of choices before and after.
class ComparisonReader {
 public:
  ComparisonReader(const System& system, const MissionNumbers& numbers)
      : system_(system), numbers_(numbers) {}

  [[nodiscard]] Rational chosen(std::size_t choice, std::size_t combination) const;

  // None if it is about a later value that does not matter, and so can be satisfied.
  [[nodiscard]] std::optional<Comparison> read(const Literal& literal, std::size_t now,
                                               std::size_t later, const Act* act) const;

  // None if the cube cannot hold.
  [[nodiscard]] std::optional<Comparisons> read(const Cube& cube, std::size_t now,
                                                std::size_t later = 0,
                                                const Act* act = nullptr) const;

  // Of the cubes that can hold.
  [[nodiscard]] std::vector<Comparisons> read(const std::vector<Cube>& cubes,
                                              std::size_t now) const;

 private:
  const System& system_;
  const MissionNumbers& numbers_;
};

}  // namespace poise::verify
