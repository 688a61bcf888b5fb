#include "poise/watch/store/externs.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/text.h"

namespace poise::watch {

using model::TypeKind;

bool Value::truth() const {
  POISE_CHECK(kind_ == Kind::Truth);
  return cell_ != 0;
}

std::int64_t Value::whole() const {
  POISE_CHECK(kind_ == Kind::Whole);
  if (is_plain(cell_)) return cell_;
  const Rational exact = number();
  POISE_CHECK(exact.numerator().fits_int64());
  return exact.numerator().to_int64();
}

Rational Value::number() const {
  POISE_CHECK(kind_ == Kind::Whole || kind_ == Kind::Real);
  return tables_.numbers->number(cell_, scale_);
}

double Value::approximate() const {
  POISE_CHECK(kind_ == Kind::Whole || kind_ == Kind::Real);
  if (is_plain(cell_)) {
    const auto value = static_cast<double>(cell_);
    return scale_ == Scale::Whole ? value : value / static_cast<double>(kMillion);
  }
  const Rational exact = number();
  const std::string digits = exact.to_string();
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  const bool large = exact > 1 || exact < -1;
  if (read.ec == std::errc::result_out_of_range && large) {
    value = std::numeric_limits<double>::infinity() * exact.sign();
  }
  return value;
}

std::string_view Value::text() const {
  POISE_CHECK(kind_ == Kind::Text || kind_ == Kind::Member);
  if (kind_ == Kind::Text) return tables_.texts->text(cell_);
  return tables_.model->symbols[model::SymbolId{static_cast<std::uint32_t>(cell_)}];
}

std::vector<model::ExternId> called_externs(const model::Model& model) {
  std::vector<model::FormulaId> guards;
  for (const model::Rule& rule : model.rules) guards.push_back(rule.guard);
  std::vector<model::ExternId> called;
  for (const model::AtomId id : model::atoms_of(model, std::move(guards))) {
    const model::Slot& slot = model.slots[model.atoms[id].slots.front()];
    const std::optional<model::QueryId> query = model.variables[slot.variable].query;
    if (!query) continue;
    for (const model::ElementAtom& atom : model.queries[*query].atoms) {
      if (atom.call) called.push_back(atom.call->function);
    }
  }
  std::ranges::sort(called);
  called.erase(std::unique(called.begin(), called.end()), called.end());
  return called;
}

Value::Kind kind_of(const model::Field& parameter) {
  if (parameter.text) return Value::Kind::Text;
  switch (parameter.type.kind) {
    case TypeKind::Bool: return Value::Kind::Truth;
    case TypeKind::Int: return Value::Kind::Whole;
    case TypeKind::Real: return Value::Kind::Real;
    case TypeKind::Enum:
    case TypeKind::Set: return Value::Kind::Member;
  }
  return Value::Kind::Truth;
}

namespace {

bool suits(Value::Kind taken, Value::Kind given) {
  if (taken == Value::Kind::Real && given == Value::Kind::Whole) return true;
  if (taken == Value::Kind::Text && given == Value::Kind::Member) return true;
  return taken == given;
}

Error wrong(const model::Model& model, const model::Extern& at, std::string_view what) {
  return {fmt::format("{}:{}:{}: {}", model.file, at.at.line, at.at.column, what)};
}

// What is wrong with a function for an extern, if anything.
std::optional<Error> misfit(const model::Model& model, const model::Extern& declared,
                            const Extern& given) {
  if (!given.takes) return std::nullopt;
  const std::vector<model::Field>& parameters = declared.parameters;
  if (given.takes->size() != parameters.size()) {
    return wrong(model, declared,
                 fmt::format("the extern `{}` has {}, and its function takes {}", declared.name,
                             counted(parameters.size(), "parameter"), given.takes->size()));
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (suits((*given.takes)[i], kind_of(parameters[i]))) continue;
    return wrong(model, declared,
                 fmt::format("parameter `{}` of the extern `{}` has another type in its function",
                             parameters[i].name, declared.name));
  }
  return std::nullopt;
}

}  // namespace

Result<Functions> functions_for(const model::Model& model, const Externs& given) {
  std::vector<std::string_view> unknown;
  Functions functions;
  for (std::size_t i = 0; i < model.externs.size(); ++i) functions.add({});
  std::vector<std::string_view> names;
  for (const Extern& one : given) {
    if (std::ranges::find(names, one.name) != names.end()) {
      return failure(fmt::format("the function `{}` is given twice", one.name));
    }
    names.push_back(one.name);
    const auto declared = std::ranges::find(model.externs, one.name, &model::Extern::name);
    if (declared == model.externs.end()) {
      unknown.push_back(one.name);
    } else {
      if (const auto error = misfit(model, *declared, one)) return Failure(*error);
      const auto row = static_cast<std::uint32_t>(declared - model.externs.begin());
      functions[model::ExternId{row}] = one.function;
    }
  }
  for (const model::ExternId id : called_externs(model)) {
    if (functions[id]) continue;
    const model::Extern& missing = model.externs[id];
    const std::optional<std::string_view> meant = closest(missing.name, unknown);
    return Failure(wrong(model, missing,
                         fmt::format("no function is given for the extern `{}`{}", missing.name,
                                     meant ? fmt::format("; there is one for `{}`", *meant) : "")));
  }
  return functions;
}

bool holds(const CellCall& call, std::span<const Cell> slots, std::span<const Cell* const> elements,
           const Numbers& numbers) {
  POISE_CHECK(call.function != nullptr && *call.function);
  constexpr std::size_t kFew = 8;
  std::array<Value, kFew> few;
  std::vector<Value> many(call.arguments.size() > kFew ? call.arguments.size() : 0);
  const std::span<Value> values =
      many.empty() ? std::span(few).first(call.arguments.size()) : std::span(many);
  const Value::Tables tables{&numbers, call.texts, call.model};
  for (std::size_t i = 0; i < values.size(); ++i) {
    const CellCall::Argument& argument = call.arguments[i];
    Cell cell = argument.constant;
    if (argument.place) {
      cell = argument.place->slot ? slots[argument.place->slot->index]
                                  : elements[argument.place->binding][argument.place->field];
    }
    values[i] = Value(argument.kind, cell, argument.scale, tables);
  }
  return (*call.function)(values);
}

}  // namespace poise::watch
