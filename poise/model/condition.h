#pragma once

// Types and comparisons: what variables and the elements of streams have in common.

#include <string>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/table.h"
#include "poise/model/relation.h"

namespace poise::model {

using SymbolId = Id<struct SymbolTag>;
using SlotId = Id<struct SlotTag>;

enum class TypeKind { Bool, Int, Real, Enum, Set };

struct Type {
  TypeKind kind = TypeKind::Bool;
  Rational low = 0;  // Int, Real
  Rational high = 1;
  std::vector<SymbolId> members;  // Enum, Set: in the order written
};

struct Monomial {
  std::vector<SlotId> slots;  // sorted; a slot twice is its square
  Rational coefficient;       // not 0
  friend bool operator==(const Monomial&, const Monomial&) = default;
};

// The sum of its terms and a constant. Terms are sorted by their slots, which differ.
struct Polynomial {
  std::vector<Monomial> terms;
  Rational constant;
  friend bool operator==(const Polynomial&, const Polynomial&) = default;
};

// A comparison, a membership or a boolean variable, as it stands in rules and constraints. False
// where a slot it reads has no value.
struct Atom {
  std::string text;
  std::vector<SlotId> slots;  // all it reads, sorted, even where their coefficients cancel out
  Polynomial value;
  Relation relation = Relation::Equal;  // value RELATION 0
  std::vector<Rational> among;          // `in`: then value is one of these; sorted
  bool membership = false;
};

}  // namespace poise::model
