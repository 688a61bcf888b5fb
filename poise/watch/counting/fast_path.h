#pragma once

// Fast paths: for a window in which an element that comes or goes changes one count of one row, and
// nothing else, all that this takes, side by side in memory. fast_counting.h follows them.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "poise/watch/store/watched_model.h"

namespace poise::watch {

// The meaning of a count to plans that have one lookup, no conditions on the outer element alone,
// and nothing but elements to wait for. The elements that are counted may be the outer elements of
// one such plan and the inner elements of another, whose lookup looks for them.
struct FastUse {
  struct Side {
    std::uint32_t plan;   // its place in the unit; one behind the last if this side has none
    std::uint32_t other;  // the column that counts the elements of the other side
    // How many elements more decide the plan.
    // Outer: with an outer element, adds[1] if there are inner elements with its key, else adds[0].
    // Inner: with an inner element, adds[1] for each outer element with its key if it is the first
    // inner one of that key to come, or the last to go, since only then the lookup of these outer
    // elements has another answer. adds[0] is 0.
    std::array<std::int32_t, 2> adds = {};
  };
  Side outer;
  Side inner;
};
struct FastCount {
  std::uint32_t column = 0;
  FastUse first;
  std::span<const FastUse> rest;  // mostly empty
};

struct alignas(64) FastPath {
  CollectionId collection;
  std::uint32_t schedule = 0;  // Collection::place
  Time length = 0;
  std::uint32_t unit = 0;
  std::uint32_t field = 0;  // the key
  FastCount count;
  const FastPath* next = nullptr;  // that of another window of the stream
  // Negative if count_first() is not all there is to do: the count has other uses, or, for an
  // element that comes, there are other windows. One branch looks at this sign and at the sign that
  // count_first() returns.
  std::int64_t more_to_remove = 0;
  std::int64_t more_to_add = 0;
};

// A stream has fast paths only if all its windows are `last` windows that have one.
struct FastPaths {
  std::vector<FastPath> of_collection;     // meaningless for collections that have none
  std::vector<const FastPath*> of_stream;  // the first in a list by `next`, or null
};

}  // namespace poise::watch
