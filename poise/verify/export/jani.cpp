#include "poise/verify/export/jani.h"

#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/json/writer.h"
#include "poise/verify/export/condition.h"
#include "poise/verify/export/names.h"

namespace poise::verify {

namespace {

using Rounding = Mdp::Update::Rounding;

// JANI has no fractions, but division of real numbers.
std::string jani_number(const Rational& value) {
  if (value.is_integer()) return value.to_string();
  return jani_binary("/", value.numerator().to_string(), value.denominator().to_string());
}

std::string value_text(const Mdp& mdp, const Mdp::Update& update) {
  bool whole = update.constant.is_integer();
  std::vector<std::string> parts;
  for (const NamedCondition::Product& product : update.sum) {
    whole = whole && product.factor.is_integer();
    std::string text = json::quoted(product.names.front().text);
    for (std::size_t i = 1; i < product.names.size(); ++i) {
      text = jani_binary("*", text, json::quoted(product.names[i].text));
    }
    if (product.factor != Rational(1)) text = jani_binary("*", jani_number(product.factor), text);
    parts.push_back(std::move(text));
  }
  Rational constant = update.constant;
  if (!whole && update.rounding == Rounding::Nearest) constant = constant + Rational(1, 2);
  if (parts.empty() || constant.sign() != 0) parts.push_back(jani_number(constant));
  std::string text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) text = jani_binary("+", text, parts[i]);
  if (!whole) {
    text = fmt::format(R"({{"op": "{}", "exp": {}}})",
                       update.rounding == Rounding::Up ? "ceil" : "floor", text);
  }
  if (update.sum.empty()) return text;
  const Mdp::Variable& variable = mdp.variables[update.variable];
  text = jani_binary("min", text, fmt::format("{}", variable.high));
  return jani_binary("max", text, fmt::format("{}", variable.low));
}

// The name of a location: the number of the place and its description, as far as a name allows.
std::string location(const Mdp& mdp, std::size_t place) {
  return fmt::format("\"l{}_{}\"", place, plain_name(mdp.places[place]));
}

std::string destination(const Mdp& mdp, const Mdp::Branch& branch) {
  std::vector<std::string> assignments;
  for (const Mdp::Update& update : branch.updates) {
    assignments.push_back(fmt::format(R"({{"ref": {}, "value": {}}})",
                                      json::quoted(mdp.variables[update.variable].name),
                                      value_text(mdp, update)));
  }
  std::string text = fmt::format(R"({{"location": {})", location(mdp, branch.to));
  if (branch.probability != 1) {
    text += fmt::format(R"(, "probability": {{"exp": {:.12g}}})", branch.probability);
  }
  if (!assignments.empty())
    text += fmt::format(R"(, "assignments": [{}])", joined(assignments, ", "));
  return text + "}";
}

std::string edge_text(const Mdp& mdp, const Mdp::Edge& edge) {
  std::vector<std::string> destinations;
  for (const Mdp::Branch& branch : edge.branches) destinations.push_back(destination(mdp, branch));
  std::string text = fmt::format(R"({{"location": {})", location(mdp, edge.from));
  if (edge.guard.op != model::Op::True) {
    text += fmt::format(R"(, "guard": {{"exp": {}}})", jani_text(edge.guard));
  }
  const std::string separator = destinations.size() == 1 ? "" : "\n         ";
  return text + fmt::format(R"(, "destinations": [{}{}]}})", separator,
                            joined(destinations, "," + (separator.empty() ? " " : separator)));
}

std::string variable_text(const Mdp::Variable& variable) {
  return fmt::format(
      R"({{"name": {}, "type": {{"kind": "bounded", "base": "int", "lower-bound": {}, )"
      R"("upper-bound": {}}}, "initial-value": {}}})",
      json::quoted(variable.name), variable.low, variable.high, variable.initial);
}

std::string property_text(const Mdp& mdp, std::size_t failure) {
  const std::string happened = jani_binary("=", json::quoted(mdp.variables[mdp.failure].name),
                                           fmt::format("{}", failure + 1));
  return fmt::format(
      R"({{"name": {}, "expression": {{"op": "filter", "fun": "max", "values": {{"op": "Pmax", )"
      R"("exp": {{"op": "F", "exp": {}}}}}, "states": {{"op": "initial"}}}}}})",
      json::quoted(mdp.failures[failure]), happened);
}

std::string lines(const std::vector<std::string>& items, std::string_view indent) {
  if (items.empty()) return "[]";
  return fmt::format("[\n{}  {}\n{}]", indent, joined(items, fmt::format(",\n{}  ", indent)),
                     indent);
}

}  // namespace

std::string jani_text(const Mdp& mdp) {
  std::vector<std::string> variables;
  for (const Mdp::Variable& variable : mdp.variables) variables.push_back(variable_text(variable));
  std::vector<std::string> properties;
  for (std::size_t i = 0; i < mdp.failures.size(); ++i) properties.push_back(property_text(mdp, i));
  std::vector<std::string> locations;
  for (std::size_t place = 0; place < mdp.places.size(); ++place) {
    locations.push_back(fmt::format(R"({{"name": {}}})", location(mdp, place)));
  }
  std::vector<std::string> edges;
  for (const Mdp::Edge& edge : mdp.edges) edges.push_back(edge_text(mdp, edge));
  std::string text = "{\n  \"jani-version\": 1,\n";
  text += fmt::format("  \"name\": {},\n  \"type\": \"mdp\",\n", json::quoted(mdp.name));
  text += fmt::format("  \"metadata\": {{\"description\": \"real values are multiples of {}\"}},\n",
                      mdp.step.to_string());
  text += "  \"features\": [\"derived-operators\"],\n";
  text += fmt::format("  \"variables\": {},\n", lines(variables, "  "));
  text += fmt::format("  \"properties\": {},\n", lines(properties, "  "));
  text += "  \"automata\": [\n    {\n      \"name\": \"main\",\n";
  text += fmt::format("      \"locations\": {},\n", lines(locations, "      "));
  text += fmt::format("      \"initial-locations\": [{}],\n", location(mdp, 0));
  text += fmt::format("      \"edges\": {}\n    }}\n  ],\n", lines(edges, "      "));
  return text + "  \"system\": {\"elements\": [{\"automaton\": \"main\"}]}\n}\n";
}

}  // namespace poise::verify
