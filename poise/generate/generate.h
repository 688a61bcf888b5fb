#pragma once

// Random models for experiments, by the recipe of the A-FSM paper (section 5.1), as text in
// canonical layout. docs/generate.md is the recipe as we understand it.
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
  Distinct,  // within a state: then nothing is left to chance
  Tied,      // one of three levels each
};

struct Options {
  std::size_t states = 0;
  std::size_t rules = 0;
  std::size_t variables = 0;
  std::uint64_t seed = 1;
  std::size_t max_rules_per_state = 8;
  std::size_t max_variables_per_rule = 5;
  Priorities priorities = Priorities::Distinct;
  // So many whole numbers are sensed, and each variable is a comparison of one of them. None: each
  // variable is a sensed boolean.
  std::optional<std::size_t> sensed;
};

// The same options give the same bytes, everywhere. Other priorities, or `sensed`, change nothing
// else of a model. Fails when no model can have these sizes; then it says which condition is in the
// way. Time and memory are linear in the length of the text.
[[nodiscard]] Result<std::string> model_text(const Options& options);

}  // namespace poise::generate
