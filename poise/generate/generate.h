#pragma once

// Random models for experiments, by the recipe of the A-FSM paper (section 5.1), as text in
// canonical layout. docs/generate.md describes the recipe, and what the paper leaves open.
//
//   const Result<std::string> text =
//       generate::model_text({.states = 10, .rules = 40, .variables = 10, .seed = 7});

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "poise/base/result.h"

namespace poise::generate {

enum class Priorities {
  Distinct,  // the rules of a state have different priorities: no nondeterminism
  Tied,      // each rule has one of three levels: nondeterminism is likely
};

struct Options {
  std::size_t states = 0;
  std::size_t rules = 0;
  std::size_t variables = 0;
  std::uint64_t seed = 1;
  std::size_t max_rules_per_state = 8;
  std::size_t max_variables_per_rule = 5;
  Priorities priorities = Priorities::Distinct;
  // If set: this many whole numbers are sensed, and each variable is a comparison of one of them
  // with a constant. Else each variable is a sensed boolean.
  std::optional<std::size_t> sensed;
};

// The same options give the same bytes on every platform. `priorities` and `sensed` change nothing
// else of a model: its states, rules and the form of its predicates stay the same. Fails if no
// model can have these sizes, and says why. Time and memory are linear in the length of the text.
[[nodiscard]] Result<std::string> model_text(const Options& options);

}  // namespace poise::generate
