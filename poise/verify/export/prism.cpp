#include "poise/verify/export/prism.h"

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/verify/export/names.h"

namespace poise::verify {

namespace {

using Rounding = Mdp::Update::Rounding;

std::string prism_number(const Rational& value) {
  if (value.is_integer()) return value.to_string();
  return fmt::format("{}/{}", value.numerator().to_string(), value.denominator().to_string());
}

std::string sum_text(const Mdp::Update& update) {
  std::string text;
  bool whole = update.constant.is_integer();
  for (const NamedCondition::Product& product : update.sum) {
    whole = whole && product.factor.is_integer();
    text += text.empty() ? "" : " + ";
    if (product.factor != Rational(1)) text += fmt::format("({}) * ", prism_number(product.factor));
    for (const NamedCondition::Name& name : product.names) {
      text += (&name == &product.names.front() ? "" : " * ") + name.text;
    }
  }
  Rational constant = update.constant;
  if (!whole && update.rounding == Rounding::Nearest) constant = constant + Rational(1, 2);
  if (text.empty()) {
    text = prism_number(constant);
  } else if (constant.sign() != 0) {
    text += constant.sign() < 0 ? " - " : " + ";
    text += prism_number(constant.sign() < 0 ? -constant : constant);
  }
  if (whole) return text;
  return fmt::format("{}({})", update.rounding == Rounding::Up ? "ceil" : "floor", text);
}

std::string update_text(const Mdp& mdp, const Mdp::Update& update) {
  const Mdp::Variable& variable = mdp.variables[update.variable];
  const std::string sum = sum_text(update);
  if (update.sum.empty()) return fmt::format("({}'={})", variable.name, sum);
  return fmt::format("({}'=max({}, min({}, {})))", variable.name, variable.low, variable.high, sum);
}

}  // namespace

std::string prism_text(const Mdp& mdp) {
  std::string text = fmt::format("// {}: real values are multiples of {}\n", one_line(mdp.name),
                                 mdp.step.to_string());
  for (const std::string& failure : mdp.failures) {
    text += fmt::format("// Pmax=? [ F \"{}\" ]\n", failure);
  }
  text += "mdp\n\n";
  for (std::size_t i = 0; i < mdp.places.size(); ++i) {
    text += fmt::format("// place {}: {}\n", i, mdp.places[i]);
  }
  text += fmt::format("\nmodule main\n  place : [0..{}] init 0;\n", mdp.places.size() - 1);
  for (const Mdp::Variable& variable : mdp.variables) {
    text += fmt::format("  {} : [{}..{}] init {};\n", variable.name, variable.low, variable.high,
                        variable.initial);
  }
  for (const Mdp::Edge& edge : mdp.edges) {
    text += fmt::format("\n  [] place={}", edge.from);
    if (edge.guard.op != model::Op::True)
      text += fmt::format(" & ({})", infix_text(edge.guard, {}));
    text += " ->";
    for (const Mdp::Branch& branch : edge.branches) {
      text += &branch == &edge.branches.front() ? " " : "\n    + ";
      if (edge.branches.size() > 1) text += fmt::format("{:.12g} : ", branch.probability);
      text += fmt::format("(place'={})", branch.to);
      for (const Mdp::Update& update : branch.updates) text += " & " + update_text(mdp, update);
    }
    text += ";";
  }
  text += "\nendmodule\n\n";
  for (std::size_t i = 0; i < mdp.failures.size(); ++i) {
    text += fmt::format("label \"{}\" = {}={};\n", mdp.failures[i], mdp.variables[mdp.failure].name,
                        i + 1);
  }
  return text;
}

}  // namespace poise::verify
