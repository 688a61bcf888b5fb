#include "poise/shake/mutants/expr_text.h"

#include <string_view>

#include <fmt/format.h>

namespace poise::shake {

using model::Model;
using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;
using model::TypeKind;

namespace {

// How tightly operators bind, the loosest first. An operand that binds less tightly than its place
// demands gets parentheses.
enum Level { kIff, kImplies, kOr, kAnd, kNot, kHeld, kCompare, kSum, kProduct, kSign, kAtom };

Level level_of(const PolicyExpr& expr) {
  switch (expr.op) {
    case PolicyOp::If:
    case PolicyOp::Iff: return kIff;
    case PolicyOp::Implies: return kImplies;
    case PolicyOp::Or: return kOr;
    case PolicyOp::And: return kAnd;
    case PolicyOp::Not: return kNot;
    case PolicyOp::Held: return kHeld;
    case PolicyOp::Equal:
    case PolicyOp::NotEqual:
    case PolicyOp::Less:
    case PolicyOp::LessEqual:
    case PolicyOp::Is: return kCompare;
    case PolicyOp::Add: return kSum;
    case PolicyOp::Multiply:
    case PolicyOp::Divide: return kProduct;
    case PolicyOp::Negate: return kSign;
    case PolicyOp::Number: return expr.number.sign() < 0 ? kSign : kAtom;
    default: return kAtom;
  }
}

class Writer {
 public:
  explicit Writer(const Model& model) : model_(model) {}

  [[nodiscard]] std::string text(PolicyExprId id, Level least) const {
    const PolicyExpr& expr = model_.policy.exprs[id];
    std::string result = bare(expr);
    return level_of(expr) < least ? "(" + result + ")" : result;
  }

 private:
  [[nodiscard]] std::string bare(const PolicyExpr& expr) const {
    switch (expr.op) {
      case PolicyOp::Number: return expr.number.to_string();
      case PolicyOp::Slot: return slot_text(expr.slot);
      case PolicyOp::Utility: return "utility";
      case PolicyOp::Add: return sum(expr);
      case PolicyOp::Multiply: return joined(expr, " * ", kProduct);
      case PolicyOp::Divide:
        return text(expr.parts[0], kProduct) + " / " + text(expr.parts[1], kSign);
      case PolicyOp::Negate: return "-" + text(expr.parts[0], kSign);
      case PolicyOp::Minimum: return call("min", expr);
      case PolicyOp::Maximum: return call("max", expr);
      case PolicyOp::Absolute: return call("abs", expr);
      case PolicyOp::Ceiling: return call("ceil", expr);
      case PolicyOp::Floor: return call("floor", expr);
      case PolicyOp::Round: return call("round", expr);
      case PolicyOp::If:
        return fmt::format("if {} then {} else {}", text(expr.parts[0], kIff),
                           text(expr.parts[1], kIff), text(expr.parts[2], kIff));
      case PolicyOp::Not: return "not " + text(expr.parts[0], kNot);
      case PolicyOp::And: return joined(expr, " and ", kNot);
      case PolicyOp::Or: return joined(expr, " or ", kAnd);
      case PolicyOp::Implies:
        return text(expr.parts[0], kOr) + " implies " + text(expr.parts[1], kImplies);
      case PolicyOp::Iff:
        return text(expr.parts[0], kImplies) + " iff " + text(expr.parts[1], kImplies);
      case PolicyOp::Equal: return comparison(expr, "==", "==");
      case PolicyOp::NotEqual: return comparison(expr, "!=", "!=");
      case PolicyOp::Less: return comparison(expr, "<", ">");
      case PolicyOp::LessEqual: return comparison(expr, "<=", ">=");
      case PolicyOp::Is:
        return fmt::format(
            "{} is {}", slot_text(expr.slot),
            model_.variables[model_.slots[expr.slot].variable].terms[expr.term].name);
      case PolicyOp::Held:
        return fmt::format("{} held {}", text(expr.parts[0], kCompare), seconds_text(expr.number));
      case PolicyOp::Rate: return past("rate", expr);
      case PolicyOp::MaximumOver: return past("max", expr);
      case PolicyOp::MinimumOver: return past("min", expr);
      case PolicyOp::MeanOver: return past("mean", expr);
      case PolicyOp::Previous: return past("previous", expr);
    }
    return {};
  }

  [[nodiscard]] std::string slot_text(model::SlotId id) const {
    const model::Slot& slot = model_.slots[id];
    const model::Variable& variable = model_.variables[slot.variable];
    if (variable.type.kind != TypeKind::Set) return variable.name;
    return variable.name + " has " + model_.symbols[variable.type.members[slot.member]];
  }

  [[nodiscard]] std::string joined(const PolicyExpr& expr, std::string_view between,
                                   Level least) const {
    std::string result;
    for (std::size_t i = 0; i < expr.parts.size(); ++i) {
      if (i > 0) result += between;
      result += text(expr.parts[i], least);
    }
    return result;
  }

  [[nodiscard]] std::string sum(const PolicyExpr& expr) const {
    std::string result = text(expr.parts[0], kSum);
    for (std::size_t i = 1; i < expr.parts.size(); ++i) {
      const PolicyExpr& part = model_.policy.exprs[expr.parts[i]];
      if (part.op == PolicyOp::Negate) {
        result += " - " + text(part.parts[0], kProduct);
      } else if (part.op == PolicyOp::Number && part.number.sign() < 0) {
        result += " - " + (-part.number).to_string();
      } else {
        result += " + " + text(expr.parts[i], kProduct);
      }
    }
    return result;
  }

  [[nodiscard]] std::string call(std::string_view name, const PolicyExpr& expr) const {
    return fmt::format("{}({})", name, joined(expr, ", ", kIff));
  }

  [[nodiscard]] std::string past(std::string_view name, const PolicyExpr& expr) const {
    std::string result = fmt::format("{} of {}", name, text(expr.parts[0], kAtom));
    if (expr.number.sign() > 0) result += " over " + seconds_text(expr.number);
    return result;
  }

  // The model has `a > b` as b < a. It was written that way if b stands behind a in the source.
  [[nodiscard]] std::string comparison(const PolicyExpr& expr, std::string_view relation,
                                       std::string_view turned) const {
    const bool is_turned =
        model_.policy.exprs[expr.parts[1]].at < model_.policy.exprs[expr.parts[0]].at;
    const PolicyExprId left = expr.parts[is_turned ? 1 : 0];
    const PolicyExprId right = expr.parts[is_turned ? 0 : 1];
    return fmt::format("{} {} {}", operand(left, right), is_turned ? turned : relation,
                       operand(right, left));
  }

  // A number that is compared with an enumeration is the number of a symbol: its member is written.
  [[nodiscard]] std::string operand(PolicyExprId id, PolicyExprId other) const {
    const PolicyExpr& expr = model_.policy.exprs[id];
    const PolicyExpr& beside = model_.policy.exprs[other];
    if (expr.op == PolicyOp::Number && beside.op == PolicyOp::Slot) {
      return model::to_text(model_, beside.slot, expr.number);
    }
    return text(id, kSum);
  }

  const Model& model_;
};

}  // namespace

std::string to_text(const Model& model, PolicyExprId expr) {
  return Writer(model).text(expr, kIff);
}

std::string seconds_text(const Rational& seconds) { return seconds.to_string() + "s"; }

}  // namespace poise::shake
