#pragma once

// The functions and the word that expressions of policies know without a declaration. A model may
// declare them as something else, which then goes first.

#include <algorithm>
#include <array>
#include <string_view>

#include "poise/model/policy.h"

namespace poise::lang {

struct PolicyFunction {
  std::string_view name;
  model::PolicyOp op;
};

inline constexpr std::array kPolicyFunctions = {
    PolicyFunction{"min", model::PolicyOp::Minimum},
    PolicyFunction{"max", model::PolicyOp::Maximum},
    PolicyFunction{"abs", model::PolicyOp::Absolute},
    PolicyFunction{"ceil", model::PolicyOp::Ceiling},
    PolicyFunction{"floor", model::PolicyOp::Floor},
    PolicyFunction{"round", model::PolicyOp::Round},
};

inline constexpr std::string_view kUtilityWord = "utility";

[[nodiscard]] constexpr const PolicyFunction* function_of_policies(std::string_view name) {
  const auto* const found = std::ranges::find(kPolicyFunctions, name, &PolicyFunction::name);
  return found == kPolicyFunctions.end() ? nullptr : found;
}
[[nodiscard]] constexpr bool is_function_of_policies(std::string_view name) {
  return function_of_policies(name) != nullptr;
}

}  // namespace poise::lang
