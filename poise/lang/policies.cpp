#include "poise/lang/policies.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/lang/terms.h"

namespace poise::lang {

namespace {

using diag::Code;
using model::Expectation;
using model::OptionId;
using model::Shape;
using model::SlotId;
using model::TypeKind;
using model::UtilityScale;
using model::Variable;
using model::VariableId;

// low, medium and high, where they are not declared.
std::vector<model::Term> usual_terms(const Rational& low, const Rational& high) {
  const auto singleton = [](std::string name, const Rational& value) {
    return model::Term{.name = std::move(name),
                       .shape = {.kind = Shape::Kind::Singleton, .points = {value}},
                       .at = {}};
  };
  return {singleton("low", low), singleton("medium", (low + high) / Rational(2)),
          singleton("high", high)};
}

Expectation::Kind kind_of(ExpectDeclaration::Kind kind) {
  switch (kind) {
    case ExpectDeclaration::Kind::Holds: return Expectation::Kind::Holds;
    case ExpectDeclaration::Kind::Stable: return Expectation::Kind::Stable;
    case ExpectDeclaration::Kind::Changes: return Expectation::Kind::Changes;
    case ExpectDeclaration::Kind::Base: return Expectation::Kind::Base;
    case ExpectDeclaration::Kind::Rises: return Expectation::Kind::Rises;
    case ExpectDeclaration::Kind::Falls: return Expectation::Kind::Falls;
  }
  return Expectation::Kind::Holds;
}

// A text on one line, without its comments and superfluous space.
std::string on_one_line(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#') {
      i = std::min(text.find('\n', i), text.size() - 1);
    }
    const bool space = text[i] == ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r';
    if (!space) {
      result += text[i];
    } else if (!result.empty() && result.back() != ' ') {
      result += ' ';
    }
  }
  return result;
}

}  // namespace

Policies::Policies(const Tree& tree, const Scope& scope, model::Model& model, Reporter& reporter,
                   Expressions& expressions, const LineIndex& lines)
    : tree_(tree),
      scope_(scope),
      model_(model),
      reporter_(reporter),
      expressions_(tree, scope, model, reporter, expressions, lines),
      lines_(lines) {
  scale_.terms = usual_terms(scale_.low, scale_.high);
  look_around();
}

// ---- The model as a whole ----

void Policies::look_around() {
  const auto first = [](std::optional<Part>& part, std::string_view keyword, Span span) {
    const Span word = {span.begin, span.begin + static_cast<std::uint32_t>(keyword.size())};
    if (!part || word.begin < part->span.begin) part = Part{keyword, word};
  };
  for_each<VariableDeclaration>([&](const auto& one) {
    if (!one.variant) return;
    first(first_of_policy_, "variant", one.span);
    if (!first_variant_) first_variant_ = one.name.span;
  });
  for_each<OptionDeclaration>([&](const auto& one) {
    first(first_of_policy_, "option", one.span);
    if (!first_option_) first_option_ = one.name.span;
  });
  for_each<UtilityDeclaration>(
      [&](const auto& one) { first(first_of_policy_, "utility", one.span); });
  for_each<PreferDeclaration>(
      [&](const auto& one) { first(first_of_policy_, "prefer", one.span); });
  for_each<StateDeclaration>([&](const auto& one) {
    if (!first_of_rules_) first_of_rules_ = Part{"state", one.name.span};
  });
  for_each<RuleDeclaration>([&](const auto& one) { first(first_of_rules_, "rule", one.span); });
  for_each<StreamDeclaration>([&](const auto& one) { first(first_of_rules_, "stream", one.span); });
  for_each<ExternDeclaration>([&](const auto& one) { first(first_of_rules_, "extern", one.span); });
  for_each<ActionDeclaration>([&](const auto& one) { first(first_of_rules_, "action", one.span); });
  for_each<FailureDeclaration>(
      [&](const auto& one) { first(first_of_rules_, "failure", one.span); });
}

// Whether the model has what a policy needs, and nothing else.
bool Policies::check_parts() {
  if (!first_of_policy_) return true;
  if (first_of_rules_) {
    const bool states = first_of_rules_->keyword == "state" || first_of_rules_->keyword == "rule";
    reporter_.report(
        {.code = Code::MixedModel,
         .span = first_of_rules_->span,
         .message = fmt::format("a `{}` in a model with a policy", first_of_rules_->keyword),
         .hint = states ? "a model has either states and rules or options"
                        : "streams, functions, actions and failures go with rules",
         .related = {{first_of_policy_->span,
                      fmt::format("the `{}` here is of a policy", first_of_policy_->keyword)}}});
    return false;
  }
  if (!tree_.whole) return true;
  if (!first_variant_) {
    reporter_.report({.code = Code::IncompletePolicy,
                      .span = first_option_.value_or(first_of_policy_->span),
                      .message = "the policy has no variant to decide about",
                      .hint = "declare one: `variant NAME : bool = false`"});
  }
  return true;
}

bool Policies::is_about_policy(const ConstraintDeclaration& constraint) const {
  return decides() && expressions_.reads_own_variables(constraint.condition);
}

void Policies::resolve() {
  check_parts();
  for_each<TickDeclaration>([&](const auto& declaration) { add_tick(declaration); });
  for_each<UtilityDeclaration>([&](const auto& declaration) { add_utility(declaration); });
  for_each<OptionDeclaration>([&](const auto& declaration) { declare_option(declaration); });
  for_each<UtilityDeclaration>([&](const auto& declaration) {
    if (declaration.option) option(*declaration.option);  // which must be there
  });
  for_each<OptionDeclaration>([&](const auto& declaration) { resolve_option(declaration); });
  for_each<PreferDeclaration>([&](const auto& declaration) { add_preference(declaration); });
  for (const Declaration& declaration : tree_.declarations) {
    if (const auto* expected = std::get_if<ExpectDeclaration>(&declaration)) {
      add_expectation(*expected);
    } else if (const auto* constraint = std::get_if<ConstraintDeclaration>(&declaration)) {
      if (is_about_policy(*constraint)) add_expectation(*constraint);
    }
  }
}

void Policies::add_tick(const TickDeclaration& declaration) {
  if (tick_) {
    reporter_.report({.code = Code::SecondDeclaration,
                      .span = declaration.span,
                      .message = "a second `tick`",
                      .related = {{*tick_, "the first one is here"}}});
    return;
  }
  tick_ = declaration.span;
  model_.policy.tick = declaration.duration.value;
}

// ---- Utilities ----

void Policies::add_utility(const UtilityDeclaration& declaration) {
  UtilityScale scale = resolved_scale(declaration);
  std::optional<Span> first = scale_span_;
  if (declaration.option) {
    const auto [entry, added] = scales_.try_emplace(
        declaration.option->text, std::pair(std::move(scale), declaration.option->span));
    first = added ? std::nullopt : std::optional(entry->second.second);
  } else if (!first) {
    scale_ = std::move(scale);
    scale_span_ = {declaration.span.begin, declaration.range_span.end};
  }
  if (!first) return;
  reporter_.report(
      {.code = Code::SecondDeclaration,
       .span = {declaration.span.begin, declaration.range_span.end},
       .message = declaration.option
                      ? fmt::format("a second utility of {}", quoted(declaration.option->text))
                      : "a second utility of all options",
       .hint = declaration.option ? "" : "that of one option is written `utility of OPTION : …`",
       .related = {{*first, "the first one is here"}}});
}

UtilityScale Policies::resolved_scale(const UtilityDeclaration& declaration) {
  const NumberType& range = declaration.range;
  UtilityScale scale;
  scale.low = range.low;
  scale.high = range.high;
  if (range.low >= range.high) {
    reporter_.report({.code = Code::EmptyRange,
                      .span = declaration.range_span,
                      .message = fmt::format("the range ends at {}, not behind {}",
                                             range.high.to_string(), range.low.to_string())});
  }
  scale.otherwise = declaration.otherwise ? declaration.otherwise->value : range.low;
  if (scale.otherwise < scale.low || scale.otherwise > scale.high) {
    reporter_.report({.code = Code::OutOfRange,
                      .span = declaration.otherwise->span,
                      .message = fmt::format("the utility is {} to {}, and {} is outside of that",
                                             scale.low.to_string(), scale.high.to_string(),
                                             scale.otherwise.to_string())});
  }
  const bool mamdani = declaration.method && declaration.method->text == "mamdani";
  scale.method = mamdani ? UtilityScale::Method::Mamdani : UtilityScale::Method::Sugeno;
  scale.terms = resolved_terms(declaration.terms, lines_, reporter_);
  if (mamdani) check_method(declaration);
  if (declaration.terms.empty()) scale.terms = usual_terms(scale.low, scale.high);
  return scale;
}

// Mamdani's method needs terms with an area: a singleton has none, so cutting it off at a degree
// does not move its centre.
void Policies::check_method(const UtilityDeclaration& declaration) {
  const auto singleton = std::ranges::find_if(
      declaration.terms, [](const TermClause& term) { return term.shape.text == "singleton"; });
  const bool none = declaration.terms.empty();
  if (!none && singleton == declaration.terms.end()) return;
  reporter_.report({.code = Code::BadShape,
                    .span = none ? declaration.method->span : singleton->shape.span,
                    .message = none ? "`mamdani` without terms"
                                    : "a singleton has no area, which `mamdani` needs",
                    .hint = none ? "the usual ones are singletons, which have no area"
                                 : "use `sugeno`, or a triangle"});
}

// ---- Options ----

void Policies::declare_option(const OptionDeclaration& declaration) {
  const OptionId id{static_cast<std::uint32_t>(model_.policy.options.size())};
  const auto [entry, added] =
      options_.emplace(declaration.name.text, std::pair(id, declaration.name.span));
  if (!added) {
    reporter_.report(
        {.code = Code::DuplicateOption,
         .span = declaration.name.span,
         .message = fmt::format("the option {} is declared already", quoted(declaration.name.text)),
         .related = {{entry->second.second, "first declared here"}}});
    return;
  }
  option_names_.push_back(declaration.name.text);
  const auto own = scales_.find(declaration.name.text);
  model_.policy.options.add(
      {.name = std::string(declaration.name.text),
       .assignments = {},
       .when = {},
       .cooldown = declaration.cooldown ? declaration.cooldown->value : Rational(0),
       .scale = own == scales_.end() ? scale_ : own->second.first,
       .at = lines_.position(declaration.span.begin)});
}

void Policies::resolve_option(const OptionDeclaration& declaration) {
  const auto& [id, span] = options_.at(declaration.name.text);
  model::Option scratch{};  // for a second declaration of the name
  const bool first = span == declaration.name.span;
  model::Option& option = first ? model_.policy.options[id] : scratch;
  for (const OptionAssignment& assignment : declaration.assignments) {
    add_assignment(assignment, option);
  }
  if (!declaration.when) return;
  option.when = expressions_.condition(*declaration.when, PolicyExpressions::Place::Option);
}

// A variable that must be declared.
std::optional<VariableId> Policies::variable(const Name& name) {
  const Scope::Entry* entry = scope_.find(name.text);
  if (entry == nullptr) {
    if (!scope_.broken.contains(name.text)) {
      reporter_.report_unknown("variable", name.text, name.span, scope_);
    }
    return std::nullopt;
  }
  if (const auto* id = std::get_if<VariableId>(&entry->meaning)) return *id;
  reporter_.report({.code = Code::NotAssignable,
                    .span = name.span,
                    .message = fmt::format("{} is no variable", quoted(name.text)),
                    .related = {{entry->span, "declared here"}}});
  return std::nullopt;
}

void Policies::add_assignment(const OptionAssignment& assignment, model::Option& option) {
  const auto id = variable(assignment.name);
  if (!id) return;
  Variable& variable = model_.variables[*id];
  const bool set = variable.type.kind == TypeKind::Set;
  if (!variable.own || set) {
    reporter_.report(
        {.code = Code::NotAssignable,
         .span = assignment.name.span,
         .message = fmt::format("{} is {}, which an option cannot set",
                                quoted(assignment.name.text), set ? "a set" : "sensed"),
         .hint = set ? "declare a `bool` for each member" : "declare it with `variant` or `var`",
         .related = {{scope_.find(assignment.name.text)->span, "declared here"}}});
    return;
  }
  const auto value = expressions_.value(assignment.value, variable);
  if (!value) return;
  const model::PolicyExpr& expr = model_.policy.exprs[*value];
  if (variable.unbounded && expr.op == model::PolicyOp::Number) {
    variable.type.low = std::min(variable.type.low, expr.number);
    variable.type.high = std::max(variable.type.high, expr.number);
  } else if (variable.unbounded) {
    reporter_.report(
        {.code = Code::OutOfRange,
         .span = assignment.span,
         .message = fmt::format("{} has no range, and what is calculated may have any value",
                                quoted(variable.name)),
         .hint = "give it one: `LOW..HIGH` behind its type",
         .related = {{scope_.find(assignment.name.text)->span, "declared here"}}});
  }
  option.assignments.push_back(
      {.slot = variable.first_slot, .value = *value, .at = lines_.position(assignment.span.begin)});
}

std::optional<OptionId> Policies::option(const Name& name) {
  const auto entry = options_.find(name.text);
  if (entry != options_.end()) return entry->second.first;
  if (scope_.broken.contains(name.text)) return std::nullopt;
  diag::Diagnostic diagnostic{.code = Code::UnknownOption,
                              .span = name.span,
                              .message = fmt::format("unknown option {}", quoted(name.text))};
  if (const auto meant = reporter_.guess(name.text, option_names_)) {
    diagnostic.hint = fmt::format("did you mean {}?", quoted(*meant));
    diagnostic.related = {{options_.at(*meant).second, "declared here"}};
  }
  reporter_.report(std::move(diagnostic));
  return std::nullopt;
}

void Policies::add_preference(const PreferDeclaration& declaration) {
  const auto condition =
      expressions_.condition(declaration.when, PolicyExpressions::Place::Elsewhere);
  const Rational weight =
      declaration.weight ? resolved_weight(*declaration.weight, reporter_) : Rational(1);
  const auto preferred = option(declaration.option);
  if (!preferred) return;
  const UtilityScale& scale = model_.policy.options[*preferred].scale;
  const auto term = std::ranges::find(scale.terms, declaration.term.text, &model::Term::name);
  if (term == scale.terms.end()) {
    std::vector<std::string_view> names;
    for (const model::Term& one : scale.terms) names.push_back(one.name);
    reporter_.report(
        {.code = Code::UnknownTerm,
         .span = declaration.term.span,
         .message = fmt::format("{} is no term of the utility of {}", quoted(declaration.term.text),
                                quoted(declaration.option.text)),
         .hint = reporter_.hint(declaration.term.text, names)});
    return;
  }
  if (!condition) return;
  model_.policy.preferences.add({.option = *preferred,
                                 .term = static_cast<std::uint32_t>(term - scale.terms.begin()),
                                 .when = *condition,
                                 .weight = weight,
                                 .at = lines_.position(declaration.span.begin),
                                 .term_at = lines_.position(declaration.term.span.begin)});
}

// ---- Expectations ----

void Policies::add_expectation(const ExpectDeclaration& declaration) {
  Expectation expectation;
  expectation.kind = kind_of(declaration.kind);
  expectation.at = lines_.position(declaration.span.begin);
  if (declaration.name) {
    expectation.name = declaration.name->text;
    const auto [entry, added] = expectations_.emplace(expectation.name, declaration.name->span);
    if (!added) {
      reporter_.report({.code = Code::DuplicateExpectation,
                        .span = declaration.name->span,
                        .message = fmt::format("the expectation {} is declared already",
                                               quoted(expectation.name)),
                        .related = {{entry->second, "first declared here"}}});
    }
  } else {
    expectation.name = name_from_text(declaration.text);
  }
  if (declaration.duration) expectation.seconds = declaration.duration->value;
  if (declaration.count) expectation.count = expected_count(*declaration.count);
  if (declaration.variant) {
    expectation.variant = expected_variant(*declaration.variant, declaration.kind);
  }
  if (declaration.property) expectation.property = expected_property(*declaration.property);
  if (declaration.condition) {
    expectation.condition =
        expressions_.condition(*declaration.condition, PolicyExpressions::Place::Elsewhere);
  }
  model_.policy.expectations.add(std::move(expectation));
}

void Policies::add_expectation(const ConstraintDeclaration& declaration) {
  const Node& node = tree_.nodes[declaration.condition];
  Expectation expectation;
  expectation.at = lines_.position(declaration.span.begin);
  if (declaration.name) expectations_.emplace(declaration.name->text, declaration.name->span);
  expectation.name =
      declaration.name ? std::string(declaration.name->text) : name_from_text(node.span);
  expectation.condition =
      expressions_.condition(declaration.condition, PolicyExpressions::Place::Elsewhere);
  model_.policy.expectations.add(std::move(expectation));
}

std::uint32_t Policies::expected_count(const Bound& count) {
  constexpr std::int64_t kMost = 1'000'000;
  if (count.value.is_integer() && count.value.sign() >= 0 && count.value <= Rational(kMost)) {
    return static_cast<std::uint32_t>(count.value.numerator().to_int64());
  }
  reporter_.report(
      {.code = Code::BadExpectation,
       .span = count.span,
       .message = fmt::format("{} is no number of changes", quoted(count.value.to_string())),
       .hint = "0, 1, 2 and so on are"});
  return 0;
}

std::optional<SlotId> Policies::expected_variant(const Name& name, ExpectDeclaration::Kind kind) {
  const auto id = variable(name);
  if (!id) return std::nullopt;
  const Variable& variable = model_.variables[*id];
  const bool ordered = variable.type.kind != TypeKind::Enum;
  if (variable.variant && (ordered || kind == ExpectDeclaration::Kind::Changes)) {
    return variable.first_slot;
  }
  reporter_.report({.code = Code::BadExpectation,
                    .span = name.span,
                    .message = variable.variant
                                   ? fmt::format("{} is of an enumeration, whose members neither "
                                                 "rise nor fall",
                                                 quoted(name.text))
                                   : fmt::format("{} is no variant", quoted(name.text)),
                    .related = {{scope_.find(name.text)->span, "declared here"}}});
  return std::nullopt;
}

std::optional<SlotId> Policies::expected_property(const Name& name) {
  const auto id = variable(name);
  if (!id) return std::nullopt;
  const Variable& variable = model_.variables[*id];
  const bool number = variable.type.kind == TypeKind::Int || variable.type.kind == TypeKind::Real;
  if (!variable.own && number) return variable.first_slot;
  reporter_.report({.code = Code::BadExpectation,
                    .span = name.span,
                    .message = fmt::format("{} is {}", quoted(name.text),
                                           variable.own ? "not sensed" : "no number"),
                    .hint = "a variant rises or falls with a number that is sensed",
                    .related = {{scope_.find(name.text)->span, "declared here"}}});
  return std::nullopt;
}

// Its text, cut if it is long, and with a number if there are several of it.
std::string Policies::name_from_text(Span span) {
  constexpr std::size_t kLongest = 60;
  std::string text = on_one_line(tree_.source.substr(span.begin, span.end - span.begin));
  if (text.size() > kLongest) {
    text.resize(kLongest);
    while (text.back() == ' ') text.pop_back();
    text += "…";
  }
  std::string name = text;
  for (int i = 2; !expectations_.emplace(name, span).second; ++i) {
    name = fmt::format("{} ({})", text, i);
  }
  return name;
}

}  // namespace poise::lang
