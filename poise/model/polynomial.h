#pragma once

// Arithmetic on the polynomials of atoms.

#include <optional>
#include <string>

#include "poise/model/model.h"

namespace poise::model {

[[nodiscard]] Polynomial constant(const Rational& value);
[[nodiscard]] Polynomial slot_value(SlotId slot);
[[nodiscard]] Polynomial sum(const Polynomial& a, const Polynomial& b);
[[nodiscard]] Polynomial scaled(const Polynomial& polynomial, const Rational& factor);
[[nodiscard]] Polynomial product(const Polynomial& a, const Polynomial& b);

// With the slot's value put in.
[[nodiscard]] Polynomial substituted(const Polynomial& polynomial, SlotId slot,
                                     const Rational& value);

[[nodiscard]] bool is_linear(const Polynomial& polynomial);
[[nodiscard]] bool reads(const Polynomial& polynomial, SlotId slot);
// Of a linear polynomial; 0 if it does not read the slot.
[[nodiscard]] Rational coefficient(const Polynomial& polynomial, SlotId slot);

// The same for polynomials that are multiples of each other (they vanish together) and for no
// others.
[[nodiscard]] Polynomial normalized(const Polynomial& polynomial);
[[nodiscard]] bool precedes(const Polynomial& a, const Polynomial& b);  // some total order

}  // namespace poise::model
