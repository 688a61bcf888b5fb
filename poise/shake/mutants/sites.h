#pragma once

// The sites at which a policy can be mutated: its expressions, in the order of the text, each with
// the option that it belongs to. The copies of a `let` are one site, because a mistake in its text
// is a mistake in all of them.

#include <optional>
#include <vector>

#include "poise/model/model.h"

namespace poise::shake {

struct Copy {
  model::PolicyExprId expr;
  model::OptionId option;                         // whose condition, value or preference it is in
  std::optional<model::SlotId> target;            // in an assignment: the slot that is assigned
  std::optional<model::PolicyExprId> comparison;  // the innermost comparison around it
  std::optional<model::PolicyExprId> parent = {};
};

struct Site {
  std::vector<Copy> copies;  // at least one

  [[nodiscard]] model::PolicyExprId expr() const { return copies.front().expr; }
};

// Without the expressions of expectations.
[[nodiscard]] std::vector<Site> sites_of(const model::Policy& policy);

[[nodiscard]] bool is_comparison(model::PolicyOp op);

// By how much a mutant changes a number that is compared with, or assigned to, the variable.
[[nodiscard]] Rational step_of(const model::Variable& variable);

}  // namespace poise::shake
