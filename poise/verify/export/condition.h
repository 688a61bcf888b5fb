#pragma once

// Conditions on their way to other checkers: with names in the place of slots, and in the three
// ways of writing that they use.

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "poise/verify/system/system.h"
#include "poise/verify/system/transitions.h"

namespace poise::verify {

// What stands in the place of a slot: factor * name, or a number.
struct NamedValue {
  std::string name;
  bool whole = false;
  Rational factor = 1;
};
using Substitute = std::variant<NamedValue, Rational>;

struct NamedCondition {
  struct Name {
    std::string text;
    bool whole = false;
  };
  struct Product {
    Rational factor;
    std::vector<Name> names;
  };
  model::Op op = model::Op::True;
  std::vector<NamedCondition> parts;
  // Atom: the sum of the products is in the relation to the number.
  std::vector<Product> sum;
  model::Relation relation = model::Relation::Equal;
  Rational number;
};

using SubstituteOf = std::function<Substitute(model::SlotId)>;
// What does not depend on names is worked out.
[[nodiscard]] NamedCondition named(const System& system, model::FormulaId formula,
                                   const SubstituteOf& of);
[[nodiscard]] NamedCondition negated(NamedCondition condition);
[[nodiscard]] NamedCondition all_of(std::vector<NamedCondition> parts);
[[nodiscard]] NamedCondition any_of(std::vector<NamedCondition> parts);
// a - b, or a, in the relation to a number.
[[nodiscard]] NamedCondition compared(const Substitute& a, model::Relation relation,
                                      const Rational& number);
[[nodiscard]] NamedCondition difference(const Substitute& a, const Substitute& b,
                                        model::Relation relation, const Rational& number);

using NameOf = std::function<std::string(const Unknown&)>;
[[nodiscard]] Substitute substitute(const System& system, const Term& term, const NameOf& name_of);
[[nodiscard]] NamedCondition named(const System& system, const Requirement& requirement,
                                   const NameOf& name_of);

// (and (>= disF 20.0) (< disL 20.0)), with whole numbers made real where they meet real ones.
[[nodiscard]] std::string prefix_text(const NamedCondition& condition);
[[nodiscard]] std::string prefix_number(const Rational& number, bool whole);

// disF >= 20 & disL < 20
struct InfixWords {
  std::string_view truth = "true";
  std::string_view falsehood = "false";
  std::string_view implies = "=>";
  std::string_view iff = "<=>";
};
[[nodiscard]] std::string infix_text(const NamedCondition& condition, const InfixWords& words);
// Without fractions: both sides are multiplied by what it takes.
[[nodiscard]] NamedCondition without_fractions(NamedCondition condition);

// {"op": "∧", "left": …, "right": …}, as JANI has it.
[[nodiscard]] std::string jani_text(const NamedCondition& condition);

}  // namespace poise::verify
