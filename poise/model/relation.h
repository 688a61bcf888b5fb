#pragma once

// The six comparisons.

#include <string_view>

namespace poise::model {

enum class Relation { Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual };

// Whether a number of this sign stands in this relation to 0.
[[nodiscard]] bool holds(Relation relation, int sign);

// The relation that holds just where this one does not: `<` for `>=`.
[[nodiscard]] Relation negated(Relation relation);

// The same relation with its sides exchanged: a < b is b > a.
[[nodiscard]] Relation mirrored(Relation relation);

// As the language writes it.
[[nodiscard]] std::string_view symbol(Relation relation);

}  // namespace poise::model
