#pragma once

// Facts about slots in the syntax of the language, exact, so that the parser reads them back as
// what they are: names, members, decimals. A number that is no decimal is multiplied out.

#include <span>
#include <string>
#include <vector>

#include "poise/base/rational.h"
#include "poise/model/model.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

// The value of a slot: "lamp", "not lamp", "bag has key", "phase in {low}", "n == 3".
[[nodiscard]] std::string value_words(const System& system, model::SlotId slot,
                                      const Rational& value);

// The numbers of the members of a slot with members, sorted; 0 and 1 of a boolean.
[[nodiscard]] std::vector<Rational> members_of(const System& system, model::SlotId slot);

// That a slot with members has one of some of them: "phase in {low, high}". "true" if these are all
// of them, "false" if there are none.
[[nodiscard]] std::string among_words(const System& system, model::SlotId slot,
                                      std::span<const Rational> values);

// value RELATION 0, over numbers: "2 * x <= y + 3".
[[nodiscard]] std::string comparison_words(const model::Model& model,
                                           const model::Polynomial& value,
                                           model::Relation relation);

// Conjunctions and disjunctions of texts, in which "true" and "false" count as such. all_words() is
// for parts that bind at least as tightly as `and`, any_words() for those that bind like `or`.
[[nodiscard]] std::string all_words(std::span<const std::string> parts);
[[nodiscard]] std::string any_words(std::span<const std::string> parts);

// Own variables that no action changes are as declared: "unit == 10".
[[nodiscard]] std::vector<std::string> constant_words(const System& system);

}  // namespace poise::verify
