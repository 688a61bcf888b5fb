#include "poise/lang/expressions.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/lang/policy_words.h"
#include "poise/model/polynomial.h"

namespace poise::lang {

namespace {

using diag::Code;
using model::Atom;
using model::AtomId;
using model::Formula;
using model::FormulaId;
using model::Op;
using model::Polynomial;
using model::Relation;
using model::SlotId;
using model::TypeKind;
using model::Variable;
using model::VariableId;

// What an expansion of `let`s may cost. Each can double what it uses, so a short text can ask for
// an endless one.
constexpr int kMaxExpandedDepth = 600;
constexpr std::size_t kMaxExpandedNodes = 200'000;
constexpr std::size_t kMaxExpandedInAll = 4'000'000;
constexpr std::size_t kMaxTerms = 1'000;
constexpr std::size_t kMaxNumberBits = 8'192;

std::optional<Relation> relation_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::Equal: return Relation::Equal;
    case NodeKind::NotEqual: return Relation::NotEqual;
    case NodeKind::Less: return Relation::Less;
    case NodeKind::LessEqual: return Relation::LessEqual;
    case NodeKind::Greater: return Relation::Greater;
    case NodeKind::GreaterEqual: return Relation::GreaterEqual;
    default: return std::nullopt;
  }
}

std::string_view before_dot(std::string_view name) { return name.substr(0, name.find('.')); }

// The names that quantifiers bind somewhere in an expression.
std::unordered_set<std::string_view> bound_in(const Tree& tree, NodeId expression) {
  std::unordered_set<std::string_view> names;
  std::vector<NodeId> open = {expression};
  while (!open.empty()) {
    const Node& node = tree.nodes[open.back()];
    open.pop_back();
    std::ranges::copy(tree.children(node), std::back_inserter(open));
    if (node.kind != NodeKind::Exists && node.kind != NodeKind::All) continue;
    names.insert(tree.text(tree.nodes[tree.children(node).front()]));
  }
  return names;
}

// What a node is made of, without the term behind `is`, which is no name that is declared.
std::span<const NodeId> parts_with_names(const Tree& tree, const Node& node) {
  const std::span<const NodeId> children = tree.children(node);
  return node.kind == NodeKind::Is ? children.first(1) : children;
}

// What a name in the body of a `let` may stand for before what is declared: a parameter, or an
// element, whole or with a field.
class LocalNames {
 public:
  LocalNames(const Tree& tree, const LetDeclaration& let) : names_(bound_in(tree, let.body)) {
    for (const Name& parameter : let.parameters) names_.insert(parameter.text);
  }
  [[nodiscard]] bool has(std::string_view name) const {
    return names_.contains(name) || names_.contains(before_dot(name));
  }

 private:
  std::unordered_set<std::string_view> names_;
};

std::vector<SlotId> merged(const std::vector<SlotId>& a, const std::vector<SlotId>& b) {
  std::vector<SlotId> result;
  std::ranges::set_union(a, b, std::back_inserter(result));
  return result;
}

// A number as it stands, but for superfluous zeros; a duration keeps its unit.
std::string number_text(std::string_view written, const Rational& value) {
  const bool duration = !written.empty() && (written.back() < '0' || written.back() > '9');
  return duration ? std::string(written) : value.to_string();
}

}  // namespace

Expressions::Expressions(const Tree& tree, const Scope& scope, model::Model& model,
                         Reporter& reporter)
    : tree_(tree),
      scope_(scope),
      model_(model),
      reporter_(reporter),
      lets_(scope.lets.size()),
      circular_(scope.lets.size(), false),
      of_policies_(scope.lets.size(), false),
      lets_that_ask_(scope.lets.size(), false) {}

// ---- Lets ----

// Those that others need first; a `let` that needs itself is reported and marked circular.
std::vector<LetIndex> Expressions::lets_in_order() {
  enum class Mark { New, Open, Done };
  std::vector<std::vector<LetIndex>> needs(scope_.lets.size());
  for (const LetIndex let : scope_.lets.ids()) {
    const LetDeclaration& declaration = *scope_.lets[let];
    const LocalNames local(tree_, declaration);
    std::vector<NodeId> open = {declaration.body};
    while (!open.empty()) {
      const Node& node = tree_.nodes[open.back()];
      open.pop_back();
      std::ranges::copy(parts_with_names(tree_, node), std::back_inserter(open));
      if (node.kind != NodeKind::Name && node.kind != NodeKind::Call) continue;
      if (local.has(tree_.text(node))) continue;
      const Scope::Entry* entry = scope_.find(tree_.text(node));
      if (entry == nullptr) continue;
      if (const auto* other = std::get_if<LetIndex>(&entry->meaning)) {
        needs[let.index].push_back(*other);
      }
    }
  }
  std::vector<LetIndex> order;
  std::vector<Mark> marks(scope_.lets.size(), Mark::New);
  for (const LetIndex root : scope_.lets.ids()) {
    std::vector<LetIndex> stack = {root};
    while (!stack.empty()) {
      const LetIndex let = stack.back();
      Mark& mark = marks[let.index];
      if (mark == Mark::New) {
        mark = Mark::Open;
        for (const LetIndex other : needs[let.index]) {
          if (marks[other.index] == Mark::New) stack.push_back(other);
          if (marks[other.index] == Mark::Open && !circular_[other.index]) {
            circular_[other.index] = true;
            const Name& name = scope_.lets[other]->name;
            reporter_.report(
                {.code = Code::CircularLet,
                 .span = name.span,
                 .message = fmt::format("{} is defined by itself", quoted(name.text)),
                 .related = let == other ? std::vector<diag::Related>{}
                                         : std::vector<diag::Related>{
                                               {scope_.lets[let]->name.span, "by way of this"}}});
          }
        }
        continue;
      }
      stack.pop_back();
      if (mark == Mark::Open) order.push_back(let);
      mark = Mark::Done;
    }
  }
  return order;
}

void Expressions::resolve_lets() {
  part_ = Part::Let;
  let_order_ = lets_in_order();
  for (const LetIndex let : let_order_) {
    const LetDeclaration& declaration = *scope_.lets[let];
    asks_ = false;
    of_policies_[let.index] = tree_.policy && !circular_[let.index] && uses_policies(declaration);
    if (circular_[let.index]) {
      lets_[let.index] = wrong();
    } else if (declaration.has_parameters) {
      check_names(declaration);
    } else if (!of_policies_[let.index]) {
      Operand body = operand(declaration.body, nullptr);
      if (body.kind == Kind::Unknown) {
        const Node& node = tree_.nodes[declaration.body];
        body = unknown_name(tree_.text(node), node.span);
      }
      lets_[let.index] = std::move(body);
    }
    lets_that_ask_[let.index] = asks_;
  }
  part_ = Part::Rules;
}

// A `let` with parameters is checked where it is used; what is wrong in any case is its names.
void Expressions::check_names(const LetDeclaration& let) {
  const LocalNames local(tree_, let);
  std::vector<NodeId> open = {let.body};
  while (!open.empty()) {
    const Node& node = tree_.nodes[open.back()];
    open.pop_back();
    std::ranges::copy(parts_with_names(tree_, node), std::back_inserter(open));
    if (node.kind == NodeKind::Primed) misplaced_prime(node, Part::Let);
    if (node.kind != NodeKind::Name && node.kind != NodeKind::Call) continue;
    const std::string_view text = tree_.text(node);
    if (local.has(text) || scope_.find(text) != nullptr) continue;
    if (tree_.policy && !form_of_policies(node).empty()) continue;
    if (node.kind == NodeKind::Call) {
      if (is_function_of_policies(text)) continue;  // said where it is used
      unknown_function(text, node.operator_span);
    } else if (!scope_.members.contains(text)) {
      unknown_name(text, node.span);
    }
  }
}

// ---- What belongs to policies ----

// What a node is called if only policies have it, else nothing.
std::string Expressions::form_of_policies(const Node& node) const {
  switch (node.kind) {
    case NodeKind::If: return "`if … then … else`";
    case NodeKind::Held: return "`held`";
    case NodeKind::Is: return "`is`";
    case NodeKind::Past:
      return fmt::format("`{} of`",
                         tree_.source.substr(node.operator_span.begin,
                                             node.operator_span.end - node.operator_span.begin));
    case NodeKind::Product: return division(node) ? "`/`" : "";
    case NodeKind::Call: {
      const std::string_view text = tree_.text(node);
      const bool known = is_function_of_policies(text) && scope_.find(text) == nullptr;
      return known ? quoted(text) : "";
    }
    case NodeKind::Name: {
      const std::string_view text = tree_.text(node);
      const bool known = tree_.policy && text == kUtilityWord && scope_.find(text) == nullptr;
      return known ? quoted(text) : "";
    }
    default: return "";
  }
}

// Where a product is divided: at the slash, or near it.
std::optional<Span> Expressions::division(const Node& node) const {
  const std::span<const NodeId> children = tree_.children(node);
  const auto divisor =
      std::ranges::find_if(children, [&](NodeId child) { return tree_.nodes[child].divided; });
  if (divisor == children.end()) return std::nullopt;
  return divisor == children.begin() + 1 ? node.operator_span : tree_.nodes[*divisor].span;
}

bool Expressions::uses_policies(const LetDeclaration& let) const {
  const LocalNames local(tree_, let);
  std::vector<NodeId> open = {let.body};
  while (!open.empty()) {
    const Node& node = tree_.nodes[open.back()];
    open.pop_back();
    std::ranges::copy(parts_with_names(tree_, node), std::back_inserter(open));
    const bool named = node.kind == NodeKind::Name || node.kind == NodeKind::Call;
    if (named && local.has(tree_.text(node))) continue;
    if (!form_of_policies(node).empty()) return true;
    const Scope::Entry* entry = named ? scope_.find(tree_.text(node)) : nullptr;
    const auto* other = entry == nullptr ? nullptr : std::get_if<LetIndex>(&entry->meaning);
    if (other != nullptr && of_policies_[other->index]) return true;
  }
  return false;
}

Expressions::Operand Expressions::only_in_policies(std::string_view what, Span span,
                                                   std::vector<diag::Related> related) {
  return wrong({.code = Code::OnlyInPolicies,
                .span = span,
                .message = fmt::format("{} belongs to policies", what),
                .hint = "it stands in `option`, `prefer` and `expect`",
                .related = std::move(related)});
}

// ---- Entry points ----

std::optional<FormulaId> Expressions::condition(NodeId node) {
  return as_condition(operand(node, nullptr));
}

std::optional<std::vector<Rational>> Expressions::literal(NodeId id, const Variable& variable) {
  const Node& node = tree_.nodes[id];
  const auto mismatch = [&](std::string hint = {}) {
    report({.code = Code::TypeMismatch,
            .span = node.span,
            .message = fmt::format("{} is {}, and {} is not", quoted(variable.name),
                                   described(variable), quoted(tree_.text(node))),
            .hint = std::move(hint)});
    return std::nullopt;
  };
  switch (variable.type.kind) {
    case TypeKind::Bool:
      if (node.kind != NodeKind::Boolean) return mismatch("a boolean is `true` or `false`");
      return std::vector<Rational>{tree_.text(node) == "true" ? 1 : 0};
    case TypeKind::Int:
    case TypeKind::Real: {
      const bool negative = node.kind == NodeKind::Negate;
      const NodeId inner = negative ? tree_.children(node).front() : id;
      if (tree_.nodes[inner].kind != NodeKind::Number) return mismatch();
      const Rational magnitude = tree_.number(tree_.nodes[inner]);
      const Rational value = negative ? -magnitude : magnitude;
      const bool fits =
          variable.unbounded || (value >= variable.type.low && value <= variable.type.high);
      if (!fits || (variable.type.kind == TypeKind::Int && !value.is_integer())) {
        report({.code = Code::OutOfRange,
                .span = node.span,
                .message = fmt::format("{} is {}, and {} is {}", quoted(variable.name),
                                       described(variable), quoted(tree_.text(node)),
                                       fits ? "not whole" : "outside of that")});
        return std::nullopt;
      }
      return std::vector<Rational>{value};
    }
    case TypeKind::Enum: {
      if (node.kind != NodeKind::Name) return mismatch();
      const auto index = member_index(variable.type, tree_.text(node));
      if (!index) {
        unknown_member(variable.name, variable.type, tree_.text(node), node.span);
        return std::nullopt;
      }
      return std::vector<Rational>{variable.type.members[*index].index};
    }
    case TypeKind::Set: {
      if (node.kind != NodeKind::Braces) return mismatch("a set is written `{a, b}`");
      std::vector<Rational> values(variable.type.members.size(), 0);
      bool whole = true;
      for (const NodeId child : tree_.children(node)) {
        const Node& member = tree_.nodes[child];
        const auto index = member_index(variable.type, tree_.text(member));
        if (!index) {
          unknown_member(variable.name, variable.type, tree_.text(member), member.span);
        }
        whole = whole && index;
        if (index) values[*index] = 1;
      }
      if (!whole) return std::nullopt;
      return values;
    }
  }
  return std::nullopt;
}

// ---- Expressions ----

Expressions::Operand Expressions::operand(const Argument& argument, Span span) {
  if (argument.binding) {
    Operand result;
    result.kind = Kind::Element;
    result.text = bindings_[*argument.binding].name;
    result.span = span;
    return result;
  }
  return operand(argument.node, argument.environment);
}

Expressions::Operand Expressions::operand(NodeId id, const Environment* environment) {
  ++depth_;
  if (use_) {
    ++expanded_;
    ++expanded_in_all_;
  }
  Operand result;
  if (depth_ > kMaxExpandedDepth) {
    result =
        wrong({.code = Code::TooDeep,
               .span = tree_.nodes[id].span,
               .message = fmt::format("nested more than {} levels deep once `let`s are expanded",
                                      kMaxExpandedDepth)});
  } else if (use_ && expanded_ > kMaxExpandedNodes) {
    // Reported once, where the expansion started; the rest of it is passed over.
    result = wrong({.code = Code::ExpansionTooLarge,
                    .span = *use_,
                    .message = "this expands to more than Poise can hold"});
  } else if (use_ && expanded_in_all_ > kMaxExpandedInAll) {
    const bool first = expanded_in_all_ == kMaxExpandedInAll + 1;
    if (first) {
      report({.code = Code::ExpansionTooLarge,
              .span = *use_,
              .message = "from here on, the `let`s expand to more than Poise can hold"});
    }
  } else {
    result = limited(unchecked_operand(id, environment));
  }
  --depth_;
  return result;
}

Expressions::Operand Expressions::unchecked_operand(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  switch (node.kind) {
    case NodeKind::Number: {
      Operand result;
      result.kind = Kind::Number;
      const Rational number = tree_.number(node);
      result.value = model::constant(number);
      result.text = number_text(tree_.text(node), number);
      result.span = node.span;
      return result;
    }
    case NodeKind::Boolean: {
      const bool truth = tree_.text(node) == "true";
      Operand result = from_formula(formula({truth ? Op::True : Op::False, {}, {}}), node.span);
      result.kind = Kind::Bool;
      result.value = model::constant(truth ? 1 : 0);
      result.text = tree_.text(node);
      return result;
    }
    case NodeKind::Text: {
      const std::string_view text = tree_.text(node);
      const auto [known, is_new] =
          texts_.emplace(text, model::TextId{static_cast<std::uint32_t>(model_.texts.size())});
      if (is_new) model_.texts.add(std::string(text));
      Operand result;
      result.kind = Kind::Text;
      result.value = model::constant(known->second.index);
      result.text = fmt::format("\"{}\"", text);
      result.span = node.span;
      return result;
    }
    case NodeKind::Name: return name(id, environment);
    case NodeKind::Primed: return primed(id, environment);
    case NodeKind::Call: return call(id, environment);
    case NodeKind::Braces:
      return wrong({.code = Code::ExpectedExpression,
                    .span = node.span,
                    .message = "a list of values stands only behind `in`"});
    case NodeKind::Negate: {
      Operand inner = operand(tree_.children(node).front(), environment);
      if (!as_number(inner)) return wrong();
      inner.value = model::scaled(inner.value, -1);
      inner.text = inner.binding < 4 ? fmt::format("-({})", inner.text) : "-" + inner.text;
      inner.binding = 3;
      inner.variable.reset();
      inner.type = nullptr;
      inner.span = node.span;
      return inner;
    }
    case NodeKind::Sum:
    case NodeKind::Product: return sum_or_product(id, environment);
    case NodeKind::Equal:
    case NodeKind::NotEqual:
    case NodeKind::Less:
    case NodeKind::LessEqual:
    case NodeKind::Greater:
    case NodeKind::GreaterEqual: return comparison(id, environment);
    case NodeKind::In: return membership(id, environment);
    case NodeKind::Has: return has(id, environment);
    case NodeKind::If:
    case NodeKind::Held:
    case NodeKind::Past: return only_in_policies(form_of_policies(node), node.operator_span);
    case NodeKind::Is:
      if (std::ranges::any_of(model_.variables,
                              [](const Variable& one) { return !one.terms.empty(); })) {
        return only_in_policies("`is`", node.operator_span);
      }
      return wrong({.code = Code::NoTerms,
                    .span = node.operator_span,
                    .message = "`is` asks for a term of a policy, and no variable has terms",
                    .hint = "compare values with `==`"});
    case NodeKind::Not:
    case NodeKind::And:
    case NodeKind::Or:
    case NodeKind::Implies:
    case NodeKind::Iff: return connective(id, environment);
    case NodeKind::Exists:
    case NodeKind::All: return quantifier(id, environment);
    case NodeKind::Last:
    case NodeKind::Next: break;  // only in quantifiers
  }
  return wrong();
}

Expressions::Argument Expressions::followed(NodeId id, const Environment* environment) const {
  Argument argument{id, environment};
  while (!argument.binding && argument.environment != nullptr &&
         tree_.nodes[argument.node].kind == NodeKind::Name) {
    const std::string_view text = tree_.text(tree_.nodes[argument.node]);
    const auto& arguments = argument.environment->arguments;
    const auto found =
        std::ranges::find(arguments, text, [](const auto& entry) { return entry.first; });
    if (found == arguments.end()) break;
    argument = found->second;
  }
  return argument;
}

// Nothing if there is no dot, or what stands before it is no parameter and no element.
std::optional<Expressions::Argument> Expressions::argument_before_dot(
    std::string_view name, const Environment* environment) const {
  const std::string_view before = before_dot(name);
  if (environment == nullptr || before.size() == name.size()) return std::nullopt;
  const auto found = std::ranges::find(environment->arguments, before,
                                       [](const auto& entry) { return entry.first; });
  if (found == environment->arguments.end()) return std::nullopt;
  const Argument& argument = found->second;
  return argument.binding ? argument : followed(argument.node, argument.environment);
}

Expressions::Operand Expressions::name(NodeId id, const Environment* environment) {
  const Argument argument = followed(id, environment);
  if (argument.binding) return operand(argument, tree_.nodes[id].span);
  if (argument.node != id || argument.environment != environment) {
    const Node& node = tree_.nodes[argument.node];
    if (node.kind != NodeKind::Name) return operand(argument.node, argument.environment);
    id = argument.node;
  }
  const Node& node = tree_.nodes[id];
  const std::string_view text = tree_.text(node);
  if (const auto owner = argument_before_dot(text, argument.environment)) {
    const std::string_view name_of_field = text.substr(text.find('.') + 1);
    if (owner->binding) return field(*owner->binding, name_of_field, node.span);
    return wrong({.code = Code::UnknownField,
                  .span = node.span,
                  .message = fmt::format("{} is no element of a stream, and has no field {}",
                                         quoted(tree_.text(tree_.nodes[owner->node])),
                                         quoted(name_of_field))});
  }
  const Scope::Entry* entry = scope_.find(text);
  if (entry == nullptr) {
    if (scope_.broken.contains(text)) return wrong();
    Operand result;
    result.kind = Kind::Unknown;
    result.text = text;
    result.span = node.span;
    return result;
  }
  if (const auto* id_of = std::get_if<VariableId>(&entry->meaning))
    return variable(*id_of, node.span);
  if (std::holds_alternative<model::StreamId>(entry->meaning)) {
    return wrong({.code = Code::ElementAsValue,
                  .span = node.span,
                  .message = fmt::format("{} is a stream, not a value", quoted(text)),
                  .hint = fmt::format("ask for its elements: `exists x in {}: …`", text),
                  .related = {{entry->span, "declared here"}}});
  }
  const auto* function = std::get_if<model::ExternId>(&entry->meaning);
  const LetIndex let = function != nullptr ? LetIndex{} : std::get<LetIndex>(entry->meaning);
  if (function != nullptr || scope_.lets[let]->has_parameters) {
    const std::size_t count = function != nullptr ? model_.externs[*function].parameters.size()
                                                  : scope_.lets[let]->parameters.size();
    return wrong(
        {.code = Code::WrongArguments,
         .span = node.span,
         .message = fmt::format("{} takes arguments in parentheses", quoted(text)),
         .hint = count == 0 ? "did you mean " + quoted(fmt::format("{}()", text)) + "?" : "",
         .related = {{entry->span, "declared here"}}});
  }
  if (of_policies_[let.index]) {
    return only_in_policies(fmt::format("{}, as it is defined,", quoted(text)), node.span,
                            {{entry->span, "declared here"}});
  }
  if (!lets_[let.index]) return wrong();
  if (lets_that_ask_[let.index]) {
    asks_ = true;
    if (in_world()) {
      return stream_in_world(
          fmt::format("{}, which is about streams or external functions,", quoted(text)), node.span,
          {{entry->span, "declared here"}});
    }
  }
  Operand result = *lets_[let.index];
  result.span = node.span;
  return result;
}

Expressions::Operand Expressions::variable(VariableId id, Span span) {
  const Variable& variable = model_.variables[id];
  Operand result = typed(variable.type, variable.name, variable.first_slot, span);
  result.variable = id;
  return result;
}

// What stands for a single value of a type: a variable or a field.
Expressions::Operand Expressions::typed(const model::Type& type, std::string_view name, SlotId slot,
                                        Span span) {
  Operand result;
  result.text = name;
  result.span = span;
  result.type = &type;
  switch (type.kind) {
    case TypeKind::Set: result.kind = Kind::Set; return result;
    case TypeKind::Bool: {
      Atom atom;
      atom.text = name;
      atom.slots = {slot};
      atom.value = sum(model::slot_value(slot), model::constant(-1));
      result = from_atom(std::move(atom), span);
      result.kind = Kind::Bool;
      result.text = name;
      result.type = &type;
      break;
    }
    case TypeKind::Int:
    case TypeKind::Real: result.kind = Kind::Number; break;
    case TypeKind::Enum: result.kind = Kind::Enum; break;
  }
  result.value = model::slot_value(slot);
  result.slots = {slot};
  return result;
}

Expressions::Operand Expressions::call(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const std::string_view text = tree_.text(node);
  const Scope::Entry* entry = scope_.find(text);
  if (entry == nullptr && is_function_of_policies(text)) {
    return only_in_policies(quoted(text), node.operator_span);
  }
  if (entry == nullptr) return unknown_function(text, node.operator_span);
  if (const auto* function = std::get_if<model::ExternId>(&entry->meaning)) {
    return external(id, environment, *function);
  }
  const auto* let = std::get_if<LetIndex>(&entry->meaning);
  if (let == nullptr || !scope_.lets[*let]->has_parameters) {
    return wrong({.code = Code::NotAFunction,
                  .span = node.operator_span,
                  .message = fmt::format("{} takes no arguments", quoted(text)),
                  .hint = node.child_count == 0 ? "leave out the parentheses"
                                                : "is an operator missing behind it?",
                  .related = {{entry->span, "declared here"}}});
  }
  const LetDeclaration& declaration = *scope_.lets[*let];
  if (circular_[let->index]) return wrong();
  const std::span<const NodeId> arguments = tree_.children(node);
  if (arguments.size() != declaration.parameters.size()) {
    wrong_count(node, declaration.parameters.size(), entry->span);
    return wrong();
  }
  Environment inner;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    inner.arguments.emplace_back(declaration.parameters[i].text,
                                 Argument{arguments[i], environment});
  }
  const bool outermost = !use_;
  if (outermost) {
    use_ = node.span;
    expanded_ = 0;
  }
  Operand result = operand(declaration.body, &inner);
  if (outermost) use_.reset();
  result.span = node.span;
  return result;
}

void Expressions::wrong_count(const Node& node, std::size_t parameters, Span declared) {
  report({.code = Code::WrongArguments,
          .span = node.span,
          .message = fmt::format("{} takes {} and is given {}", quoted(tree_.text(node)),
                                 parameters == 0 ? "no arguments" : counted(parameters, "argument"),
                                 node.child_count == 0 ? "none" : std::to_string(node.child_count)),
          .related = {{declared, "declared here"}}});
}

Expressions::Operand Expressions::sum_or_product(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const bool is_sum = node.kind == NodeKind::Sum;
  if (const auto slash = division(node); slash && !is_sum) {
    return wrong({.code = Code::ForeignOperator,
                  .span = *slash,
                  .message = "unknown operator `/`",
                  .hint = "only policies divide; multiply instead: `0.5 * x`"});
  }
  const int binding = is_sum ? 1 : 2;
  Operand result;
  result.kind = Kind::Number;
  result.value = model::constant(is_sum ? 0 : 1);
  result.span = node.span;
  bool right = true;
  bool first = true;
  for (const NodeId child_id : tree_.children(node)) {
    const Operand child = operand(child_id, environment);
    if (!as_number(child)) {
      right = false;
      continue;
    }
    if (!right) continue;
    const bool subtracted = tree_.nodes[child_id].subtracted;
    if (!first) result.text += is_sum ? (subtracted ? " - " : " + ") : " * ";
    const bool parentheses = child.binding < binding || (child.binding == binding && !first);
    result.text += parentheses ? "(" + child.text + ")" : child.text;
    result.slots = merged(result.slots, child.slots);
    result.value =
        is_sum ? sum(result.value, subtracted ? model::scaled(child.value, -1) : child.value)
               : product(result.value, child.value);
    first = false;
    if (limited(result).kind == Kind::Wrong) return wrong();
  }
  if (!right) return wrong();
  result.binding = binding;
  return result;
}

// ---- Comparisons ----

std::optional<Expressions::Operand> Expressions::member(const model::Type& of,
                                                        const Argument& argument, Span span) {
  const Node& node = tree_.nodes[argument.node];
  if (node.kind != NodeKind::Name) return std::nullopt;
  const std::optional<std::size_t> index = member_index(of, tree_.text(node));
  if (!index) return std::nullopt;
  Operand result;
  result.kind = Kind::Enum;
  result.value = model::constant(of.members[*index].index);
  result.text = tree_.text(node);
  result.span = span;
  return result;
}

// One side of a comparison, the other side being known: a name is a member of its type first.
Expressions::Operand Expressions::operand_or_member(const Argument& argument, const Operand& other,
                                                    Span span) {
  if (other.kind == Kind::Enum && other.type != nullptr) {
    if (std::optional<Operand> literal = member(*other.type, argument, span)) return *literal;
    Operand result = operand(argument, span);
    if (result.kind != Kind::Unknown) return result;
    return unknown_member(other.text, *other.type, result.text, result.span);
  }
  return operand(argument, span);
}

Expressions::Operand Expressions::comparison(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const NodeId left_id = tree_.children(node)[0];
  const NodeId right_id = tree_.children(node)[1];
  const Argument left_argument = followed(left_id, environment);
  const Argument right_argument = followed(right_id, environment);
  Operand left = operand(left_id, environment);
  Operand right = operand_or_member(right_argument, left, tree_.nodes[right_id].span);
  const bool left_is_plain = tree_.nodes[left_argument.node].kind == NodeKind::Name;
  if (left_is_plain && left.kind != Kind::Enum && right.kind == Kind::Enum) {
    left = operand_or_member(left_argument, right, tree_.nodes[left_id].span);
  }
  return compared(node, std::move(left), std::move(right));
}

// Reports what is wrong with the two sides, once.
bool Expressions::are_comparable(const Node& node, const Operand& left, const Operand& right) {
  // An unknown name beside a mistake may well be a member of what the other side should be.
  if (left.kind == Kind::Wrong || right.kind == Kind::Wrong) return false;
  if (left.kind == Kind::Set || right.kind == Kind::Set) {
    set_compared(node, left, right);
    return false;
  }
  if (left.kind == Kind::Unknown && right.kind == Kind::Unknown) {
    const Operand& unknown = scope_.members.contains(left.text) ? right : left;
    unknown_name(unknown.text, unknown.span);
    return false;
  }
  if (left.kind == Kind::Text && right.kind == Kind::Unknown) {
    report({.code = Code::UnknownName,
            .span = right.span,
            .message = fmt::format("unknown variable {}", quoted(right.text)),
            .hint = "a text is written " + quoted(fmt::format("\"{}\"", right.text))});
    return false;
  }
  const auto is_condition = [](const Operand& side) {
    return side.kind == Kind::Condition || side.kind == Kind::Bool;
  };
  const bool values = left.kind == Kind::Bool && right.kind == Kind::Bool;
  if (is_condition(left) && is_condition(right) && !values) {
    conditions_compared(node);
    return false;
  }
  if (!as_value(left) || !as_value(right)) return false;
  if (left.kind != right.kind || !have_same_members(left, right)) {
    report({.code = Code::TypeMismatch,
            .span = node.span,
            .message = fmt::format("{} is {} and {} is {}", quoted(left.text), described(left),
                                   quoted(right.text), described(right)),
            .hint = without_quotes(left, right)});
    return false;
  }
  const bool ordered = node.kind != NodeKind::Equal && node.kind != NodeKind::NotEqual;
  if (ordered && left.kind != Kind::Number) {
    report({.code = Code::NoOrder,
            .span = node.operator_span,
            .message = fmt::format("{} is {}, whose values have no order", quoted(left.text),
                                   described(left)),
            .hint = "only `==` and `!=` compare them"});
    return false;
  }
  return true;
}

// A member in quotes, as other languages write it.
std::string Expressions::without_quotes(const Operand& left, const Operand& right) {
  const Operand& text = left.kind == Kind::Text ? left : right;
  const Operand& other = left.kind == Kind::Text ? right : left;
  if (text.kind != Kind::Text || other.kind != Kind::Enum || other.type == nullptr) return "";
  const std::string_view word = std::string_view(text.text).substr(1, text.text.size() - 2);
  if (!text.slots.empty() || !member_index(*other.type, word)) return "";
  return fmt::format("did you mean {}, without quotes?", quoted(word));
}

bool Expressions::have_same_members(const Operand& left, const Operand& right) const {
  if (left.kind != Kind::Enum || left.type == nullptr || right.type == nullptr) return true;
  auto left_members = left.type->members;
  auto right_members = right.type->members;
  std::ranges::sort(left_members);
  std::ranges::sort(right_members);
  return left_members == right_members;
}

void Expressions::set_compared(const Node& node, const Operand& left, const Operand& right) {
  const Operand& set = left.kind == Kind::Set ? left : right;
  const Operand& other = left.kind == Kind::Set ? right : left;
  const bool member = other.kind == Kind::Unknown && member_index(*set.type, other.text);
  report(
      {.code = Code::TypeMismatch,
       .span = node.span,
       .message = fmt::format("{} is {}, which is not compared", quoted(set.text), described(set)),
       .hint = "ask for a member: " +
               quoted(fmt::format("{} has {}", set.text, member ? other.text : "…"))});
}

void Expressions::conditions_compared(const Node& node) {
  std::string hint;
  if (node.kind == NodeKind::Equal) hint = "did you mean `iff`?";
  if (node.kind == NodeKind::NotEqual) hint = "did you mean `iff not`?";
  const Span span = node.operator_span;
  report({.code = Code::ConditionAsValue,
          .span = span,
          .message = fmt::format("{} compares values, not conditions",
                                 quoted(tree_.source.substr(span.begin, span.end - span.begin))),
          .hint = std::move(hint)});
}

Expressions::Operand Expressions::compared(const Node& node, Operand left, Operand right) {
  if (!are_comparable(node, left, right)) return wrong();
  const Relation relation = *relation_of(node.kind);
  Atom atom;
  atom.slots = merged(left.slots, right.slots);
  atom.value = sum(left.value, model::scaled(right.value, -1));
  atom.relation = relation;
  if (atom.slots.empty()) {
    const bool truth = holds(relation, atom.value.constant.sign());
    return from_formula(formula({truth ? Op::True : Op::False, {}, {}}), node.span);
  }
  atom.text = fmt::format("{} {} {}", left.text, symbol(relation), right.text);
  return from_atom(std::move(atom), node.span);
}

Expressions::Operand Expressions::membership(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  Operand left = operand(tree_.children(node)[0], environment);
  if (!as_value(left)) return wrong();
  if (left.kind == Kind::Set) {
    return wrong({.code = Code::BadMembership,
                  .span = tree_.nodes[tree_.children(node)[0]].span,
                  .message = fmt::format("{} is {}, and `in` asks whether one value is in a list",
                                         quoted(left.text), described(left)),
                  .hint = "ask for a member: " + quoted(left.text + " has …")});
  }
  const Node& list = tree_.nodes[tree_.children(node)[1]];
  Atom atom;
  atom.membership = true;
  atom.slots = left.slots;
  atom.value = left.value;
  atom.text = left.text + " in {";
  bool right = true;
  bool first = true;
  for (const NodeId child_id : tree_.children(list)) {
    const Operand child =
        operand_or_member(followed(child_id, environment), left, tree_.nodes[child_id].span);
    if (!as_value(child)) {
      right = false;
      continue;
    }
    if (child.kind != left.kind) {
      report({.code = Code::TypeMismatch,
              .span = tree_.nodes[child_id].span,
              .message = fmt::format("{} is {} and {} is {}", quoted(left.text), described(left),
                                     quoted(child.text), described(child))});
      right = false;
      continue;
    }
    if (!child.slots.empty()) {
      report({.code = Code::ExpectedLiteral,
              .span = tree_.nodes[child_id].span,
              .message = fmt::format("{} is no plain value", quoted(child.text)),
              .hint = "compare it with `==`"});
      right = false;
      continue;
    }
    atom.among.push_back(child.value.constant);
    if (!first) atom.text += ", ";
    atom.text += child.text;
    first = false;
  }
  if (!right) return wrong();
  atom.text += "}";
  std::ranges::sort(atom.among);
  atom.among.erase(std::unique(atom.among.begin(), atom.among.end()), atom.among.end());
  if (atom.slots.empty()) {
    const bool truth = std::ranges::binary_search(atom.among, atom.value.constant);
    return from_formula(formula({truth ? Op::True : Op::False, {}, {}}), node.span);
  }
  return from_atom(std::move(atom), node.span);
}

Expressions::Operand Expressions::has(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const Operand left = operand(tree_.children(node)[0], environment);
  if (left.kind == Kind::Wrong) return wrong();
  if (left.kind == Kind::Unknown) return unknown_name(left.text, left.span);
  if (left.kind != Kind::Set) {
    return wrong({.code = Code::NotASet,
                  .span = tree_.nodes[tree_.children(node)[0]].span,
                  .message = fmt::format("{} is {}, not a set", quoted(left.text), described(left)),
                  .hint = left.kind == Kind::Enum ? "compare it with `==`" : ""});
  }
  const Variable& variable = model_.variables[*left.variable];
  const NodeId member_id = tree_.children(node)[1];
  const Node& member = tree_.nodes[followed(member_id, environment).node];
  const std::optional<std::size_t> index = member.kind == NodeKind::Name
                                               ? member_index(variable.type, tree_.text(member))
                                               : std::nullopt;
  if (!index) {
    return unknown_member(variable.name, variable.type, tree_.text(member),
                          tree_.nodes[member_id].span);
  }
  SlotId slot{variable.first_slot.index + static_cast<std::uint32_t>(*index)};
  if (left.primed) {
    primed_.push_back(slot);
    slot.index += kFirstPrimed;
  }
  Atom atom;
  atom.text = fmt::format("{} has {}", left.text, tree_.text(member));
  atom.slots = {slot};
  atom.value = sum(model::slot_value(slot), model::constant(-1));
  return from_atom(std::move(atom), node.span);
}

Expressions::Operand Expressions::connective(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  Formula result{};
  switch (node.kind) {
    case NodeKind::Not: result.op = Op::Not; break;
    case NodeKind::And: result.op = Op::And; break;
    case NodeKind::Or: result.op = Op::Or; break;
    case NodeKind::Implies: result.op = Op::Implies; break;
    default: result.op = Op::Iff; break;
  }
  bool right = true;
  for (const NodeId child : tree_.children(node)) {
    const std::optional<FormulaId> part = as_condition(operand(child, environment));
    if (part) result.parts.push_back(*part);
    right = right && part;
  }
  if (!right) return wrong();
  int depth = 0;
  for (const FormulaId part : result.parts) depth = std::max(depth, depths_[part.index]);
  if (depth + 1 > model::kMaxFormulaDepth) {
    return wrong({.code = Code::TooDeep,
                  .span = node.span,
                  .message = fmt::format("nested more than {} levels deep once `let`s are expanded",
                                         model::kMaxFormulaDepth)});
  }
  return from_formula(formula(std::move(result)), node.span);
}

// ---- What an operand may be used as ----

std::optional<FormulaId> Expressions::as_condition(const Operand& operand) {
  switch (operand.kind) {
    case Kind::Wrong: return std::nullopt;
    case Kind::Unknown: unknown_name(operand.text, operand.span); return std::nullopt;
    case Kind::Condition:
    case Kind::Bool: return operand.formula;
    case Kind::Element: element_as_value(operand); return std::nullopt;
    case Kind::Number:
    case Kind::Enum:
    case Kind::Text:
    case Kind::Set:
      report({.code = Code::NotACondition,
              .span = operand.span,
              .message = fmt::format("{} is {}, not a condition", quoted(operand.text),
                                     described(operand)),
              .hint = operand.kind == Kind::Set ? "ask for a member with `has`"
                                                : "compare it with something"});
      return std::nullopt;
  }
  return std::nullopt;
}

bool Expressions::as_number(const Operand& operand) {
  if (operand.kind == Kind::Number) return true;
  if (operand.kind == Kind::Unknown) {
    unknown_name(operand.text, operand.span);
  } else if (operand.kind == Kind::Element) {
    element_as_value(operand);
  } else if (operand.kind != Kind::Wrong) {
    report({.code = Code::NotANumber,
            .span = operand.span,
            .message = operand.kind == Kind::Condition
                           ? "this is a condition, not a number"
                           : fmt::format("{} is {}, not a number", quoted(operand.text),
                                         described(operand))});
  }
  return false;
}

bool Expressions::as_value(const Operand& operand) {
  if (operand.kind == Kind::Element) {
    element_as_value(operand);
    return false;
  }
  if (operand.kind == Kind::Unknown) {
    unknown_name(operand.text, operand.span);
    return false;
  }
  if (operand.kind == Kind::Condition) {
    report({.code = Code::ConditionAsValue,
            .span = operand.span,
            .message = "this is a condition, not a value to compare"});
    return false;
  }
  return operand.kind != Kind::Wrong;
}

// ---- Formulas ----

Expressions::Operand Expressions::from_formula(FormulaId id, Span span) {
  Operand result;
  result.kind = Kind::Condition;
  result.formula = id;
  result.span = span;
  return result;
}

Expressions::Operand Expressions::from_atom(Atom atom, Span span) {
  // Elements of different quantifiers may have the same name.
  std::string key = atom.text;
  for (const SlotId slot : atom.slots) {
    if (slot.index >= kFirstPlace) key += fmt::format("\n{}", slot.index);
  }
  const auto known = atoms_.find(key);
  AtomId id;
  if (known != atoms_.end()) {
    id = known->second;
  } else {
    id = model_.atoms.add(std::move(atom));
    atoms_.emplace(std::move(key), id);
  }
  return from_formula(formula({Op::Atom, id, {}}), span);
}

// The same formula has the same id, so that what `let`s share stays shared.
FormulaId Expressions::formula(Formula formula) {
  constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15U;
  std::uint64_t mixed =
      static_cast<std::uint64_t>(formula.op) + std::uint64_t{formula.atom.index} * 8;
  int depth = 0;
  for (const FormulaId part : formula.parts) {
    mixed = (mixed ^ part.index) * kFactor;
    mixed ^= mixed >> 32U;
    depth = std::max(depth, depths_[part.index]);
  }
  mixed *= kFactor;
  const std::uint32_t hash = static_cast<std::uint32_t>(mixed >> 32U) | 1U;  // 0 is for none
  if (known_formulas_.size() < (model_.formulas.size() + 1) * 2) grow_known_formulas();
  const std::size_t mask = known_formulas_.size() - 1;
  std::size_t place = hash & mask;
  for (; known_formulas_[place].hash != 0; place = (place + 1) & mask) {
    if (known_formulas_[place].hash != hash) continue;
    const Formula& other = model_.formulas[known_formulas_[place].formula];
    if (other.op == formula.op && other.atom == formula.atom && other.parts == formula.parts) {
      return known_formulas_[place].formula;
    }
  }
  const FormulaId id = model_.formulas.add(std::move(formula));
  depths_.push_back(depth + 1);
  known_formulas_[place] = {hash, id};
  return id;
}

void Expressions::grow_known_formulas() {
  std::vector<KnownFormula> larger(std::max<std::size_t>(64, known_formulas_.size() * 4));
  const std::size_t mask = larger.size() - 1;
  for (const KnownFormula& known : known_formulas_) {
    if (known.hash == 0) continue;
    std::size_t place = known.hash & mask;
    while (larger[place].hash != 0) place = (place + 1) & mask;
    larger[place] = known;
  }
  known_formulas_ = std::move(larger);
}

Expressions::Operand Expressions::limited(Operand operand) {
  const auto too_large = [&](const Rational& number) {
    return number.numerator().bits() > kMaxNumberBits ||
           number.denominator().bits() > kMaxNumberBits;
  };
  const bool large_number =
      too_large(operand.value.constant) ||
      std::ranges::any_of(operand.value.terms, too_large, &model::Monomial::coefficient);
  if (large_number) {
    return wrong({.code = Code::NumberTooLarge,
                  .span = operand.span,
                  .message = fmt::format("a number of more than {} binary digits comes out here",
                                         kMaxNumberBits)});
  }
  const bool long_text = operand.text.size() > kMaxTextLength && operand.kind != Kind::Unknown;
  if (long_text || operand.value.terms.size() > kMaxTerms) {
    return wrong({.code = Code::ExpansionTooLarge,
                  .span = operand.span,
                  .message = "this expands to more than Poise can hold"});
  }
  return operand;
}

// ---- Mistakes ----

Expressions::Operand Expressions::wrong() { return {}; }

Expressions::Operand Expressions::wrong(diag::Diagnostic diagnostic) {
  report(std::move(diagnostic));
  return {};
}

// A mistake in the body of a `let` with parameters is shown with the use that makes it one.
void Expressions::report(diag::Diagnostic diagnostic) {
  const Span span = diagnostic.span;
  if (use_ && (span.begin < use_->begin || span.end > use_->end)) {
    diagnostic.related.push_back({*use_, "as it is used here"});
  }
  reporter_.report(std::move(diagnostic));
}

Expressions::Operand Expressions::unknown_name(std::string_view text, Span span) {
  if (!scope_.broken.contains(text)) reporter_.report_unknown("variable", text, span, scope_);
  return wrong();
}

Expressions::Operand Expressions::unknown_function(std::string_view text, Span span) {
  if (!scope_.broken.contains(text)) reporter_.report_unknown("function", text, span, scope_);
  return wrong();
}

Expressions::Operand Expressions::unknown_member(std::string_view of, const model::Type& type,
                                                 std::string_view text, Span span) {
  if (type.members.empty()) return wrong();  // reported as such
  const bool guessed = reporter_.guesses_among(type.members.size());
  return wrong({.code = Code::UnknownMember,
                .span = span,
                .message = fmt::format("{} is no member of {}, which is {}", quoted(text),
                                       quoted(of), described(type)),
                .hint = guessed ? reporter_.hint(text, member_names(type)) : ""});
}

void Expressions::element_as_value(const Operand& operand) {
  report({.code = Code::ElementAsValue,
          .span = operand.span,
          .message = fmt::format("{} is an element of a stream, not a value", quoted(operand.text)),
          .hint = "compare its fields"});
}

std::string Expressions::described(const model::Type& type) const {
  switch (type.kind) {
    case TypeKind::Bool: return "a boolean";
    case TypeKind::Int:
      return quoted(fmt::format("int {}..{}", type.low.to_string(), type.high.to_string()));
    case TypeKind::Real:
      return quoted(fmt::format("real {}..{}", type.low.to_string(), type.high.to_string()));
    case TypeKind::Enum:
    case TypeKind::Set: {
      constexpr std::size_t kShown = 6;
      std::string text = type.kind == TypeKind::Set ? "a set of {" : "one of {";
      for (std::size_t i = 0; i < type.members.size(); ++i) {
        if (i > 0) text += ", ";
        if (i == kShown) {
          text += "…";
          break;
        }
        text += model_.symbols[type.members[i]];
      }
      return text + "}";
    }
  }
  return "";
}

std::string Expressions::described(const Variable& variable) const {
  if (!variable.unbounded) return described(variable.type);
  return variable.type.kind == TypeKind::Int ? "`int`" : "`real`";
}

std::string Expressions::described(const Operand& operand) const {
  if (operand.type != nullptr && operand.kind != Kind::Number) return described(*operand.type);
  switch (operand.kind) {
    case Kind::Bool: return "a boolean";
    case Kind::Number: return "a number";
    case Kind::Enum: return "a member of an enumeration";
    case Kind::Condition: return "a condition";
    case Kind::Text: return "a text";
    default: return "unknown";
  }
}

// Types may have a million members, so
// large ones get an index when they are first asked.
std::optional<std::size_t> Expressions::member_index(const model::Type& type,
                                                     std::string_view name) {
  constexpr std::size_t kMaxSearched = 16;
  const std::vector<model::SymbolId>& members = type.members;
  if (members.size() <= kMaxSearched) {
    const auto found = std::ranges::find(
        members, name, [&](model::SymbolId id) { return std::string_view(model_.symbols[id]); });
    if (found == members.end()) return std::nullopt;
    return static_cast<std::size_t>(found - members.begin());
  }
  auto& index = member_indices_[&type];
  if (index.empty()) {
    for (const std::string_view member : member_names(type)) {
      index.emplace(member, index.size());
    }
  }
  const auto found = index.find(name);
  return found == index.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string_view> Expressions::member_names(const model::Type& type) const {
  std::vector<std::string_view> names;
  names.reserve(type.members.size());
  for (const model::SymbolId symbol : type.members) names.push_back(model_.symbols[symbol]);
  return names;
}

}  // namespace poise::lang
