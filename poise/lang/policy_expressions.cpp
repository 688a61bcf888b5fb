#include "poise/lang/policy_expressions.h"

#include <algorithm>
#include <array>
#include <string>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/lang/number_parser.h"
#include "poise/lang/policy_words.h"

namespace poise::lang {

namespace {

using diag::Code;
using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;
using model::TypeKind;
using model::Variable;
using model::VariableId;

// What an expansion of `let`s may cost; see Expressions.
constexpr int kMaxPolicyDepth = 600;
constexpr std::size_t kMaxPolicyNodes = 100'000;
constexpr std::size_t kMaxPolicyInAll = 1'000'000;

bool is_ordered(NodeKind kind) { return kind != NodeKind::Equal && kind != NodeKind::NotEqual; }

bool have_same_members(const model::Type& left, const model::Type& right) {
  auto left_members = left.members;
  auto right_members = right.members;
  std::ranges::sort(left_members);
  std::ranges::sort(right_members);
  return left_members == right_members;
}

}  // namespace

PolicyExpressions::PolicyExpressions(const Tree& tree, const Scope& scope, model::Model& model,
                                     Reporter& reporter, Expressions& expressions,
                                     const LineIndex& lines)
    : tree_(tree),
      scope_(scope),
      model_(model),
      reporter_(reporter),
      expressions_(expressions),
      lines_(lines),
      wrong_lets_(scope.lets.size(), false),
      lets_reading_own_(scope.lets.size(), false) {
  check_lets();
}

// Checks the `let`s that only policies may use, whether they are used or not; the others have been
// checked already. Each comes after those that it uses. The resulting expressions are dropped.
void PolicyExpressions::check_lets() {
  model::Policy kept = std::move(model_.policy);
  part_ = Part::Let;
  for (const LetIndex let : expressions_.let_order()) {
    const LetDeclaration& declaration = *scope_.lets[let];
    lets_reading_own_[let.index] = reads_own_variables(declaration.body);
    if (!expressions_.is_of_policies(let) || declaration.has_parameters) continue;
    model_.policy = {};
    expanded_ = 0;
    Operand body = operand(declaration.body, nullptr);
    if (body.kind == Kind::Unknown) body = unknown_name(body);
    wrong_lets_[let.index] = body.kind == Kind::Wrong;
  }
  part_ = Part::Elsewhere;
  model_.policy = std::move(kept);
}

// ---- Entry points ----

std::optional<PolicyExprId> PolicyExpressions::condition(NodeId node, Place place) {
  part_ = place == Place::Option ? Part::Option : Part::Elsewhere;
  expanded_ = 0;
  const Operand result = operand(node, nullptr);
  return as_truth(result) ? std::optional(result.id) : std::nullopt;
}

std::optional<PolicyExprId> PolicyExpressions::value(NodeId id, const Variable& target) {
  part_ = Part::Option;
  expanded_ = 0;
  const model::Type& type = target.type;
  const Operand result = operand(id, nullptr, type.kind == TypeKind::Enum ? &type : nullptr);
  if (result.kind == Kind::Wrong) return std::nullopt;
  if (result.kind == Kind::Unknown) {
    if (type.kind == TypeKind::Enum) {
      expressions_.report_unknown_member(target.name, type, text(result.span), result.span);
    } else {
      unknown_name(result);
    }
    return std::nullopt;
  }
  const bool is_number = type.kind == TypeKind::Int || type.kind == TypeKind::Real;
  const Kind wanted = type.kind == TypeKind::Bool ? Kind::Truth
                      : is_number                 ? Kind::Number
                                                  : Kind::Enum;
  const bool fits =
      result.kind == wanted && (wanted != Kind::Enum || have_same_members(type, *result.type));
  const Span span = tree_.nodes[id].span;
  if (!fits) {
    report({.code = Code::TypeMismatch,
            .span = span,
            .message = fmt::format("{} is {}, and {} is {}", quoted(target.name),
                                   expressions_.described(target), quoted(text(span)),
                                   described(result))});
    return std::nullopt;
  }
  const PolicyExpr& expr = model_.policy.exprs[result.id];
  if (!is_number || expr.op != PolicyOp::Number) return result.id;
  const bool inside = target.unbounded || (expr.number >= type.low && expr.number <= type.high);
  if (!inside || (type.kind == TypeKind::Int && !expr.number.is_integer())) {
    report({.code = Code::OutOfRange,
            .span = span,
            .message = fmt::format("{} is {}, and {} is {}", quoted(target.name),
                                   expressions_.described(target), quoted(text(span)),
                                   inside ? "not whole" : "outside of that")});
    return std::nullopt;
  }
  return result.id;
}

bool PolicyExpressions::reads_own_variables(NodeId expression) const {
  std::vector<NodeId> open = {expression};
  while (!open.empty()) {
    const Node& node = tree_.nodes[open.back()];
    open.pop_back();
    const std::span<const NodeId> children = tree_.children(node);
    // What stands behind `is` and `has` is no variable.
    const bool words = node.kind == NodeKind::Is || node.kind == NodeKind::Has;
    std::ranges::copy(words ? children.first(1) : children, std::back_inserter(open));
    if (node.kind != NodeKind::Name && node.kind != NodeKind::Call) continue;
    const Scope::Entry* entry = scope_.find(tree_.text(node));
    if (entry == nullptr) continue;
    if (const auto* id = std::get_if<VariableId>(&entry->meaning)) {
      if (model_.variables[*id].own) return true;
    } else if (const auto* let = std::get_if<LetIndex>(&entry->meaning)) {
      if (lets_reading_own_[let->index]) return true;
    }
  }
  return false;
}

// ---- Expressions ----

PolicyExpressions::Operand PolicyExpressions::operand(NodeId id, const Environment* environment,
                                                      const model::Type* wanted) {
  ++depth_;
  if (use_) {
    ++expanded_;
    ++expanded_in_all_;
  }
  Operand result;
  if (depth_ > kMaxPolicyDepth) {
    result =
        wrong({.code = Code::TooDeep,
               .span = tree_.nodes[id].span,
               .message = fmt::format("nested more than {} levels deep once `let`s are expanded",
                                      kMaxPolicyDepth)});
  } else if (use_ && (expanded_ > kMaxPolicyNodes || expanded_in_all_ > kMaxPolicyInAll)) {
    // The rest of what is too large is passed over.
    if (!said_too_large_) {
      reporter_.report({.code = Code::ExpansionTooLarge,
                        .span = *use_,
                        .message = "this expands to more than Poise can hold"});
    }
    said_too_large_ = true;
  } else {
    result = unchecked_operand(id, environment, wanted);
  }
  --depth_;
  return result;
}

PolicyExpressions::Operand PolicyExpressions::unchecked_operand(NodeId id,
                                                                const Environment* environment,
                                                                const model::Type* wanted) {
  const Node& node = tree_.nodes[id];
  switch (node.kind) {
    case NodeKind::Number: return literal(node, tree_.number(node), Kind::Number);
    case NodeKind::Boolean: return literal(node, tree_.text(node) == "true" ? 1 : 0, Kind::Truth);
    case NodeKind::Text:
      return wrong({.code = Code::TypeMismatch,
                    .span = node.span,
                    .message = "a text in a policy, which has nothing to compare it with"});
    case NodeKind::Name: return name(id, environment, wanted);
    case NodeKind::Primed:
      return wrong({.code = Code::MisplacedPrime,
                    .span = node.span,
                    .message = fmt::format("{} stands outside an action", quoted(text(node.span))),
                    .hint = "a prime is for the value after an action"});
    case NodeKind::Call: return call(id, environment);
    case NodeKind::Braces:
      return wrong({.code = Code::ExpectedExpression,
                    .span = node.span,
                    .message = "a list of values stands only behind `in`"});
    case NodeKind::Negate: return negated(id, environment);
    case NodeKind::Sum: return sum(id, environment);
    case NodeKind::Product: return product(id, environment);
    case NodeKind::Equal:
    case NodeKind::NotEqual:
    case NodeKind::Less:
    case NodeKind::LessEqual:
    case NodeKind::Greater:
    case NodeKind::GreaterEqual: return comparison(id, environment);
    case NodeKind::In: return membership(id, environment);
    case NodeKind::Has: return has(id, environment);
    case NodeKind::Is: return is(id, environment);
    case NodeKind::Not:
    case NodeKind::And:
    case NodeKind::Or:
    case NodeKind::Implies:
    case NodeKind::Iff: return connective(id, environment);
    case NodeKind::Exists:
    case NodeKind::All:
    case NodeKind::Last:
    case NodeKind::Next:
      return wrong({.code = Code::StreamInWorld,
                    .span = node.span,
                    .message = "a condition on a stream in a policy",
                    .hint = "a policy knows variables and their history"});
    case NodeKind::If: return choice(id, environment, wanted);
    case NodeKind::Held: return held(id, environment);
    case NodeKind::Past: return past(id, environment);
  }
  return {};
}

PolicyExpressions::Operand PolicyExpressions::literal(const Node& node, const Rational& value,
                                                      Kind kind) {
  return made(node, kind, {.op = PolicyOp::Number, .number = value});
}

PolicyExpressions::Argument PolicyExpressions::followed(NodeId id,
                                                        const Environment* environment) const {
  Argument argument{id, environment};
  while (argument.environment != nullptr && tree_.nodes[argument.node].kind == NodeKind::Name) {
    const std::string_view text = tree_.text(tree_.nodes[argument.node]);
    const auto& arguments = argument.environment->arguments;
    const auto found =
        std::ranges::find(arguments, text, [](const auto& entry) { return entry.first; });
    if (found == arguments.end()) break;
    argument = found->second;
  }
  return argument;
}

PolicyExpressions::Operand PolicyExpressions::name(NodeId id, const Environment* environment,
                                                   const model::Type* wanted) {
  const Argument argument = followed(id, environment);
  const Node& node = tree_.nodes[argument.node];
  if (node.kind != NodeKind::Name) return operand(argument.node, argument.environment, wanted);
  const std::string_view word = tree_.text(node);
  if (wanted != nullptr) {
    if (const auto index = expressions_.member_index(*wanted, word)) {
      Operand member = literal(node, wanted->members[*index].index, Kind::Enum);
      member.type = wanted;
      return member;
    }
  }
  const Scope::Entry* entry = scope_.find(word);
  if (entry == nullptr) {
    if (scope_.broken.contains(word)) return {};
    if (word != kUtilityWord) return {.kind = Kind::Unknown, .span = node.span};
    if (part_ != Part::Elsewhere) return made(node, Kind::Number, {.op = PolicyOp::Utility});
    return wrong({.code = Code::MisplacedUtility,
                  .span = node.span,
                  .message = "`utility` stands outside an option",
                  .hint = "each option has its own"});
  }
  if (const auto* variable_id = std::get_if<VariableId>(&entry->meaning)) {
    return variable(*variable_id, node);
  }
  if (std::holds_alternative<model::StreamId>(entry->meaning)) {
    return wrong({.code = Code::ElementAsValue,
                  .span = node.span,
                  .message = fmt::format("{} is a stream, not a value", quoted(word)),
                  .related = {{entry->span, "declared here"}}});
  }
  const auto* let = std::get_if<LetIndex>(&entry->meaning);
  if (let == nullptr || scope_.lets[*let]->has_parameters) {
    return wrong({.code = Code::WrongArguments,
                  .span = node.span,
                  .message = fmt::format("{} takes arguments in parentheses", quoted(word)),
                  .related = {{entry->span, "declared here"}}});
  }
  if (wrong_lets_[let->index] || expressions_.is_wrong(*let)) return {};
  return expanded(*scope_.lets[*let], nullptr, node.span);
}

PolicyExpressions::Operand PolicyExpressions::variable(VariableId id, const Node& node) {
  const Variable& variable = model_.variables[id];
  if (variable.type.kind == TypeKind::Set) {
    return {.kind = Kind::Set, .type = &variable.type, .variable = id, .span = node.span};
  }
  const Kind kind = variable.type.kind == TypeKind::Bool   ? Kind::Truth
                    : variable.type.kind == TypeKind::Enum ? Kind::Enum
                                                           : Kind::Number;
  Operand result = made(node, kind, {.op = PolicyOp::Slot, .slot = variable.first_slot});
  result.type = &variable.type;
  return result;
}

PolicyExpressions::Operand PolicyExpressions::expanded(const LetDeclaration& let,
                                                       const Environment* inner, Span use) {
  const bool outermost = !use_;
  if (outermost) use_ = use;
  Operand result = operand(let.body, inner);
  if (result.kind == Kind::Unknown) result = unknown_name(result);
  if (outermost) use_.reset();
  result.span = use;
  return result;
}

PolicyExpressions::Operand PolicyExpressions::call(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const std::string_view word = tree_.text(node);
  const Scope::Entry* entry = scope_.find(word);
  if (entry == nullptr) {
    if (is_function_of_policies(word)) return function(id, environment);
    if (!scope_.broken.contains(word)) {
      reporter_.report_unknown("function", word, node.operator_span, scope_);
    }
    return {};
  }
  if (std::holds_alternative<model::ExternId>(entry->meaning)) {
    return wrong({.code = Code::StreamInWorld,
                  .span = node.span,
                  .message = fmt::format("{}, an external function, in a policy", quoted(word)),
                  .hint = "a policy knows variables and their history",
                  .related = {{entry->span, "declared here"}}});
  }
  const auto* let = std::get_if<LetIndex>(&entry->meaning);
  if (let == nullptr || !scope_.lets[*let]->has_parameters) {
    return wrong({.code = Code::NotAFunction,
                  .span = node.operator_span,
                  .message = fmt::format("{} takes no arguments", quoted(word)),
                  .related = {{entry->span, "declared here"}}});
  }
  if (expressions_.is_wrong(*let)) return {};
  const LetDeclaration& declaration = *scope_.lets[*let];
  const std::span<const NodeId> arguments = tree_.children(node);
  if (arguments.size() != declaration.parameters.size()) {
    const std::size_t count = declaration.parameters.size();
    wrong_count(node, count == 0 ? "no arguments" : counted(count, "argument"));
    return {};
  }
  Environment inner;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    inner.arguments.emplace_back(declaration.parameters[i].text,
                                 Argument{arguments[i], environment});
  }
  return expanded(declaration, &inner, node.span);
}

// min(a, b, …), max(…), abs(x), ceil(x), floor(x), round(x)
PolicyExpressions::Operand PolicyExpressions::function(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const PolicyFunction& known = *function_of_policies(tree_.text(node));
  const bool several = known.op == PolicyOp::Minimum || known.op == PolicyOp::Maximum;
  const std::span<const NodeId> arguments = tree_.children(node);
  if (several ? arguments.size() < 2 : arguments.size() != 1) {
    wrong_count(node, several ? "2 arguments or more" : "1 argument");
    return {};
  }
  PolicyExpr expr{.op = known.op};
  bool right = true;
  for (const NodeId argument : arguments) {
    const Operand part = operand(argument, environment);
    right = as_number(part) && right;
    expr.parts.push_back(part.id);
  }
  return right ? made(node, Kind::Number, std::move(expr)) : Operand{};
}

// A negative literal is one number.
PolicyExpressions::Operand PolicyExpressions::negated(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const NodeId inner = tree_.children(node).front();
  if (tree_.nodes[inner].kind == NodeKind::Number) {
    return literal(node, -tree_.number(tree_.nodes[inner]), Kind::Number);
  }
  const Operand part = operand(inner, environment);
  if (!as_number(part)) return {};
  return made(node, Kind::Number, {.op = PolicyOp::Negate, .parts = {part.id}});
}

PolicyExpressions::Operand PolicyExpressions::sum(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  PolicyExpr expr{.op = PolicyOp::Add};
  bool right = true;
  for (const NodeId child : tree_.children(node)) {
    const Operand part = operand(child, environment);
    right = as_number(part) && right;
    if (!right) continue;
    const Node& written = tree_.nodes[child];
    expr.parts.push_back(written.subtracted
                             ? added(written.span, {.op = PolicyOp::Negate, .parts = {part.id}})
                             : part.id);
  }
  return right ? made(node, Kind::Number, std::move(expr)) : Operand{};
}

// a * b / c * d is ((a * b) / c) * d.
PolicyExpressions::Operand PolicyExpressions::product(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  std::vector<PolicyExprId> factors;
  Span before = node.span;  // of the factors
  bool right = true;
  for (const NodeId child : tree_.children(node)) {
    const Operand part = operand(child, environment);
    right = as_number(part) && right;
    if (!right) continue;
    const Node& written = tree_.nodes[child];
    if (written.divided) {
      const PolicyExprId dividend =
          factors.size() == 1 ? factors.front()
                              : added(before, {.op = PolicyOp::Multiply, .parts = factors});
      const Span span = {node.span.begin, written.span.end};
      factors = {added(span, {.op = PolicyOp::Divide, .parts = {dividend, part.id}})};
    } else {
      factors.push_back(part.id);
    }
    before.end = written.span.end;
  }
  if (!right) return {};
  if (factors.size() > 1) {
    return made(node, Kind::Number, {.op = PolicyOp::Multiply, .parts = std::move(factors)});
  }
  model_.policy.exprs[factors.front()].end = lines_.position(node.span.end);
  return {.kind = Kind::Number, .id = factors.front(), .span = node.span};
}

// if C then A else B: A and B are of one type.
PolicyExpressions::Operand PolicyExpressions::choice(NodeId id, const Environment* environment,
                                                     const model::Type* wanted) {
  const Node& node = tree_.nodes[id];
  const std::span<const NodeId> children = tree_.children(node);
  const Operand condition = operand(children[0], environment);
  bool right = as_truth(condition);
  Operand first = operand(children[1], environment, wanted);
  const auto type_of = [](const Operand& one) {
    return one.kind == Kind::Enum ? one.type : nullptr;
  };
  const Operand second =
      operand(children[2], environment, wanted != nullptr ? wanted : type_of(first));
  if (first.kind == Kind::Unknown && type_of(second) != nullptr) {
    first = operand(children[1], environment, second.type);
  }
  for (const Operand* one : {static_cast<const Operand*>(&first), &second}) {
    if (one->kind == Kind::Unknown && wanted == nullptr) unknown_name(*one);
    if (one->kind == Kind::Unknown && wanted != nullptr) return *one;
    if (one->kind == Kind::Set) {
      report({.code = Code::TypeMismatch,
              .span = one->span,
              .message =
                  fmt::format("{} is {}, not a value", quoted(text(one->span)), described(*one))});
    }
    right =
        right && one->kind != Kind::Wrong && one->kind != Kind::Unknown && one->kind != Kind::Set;
  }
  if (!right) return {};
  const bool same = first.kind == second.kind &&
                    (first.kind != Kind::Enum || have_same_members(*first.type, *second.type));
  if (!same) {
    return wrong(
        {.code = Code::TypeMismatch,
         .span = node.span,
         .message = fmt::format("{} is {} and {} is {}", quoted(text(first.span)), described(first),
                                quoted(text(second.span)), described(second))});
  }
  Operand result =
      made(node, first.kind, {.op = PolicyOp::If, .parts = {condition.id, first.id, second.id}});
  result.type = first.type;
  return result;
}

// ---- Comparisons ----

bool PolicyExpressions::may_be_member(NodeId id, const Environment* environment) const {
  const Node& node = tree_.nodes[followed(id, environment).node];
  if (node.kind != NodeKind::Name) return false;
  const auto variable = variable_of(id, environment);
  if (variable) return model_.variables[*variable].type.kind != TypeKind::Enum;
  return scope_.find(tree_.text(node)) == nullptr;
}

PolicyExpressions::Operand PolicyExpressions::comparison(NodeId id,
                                                         const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const std::span<const NodeId> children = tree_.children(node);
  // The side that is a plain name comes last, since it may be a member of the other's type.
  const bool right_first = may_be_member(children[0], environment);
  const NodeId first_id = children[right_first ? 1 : 0];
  const NodeId second_id = children[right_first ? 0 : 1];
  const Operand first = operand(first_id, environment);
  const model::Type* const wanted = first.kind == Kind::Enum ? first.type : nullptr;
  const Operand second = operand(second_id, environment, wanted);
  if (second.kind == Kind::Unknown && wanted != nullptr) {
    expressions_.report_unknown_member(text(first.span), *wanted, text(second.span), second.span);
    return {};
  }
  const Operand& left = right_first ? second : first;
  const Operand& right = right_first ? first : second;
  if (!are_comparable(node, left, right)) return {};
  const auto expr = [&](PolicyOp op, const Operand& smaller, const Operand& greater) {
    return made(node, Kind::Truth, {.op = op, .parts = {smaller.id, greater.id}});
  };
  switch (node.kind) {
    case NodeKind::Equal: return expr(PolicyOp::Equal, left, right);
    case NodeKind::NotEqual: return expr(PolicyOp::NotEqual, left, right);
    case NodeKind::Less: return expr(PolicyOp::Less, left, right);
    case NodeKind::LessEqual: return expr(PolicyOp::LessEqual, left, right);
    case NodeKind::Greater: return expr(PolicyOp::Less, right, left);
    default: return expr(PolicyOp::LessEqual, right, left);
  }
}

bool PolicyExpressions::are_comparable(const Node& node, const Operand& left,
                                       const Operand& right) {
  if (left.kind == Kind::Wrong || right.kind == Kind::Wrong) return false;
  for (const Operand* side : {&left, &right}) {
    if (side->kind != Kind::Set) continue;
    report({.code = Code::TypeMismatch,
            .span = node.span,
            .message = fmt::format("{} is {}, which is not compared", quoted(text(side->span)),
                                   described(*side)),
            .hint = "ask for a member: " + quoted(fmt::format("{} has …", text(side->span)))});
    return false;
  }
  for (const Operand* side : {&left, &right}) {
    if (side->kind != Kind::Unknown) continue;
    unknown_name(*side);
    return false;
  }
  const bool same = left.kind == right.kind &&
                    (left.kind != Kind::Enum || have_same_members(*left.type, *right.type));
  if (!same) {
    report({.code = Code::TypeMismatch,
            .span = node.span,
            .message = fmt::format("{} is {} and {} is {}", quoted(text(left.span)),
                                   described(left), quoted(text(right.span)), described(right))});
    return false;
  }
  if (is_ordered(node.kind) && left.kind != Kind::Number) {
    report({.code = Code::NoOrder,
            .span = node.operator_span,
            .message = fmt::format("{} is {}, whose values have no order", quoted(text(left.span)),
                                   described(left)),
            .hint = "only `==` and `!=` compare them"});
    return false;
  }
  return true;
}

// x in {a, b} is x == a or x == b.
PolicyExpressions::Operand PolicyExpressions::membership(NodeId id,
                                                         const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const NodeId left_id = tree_.children(node)[0];
  const Node& list = tree_.nodes[tree_.children(node)[1]];
  std::vector<PolicyExprId> cases;
  for (const NodeId child : tree_.children(list)) {
    const Operand left = operand(left_id, environment);
    const model::Type* const wanted = left.kind == Kind::Enum ? left.type : nullptr;
    const Operand right = operand(child, environment, wanted);
    if (right.kind == Kind::Unknown && wanted != nullptr) {
      expressions_.report_unknown_member(text(left.span), *wanted, text(right.span), right.span);
      return {};
    }
    Node equality = node;
    equality.kind = NodeKind::Equal;
    if (!are_comparable(equality, left, right)) return {};
    cases.push_back(added(node.span, {.op = PolicyOp::Equal, .parts = {left.id, right.id}}));
  }
  if (cases.empty()) return literal(node, 0, Kind::Truth);
  if (cases.size() == 1) return {.kind = Kind::Truth, .id = cases.front(), .span = node.span};
  return made(node, Kind::Truth, {.op = PolicyOp::Or, .parts = std::move(cases)});
}

PolicyExpressions::Operand PolicyExpressions::has(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const NodeId member_id = tree_.children(node)[1];
  const Operand left = operand(tree_.children(node)[0], environment);
  if (left.kind == Kind::Wrong) return {};
  if (left.kind == Kind::Unknown) return unknown_name(left);
  if (left.kind != Kind::Set) {
    return wrong(
        {.code = Code::NotASet,
         .span = left.span,
         .message = fmt::format("{} is {}, not a set", quoted(text(left.span)), described(left)),
         .hint = left.kind == Kind::Enum ? "compare it with `==`" : ""});
  }
  const Variable& variable = model_.variables[*left.variable];
  const Node& member = tree_.nodes[followed(member_id, environment).node];
  const auto index = member.kind == NodeKind::Name
                         ? expressions_.member_index(variable.type, tree_.text(member))
                         : std::nullopt;
  if (!index) {
    expressions_.report_unknown_member(variable.name, variable.type, text(member.span),
                                       tree_.nodes[member_id].span);
    return {};
  }
  const model::SlotId slot{variable.first_slot.index + static_cast<std::uint32_t>(*index)};
  return made(node, Kind::Truth, {.op = PolicyOp::Slot, .slot = slot});
}

std::optional<VariableId> PolicyExpressions::variable_of(NodeId id,
                                                         const Environment* environment) const {
  // By way of at most this many `let`s, so that those that need themselves end, too.
  for (int i = 0; i < kMaxPolicyDepth; ++i) {
    const Argument argument = followed(id, environment);
    const Node& node = tree_.nodes[argument.node];
    if (node.kind != NodeKind::Name) return std::nullopt;
    const Scope::Entry* entry = scope_.find(tree_.text(node));
    if (entry == nullptr) return std::nullopt;
    if (const auto* variable = std::get_if<VariableId>(&entry->meaning)) return *variable;
    const auto* let = std::get_if<LetIndex>(&entry->meaning);
    if (let == nullptr || scope_.lets[*let]->has_parameters) return std::nullopt;
    id = scope_.lets[*let]->body;
    environment = nullptr;
  }
  return std::nullopt;
}

PolicyExpressions::Operand PolicyExpressions::is(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const NodeId left_id = tree_.children(node)[0];
  const Node& left = tree_.nodes[followed(left_id, environment).node];
  const auto variable_id = variable_of(left_id, environment);
  if (!variable_id) {
    if (left.kind == NodeKind::Name && scope_.find(tree_.text(left)) == nullptr) {
      return unknown_name({.kind = Kind::Unknown, .span = left.span});
    }
    return wrong({.code = Code::NoTerms,
                  .span = left.span,
                  .message = fmt::format("{} is no variable, and only variables have terms",
                                         quoted(text(left.span)))});
  }
  const Variable& variable = model_.variables[*variable_id];
  const auto declared = scope_.find(variable.name)->span;
  if (variable.terms.empty()) {
    return wrong({.code = Code::NoTerms,
                  .span = node.operator_span,
                  .message = fmt::format("{} has no terms", quoted(variable.name)),
                  .hint = variable.type.kind == TypeKind::Enum
                              ? "compare it with `==`"
                              : "declare them: `term low = ramp 10 5, high = ramp 5 10`",
                  .related = {{declared, "declared here"}}});
  }
  const NodeId term_id = tree_.children(node)[1];
  const Node& written = tree_.nodes[followed(term_id, environment).node];
  const std::string_view word = text(written.span);
  const auto term = std::ranges::find(variable.terms, word, &model::Term::name);
  if (term == variable.terms.end()) {
    std::vector<std::string_view> names;
    for (const model::Term& one : variable.terms) names.push_back(one.name);
    return wrong(
        {.code = Code::UnknownTerm,
         .span = written.span,
         .message = fmt::format("{} is no term of {}", quoted(word), quoted(variable.name)),
         .hint = reporter_.hint(word, names),
         .related = {{declared, "declared here"}}});
  }
  return made(node, Kind::Truth,
              {.op = PolicyOp::Is,
               .slot = variable.first_slot,
               .term = static_cast<std::uint32_t>(term - variable.terms.begin())});
}

PolicyExpressions::Operand PolicyExpressions::connective(NodeId id,
                                                         const Environment* environment) {
  const Node& node = tree_.nodes[id];
  PolicyExpr expr{.op = PolicyOp::Iff};
  switch (node.kind) {
    case NodeKind::Not: expr.op = PolicyOp::Not; break;
    case NodeKind::And: expr.op = PolicyOp::And; break;
    case NodeKind::Or: expr.op = PolicyOp::Or; break;
    case NodeKind::Implies: expr.op = PolicyOp::Implies; break;
    default: break;
  }
  bool right = true;
  for (const NodeId child : tree_.children(node)) {
    const Operand part = operand(child, environment);
    right = as_truth(part) && right;
    expr.parts.push_back(part.id);
  }
  return right ? made(node, Kind::Truth, std::move(expr)) : Operand{};
}

// ---- History ----

std::optional<Rational> PolicyExpressions::duration(NodeId id) {
  const Node& node = tree_.nodes[id];
  const Rational seconds = tree_.number(node);
  auto wrong = wrong_duration(tree_.text(node), seconds, node.span);
  if (!wrong) return seconds;
  report(std::move(*wrong));
  return std::nullopt;
}

PolicyExpressions::Operand PolicyExpressions::held(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const Operand condition = operand(tree_.children(node)[0], environment);
  const std::optional<Rational> seconds = duration(tree_.children(node)[1]);
  if (!as_truth(condition) || !seconds) return {};
  return made(node, Kind::Truth,
              {.op = PolicyOp::Held, .number = *seconds, .parts = {condition.id}});
}

PolicyExpressions::Operand PolicyExpressions::past(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const std::span<const NodeId> children = tree_.children(node);
  const std::string_view word = text(node.operator_span);
  const Operand value = operand(children[0], environment);
  const std::optional<Rational> seconds =
      children.size() > 1 ? duration(children[1]) : std::optional(Rational(0));
  if (word == "previous") {
    const bool scalar = value.kind == Kind::Truth || value.kind == Kind::Enum;
    if (!scalar && !as_number(value)) return {};
    Operand result = made(node, value.kind, {.op = PolicyOp::Previous, .parts = {value.id}});
    result.type = value.type;
    return result;
  }
  if (!as_number(value) || !seconds) return {};
  const PolicyOp op = word == "rate"  ? PolicyOp::Rate
                      : word == "max" ? PolicyOp::MaximumOver
                      : word == "min" ? PolicyOp::MinimumOver
                                      : PolicyOp::MeanOver;
  return made(node, Kind::Number, {.op = op, .number = *seconds, .parts = {value.id}});
}

// ---- What an operand may be used as ----

bool PolicyExpressions::as_truth(const Operand& operand) {
  if (operand.kind == Kind::Truth) return true;
  if (operand.kind == Kind::Unknown) {
    unknown_name(operand);
  } else if (operand.kind != Kind::Wrong) {
    report({.code = Code::NotACondition,
            .span = operand.span,
            .message = fmt::format("{} is {}, not a condition", quoted(text(operand.span)),
                                   described(operand)),
            .hint = operand.kind == Kind::Set ? "ask for a member with `has`"
                                              : "compare it with something"});
  }
  return false;
}

bool PolicyExpressions::as_number(const Operand& operand) {
  if (operand.kind == Kind::Number) return true;
  if (operand.kind == Kind::Unknown) {
    unknown_name(operand);
  } else if (operand.kind != Kind::Wrong) {
    report({.code = Code::NotANumber,
            .span = operand.span,
            .message = fmt::format("{} is {}, not a number", quoted(text(operand.span)),
                                   described(operand))});
  }
  return false;
}

PolicyExpressions::Operand PolicyExpressions::made(const Node& node, Kind kind, PolicyExpr expr) {
  return {.kind = kind, .id = added(node.span, std::move(expr)), .span = node.span};
}

PolicyExprId PolicyExpressions::added(Span span, PolicyExpr expr) {
  expr.at = lines_.position(span.begin);
  expr.end = lines_.position(span.end);
  return model_.policy.exprs.add(std::move(expr));
}

// ---- Mistakes ----

void PolicyExpressions::report(diag::Diagnostic diagnostic) {
  const Span span = diagnostic.span;
  if (use_ && (span.begin < use_->begin || span.end > use_->end)) {
    diagnostic.related.push_back({*use_, "as it is used here"});
  }
  reporter_.report(std::move(diagnostic));
}

PolicyExpressions::Operand PolicyExpressions::wrong(diag::Diagnostic diagnostic) {
  report(std::move(diagnostic));
  return {};
}

PolicyExpressions::Operand PolicyExpressions::unknown_name(const Operand& operand) {
  const std::string_view name = text(operand.span);
  if (!scope_.broken.contains(name)) {
    reporter_.report_unknown("variable", name, operand.span, scope_);
  }
  return {};
}

void PolicyExpressions::wrong_count(const Node& node, std::string_view takes) {
  const std::size_t given = node.child_count;
  report({.code = Code::WrongArguments,
          .span = node.span,
          .message = fmt::format("{} takes {} and is given {}", quoted(tree_.text(node)), takes,
                                 given == 0 ? "none" : std::to_string(given))});
}

std::string_view PolicyExpressions::text(Span span) const {
  return tree_.source.substr(span.begin, span.end - span.begin);
}

std::string PolicyExpressions::described(const Operand& operand) const {
  switch (operand.kind) {
    case Kind::Truth: return operand.type != nullptr ? "a boolean" : "a condition";
    case Kind::Number: return "a number";
    case Kind::Enum:
    case Kind::Set: return expressions_.described(*operand.type);
    case Kind::Wrong:
    case Kind::Unknown: break;
  }
  return "unknown";
}

}  // namespace poise::lang
