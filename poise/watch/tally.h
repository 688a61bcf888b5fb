#pragma once

// How many elements of an outer quantifier make its body true, undecided or false, and what that
// says about the quantifier.
//
// An element counts by its *case*: its class (which of the conditions on it alone hold) and which
// lookups found something for it. The truth of the body is the same for all elements of one case.

#include <array>
#include <cstddef>
#include <cstdint>

#include "poise/watch/truth.h"

namespace poise::watch {

inline constexpr std::size_t kMostLocals = 4;
inline constexpr std::size_t kMostLookups = 3;
inline constexpr std::size_t kMostClosed = 4;
inline constexpr std::size_t kMostCases = std::size_t{1} << (kMostLocals + kMostLookups);

struct Tally {
  std::int64_t size = 0;
  std::int64_t holding = 0;
  std::int64_t undecided = 0;
  std::array<Truth, kMostCases> truths = {};  // by case

  void clear() { size = holding = undecided = 0; }
  void count(std::size_t of_case, std::int64_t by) {
    if (truths[of_case] == Truth::True) holding += by;
    if (truths[of_case] == Truth::Unknown) undecided += by;
  }
  void move(std::size_t from, std::size_t to, std::int64_t elements) {
    count(from, -elements);
    count(to, elements);
  }
  // Which truths the body has for some element: all that a quantifier asks.
  [[nodiscard]] std::size_t sides() const {
    return std::size_t{holding != 0} | std::size_t{undecided != 0} << 1U |
           std::size_t{size != holding + undecided} << 2U;
  }
  // Of the quantifier; `open` if more elements may come.
  [[nodiscard]] Truth truth(bool all, bool open) const {
    const Truth otherwise = open || undecided > 0 ? Truth::Unknown : truth_of(all);
    if (all) return size > holding + undecided ? Truth::False : otherwise;
    return holding > 0 ? Truth::True : otherwise;
  }
};

}  // namespace poise::watch
