#include "poise/verify/export/condition.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::verify {

using model::Op;
using model::Relation;

namespace {

NamedCondition truth(bool holds) {
  NamedCondition made;
  made.op = holds ? Op::True : Op::False;
  return made;
}

bool holds(Relation relation, const Rational& left, const Rational& right) {
  const Rational difference = left - right;
  return model::holds(relation, difference.sign());
}

// Adds a product of substitutes; those that are numbers are multiplied into the factor.
void add(NamedCondition& to, Rational factor, std::span<const Substitute> of) {
  NamedCondition::Product product;
  for (const Substitute& one : of) {
    if (const auto* number = std::get_if<Rational>(&one)) {
      factor = factor * *number;
    } else {
      const auto& value = std::get<NamedValue>(one);
      factor = factor * value.factor;
      product.names.push_back({value.name, value.whole});
    }
  }
  if (factor.sign() == 0) return;
  if (product.names.empty()) {
    to.number = to.number - factor;
    return;
  }
  product.factor = factor;
  to.sum.push_back(std::move(product));
}

NamedCondition settled(NamedCondition atom) {
  if (!atom.sum.empty()) return atom;
  return truth(holds(atom.relation, 0, atom.number));
}

NamedCondition named_atom(const model::Atom& atom, const SubstituteOf& of) {
  NamedCondition made;
  made.op = Op::Atom;
  made.relation = atom.relation;
  made.number = -atom.value.constant;
  for (const model::Monomial& term : atom.value.terms) {
    std::vector<Substitute> factors;
    for (const model::SlotId slot : term.slots) factors.push_back(of(slot));
    add(made, term.coefficient, factors);
  }
  if (!atom.membership) return settled(std::move(made));
  std::vector<NamedCondition> members;
  for (const Rational& member : atom.among) {
    NamedCondition one = made;
    one.relation = Relation::Equal;
    one.number = made.number + member;
    members.push_back(settled(std::move(one)));
  }
  return any_of(std::move(members));
}

NamedCondition gathered(Op op, std::vector<NamedCondition> parts) {
  const Op decides = op == Op::And ? Op::False : Op::True;
  const Op idle = op == Op::And ? Op::True : Op::False;
  std::vector<NamedCondition> kept;
  for (NamedCondition& part : parts) {
    if (part.op == decides) return part;
    if (part.op == idle) continue;
    if (part.op == op) {
      std::ranges::move(part.parts, std::back_inserter(kept));
    } else {
      kept.push_back(std::move(part));
    }
  }
  if (kept.size() == 1) return std::move(kept.front());
  NamedCondition made = truth(op == Op::And);
  if (!kept.empty()) made.op = op;
  made.parts = std::move(kept);
  return made;
}

std::string_view sign(Relation relation) {
  return relation == Relation::Equal ? "=" : model::symbol(relation);
}

bool is_whole(const NamedCondition& atom) {
  return std::ranges::all_of(atom.sum, [](const NamedCondition::Product& product) {
    return std::ranges::all_of(product.names, &NamedCondition::Name::whole);
  });
}

Integer common_denominator(const NamedCondition& atom) {
  Rational common = 1;
  const auto take = [&common](const Rational& number) {
    // The part of the denominator that is not yet in the common one.
    common = common * Rational((common * number).denominator());
  };
  take(atom.number);
  for (const NamedCondition::Product& product : atom.sum) take(product.factor);
  return common.numerator();
}

std::string prefix_product(const NamedCondition::Product& product, bool whole) {
  std::string factors;
  std::size_t count = 0;
  if (product.factor != Rational(1)) {
    factors += " " + prefix_number(product.factor, whole);
    ++count;
  }
  for (const NamedCondition::Name& name : product.names) {
    factors += name.whole && !whole ? fmt::format(" (to_real {})", name.text) : " " + name.text;
    ++count;
  }
  return count == 1 ? factors.substr(1) : fmt::format("(*{})", factors);
}

std::string prefix_atom(NamedCondition atom) {
  const bool whole = is_whole(atom);
  if (whole) atom = without_fractions(std::move(atom));
  std::string sum;
  for (const NamedCondition::Product& product : atom.sum) {
    sum += " " + prefix_product(product, whole);
  }
  sum = atom.sum.size() == 1 ? sum.substr(1) : fmt::format("(+{})", sum);
  const std::string number = prefix_number(atom.number, whole);
  if (atom.relation == Relation::NotEqual) return fmt::format("(not (= {} {}))", sum, number);
  return fmt::format("({} {} {})", sign(atom.relation), sum, number);
}

// Fractions as nuXmv writes them.
std::string infix_number(const Rational& number) {
  if (number.is_integer()) return number.to_string();
  const Rational size = number.sign() < 0 ? -number : number;
  return fmt::format("{}f'{}/{}", number.sign() < 0 ? "-" : "", size.numerator().to_string(),
                     size.denominator().to_string());
}

std::string infix_atom(const NamedCondition& atom) {
  std::string sum;
  for (const NamedCondition::Product& product : atom.sum) {
    const bool negative = product.factor.sign() < 0;
    const Rational size = negative ? -product.factor : product.factor;
    std::vector<std::string> factors;
    if (size != Rational(1)) factors.push_back(infix_number(size));
    for (const NamedCondition::Name& name : product.names) factors.push_back(name.text);
    if (sum.empty()) {
      sum += negative ? "-" : "";
    } else {
      sum += negative ? " - " : " + ";
    }
    sum += joined(factors, " * ");
  }
  return fmt::format("{} {} {}", sum, sign(atom.relation), infix_number(atom.number));
}

// a op b op c, nested from the left; at least one part.
std::string jani_row(std::string_view op, const std::vector<std::string>& parts) {
  std::string made = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) made = jani_binary(op, made, parts[i]);
  return made;
}

std::string jani_atom(const NamedCondition& atom) {
  std::vector<std::string> products;
  for (const NamedCondition::Product& product : atom.sum) {
    std::vector<std::string> factors;
    if (product.factor != Rational(1)) factors.push_back(product.factor.to_string());
    for (const NamedCondition::Name& name : product.names) {
      factors.push_back(fmt::format("\"{}\"", name.text));
    }
    products.push_back(jani_row("*", factors));
  }
  const std::string sum = jani_row("+", products);
  const std::string number = atom.number.to_string();
  switch (atom.relation) {
    case Relation::Equal: return jani_binary("=", sum, number);
    case Relation::NotEqual: return jani_binary("≠", sum, number);
    case Relation::Less: return jani_binary("<", sum, number);
    case Relation::LessEqual: return jani_binary("≤", sum, number);
    case Relation::Greater: return jani_binary("<", number, sum);
    case Relation::GreaterEqual: return jani_binary("≤", number, sum);
  }
  return "";
}

}  // namespace

std::string jani_binary(std::string_view op, const std::string& left, const std::string& right) {
  return fmt::format(R"({{"op": "{}", "left": {}, "right": {}}})", op, left, right);
}

NamedCondition negated(NamedCondition condition) {
  switch (condition.op) {
    case Op::True: return truth(false);
    case Op::False: return truth(true);
    case Op::Not: return std::move(condition.parts.front());
    case Op::Atom: condition.relation = model::negated(condition.relation); return condition;
    case Op::And:
    case Op::Or:
    case Op::Implies:
    case Op::Iff: break;
  }
  NamedCondition made;
  made.op = Op::Not;
  made.parts.push_back(std::move(condition));
  return made;
}

NamedCondition all_of(std::vector<NamedCondition> parts) {
  return gathered(Op::And, std::move(parts));
}
NamedCondition any_of(std::vector<NamedCondition> parts) {
  return gathered(Op::Or, std::move(parts));
}

NamedCondition named(const System& system, model::FormulaId id, const SubstituteOf& of) {
  const model::Formula& formula = system.formulas[id];
  std::vector<NamedCondition> parts;
  for (const model::FormulaId part : formula.parts) parts.push_back(named(system, part, of));
  switch (formula.op) {
    case Op::True: return truth(true);
    case Op::False: return truth(false);
    case Op::Atom: return named_atom(system.atoms[formula.atom], of);
    case Op::Not: return negated(std::move(parts.front()));
    case Op::And: return all_of(std::move(parts));
    case Op::Or: return any_of(std::move(parts));
    case Op::Implies:
      if (parts[0].op == Op::True) return std::move(parts[1]);
      if (parts[0].op == Op::False || parts[1].op == Op::True) return truth(true);
      if (parts[1].op == Op::False) return negated(std::move(parts[0]));
      break;
    case Op::Iff:
      for (const std::size_t i : {0U, 1U}) {
        if (parts[i].op == Op::True) return std::move(parts[1 - i]);
        if (parts[i].op == Op::False) return negated(std::move(parts[1 - i]));
      }
      break;
  }
  NamedCondition made;
  made.op = formula.op;
  made.parts = std::move(parts);
  return made;
}

NamedCondition compared(const Substitute& a, Relation relation, const Rational& number) {
  return difference(a, Rational(0), relation, number);
}

NamedCondition difference(const Substitute& a, const Substitute& b, Relation relation,
                          const Rational& number) {
  NamedCondition made;
  made.op = Op::Atom;
  made.relation = relation;
  made.number = number;
  add(made, 1, std::span(&a, 1));
  add(made, -1, std::span(&b, 1));
  return settled(std::move(made));
}

Substitute substitute(const System& system, const Term& term, const NameOf& name_of) {
  if (const auto* number = std::get_if<Rational>(&term)) return *number;
  const auto& unknown = std::get<Unknown>(term);
  return NamedValue{.name = name_of(unknown), .whole = is_whole(system, unknown.slot)};
}

NamedCondition named(const System& system, const Requirement& requirement, const NameOf& name_of) {
  if (const auto* holds_on = std::get_if<HoldsOn>(&requirement)) {
    NamedCondition made = named(system, holds_on->formula, [&](model::SlotId slot) {
      return substitute(system, holds_on->slots[slot.index], name_of);
    });
    return holds_on->truth ? made : negated(std::move(made));
  }
  Substitute a;
  Substitute b = Rational(0);
  Rational low;
  Rational high;
  if (const auto* between = std::get_if<Between>(&requirement)) {
    a = substitute(system, between->unknown, name_of);
    low = between->low;
    high = between->high;
  } else {
    const auto& apart = std::get<Apart>(requirement);
    a = substitute(system, apart.a, name_of);
    b = substitute(system, apart.b, name_of);
    low = apart.low;
    high = apart.high;
  }
  if (low == high) return difference(a, b, Relation::Equal, low);
  return all_of(
      {difference(a, b, Relation::GreaterEqual, low), difference(a, b, Relation::LessEqual, high)});
}

std::string prefix_number(const Rational& number, bool whole) {
  const bool negative = number.sign() < 0;
  const Rational size = negative ? -number : number;
  const std::string point = whole ? "" : ".0";
  std::string text = size.numerator().to_string() + point;
  if (!size.is_integer()) {
    text = fmt::format("(/ {} {})", text, size.denominator().to_string() + point);
  }
  return negative ? fmt::format("(- {})", text) : text;
}

NamedCondition without_fractions(NamedCondition condition) {
  for (NamedCondition& part : condition.parts) part = without_fractions(std::move(part));
  if (condition.op != Op::Atom) return condition;
  const Rational times(common_denominator(condition));
  condition.number = condition.number * times;
  for (NamedCondition::Product& product : condition.sum) product.factor = product.factor * times;
  return condition;
}

std::string prefix_text(const NamedCondition& condition) {
  std::string parts;
  for (const NamedCondition& part : condition.parts) parts += " " + prefix_text(part);
  switch (condition.op) {
    case Op::True: return "true";
    case Op::False: return "false";
    case Op::Atom: return prefix_atom(condition);
    case Op::Not: return fmt::format("(not{})", parts);
    case Op::And: return fmt::format("(and{})", parts);
    case Op::Or: return fmt::format("(or{})", parts);
    case Op::Implies: return fmt::format("(=>{})", parts);
    case Op::Iff: return fmt::format("(={})", parts);
  }
  return "";
}

std::string infix_text(const NamedCondition& condition, const InfixWords& words) {
  std::vector<std::string> parts;
  for (const NamedCondition& part : condition.parts) {
    const bool simple = part.op == Op::Atom || part.op == Op::True || part.op == Op::False;
    const std::string text = infix_text(part, words);
    parts.push_back(simple && condition.op != Op::Not ? text : fmt::format("({})", text));
  }
  switch (condition.op) {
    case Op::True: return std::string(words.truth);
    case Op::False: return std::string(words.falsehood);
    case Op::Atom: return infix_atom(condition);
    case Op::Not: return "!" + parts.front();
    case Op::And: return joined(parts, " & ");
    case Op::Or: return joined(parts, " | ");
    case Op::Implies: return fmt::format("{} {} {}", parts[0], words.implies, parts[1]);
    case Op::Iff: return fmt::format("{} {} {}", parts[0], words.iff, parts[1]);
  }
  return "";
}

std::string jani_text(const NamedCondition& condition) {
  std::vector<std::string> parts;
  for (const NamedCondition& part : condition.parts) parts.push_back(jani_text(part));
  switch (condition.op) {
    case Op::True: return "true";
    case Op::False: return "false";
    case Op::Atom: return jani_atom(condition);
    case Op::Not: return fmt::format(R"({{"op": "¬", "exp": {}}})", parts.front());
    case Op::And: return jani_row("∧", parts);
    case Op::Or: return jani_row("∨", parts);
    case Op::Implies:
      return jani_binary("∨", fmt::format(R"({{"op": "¬", "exp": {}}})", parts[0]), parts[1]);
    case Op::Iff: return jani_binary("=", parts[0], parts[1]);
  }
  return "";
}

}  // namespace poise::verify
