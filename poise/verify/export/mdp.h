#pragma once

// A system as a Markov decision process, for checkers of probabilities: errors are drawn by their
// laws, and what nobody knows the probability of (where a run starts, what the world is free to
// choose, which of several triggered rules fires) is decided by an adversary.
//
// Such checkers count, so values are whole numbers of steps of a width H, errors are put on the
// nearest such value, and values that leave the range of their variable by more than its width
// stay at that. The answers are close, not exact; a smaller step makes them closer.
//
// Control goes from place to place: sensors are read one after another, then a rule fires, then its
// acts run. A value that the adversary chooses from a large range starts at its low end and is
// counted up until he stops. If no rule fires, everything is read again.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "poise/base/result.h"
#include "poise/verify/export/condition.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

struct Mdp {
  struct Variable {
    std::string name;
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::int64_t initial = 0;
  };
  // The variable becomes the sum, rounded and kept within its range.
  struct Update {
    std::size_t variable;
    std::vector<NamedCondition::Product> sum;
    Rational constant;
    enum class Rounding { Nearest, Up, Down } rounding = Rounding::Nearest;
  };
  struct Branch {
    double probability = 1;
    std::size_t to = 0;
    std::vector<Update> updates;
  };
  struct Edge {
    std::size_t from = 0;
    NamedCondition guard;          // without fractions
    std::vector<Branch> branches;  // one of them, by chance; probabilities add up to 1
  };
  std::string name;
  Rational step;
  std::vector<Variable> variables;
  std::vector<std::string> places;  // unique; what goes on there; control starts at the first
  std::vector<Edge> edges;          // by place; several that hold are the adversary's choice
  std::vector<std::string> failures;
  std::size_t failure = 0;  // a variable: 0, or the number of the failure from 1
};

// Without a step, a tenth of the least error, rounded to 1, 2 or 5 times a power of ten. Fails
// where an action says more than a value or a range for what comes after it, and where the step is
// too small to count.
[[nodiscard]] Result<Mdp> mdp_of(const System& system, const std::optional<Rational>& step);

}  // namespace poise::verify
