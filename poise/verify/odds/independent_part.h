#pragma once

// Parts of an event that have nothing to do with each other: no noise, and no choice of the
// environment, occurs in two of them. Their probabilities multiply, and the worst environment of
// each can be looked for by itself. In doubles: this is where calculation begins.

#include <cstddef>
#include <utility>
#include <vector>

#include "poise/verify/odds/path_event.h"

namespace poise::verify {

// The sum of a constant and multiples of numbers of a part is less than 0, at most 0, or 0.
struct AffineRow {
  struct Term {
    std::size_t index;  // of the part's environment, or of its noise
    double factor;
  };
  std::vector<Term> environment;
  std::vector<Term> noise;
  double constant = 0;
  Literal::Sign sign = Literal::Sign::AtMost;
};

struct PartStage {
  std::size_t origin = 0;
  std::vector<std::vector<AffineRow>> ways;
  [[nodiscard]] bool is_certain() const;  // there is no noise in it
};

struct PartBranch {
  std::vector<std::size_t> groups;
  std::vector<std::size_t> choices;
  std::vector<PartStage> stages;
};

struct IndependentPart {
  struct Environment {
    NumberId number;
    double low;
    double high;
    bool whole;
    std::vector<double> gaps;
  };
  struct Noise {
    NumberId number;
    chance::Law law;
    bool whole;
    bool sensing;
  };
  std::vector<Environment> environment;  // by number
  std::vector<Noise> noise;              // likewise
  std::vector<PartBranch> branches;      // one, unless the event has only this part
};

// What occurs in no stage is in no part.
[[nodiscard]] std::vector<IndependentPart> parts_of(const PathEvent& event);

// What the environment adds to a row.
[[nodiscard]] double known(const AffineRow& row, const std::vector<double>& environment);

// The values that one noise may have if factor * noise + rest is to satisfy the sign; of whole
// noise, what is rounded to them. from > to if there are none.
struct Allowed {
  double from;
  double to;
};
[[nodiscard]] Allowed allowed(double factor, double rest, Literal::Sign sign, bool whole);

// By how much the environment misses what it must satisfy itself; 0 if it does not.
[[nodiscard]] double missed(const PartBranch& branch, const std::vector<double>& environment);
[[nodiscard]] double missed(const AffineRow& row, const std::vector<double>& environment);

}  // namespace poise::verify
