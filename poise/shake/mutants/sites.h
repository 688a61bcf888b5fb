#pragma once

// Where mutants of a policy may strike: its expressions, in the order of the text, with what they
// belong to. Copies of a `let` are one site, because a mistake in the text is a mistake in all of
// them.

#include <optional>
#include <vector>

#include "poise/model/model.h"

namespace poise::shake {

struct Copy {
  model::PolicyExprId expr;
  model::OptionId option;                         // whose condition, value or preference it is in
  std::optional<model::SlotId> target;            // in what is assigned: to which slot
  std::optional<model::PolicyExprId> comparison;  // the nearest around it
  std::optional<model::PolicyExprId> parent = {};
};

struct Site {
  std::vector<Copy> copies;  // at least one

  [[nodiscard]] model::PolicyExprId expr() const { return copies.front().expr; }
};

// Expectations are no part of it.
[[nodiscard]] std::vector<Site> sites_of(const model::Policy& policy);

[[nodiscard]] bool is_comparison(model::PolicyOp op);

// How far one moves a number that is compared with, or assigned to, the variable.
[[nodiscard]] Rational step_of(const model::Variable& variable);

}  // namespace poise::shake
