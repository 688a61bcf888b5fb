#pragma once

// How many elements of an outer quantifier decide it: those that make the body of an `exists` true,
// or that of an `all` false.
//
// An element counts by its *case*: its class (which of the conditions on it alone hold) and which
// lookups found something for it. The truth of the body is the same for all elements of one case.

#include <array>
#include <cstddef>
#include <cstdint>

#include "poise/base/truth.h"

namespace poise::watch {

inline constexpr std::size_t kMostLocals = 4;
inline constexpr std::size_t kMostLookups = 3;
inline constexpr std::size_t kMostClosed = 4;
inline constexpr std::size_t kMostCases = std::size_t{1} << (kMostLocals + kMostLookups);

// What an element of a case adds to each number of a tally: 1 or 0.
struct Weight {
  std::uint8_t deciding = 0;
  std::uint8_t undecided = 0;
};
using Weights = std::array<Weight, kMostCases>;

// The numbers of a quantifier, by reference: the `deciding` of several quantifiers stand side by
// side, since one element often changes them all, and apart from the weights, which most elements
// do not need.
struct Tally {
  std::int64_t& deciding;   // elements that decide it, less one: negative if there are none
  std::int64_t& undecided;  // elements for which the body is Unknown
  const Weights& weights;   // by case

  void clear() const {
    deciding = -1;
    undecided = 0;
  }
  void count(std::size_t of_case, std::int64_t by) const {
    deciding += by * weights[of_case].deciding;
    undecided += by * weights[of_case].undecided;
  }
  void move(std::size_t from, std::size_t to, std::int64_t elements) const {
    count(from, -elements);
    count(to, elements);
  }
  // All that the truth depends on beside open windows: while this stays the same, so does it.
  [[nodiscard]] std::size_t sides() const {
    return std::size_t{deciding >= 0} | std::size_t{undecided != 0} << 1U;
  }
  // The truth of the quantifier; `open` if its `next` window is open and more elements may come.
  [[nodiscard]] Truth truth(bool all, bool open) const {
    if (deciding >= 0) return truth_of(!all);
    return open || undecided > 0 ? Truth::Unknown : truth_of(all);
  }
};

[[nodiscard]] constexpr Weight weight_of(Truth body, bool all) {
  return {static_cast<std::uint8_t>(body == truth_of(!all)),
          static_cast<std::uint8_t>(body == Truth::Unknown)};
}

}  // namespace poise::watch
