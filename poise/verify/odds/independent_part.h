#pragma once

// Independent parts of an event: no noise, and no choice of the environment, occurs in two of them.
// So their probabilities multiply, and the worst environment of each can be searched for by itself.
// From here on numbers are doubles; before, they are exact.

#include <cstddef>
#include <utility>
#include <vector>

#include "poise/verify/odds/path_event.h"

namespace poise::verify {

// A bound: constant + environment + noise < 0, <= 0, or == 0.
struct AffineRow {
  struct Term {
    std::size_t index;  // in the part's environment, or in its noise
    double factor;
  };
  std::vector<Term> environment;
  std::vector<Term> noise;
  double constant = 0;
  Literal::Sign sign = Literal::Sign::AtMost;
};

// Stages and branches are those of path_event.h.
struct PartStage {
  std::size_t origin = 0;
  std::vector<std::vector<AffineRow>> ways;
  [[nodiscard]] bool is_certain() const;  // the environment alone decides, no noise
};

struct PartBranch {
  std::vector<std::size_t> groups;
  std::vector<std::size_t> choices;
  std::vector<PartStage> stages;
  bool fixed = false;
};

struct IndependentPart {
  struct Environment {
    NumberId number;
    double low;
    double high;
    bool whole;
    std::vector<double> gaps;
    bool open = false;    // an action left it open: it is not chosen at the start
    bool apart = false;   // a distance, from 0 up
    bool beyond = false;  // it may be beyond low .. high, where it is not searched for
  };
  struct Noise {
    NumberId number;
    chance::Law law;
    bool whole;
    bool sensing;
  };
  std::vector<Environment> environment;  // sorted by number
  std::vector<Noise> noise;              // likewise
  // One, unless the event has several: then nothing is independent, and all of it is one part.
  std::vector<PartBranch> branches;
};

// Numbers that occur in no stage are in no part.
[[nodiscard]] std::vector<IndependentPart> parts_of(const PathEvent& event);

// The value of a row without its noise: the constant and what the environment adds.
[[nodiscard]] double known(const AffineRow& row, const std::vector<double>& environment);

// The interval of one noise in which factor * noise + rest has the sign; for whole noise, of the
// real numbers that are rounded to it. from > to if there is none.
struct Allowed {
  double from;
  double to;
};
[[nodiscard]] Allowed allowed(double factor, double rest, Literal::Sign sign, bool whole);

// How far the environment is from satisfying the rows without noise; 0 if it does. For a branch,
// the sum over its stages without noise, each by the way that it misses least.
[[nodiscard]] double missed(const PartBranch& branch, const std::vector<double>& environment);
[[nodiscard]] double missed(const AffineRow& row, const std::vector<double>& environment);

}  // namespace poise::verify
