#pragma once

// Conditions for other checkers: with names in the place of slots, and written in three notations,
// prefix (SMT-LIB), infix (nuXmv, PRISM) and JSON (JANI).

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "poise/verify/system/system.h"
#include "poise/verify/system/transitions.h"

namespace poise::verify {

// The substitute for a slot: factor * name, or a number.
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
  // For an atom: sum RELATION number.
  std::vector<Product> sum;
  model::Relation relation = model::Relation::Equal;
  Rational number;
};

using SubstituteOf = std::function<Substitute(model::SlotId)>;
// The formula with substitutes for its slots. Parts without names are evaluated.
[[nodiscard]] NamedCondition named(const System& system, model::FormulaId formula,
                                   const SubstituteOf& of);
[[nodiscard]] NamedCondition negated(NamedCondition condition);
[[nodiscard]] NamedCondition all_of(std::vector<NamedCondition> parts);
[[nodiscard]] NamedCondition any_of(std::vector<NamedCondition> parts);
// a RELATION number; a - b RELATION number.
[[nodiscard]] NamedCondition compared(const Substitute& a, model::Relation relation,
                                      const Rational& number);
[[nodiscard]] NamedCondition difference(const Substitute& a, const Substitute& b,
                                        model::Relation relation, const Rational& number);

using NameOf = std::function<std::string(const Unknown&)>;
[[nodiscard]] Substitute substitute(const System& system, const Term& term, const NameOf& name_of);
[[nodiscard]] NamedCondition named(const System& system, const Requirement& requirement,
                                   const NameOf& name_of);

// (and (>= disF 20.0) (< disL 20.0)), with whole names converted where they meet real ones.
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
// The same without fractions: both sides of each comparison are multiplied by the common
// denominator.
[[nodiscard]] NamedCondition without_fractions(NamedCondition condition);

// {"op": "∧", "left": …, "right": …}, an expression of JANI.
[[nodiscard]] std::string jani_binary(std::string_view op, const std::string& left,
                                      const std::string& right);
[[nodiscard]] std::string jani_text(const NamedCondition& condition);

}  // namespace poise::verify
