// Calls of external functions. Only the program that registers such a function knows its results,
// so a call is an atom of which nothing is known but what it reads. Each argument is a field, a
// variable or a constant.

#include <algorithm>

#include <fmt/format.h>

#include "poise/lang/expressions.h"
#include "poise/model/polynomial.h"

namespace poise::lang {

using diag::Code;
using model::Atom;
using model::TypeKind;

std::string Expressions::described(const model::Field& parameter) const {
  if (parameter.text) return "a text";
  if (parameter.type.kind == TypeKind::Int) return "a whole number";
  if (parameter.type.kind == TypeKind::Real) return "a number";
  return described(parameter.type);
}

Expressions::Kind Expressions::kind_of(const model::Field& parameter) {
  if (parameter.text) return Kind::Text;
  switch (parameter.type.kind) {
    case TypeKind::Bool: return Kind::Bool;
    case TypeKind::Int:
    case TypeKind::Real: return Kind::Number;
    case TypeKind::Enum: return Kind::Enum;
    case TypeKind::Set: return Kind::Set;
  }
  return Kind::Wrong;
}

// Reports what is wrong with an argument, once.
bool Expressions::fits(const Operand& argument, const model::Field& parameter, Span span,
                       const model::Extern& function) {
  const std::string is_parameter = fmt::format("parameter {} of {} is {}", quoted(parameter.name),
                                               quoted(function.name), described(parameter));
  const std::vector<diag::Related> declared = {{scope_.find(function.name)->span, "declared here"}};
  if (argument.kind == Kind::Wrong) return false;
  if (argument.kind == Kind::Unknown && parameter.text) {
    report({.code = Code::UnknownName,
            .span = span,
            .message = fmt::format("unknown variable {}", quoted(argument.text)),
            .hint = "a text is written " + quoted(fmt::format("\"{}\"", argument.text))});
    return false;
  }
  if (argument.kind == Kind::Unknown) {
    unknown_name(argument.text, argument.span);
    return false;
  }
  if (argument.kind == Kind::Element) {
    report({.code = Code::ElementAsValue,
            .span = span,
            .message = fmt::format("{} is an element of a stream, and {}", quoted(argument.text),
                                   is_parameter),
            .hint = "give one of its fields",
            .related = declared});
    return false;
  }
  if (argument.kind == Kind::Condition) {
    report({.code = Code::ConditionAsValue,
            .span = span,
            .message = "this is a condition, and " + is_parameter,
            .related = declared});
    return false;
  }
  const auto mismatch = [&](std::string_view is) {
    report({.code = Code::TypeMismatch,
            .span = span,
            .message = fmt::format("{} is {}, and {}", quoted(argument.text), is, is_parameter),
            .related = declared});
    return false;
  };
  Operand wanted;
  wanted.kind = kind_of(parameter);
  wanted.type = &parameter.type;
  if (argument.kind != wanted.kind || !have_same_members(argument, wanted)) {
    return mismatch(argument.type != nullptr ? described(*argument.type) : described(argument));
  }
  const bool plain =
      argument.slots.empty() ||
      (argument.slots.size() == 1 && argument.value == model::slot_value(argument.slots.front()));
  if (!plain) {
    report({.code = Code::BadArgument,
            .span = span,
            .message = fmt::format("the argument {} is calculated", quoted(argument.text)),
            .hint = "give what it is made of, and let the function calculate",
            .related = declared});
    return false;
  }
  if (parameter.text || parameter.type.kind != TypeKind::Int) return true;
  if (argument.slots.empty()) {
    return argument.value.constant.is_integer() || mismatch("not whole");
  }
  return argument.type->kind == TypeKind::Int || mismatch(described(*argument.type));
}

Expressions::Operand Expressions::external(NodeId id, const Environment* environment,
                                           model::ExternId of) {
  const Node& node = tree_.nodes[id];
  const model::Extern& function = model_.externs[of];
  asks_ = true;
  if (in_world()) {
    return stream_in_world(fmt::format("the external function {}", quoted(function.name)),
                           node.operator_span,
                           {{scope_.find(function.name)->span, "declared here"}});
  }
  const std::span<const NodeId> arguments = tree_.children(node);
  if (arguments.size() != function.parameters.size()) {
    wrong_count(node, function.parameters.size(), scope_.find(function.name)->span);
    return wrong();
  }
  Call call{.function = of, .arguments = {}, .span = node.span};
  Atom atom;
  atom.text = function.name + "(";
  bool right = true;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const model::Field& parameter = function.parameters[i];
    const Span span = tree_.nodes[arguments[i]].span;
    Operand wanted;
    wanted.kind = kind_of(parameter);
    wanted.type = &parameter.type;
    wanted.text = parameter.name;
    const Operand argument = operand_or_member(followed(arguments[i], environment), wanted, span);
    if (!fits(argument, parameter, span, function)) {
      right = false;
      continue;
    }
    if (i > 0) atom.text += ", ";
    atom.text += argument.text;
    std::ranges::copy(argument.slots, std::back_inserter(atom.slots));
    call.arguments.push_back(
        {argument.slots.empty() ? std::nullopt : std::optional(argument.slots.front()),
         argument.value.constant});
  }
  if (!right) return wrong();
  atom.text += ")";
  if (atom.text.size() > kMaxTextLength) {
    return wrong({.code = Code::ExpansionTooLarge,
                  .span = node.span,
                  .message = "this expands to more than Poise can hold"});
  }
  std::ranges::sort(atom.slots);
  atom.slots.erase(std::unique(atom.slots.begin(), atom.slots.end()), atom.slots.end());
  Operand result = from_atom(std::move(atom), node.span);
  calls_.emplace(model_.formulas[*result.formula].atom, std::move(call));
  return result;
}

}  // namespace poise::lang
