#pragma once

// What declarations say about numbers for the sake of policies: terms, steps, scales and weights,
// checked and turned into those of the model.

#include <vector>

#include "poise/lang/reporter.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

// Those whose shape is none are reported and left out.
[[nodiscard]] std::vector<model::Term> resolved_terms(const std::vector<TermClause>& terms,
                                                      const LineIndex& lines, Reporter& reporter);

// The variable with what its declaration says behind its type and its error. Its type is known.
[[nodiscard]] model::Variable with_clauses(model::Variable variable,
                                           const VariableDeclaration& declaration,
                                           const LineIndex& lines, Reporter& reporter);

// A weight, which is more than 0.
[[nodiscard]] Rational resolved_weight(const Bound& weight, Reporter& reporter);

}  // namespace poise::lang
