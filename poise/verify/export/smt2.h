#pragma once

// Questions about paths in SMT-LIB 2, for any solver of linear arithmetic (or of polynomials, where
// the model has them). "sat" is a way to fail, and the model that the solver gives has its values.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "poise/base/result.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// For each hazard, in a block of its own, whether a path of at most `bound` steps fails there.
[[nodiscard]] std::string smt2_text(const System& system, std::size_t bound);

// Whether this path fails with its last rule and not before: one question. The path is not empty;
// fails where a rule does not leave the state that the path is in.
[[nodiscard]] Result<std::string> smt2_text(const System& system,
                                            std::span<const model::RuleId> path);

// Words that no name may be.
[[nodiscard]] std::span<const std::string_view> smt2_words();

}  // namespace poise::verify
