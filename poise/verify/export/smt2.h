#pragma once

// Questions about paths in SMT-LIB 2, for any solver of linear arithmetic (or of polynomials, if
// the model has them). "sat" means that a path fails, and the solver's model has its values.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "poise/base/budget.h"
#include "poise/base/result.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// For each place where a failure is checked, in a block of its own (push, pop): does a path of at
// most `bound` steps fail there? An error if that takes more than the budget.
[[nodiscard]] Result<std::string> smt2_text(const System& system, std::size_t bound,
                                            Budget& budget);

// One question: does this path, which is not empty, fail with its last rule and not before? An
// error if a rule does not leave the state that the path is in.
[[nodiscard]] Result<std::string> smt2_text(const System& system,
                                            std::span<const model::RuleId> path);

// Reserved words.
[[nodiscard]] std::span<const std::string_view> smt2_words();

}  // namespace poise::verify
