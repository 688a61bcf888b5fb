#pragma once

// A system as a Markov decision process, for probabilistic model checkers: errors are drawn from
// their laws, and an adversary decides what has no probability (the start, free choices of the
// world, which of several triggered rules fires).
//
// Such checkers need finitely many values, so real values are whole multiples of a step, errors are
// put on the nearest such value, and values that leave the range of their variable by more than its
// width stay there. The answers are close, not exact; a smaller step makes them closer.
//
// Control goes from place to place: sensors are read one after another, then a rule fires, then its
// acts run. A value that the adversary chooses from a large range starts at the low end and is
// counted up until the adversary stops. If no rule fires, everything is read again.

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
  std::vector<std::string> places;  // unique descriptions; control starts at the first
  std::vector<Edge> edges;          // by place; the adversary chooses among those whose guard holds
  std::vector<std::string> failures;
  std::size_t failure = 0;  // index of a variable, whose value is 0 or the failure's number from 1
};

// Without a step, it is a tenth of the least error, rounded down to 1, 2 or 5 times a power of ten.
// Fails if the condition of an action says more than a value or a range for a later value, and if
// the step is so small that a variable has too many values.
[[nodiscard]] Result<Mdp> mdp_of(const System& system, const std::optional<Rational>& step);

}  // namespace poise::verify
