#include "poise/lang/resolver.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/lang/expressions.h"
#include "poise/lang/policies.h"
#include "poise/lang/reporter.h"
#include "poise/lang/scope.h"
#include "poise/lang/terms.h"
#include "poise/model/polynomial.h"

namespace poise::lang {

namespace {

using diag::Code;
using model::FormulaId;
using model::Model;
using model::StateId;
using model::TypeKind;
using model::Variable;
using model::VariableId;

std::string file_stem(std::string_view path) {
  if (path == "-") return "stdin";
  const std::size_t slash = path.find_last_of('/');
  if (slash != std::string_view::npos) path.remove_prefix(slash + 1);
  constexpr std::string_view kExtension = ".poise";
  if (path.ends_with(kExtension) && path.size() > kExtension.size()) {
    path.remove_suffix(kExtension.size());
  }
  return std::string(path);
}

class Resolver {
 public:
  Resolver(const Tree& tree, const Source& source, std::span<const NodeId> conditions)
      : tree_(tree), conditions_(conditions), lines_(source.text) {
    model_.file = source.name;
    model_.name = tree.model ? std::string(tree.model->text) : file_stem(source.name);
    scope_.broken.insert(tree.broken_names.begin(), tree.broken_names.end());
    for_each<StateDeclaration>([&](const auto& state) { scope_.states.insert(state.name.text); });
  }

  Resolved run() {
    for_each<VariableDeclaration>([&](const auto& declaration) { declare_variable(declaration); });
    for_each<LetDeclaration>([&](const auto& declaration) { declare_let(declaration); });
    for_each<StreamDeclaration>([&](const auto& declaration) { declare_stream(declaration); });
    for_each<ExternDeclaration>([&](const auto& declaration) { declare_extern(declaration); });
    for_each<ActionDeclaration>([&](const auto& declaration) { declare_action(declaration); });
    for_each<VariableDeclaration>([&](const auto& declaration) { resolve_guard(declaration); });
    check_guards();
    Expressions expressions(tree_, scope_, model_, reporter_);
    expressions_ = &expressions;
    expressions.resolve_lets();
    resolve_initial_values();
    Policies policies(tree_, scope_, model_, reporter_, expressions, lines_);
    for_each<ConstraintDeclaration>([&](const auto& declaration) {
      if (declaration.name) {
        declare(constraints_, *declaration.name, std::pair(0, declaration.name->span),
                Code::DuplicateConstraint, "the constraint");
      }
      if (!policies.is_about_policy(declaration)) add_constraint(declaration);
    });
    for_each<StateDeclaration>([&](const auto& declaration) { add_state(declaration); });
    if (!policies.decides()) check_initial_state();
    policies.resolve();
    for_each<ActionDeclaration>([&](const auto& declaration) { resolve_action(declaration); });
    for_each<FailureDeclaration>([&](const auto& declaration) { add_failure(declaration); });
    for_each<StartDeclaration>([&](const auto& declaration) { add_start(declaration); });
    for_each<RuleDeclaration>([&](const auto& declaration) { add_rule(declaration); });
    std::vector<FormulaId> claims;
    for (const NodeId node : conditions_) {
      if (const auto claim = expressions.claim_condition(node)) claims.push_back(*claim);
    }
    // Uses of a name whose declaration could not be read fail without a report of their own.
    if (!tree_.whole || !reporter_.empty()) return {std::nullopt, reporter_.take()};
    auto first_query = static_cast<std::uint32_t>(model_.variables.size());
    for (const Span span : expressions.add_queries(roots_)) {
      model_.variables[VariableId{first_query}].at = lines_.position(span.begin);
      ++first_query;
    }
    build_world();
    Conditions conditions = built(claims);
    keep_only_what_is_used();
    return {std::move(model_), {}, std::move(conditions)};
  }

 private:
  template <class T, class Visit>
  void for_each(Visit visit) const {
    for (const Declaration& declaration : tree_.declarations) {
      if (const T* wanted = std::get_if<T>(&declaration)) visit(*wanted);
    }
  }

  // The first of a name stays; a second is a mistake that points back to it.
  template <class Value>
  bool declare(std::unordered_map<std::string_view, Value>& names, const Name& name, Value value,
               Code code, std::string_view what) {
    const auto [entry, added] = names.emplace(name.text, value);
    if (added) return true;
    Span first;
    if constexpr (std::is_same_v<Value, Scope::Entry>) {
      first = entry->second.span;
    } else {
      first = entry->second.second;
    }
    reporter_.report({.code = code,
                      .span = name.span,
                      .message = fmt::format("{} {} is declared already", what, quoted(name.text)),
                      .related = {{first, "first declared here"}}});
    return false;
  }

  // ---- Context ----

  void declare_variable(const VariableDeclaration& declaration) {
    const VariableId id{static_cast<std::uint32_t>(model_.variables.size())};
    if (!declare(scope_.names, declaration.name,
                 Scope::Entry{Scope::Meaning(id), declaration.name.span}, Code::DuplicateName,
                 "the name")) {
      return;
    }
    scope_.in_order.push_back(declaration.name.text);
    Variable variable;
    variable.name = declaration.name.text;
    variable.own = declaration.own;
    variable.at = lines_.position(declaration.span.begin);
    variable.type = resolved_type(declaration.type, declaration.name.text);
    const auto* number = std::get_if<NumberType>(&declaration.type.shape);
    variable.unbounded = number != nullptr && !number->bounded;
    variable.variant = declaration.variant;
    if (declaration.error) variable.error = resolved_error(declaration);
    variable = with_clauses(std::move(variable), declaration, lines_, reporter_);
    variable.first_slot = {static_cast<std::uint32_t>(model_.slots.size())};
    variable.slot_count = variable.type.kind == TypeKind::Set
                              ? static_cast<std::uint32_t>(variable.type.members.size())
                              : 1;
    for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
      model_.slots.add({.variable = id, .member = i});
    }
    model_.variables.add(std::move(variable));
    declarations_.push_back(&declaration);
  }

  // Of a variable, or of a field, with that name.
  model::Type resolved_type(const Type& type, std::string_view name) {
    model::Type result;
    if (const auto* number = std::get_if<NumberType>(&type.shape)) {
      result.kind = number->whole ? TypeKind::Int : TypeKind::Real;
      result.low = number->low;
      result.high = number->high;
      check_range(*number, type.span, "the range");
    } else if (const auto* members = std::get_if<MembersType>(&type.shape)) {
      result.kind = members->set ? TypeKind::Set : TypeKind::Enum;
      add_members(name, *members, result);
      if (members->members.empty()) {
        reporter_.report({.code = Code::EmptyType,
                          .span = type.span,
                          .message = "a type without members has no values"});
      }
    }
    return result;
  }

  void check_range(const NumberType& type, Span span, std::string_view what) {
    bool whole = true;
    for (const auto& [bound, bound_span] :
         {std::pair(&type.low, type.low_span), std::pair(&type.high, type.high_span)}) {
      if (!type.whole || bound->is_integer()) continue;
      whole = false;
      reporter_.report({.code = Code::FractionalBound,
                        .span = bound_span,
                        .message = fmt::format("{} is no whole number, and the type is `int`",
                                               bound->to_string()),
                        .hint = "use `real`, or whole bounds"});
    }
    if (whole && type.low > type.high) {
      reporter_.report({.code = Code::EmptyRange,
                        .span = span,
                        .message = fmt::format("{} ends at {}, before it starts at {}", what,
                                               type.high.to_string(), type.low.to_string())});
    }
  }

  model::WorldError resolved_error(const VariableDeclaration& declaration) {
    const ErrorClause& clause = *declaration.error;
    const auto* number = std::get_if<NumberType>(&declaration.type.shape);
    if (number == nullptr) {
      reporter_.report({.code = Code::BadError,
                        .span = clause.span,
                        .message = fmt::format("{} is no number, and only numbers can be off",
                                               quoted(declaration.name.text))});
      return {};
    }
    check_range({.whole = number->whole,
                 .low = clause.low.value,
                 .high = clause.high.value,
                 .low_span = clause.low.span,
                 .high_span = clause.high.span},
                join(clause.low.span, clause.high.span), "the error");
    model::WorldError error{.low = clause.low.value, .high = clause.high.value};
    switch (clause.law) {
      case ErrorClause::Law::Uniform: error.law = model::WorldError::Law::Uniform; break;
      case ErrorClause::Law::Triangle: error.law = model::WorldError::Law::Triangle; break;
      case ErrorClause::Law::Gauss:
        error.law = model::WorldError::Law::Gauss;
        error.deviation = clause.numbers.front().value;
        check_deviation(clause.numbers.front());
        break;
      case ErrorClause::Law::Table:
        error.law = model::WorldError::Law::Table;
        for (const Bound& weight : clause.numbers) error.weights.push_back(weight.value);
        check_weights(clause);
        break;
    }
    return error;
  }

  void check_deviation(const Bound& deviation) {
    if (deviation.value.sign() > 0) return;
    reporter_.report({.code = Code::BadError,
                      .span = deviation.span,
                      .message = fmt::format("{} is no standard deviation, which is more than 0",
                                             deviation.value.to_string())});
  }

  void check_weights(const ErrorClause& clause) {
    bool negative = false;
    bool positive = false;
    for (const Bound& weight : clause.numbers) {
      positive = positive || weight.value.sign() > 0;
      if (weight.value.sign() >= 0) continue;
      negative = true;
      reporter_.report(
          {.code = Code::BadError,
           .span = weight.span,
           .message = fmt::format("the weight {} is less than 0", weight.value.to_string())});
    }
    if (positive || negative) return;
    reporter_.report({.code = Code::BadError,
                      .span = join(clause.law_span, clause.numbers.back().span),
                      .message = "no weight is more than 0"});
  }

  void add_members(std::string_view variable, const MembersType& type, model::Type& result) {
    std::unordered_map<std::string_view, Span> seen;
    for (const Name& member : type.members) {
      const auto [first, added] = seen.emplace(member.text, member.span);
      if (!added) {
        reporter_.report({.code = Code::DuplicateMember,
                          .span = member.span,
                          .message = fmt::format("{} is a member already", quoted(member.text)),
                          .related = {{first->second, "first named here"}}});
        continue;
      }
      const auto [symbol, is_new] = symbols_.emplace(
          member.text, model::SymbolId{static_cast<std::uint32_t>(model_.symbols.size())});
      if (is_new) model_.symbols.add(std::string(member.text));
      scope_.members.emplace(member.text, variable);
      result.members.push_back(symbol->second);
    }
  }

  void declare_let(const LetDeclaration& declaration) {
    const LetIndex index{static_cast<std::uint32_t>(scope_.lets.size())};
    if (!declare(scope_.names, declaration.name,
                 Scope::Entry{Scope::Meaning(index), declaration.name.span}, Code::DuplicateName,
                 "the name")) {
      return;
    }
    scope_.in_order.push_back(declaration.name.text);
    scope_.lets.add(&declaration);
    check_parameters(declaration.parameters);
  }

  void check_parameters(const std::vector<Name>& parameters) {
    std::unordered_map<std::string_view, Span> seen;
    for (const Name& parameter : parameters) {
      const auto [first, added] = seen.emplace(parameter.text, parameter.span);
      if (added) continue;
      reporter_.report({.code = Code::DuplicateParameter,
                        .span = parameter.span,
                        .message = fmt::format("{} is a parameter already", quoted(parameter.text)),
                        .related = {{first->second, "first named here"}}});
    }
  }

  void declare_extern(const ExternDeclaration& declaration) {
    const model::ExternId id{static_cast<std::uint32_t>(model_.externs.size())};
    if (!declare(scope_.names, declaration.name,
                 Scope::Entry{Scope::Meaning(id), declaration.name.span}, Code::DuplicateName,
                 "the name")) {
      return;
    }
    scope_.in_order.push_back(declaration.name.text);
    model::Extern function{.name = std::string(declaration.name.text),
                           .parameters = {},
                           .at = lines_.position(declaration.span.begin)};
    std::vector<Name> names;
    for (const FieldDeclaration& parameter : declaration.parameters) {
      names.push_back(parameter.name);
      function.parameters.push_back(
          {.name = std::string(parameter.name.text),
           .type =
               parameter.type ? resolved_type(*parameter.type, parameter.name.text) : model::Type{},
           .text = !parameter.type});
    }
    check_parameters(names);
    model_.externs.add(std::move(function));
  }

  void declare_stream(const StreamDeclaration& declaration) {
    const model::StreamId id{static_cast<std::uint32_t>(model_.streams.size())};
    if (!declare(scope_.names, declaration.name,
                 Scope::Entry{Scope::Meaning(id), declaration.name.span}, Code::DuplicateName,
                 "the name")) {
      return;
    }
    scope_.in_order.push_back(declaration.name.text);
    model::Stream stream{.name = std::string(declaration.name.text),
                         .fields = {},
                         .at = lines_.position(declaration.span.begin)};
    std::unordered_map<std::string_view, Span> seen;
    for (const FieldDeclaration& field : declaration.fields) {
      const auto [first, added] = seen.emplace(field.name.text, field.name.span);
      if (!added) {
        reporter_.report({.code = Code::DuplicateMember,
                          .span = field.name.span,
                          .message = fmt::format("{} is a field already", quoted(field.name.text)),
                          .related = {{first->second, "first named here"}}});
        continue;
      }
      stream.fields.push_back(
          {.name = std::string(field.name.text),
           .type = field.type ? resolved_type(*field.type, field.name.text) : model::Type{},
           .text = !field.type});
    }
    model_.streams.add(std::move(stream));
  }

  // What a name is, if it is no variable.
  [[nodiscard]] static std::string_view not_a_variable(const Scope::Meaning& meaning) {
    if (std::holds_alternative<LetIndex>(meaning)) return "a `let`";
    if (std::holds_alternative<model::StreamId>(meaning)) return "a stream";
    if (std::holds_alternative<model::ExternId>(meaning)) return "a function";
    return "";
  }

  // What a name is, if it cannot guard a variable; nothing if it can.
  [[nodiscard]] std::string_view not_a_guard(const Scope::Meaning& meaning) const {
    const VariableId* id = std::get_if<VariableId>(&meaning);
    if (id == nullptr) return not_a_variable(meaning);
    const Variable& variable = model_.variables[*id];
    if (variable.own) return "a `var`";
    return variable.type.kind == TypeKind::Bool ? "" : "not `bool`";
  }

  void resolve_guard(const VariableDeclaration& declaration) {
    if (!declaration.guard) return;
    const Scope::Entry* self = scope_.find(declaration.name.text);
    if (self->span != declaration.name.span) return;  // a second declaration of the name
    const Name& guard = *declaration.guard;
    const Scope::Entry* entry = scope_.find(guard.text);
    if (entry == nullptr) {
      if (scope_.broken.contains(guard.text)) return;
      reporter_.report_unknown("variable", guard.text, guard.span, scope_);
      return;
    }
    const auto* id = std::get_if<VariableId>(&entry->meaning);
    const std::string_view what = not_a_guard(entry->meaning);
    if (!what.empty()) {
      reporter_.report({.code = Code::BadGuard,
                        .span = guard.span,
                        .message = fmt::format("{} is {}, and a guard is a boolean `sense`",
                                               quoted(guard.text), what),
                        .related = {{entry->span, "declared here"}}});
      return;
    }
    model_.variables[std::get<VariableId>(self->meaning)].guard = *id;
  }

  // Walks outwards from every variable; depth[i] is how many guards stand before it.
  void check_guards() {
    constexpr int kUnknown = -1;
    constexpr int kOpen = -2;
    std::vector<int> depth(model_.variables.size(), kUnknown);
    for (const VariableId start : model_.variables.ids()) {
      std::vector<VariableId> chain;
      std::optional<VariableId> next = start;
      while (next && depth[next->index] == kUnknown) {
        depth[next->index] = kOpen;
        chain.push_back(*next);
        next = model_.variables[*next].guard;
      }
      if (next && depth[next->index] == kOpen) {
        const Name& name = declarations_[next->index]->name;
        reporter_.report({.code = Code::CircularGuard,
                          .span = declarations_[chain.back().index]->guard->span,
                          .message = fmt::format("{} would have a value only while it holds itself",
                                                 quoted(name.text)),
                          .related = {{name.span, "declared here"}}});
        model_.variables[chain.back()].guard.reset();
        next.reset();
      }
      int level = next ? depth[next->index] + 1 : 0;
      while (!chain.empty()) {
        depth[chain.back().index] = level++;
        if (level == kMaxDepth) {
          reporter_.report({.code = Code::TooDeep,
                            .span = declarations_[chain.back().index]->name.span,
                            .message = fmt::format("behind more than {} guards", kMaxDepth)});
        }
        chain.pop_back();
      }
    }
  }

  void resolve_initial_values() {
    for (const VariableId id : model_.variables.ids()) {
      const VariableDeclaration& declaration = *declarations_[id.index];
      if (!declaration.initial) continue;
      if (auto values = expressions_->literal(*declaration.initial, model_.variables[id])) {
        Variable& variable = model_.variables[id];
        if (variable.unbounded) variable.type.low = variable.type.high = values->front();
        variable.initial = std::move(*values);
      }
    }
  }

  void add_constraint(const ConstraintDeclaration& declaration) {
    const std::optional<FormulaId> condition = expressions_->condition(declaration.condition);
    if (!condition) return;
    model_.constraints.add(
        {.name = declaration.name ? std::string(declaration.name->text) : std::string(),
         .condition = *condition,
         .at = lines_.position(declaration.span.begin)});
    roots_.push_back(*condition);
  }

  // ---- The world ----

  void declare_action(const ActionDeclaration& declaration) {
    const Name& name = declaration.name;
    if (const Scope::Entry* entry = scope_.find(name.text)) {
      reporter_.report(
          {.code = Code::DuplicateName,
           .span = name.span,
           .message = fmt::format("the name {} is declared already", quoted(name.text)),
           .related = {{entry->span, "first declared here"}}});
    }
    const model::WorldActionId id{static_cast<std::uint32_t>(model_.world.actions.size())};
    if (!declare(scope_.actions, name, std::pair(id, name.span), Code::DuplicateAction,
                 "the action")) {
      return;
    }
    action_names_.push_back(name.text);
    model_.world.actions.add({.name = std::string(name.text),
                              .condition = {},
                              .primed = {},
                              .at = lines_.position(declaration.span.begin)});
  }

  void resolve_action(const ActionDeclaration& declaration) {
    auto condition = expressions_->action_condition(declaration.condition);
    if (!condition) return;
    const auto& [id, span] = scope_.actions.at(declaration.name.text);
    if (span != declaration.name.span) return;  // a second declaration of the name
    model::WorldAction& action = model_.world.actions[id];
    action.condition = condition->formula;
    action.primed = std::move(condition->primed);
  }

  void add_failure(const FailureDeclaration& declaration) {
    declare(failures_, declaration.name, std::pair(0, declaration.name.span),
            Code::DuplicateFailure, "the failure");
    model::WorldFailure failure{.name = std::string(declaration.name.text),
                                .cases = {},
                                .at = lines_.position(declaration.span.begin)};
    for (const FailureCase& one : declaration.cases) {
      const std::optional<FormulaId> condition = expressions_->failure_condition(one.condition);
      const std::optional<model::WorldActionId> after = world_action(one.after);
      if (!condition || !after) continue;
      failure.cases.push_back(
          {.condition = *condition, .after = *after, .at = lines_.position(one.span.begin)});
    }
    model_.world.failures.add(std::move(failure));
  }

  void add_start(const StartDeclaration& declaration) {
    if (declaration.name) {
      declare(starts_, *declaration.name, std::pair(0, declaration.name->span),
              Code::DuplicateStart, "the start condition");
    }
    const std::optional<FormulaId> condition = expressions_->start_condition(declaration.condition);
    if (!condition) return;
    model_.world.starts.add(
        {.name = declaration.name ? std::string(declaration.name->text) : std::string(),
         .condition = *condition,
         .at = lines_.position(declaration.span.begin)});
  }

  // An action that must be declared.
  std::optional<model::WorldActionId> world_action(const Name& name) {
    const auto found = scope_.actions.find(name.text);
    if (found != scope_.actions.end()) return found->second.first;
    if (!scope_.broken.contains(name.text)) {
      report_unknown_action(name, reporter_.guess(name.text, action_names_));
    }
    return std::nullopt;
  }

  void report_unknown_action(const Name& name, std::optional<std::string_view> meant) {
    diag::Diagnostic diagnostic{.code = Code::UnknownAction,
                                .span = name.span,
                                .message = fmt::format("unknown action {}", quoted(name.text))};
    if (meant) {
      diagnostic.hint = fmt::format("did you mean {}?", quoted(*meant));
      diagnostic.related = {{scope_.actions.at(*meant).second, "declared here"}};
    }
    reporter_.report(std::move(diagnostic));
  }

  // The declared action whose name is closest to an undeclared one. The answer decides whether that
  // is a mistake, so it is not limited to the first mistakes as other guesses are, only by the size
  // of the model.
  std::optional<std::string_view> misspelt_action(std::string_view name) {
    constexpr std::size_t kMaxComparisons = 5'000'000;
    const auto [known, is_new] = undeclared_actions_.try_emplace(name);
    if (is_new && action_comparisons_ < kMaxComparisons) {
      action_comparisons_ += action_names_.size();
      known->second = closest(name, action_names_);
    }
    return known->second;
  }

  // Atoms and formulas of the world get tables of their own; later values get the slots behind all
  // others, now that it is known how many there are.
  void build_world() {
    model::World& world = model_.world;
    std::vector<FormulaId> roots;
    for (const model::WorldAction& action : world.actions) roots.push_back(action.condition);
    for (const model::WorldFailure& failure : world.failures) {
      for (const model::WorldFailure::Case& one : failure.cases) roots.push_back(one.condition);
    }
    for (const model::WorldStart& start : world.starts) roots.push_back(start.condition);
    const Used used = used_in(roots);
    const auto slot_count = static_cast<std::uint32_t>(model_.slots.size());
    const auto renumber = [&](model::SlotId& slot) {
      if (slot.index >= Expressions::kFirstPrimed) {
        slot.index = slot.index - Expressions::kFirstPrimed + slot_count;
      }
    };
    for (const model::AtomId id : used.atoms) {
      model::Atom atom = model_.atoms[id];
      std::ranges::for_each(atom.slots, renumber);
      for (model::Monomial& term : atom.value.terms) std::ranges::for_each(term.slots, renumber);
      world.atoms.add(std::move(atom));
    }
    for (const FormulaId id : used.formulas) {
      world.formulas.add(used.renumbered(model_.formulas[id]));
    }
    for (model::WorldAction& action : world.actions) {
      action.condition = used.new_formula[action.condition.index];
    }
    for (model::WorldFailure& failure : world.failures) {
      for (model::WorldFailure::Case& one : failure.cases) {
        one.condition = used.new_formula[one.condition.index];
      }
    }
    for (model::WorldStart& start : world.starts) {
      start.condition = used.new_formula[start.condition.index];
    }
  }

  // Conditions in tables of their own.
  [[nodiscard]] Conditions built(const std::vector<FormulaId>& roots) const {
    const Used used = used_in(roots);
    Conditions made;
    for (const model::AtomId id : used.atoms) made.atoms.add(model_.atoms[id]);
    for (const FormulaId id : used.formulas) {
      made.formulas.add(used.renumbered(model_.formulas[id]));
    }
    for (const FormulaId root : roots) made.each.push_back(used.new_formula[root.index]);
    return made;
  }

  // ---- Adaptation ----

  void add_state(const StateDeclaration& declaration) {
    const StateId id{static_cast<std::uint32_t>(model_.states.size())};
    if (!declare(states_, declaration.name, std::pair(id, declaration.name.span),
                 Code::DuplicateState, "the state")) {
      return;
    }
    state_names_.push_back(declaration.name.text);
    model_.states.add({.name = std::string(declaration.name.text),
                       .final = declaration.final,
                       .rules = {},
                       .at = lines_.position(declaration.name.span.begin)});
    if (!declaration.initial) return;
    if (initial_) {
      reporter_.report({.code = Code::SeveralInitialStates,
                        .span = declaration.final ? declaration.name.span : declaration.marker,
                        .message = fmt::format("{} would be a second initial state",
                                               quoted(declaration.name.text)),
                        .related = {{*initial_, "this one is initial"}}});
      return;
    }
    initial_ = declaration.name.span;
    model_.initial = id;
  }

  void check_initial_state() {
    // A declaration that could not be read may have been the one.
    if (initial_ || !tree_.whole) return;
    if (state_names_.empty()) {
      const std::uint32_t end = end_of_declarations();
      reporter_.report({.code = Code::NoInitialState,
                        .span = {end, end},
                        .message = "the model has no states",
                        .hint = "declare one: `state NAME initial`"});
      return;
    }
    reporter_.report({.code = Code::NoInitialState,
                      .span = states_.at(state_names_.front()).second,
                      .message = "no state is marked `initial`",
                      .hint = "did you mean " +
                              quoted(fmt::format("state {} initial", state_names_.front())) + "?"});
  }

  // The place for the diagnostic that there are no states.
  [[nodiscard]] std::uint32_t end_of_declarations() const {
    std::uint32_t end = tree_.model ? tree_.model->span.end : 0;
    const auto extend = [&](const auto& declaration) { end = std::max(end, declaration.span.end); };
    for_each<VariableDeclaration>(extend);
    for_each<LetDeclaration>(extend);
    for_each<ConstraintDeclaration>(extend);
    for_each<StreamDeclaration>(extend);
    for_each<ExternDeclaration>(extend);
    for_each<ActionDeclaration>(extend);
    for_each<FailureDeclaration>(extend);
    for_each<RuleDeclaration>(extend);
    for_each<TickDeclaration>(extend);
    for_each<ExpectDeclaration>(extend);
    for_each<StartDeclaration>(extend);
    return end;
  }

  std::optional<StateId> state(const Name& name) {
    const auto entry = states_.find(name.text);
    if (entry != states_.end()) return entry->second.first;
    if (scope_.broken.contains(name.text)) return std::nullopt;
    diag::Diagnostic diagnostic{.code = Code::UnknownState,
                                .span = name.span,
                                .message = fmt::format("unknown state {}", quoted(name.text))};
    if (const auto meant = reporter_.guess(name.text, state_names_)) {
      diagnostic.hint = fmt::format("did you mean {}?", quoted(*meant));
      diagnostic.related = {{states_.at(*meant).second, "declared here"}};
    }
    reporter_.report(std::move(diagnostic));
    return std::nullopt;
  }

  void add_rule(const RuleDeclaration& declaration) {
    const model::RuleId id{static_cast<std::uint32_t>(model_.rules.size())};
    declare(rules_, declaration.name, std::pair(id, declaration.name.span), Code::DuplicateRule,
            "the rule");
    model::Rule rule;
    rule.name = declaration.name.text;
    rule.priority = declaration.priority;
    rule.at = lines_.position(declaration.span.begin);
    add_sources(declaration, id, rule);
    if (const auto to = state(declaration.to)) rule.to = *to;
    if (const auto guard = expressions_->condition(declaration.when)) {
      rule.guard = *guard;
      roots_.push_back(*guard);
    }
    add_actions(declaration, rule);
    model_.rules.add(std::move(rule));
  }

  void add_sources(const RuleDeclaration& declaration, model::RuleId id, model::Rule& rule) {
    for (const Name& name : declaration.from) {
      const std::optional<StateId> source = state(name);
      if (!source) continue;
      model::State& from = model_.states[*source];
      if (from.final) {
        reporter_.report({.code = Code::FinalStateHasRules,
                          .span = name.span,
                          .message = fmt::format("{} is final, and no rule leaves a final state",
                                                 quoted(name.text)),
                          .related = {{states_.at(name.text).second, "declared here"}}});
      }
      if (!from.rules.empty() && from.rules.back() == id) {
        const auto first = std::ranges::find(declaration.from, name.text, &Name::text);
        reporter_.report(
            {.code = Code::DuplicateSource,
             .span = name.span,
             .message = fmt::format("{} is a source of this rule already", quoted(name.text)),
             .related = {{first->span, "first named here"}}});
        continue;
      }
      from.rules.push_back(id);
      rule.from.push_back(*source);
    }
  }

  void add_actions(const RuleDeclaration& declaration, model::Rule& rule) {
    for (const Action& action : declaration.actions) {
      const Scope::Entry* entry = scope_.find(action.name.text);
      const auto* id = entry == nullptr ? nullptr : std::get_if<VariableId>(&entry->meaning);
      if (!action.value) {
        add_named_action(action, entry, rule);
        continue;
      }
      if (id == nullptr) {
        report_not_assignable(action, entry);
        continue;
      }
      Variable& variable = model_.variables[*id];
      const auto values = expressions_->literal(*action.value, variable);
      if (!values) continue;
      if (variable.unbounded) {
        variable.type.low = std::min(variable.type.low, values->front());
        variable.type.high = std::max(variable.type.high, values->front());
      }
      model::Action result;
      result.text = fmt::format("{} := {}", variable.name, tree_.text(tree_.nodes[*action.value]));
      for (std::size_t i = 0; i < values->size(); ++i) {
        const model::SlotId slot{variable.first_slot.index + static_cast<std::uint32_t>(i)};
        result.effects.push_back({slot, (*values)[i], std::nullopt});
      }
      rule.actions.push_back(std::move(result));
    }
  }

  void add_named_action(const Action& action, const Scope::Entry* entry, model::Rule& rule) {
    const auto declared = scope_.actions.find(action.name.text);
    if (declared != scope_.actions.end()) {
      rule.actions.push_back(
          {.text = std::string(action.name.text), .effects = {}, .world = declared->second.first});
      return;
    }
    if (entry == nullptr) {
      const auto meant = misspelt_action(action.name.text);
      if (meant && !scope_.broken.contains(action.name.text)) {
        report_unknown_action(action.name, meant);
      }
      rule.actions.push_back({.text = std::string(action.name.text), .effects = {}, .world = {}});
      return;
    }
    reporter_.report({.code = Code::ExpectedAction,
                      .span = action.name.span,
                      .message = fmt::format("{} alone does nothing", quoted(action.name.text)),
                      .hint = not_a_variable(entry->meaning).empty() ? "set it with `:=`" : "",
                      .related = {{entry->span, "declared here"}}});
  }

  void report_not_assignable(const Action& action, const Scope::Entry* entry) {
    if (entry != nullptr) {
      reporter_.report(
          {.code = Code::NotAssignable,
           .span = action.name.span,
           .message = fmt::format("{} is {}, which cannot be set", quoted(action.name.text),
                                  not_a_variable(entry->meaning)),
           .related = {{entry->span, "declared here"}}});
    } else if (!scope_.broken.contains(action.name.text)) {
      reporter_.report_unknown("variable", action.name.text, action.name.span, scope_);
    }
  }

  // ---- What is used ----

  // The atoms and formulas that some conditions use, in the order of their first use, parts before
  // wholes.
  struct Used {
    std::vector<model::AtomId> atoms;  // old numbers, in the new order
    std::vector<FormulaId> formulas;
    std::vector<model::AtomId> new_atom;  // by old number
    std::vector<FormulaId> new_formula;

    [[nodiscard]] model::Formula renumbered(model::Formula formula) const {
      for (FormulaId& part : formula.parts) part = new_formula[part.index];
      if (formula.op == model::Op::Atom) formula.atom = new_atom[formula.atom.index];
      return formula;
    }
  };

  [[nodiscard]] Used used_in(const std::vector<FormulaId>& conditions) const {
    Used used;
    if (conditions.empty()) return used;
    used.new_atom.resize(model_.atoms.size());
    used.new_formula.resize(model_.formulas.size());
    std::vector<bool> atom_seen(model_.atoms.size(), false);
    std::vector<bool> formula_seen(model_.formulas.size(), false);
    struct Visit {
      FormulaId id;
      bool leave;
    };
    std::vector<Visit> open;
    for (const FormulaId root : conditions) {
      open.push_back({root, false});
      while (!open.empty()) {
        const Visit visit = open.back();
        open.pop_back();
        if (formula_seen[visit.id.index]) continue;
        const model::Formula& formula = model_.formulas[visit.id];
        if (!visit.leave) {
          open.push_back({visit.id, true});
          for (auto part = formula.parts.rbegin(); part != formula.parts.rend(); ++part) {
            open.push_back({*part, false});
          }
          continue;
        }
        if (formula.op == model::Op::Atom && !atom_seen[formula.atom.index]) {
          atom_seen[formula.atom.index] = true;
          used.new_atom[formula.atom.index] = {static_cast<std::uint32_t>(used.atoms.size())};
          used.atoms.push_back(formula.atom);
        }
        formula_seen[visit.id.index] = true;
        used.new_formula[visit.id.index] = {static_cast<std::uint32_t>(used.formulas.size())};
        used.formulas.push_back(visit.id);
      }
    }
    return used;
  }

  // Atoms and formulas that only the world or unused `let`s have are dropped.
  void keep_only_what_is_used() {
    const Used used = used_in(roots_);
    Table<model::AtomId, model::Atom> atoms;
    Table<FormulaId, model::Formula> formulas;
    for (const model::AtomId id : used.atoms) atoms.add(std::move(model_.atoms[id]));
    for (const FormulaId id : used.formulas) {
      formulas.add(used.renumbered(std::move(model_.formulas[id])));
    }
    for (model::Constraint& constraint : model_.constraints) {
      constraint.condition = used.new_formula[constraint.condition.index];
    }
    for (model::Rule& rule : model_.rules) rule.guard = used.new_formula[rule.guard.index];
    model_.atoms = std::move(atoms);
    model_.formulas = std::move(formulas);
  }

  const Tree& tree_;
  std::span<const NodeId> conditions_;
  LineIndex lines_;
  Model model_;
  Scope scope_;
  Reporter reporter_{tree_.source};
  Expressions* expressions_ = nullptr;
  std::vector<const VariableDeclaration*> declarations_;  // by variable
  std::unordered_map<std::string_view, model::SymbolId> symbols_;
  std::unordered_map<std::string_view, std::pair<StateId, Span>> states_;
  std::unordered_map<std::string_view, std::pair<model::RuleId, Span>> rules_;
  std::unordered_map<std::string_view, std::pair<int, Span>> constraints_;
  std::unordered_map<std::string_view, std::pair<int, Span>> failures_;
  std::unordered_map<std::string_view, std::pair<int, Span>> starts_;
  std::vector<std::string_view> action_names_;
  // Names in `do` that are not declared, and what each may have been meant to be.
  std::unordered_map<std::string_view, std::optional<std::string_view>> undeclared_actions_;
  std::size_t action_comparisons_ = 0;
  std::vector<std::string_view> state_names_;
  std::optional<Span> initial_;
  std::vector<FormulaId> roots_;  // of rules and constraints, in the order of the model
};

}  // namespace

Resolved resolve(const Tree& tree, const Source& source, std::span<const NodeId> conditions) {
  return Resolver(tree, source, conditions).run();
}

}  // namespace poise::lang
