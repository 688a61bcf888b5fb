#include "poise/lang/terms.h"

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

#include <fmt/format.h>

namespace poise::lang {
namespace {

using diag::Code;
using model::Shape;
using model::TypeKind;

Shape::Kind shape_kind(std::string_view word) {
  if (word == "trapezoid") return Shape::Kind::Trapezoid;
  if (word == "triangle") return Shape::Kind::Triangle;
  if (word == "ramp") return Shape::Kind::Ramp;
  return word == "singleton" ? Shape::Kind::Singleton : Shape::Kind::Table;
}

// Points of a trapezoid or a triangle, from left to right.
std::optional<diag::Diagnostic> wrong_order(const TermClause& term) {
  const std::vector<Bound>& points = term.numbers;
  for (std::size_t i = 1; i < points.size(); ++i) {
    if (points[i].value >= points[i - 1].value) continue;
    return diag::Diagnostic{
        .code = Code::BadShape,
        .span = points[i].span,
        .message = fmt::format("{} lies before {}, and the points of a {} go from left to right",
                               points[i].value.to_string(), points[i - 1].value.to_string(),
                               term.shape.text)};
  }
  if (points.front().value < points.back().value) return std::nullopt;
  return diag::Diagnostic{
      .code = Code::BadShape,
      .span = term.span,
      .message = fmt::format("the {} has no width", term.shape.text),
      .hint = fmt::format("did you mean `singleton {}`?", points.front().value.to_string())};
}

std::optional<diag::Diagnostic> wrong_table(const TermClause& term) {
  const std::vector<Bound>& numbers = term.numbers;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const Bound& number = numbers[i];
    const bool is_x = i % 2 == 0;
    if (is_x && i > 0 && number.value <= numbers[i - 2].value) {
      return diag::Diagnostic{
          .code = Code::BadShape,
          .span = number.span,
          .message = fmt::format("{} does not lie behind {}, and the points of a table go from "
                                 "left to right",
                                 number.value.to_string(), numbers[i - 2].value.to_string())};
    }
    if (is_x || (number.value >= Rational(0) && number.value <= Rational(1))) continue;
    return diag::Diagnostic{
        .code = Code::BadShape,
        .span = number.span,
        .message = fmt::format("{} is not between 0 and 1, as how far a term applies is",
                               number.value.to_string())};
  }
  return std::nullopt;
}

std::optional<diag::Diagnostic> wrong_shape(const TermClause& term) {
  switch (shape_kind(term.shape.text)) {
    case Shape::Kind::Trapezoid:
    case Shape::Kind::Triangle: return wrong_order(term);
    case Shape::Kind::Ramp:
      if (term.numbers[0].value != term.numbers[1].value) return std::nullopt;
      return diag::Diagnostic{
          .code = Code::BadShape, .span = term.span, .message = "the ramp ends where it starts"};
    case Shape::Kind::Singleton: return std::nullopt;
    case Shape::Kind::Table: return wrong_table(term);
  }
  return std::nullopt;
}

}  // namespace

std::vector<model::Term> resolved_terms(const std::vector<TermClause>& terms,
                                        const LineIndex& lines, Reporter& reporter) {
  std::vector<model::Term> result;
  std::unordered_map<std::string_view, Span> seen;
  for (const TermClause& term : terms) {
    const auto [first, added] = seen.emplace(term.name.text, term.name.span);
    if (!added) {
      reporter.report({.code = Code::DuplicateTerm,
                       .span = term.name.span,
                       .message = fmt::format("{} is a term already", quoted(term.name.text)),
                       .related = {{first->second, "first named here"}}});
      continue;
    }
    if (auto wrong = wrong_shape(term)) reporter.report(std::move(*wrong));
    model::Term read{.name = std::string(term.name.text),
                     .shape = {.kind = shape_kind(term.shape.text), .points = {}},
                     .at = lines.position(term.name.span.begin)};
    for (const Bound& number : term.numbers) read.shape.points.push_back(number.value);
    result.push_back(std::move(read));
  }
  return result;
}

Rational resolved_weight(const Bound& weight, Reporter& reporter) {
  if (weight.value.sign() <= 0) {
    reporter.report(
        {.code = Code::BadScale,
         .span = weight.span,
         .message = fmt::format("the weight {} is not more than 0", weight.value.to_string())});
  }
  return weight.value;
}

model::Variable with_clauses(model::Variable variable, const VariableDeclaration& declaration,
                             const LineIndex& lines, Reporter& reporter) {
  const bool number = variable.type.kind == TypeKind::Int || variable.type.kind == TypeKind::Real;
  const auto only_numbers = [&](std::string_view what, Span span) {
    reporter.report({.code = Code::BadScale,
                     .span = span,
                     .message = fmt::format("{} is no number, and only numbers have {}",
                                            quoted(variable.name), what)});
  };
  if (declaration.step) {
    const Bound& step = *declaration.step;
    if (!number) {
      only_numbers("steps", step.span);
    } else if (step.value.sign() <= 0) {
      reporter.report(
          {.code = Code::BadScale,
           .span = step.span,
           .message = fmt::format("the step {} is not more than 0", step.value.to_string())});
    } else if (variable.type.kind == TypeKind::Int && !step.value.is_integer()) {
      reporter.report({.code = Code::BadScale,
                       .span = step.span,
                       .message = fmt::format("the step {} is no whole number, and {} is an `int`",
                                              step.value.to_string(), quoted(variable.name))});
    }
    variable.step = step.value;
  }
  if (declaration.scale) {
    if (!number) {
      only_numbers("scales", declaration.scale->span);
    } else if (declaration.scale->log && variable.type.low.sign() <= 0) {
      reporter.report(
          {.code = Code::BadScale,
           .span = declaration.scale->span,
           .message = fmt::format("{} starts at {}, and a `log` scale is for numbers "
                                  "above 0",
                                  quoted(variable.name), variable.type.low.to_string())});
    }
    variable.log_scale = declaration.scale->log;
  }
  if (declaration.weight) variable.weight = resolved_weight(*declaration.weight, reporter);
  if (!number && !declaration.terms.empty()) {
    only_numbers("terms", declaration.terms.front().span);
  }
  variable.terms = resolved_terms(declaration.terms, lines, reporter);
  return variable;
}

}  // namespace poise::lang
