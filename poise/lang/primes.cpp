// Conditions of the world: of actions, which speak of the values before and after, of failures
// and of the start.
//
// A primed name is the later value of a variable. It has a slot of its own, which is numbered like
// that of the value before, from kFirstPrimed on, and a text of its own, so that nothing else needs
// to know about primes. The resolver renumbers these slots once it knows how many there are.

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "poise/lang/expressions.h"

namespace poise::lang {

using diag::Code;
using model::FormulaId;
using model::SlotId;
using model::TypeKind;
using model::VariableId;

std::optional<Expressions::ActionCondition> Expressions::action_condition(NodeId node) {
  primed_.clear();
  const std::optional<FormulaId> formula = condition_in(Part::Action, node);
  if (!formula) return std::nullopt;
  std::ranges::sort(primed_);
  primed_.erase(std::unique(primed_.begin(), primed_.end()), primed_.end());
  return ActionCondition{*formula, std::exchange(primed_, {})};
}

std::optional<FormulaId> Expressions::failure_condition(NodeId node) {
  return condition_in(Part::Failure, node);
}
std::optional<FormulaId> Expressions::start_condition(NodeId node) {
  return condition_in(Part::Start, node);
}
std::optional<FormulaId> Expressions::claim_condition(NodeId node) {
  return condition_in(Part::Claim, node);
}

std::optional<FormulaId> Expressions::condition_in(Part part, NodeId node) {
  part_ = part;
  const std::optional<FormulaId> formula = condition(node);
  part_ = Part::Rules;
  return formula;
}

Expressions::Operand Expressions::primed(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  // Text of the action itself, even as an argument of a `let`, has no environment of parameters.
  const bool in_let = use_ && environment != nullptr;
  if (in_let || part_ != Part::Action) return misplaced_prime(node, in_let ? Part::Let : part_);
  const std::string_view text = tree_.text(node);
  const Scope::Entry* entry = scope_.find(text);
  if (entry == nullptr) return unknown_name(text, {node.span.begin, node.span.end - 1});
  const auto* variable_id = std::get_if<VariableId>(&entry->meaning);
  if (variable_id == nullptr) {
    return wrong({.code = Code::MisplacedPrime,
                  .span = node.span,
                  .message = fmt::format("{} is no variable, and has no later value", quoted(text)),
                  .related = {{entry->span, "declared here"}}});
  }
  const model::Variable& variable = model_.variables[*variable_id];
  if (variable.type.kind != TypeKind::Set) primed_.push_back(variable.first_slot);
  Operand result = typed(variable.type, fmt::format("{}'", text),
                         SlotId{variable.first_slot.index + kFirstPrimed}, node.span);
  result.variable = *variable_id;
  result.primed = true;
  return result;
}

Expressions::Operand Expressions::misplaced_prime(const Node& node, Part part) {
  const std::string name = quoted(fmt::format("{}'", tree_.text(node)));
  diag::Diagnostic diagnostic{.code = Code::MisplacedPrime, .span = node.span, .message = {}};
  switch (part) {
    case Part::Rules:
      diagnostic.message = fmt::format("{} stands outside an action", name);
      diagnostic.hint = "a prime is for the value after an action";
      break;
    case Part::Let:
      diagnostic.message = fmt::format("{} stands in a `let`", name);
      diagnostic.hint = "make it a parameter, and give it the later value in the action";
      break;
    case Part::Failure:
      diagnostic.message = fmt::format("{} stands in a failure", name);
      diagnostic.hint = "a failure is about the values after its action; leave out the prime";
      break;
    case Part::Start:
      diagnostic.message = fmt::format("{} stands in a `start`", name);
      diagnostic.hint = "nothing has happened before the start; leave out the prime";
      break;
    case Part::Claim:
      diagnostic.message = fmt::format("{} stands in an invariant", name);
      diagnostic.hint = "an invariant is about present values; leave out the prime";
      break;
    case Part::Action: break;
  }
  return wrong(std::move(diagnostic));
}

Expressions::Operand Expressions::stream_in_world(std::string_view what, Span span,
                                                  std::vector<diag::Related> related) {
  const std::string_view where = part_ == Part::Action    ? "an action"
                                 : part_ == Part::Start   ? "a `start`"
                                 : part_ == Part::Failure ? "a failure"
                                                          : "an invariant";
  return wrong({.code = Code::StreamInWorld,
                .span = span,
                .message = fmt::format("{} in {}", what, where),
                .hint = "the world consists of variables",
                .related = std::move(related)});
}

}  // namespace poise::lang
