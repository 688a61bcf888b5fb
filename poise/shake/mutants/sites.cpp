#include "poise/shake/mutants/sites.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

namespace poise::shake {

using model::Policy;
using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;

namespace {

void collect(const Policy& policy, Copy copy, std::vector<Copy>& into) {
  into.push_back(copy);
  const PolicyExpr& expr = policy.exprs[copy.expr];
  copy.parent = copy.expr;
  if (is_comparison(expr.op)) copy.comparison = copy.expr;
  for (const PolicyExprId part : expr.parts) {
    copy.expr = part;
    collect(policy, copy, into);
  }
}

}  // namespace

bool is_comparison(PolicyOp op) {
  return op == PolicyOp::Equal || op == PolicyOp::NotEqual || op == PolicyOp::Less ||
         op == PolicyOp::LessEqual;
}

std::vector<Site> sites_of(const Policy& policy) {
  std::vector<Copy> copies;
  for (const model::OptionId id : policy.options.ids()) {
    const model::Option& option = policy.options[id];
    if (option.when) collect(policy, {*option.when, id, {}, {}}, copies);
    for (const model::PolicyAssignment& assignment : option.assignments) {
      collect(policy, {assignment.value, id, assignment.slot, {}}, copies);
    }
  }
  for (const model::Preference& preference : policy.preferences) {
    collect(policy, {preference.when, preference.option, {}, {}}, copies);
  }
  std::ranges::stable_sort(copies, {}, [&](const Copy& copy) {
    const PolicyExpr& expr = policy.exprs[copy.expr];
    return std::tuple(expr.at, expr.end);
  });
  std::vector<Site> sites;
  // Copies of one expression have the same place in the text and the same operator: `x > 5` and its
  // `x` begin at the same place, too. An expression that was not read from a text has no copies.
  std::map<std::tuple<Position, Position, PolicyOp>, std::size_t> known;
  for (const Copy& copy : copies) {
    const PolicyExpr& expr = policy.exprs[copy.expr];
    if (expr.at < expr.end) {
      const auto [place, is_new] =
          known.try_emplace(std::tuple(expr.at, expr.end, expr.op), sites.size());
      if (!is_new) {
        sites[place->second].copies.push_back(copy);
        continue;
      }
    }
    sites.push_back({{copy}});
  }
  return sites;
}

Rational step_of(const model::Variable& variable) {
  if (variable.step) return *variable.step;
  if (variable.type.kind == model::TypeKind::Int || variable.unbounded) return 1;
  const Rational width = variable.type.high - variable.type.low;
  return width.sign() > 0 ? width / 100 : Rational(1);
}

}  // namespace poise::shake
