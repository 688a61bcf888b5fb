#include "poise/shake/grid/constants.h"

#include <algorithm>
#include <optional>

namespace poise::shake {

namespace {

using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;
using model::Relation;

// factor * slot + constant; without a slot only the constant.
struct Linear {
  std::optional<model::SlotId> slot = {};
  Rational factor = 0;
  Rational constant = 0;
};

using Form = std::optional<Linear>;

Linear scaled(Linear form, const Rational& by) {
  form.factor = form.factor * by;
  form.constant = form.constant * by;
  return form;
}

Form sum(const Form& a, const Form& b) {
  if (!a || !b || (a->slot && b->slot && *a->slot != *b->slot)) return std::nullopt;
  return Linear{.slot = a->slot ? a->slot : b->slot,
                .factor = a->factor + b->factor,
                .constant = a->constant + b->constant};
}

Form product(const Form& a, const Form& b) {
  if (!a || !b || (a->slot && b->slot)) return std::nullopt;
  return a->slot ? scaled(*a, b->constant) : scaled(*b, a->constant);
}

Form number(const Rational& value) { return Linear{.constant = value}; }

// Operators that give a linear form only if all their parts are constant.
Form combined(PolicyOp op, const std::vector<Form>& parts) {
  for (const Form& part : parts) {
    if (!part || part->slot) return std::nullopt;
  }
  const Rational& first = parts.front()->constant;
  const auto less = [](const Form& a, const Form& b) { return a->constant < b->constant; };
  switch (op) {
    case PolicyOp::Minimum: return *std::ranges::min_element(parts, less);
    case PolicyOp::Maximum: return *std::ranges::max_element(parts, less);
    case PolicyOp::Absolute: return number(first.sign() < 0 ? -first : first);
    case PolicyOp::Ceiling: return number(first.ceil());
    case PolicyOp::Floor: return number(first.floor());
    default: return std::nullopt;
  }
}

Form form_of(const PolicyExpr& expr, const std::vector<Form>& parts) {
  switch (expr.op) {
    case PolicyOp::Number: return number(expr.number);
    case PolicyOp::Slot: return Linear{.slot = expr.slot, .factor = 1};
    case PolicyOp::Negate: return product(parts[0], number(-1));
    case PolicyOp::Divide:
      if (!parts[0] || !parts[1] || parts[1]->slot || parts[1]->constant.sign() == 0) return {};
      return scaled(*parts[0], Rational(1) / parts[1]->constant);
    case PolicyOp::Add: {
      Form form = parts[0];
      for (std::size_t i = 1; i < parts.size(); ++i) form = sum(form, parts[i]);
      return form;
    }
    case PolicyOp::Multiply: {
      Form form = parts[0];
      for (std::size_t i = 1; i < parts.size(); ++i) form = product(form, parts[i]);
      return form;
    }
    // They lie in the range of the number itself, so constants for them are constants for it.
    case PolicyOp::MaximumOver:
    case PolicyOp::MinimumOver:
    case PolicyOp::MeanOver:
    case PolicyOp::Previous: return parts[0];
    default: return parts.empty() ? std::nullopt : combined(expr.op, parts);
  }
}

std::optional<Relation> relation_of(PolicyOp op) {
  switch (op) {
    case PolicyOp::Equal: return Relation::Equal;
    case PolicyOp::NotEqual: return Relation::NotEqual;
    case PolicyOp::Less: return Relation::Less;
    case PolicyOp::LessEqual: return Relation::LessEqual;
    default: return std::nullopt;
  }
}

class Collector {
 public:
  explicit Collector(std::size_t slots) : constants_(slots) {}

  // factor * slot + constant RELATION 0
  void add(const Linear& form, Relation relation) {
    if (!form.slot || form.factor.sign() == 0) return;
    Cut& cut = constants_[form.slot->index][-form.constant / form.factor];
    const bool turned = form.factor.sign() < 0;
    switch (relation) {
      case Relation::Equal:
      case Relation::NotEqual: cut.below = cut.above = true; break;
      case Relation::Less:
      case Relation::GreaterEqual: (turned ? cut.above : cut.below) = true; break;
      case Relation::LessEqual:
      case Relation::Greater: (turned ? cut.below : cut.above) = true; break;
    }
  }

  std::vector<Constants> take() { return std::move(constants_); }

 private:
  std::vector<Constants> constants_;
};

}  // namespace

std::vector<Constants> constants_of(const model::Model& model) {
  Collector collector(model.slots.size());
  for (const model::Atom& atom : model.atoms) {
    if (atom.value.terms.size() != 1 || atom.value.terms.front().slots.size() != 1) continue;
    const model::Monomial& term = atom.value.terms.front();
    Linear form{
        .slot = term.slots.front(), .factor = term.coefficient, .constant = atom.value.constant};
    if (!atom.membership) {
      collector.add(form, atom.relation);
      continue;
    }
    for (const Rational& member : atom.among) {
      Linear equal = form;
      equal.constant = form.constant - member;
      collector.add(equal, Relation::Equal);
    }
  }
  // Expressions come after their parts.
  std::vector<Form> forms;
  forms.reserve(model.policy.exprs.size());
  for (const PolicyExpr& expr : model.policy.exprs) {
    std::vector<Form> parts;
    for (const PolicyExprId part : expr.parts) parts.push_back(forms[part.index]);
    forms.push_back(form_of(expr, parts));
    const std::optional<Relation> relation = relation_of(expr.op);
    if (!relation) continue;
    const Form difference = sum(parts[0], product(parts[1], number(-1)));
    if (difference) collector.add(*difference, *relation);
  }
  return collector.take();
}

}  // namespace poise::shake
