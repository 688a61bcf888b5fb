#pragma once

// Resolves the clauses of declarations that only policies need: terms, steps, scales and weights.

#include <vector>

#include "poise/lang/reporter.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

// Wrong shapes are reported. So is a second term of the same name, which is left out.
[[nodiscard]] std::vector<model::Term> resolved_terms(const std::vector<TermClause>& terms,
                                                      const LineIndex& lines, Reporter& reporter);

// The variable with the clauses of its declaration behind type and error: step, scale, weight,
// terms. The type of `variable` must be set.
[[nodiscard]] model::Variable with_clauses(model::Variable variable,
                                           const VariableDeclaration& declaration,
                                           const LineIndex& lines, Reporter& reporter);

// A weight; one that is not above 0 is reported.
[[nodiscard]] Rational resolved_weight(const Bound& weight, Reporter& reporter);

}  // namespace poise::lang
