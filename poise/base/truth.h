#pragma once

// Three-valued truth (Kleene): `and` is the least of its parts, `or` the greatest. Unknown is what
// has not been decided yet: a window that is still open, a variable that no log has mentioned.

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace poise {

enum class Truth : std::uint8_t { False, Unknown, True };

[[nodiscard]] constexpr Truth operator!(Truth truth) {
  return static_cast<Truth>(2 - static_cast<int>(truth));
}
[[nodiscard]] constexpr Truth truth_of(bool holds) { return holds ? Truth::True : Truth::False; }

// The conjunction, and the disjunction, of part(0), part(1), ...; stops as soon as it is decided.
template <class Part>
[[nodiscard]] Truth all_hold(std::size_t parts, const Part& part) {
  Truth least = Truth::True;
  for (std::size_t i = 0; i < parts && least != Truth::False; ++i) least = std::min(least, part(i));
  return least;
}
template <class Part>
[[nodiscard]] Truth any_holds(std::size_t parts, const Part& part) {
  Truth greatest = Truth::False;
  for (std::size_t i = 0; i < parts && greatest != Truth::True; ++i) {
    greatest = std::max(greatest, part(i));
  }
  return greatest;
}
[[nodiscard]] constexpr Truth are_the_same(Truth first, Truth second) {
  if (first == Truth::Unknown || second == Truth::Unknown) return Truth::Unknown;
  return truth_of(first == second);
}

}  // namespace poise
