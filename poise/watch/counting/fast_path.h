#pragma once

// The short way of an element that comes or goes: where that changes one count of one row and
// nothing else, all that is needed stands side by side. plain_counting.h goes it.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "poise/watch/store/watched_model.h"

namespace poise::watch {

// What a count means to plans that have one lookup, no conditions on the outer element, and nothing
// to wait for: what is counted may be the outer elements of one of them, and what another looks
// for.
struct FastUse {
  struct Side {
    std::uint32_t plan;   // of the unit; behind the last where there is none
    std::uint32_t other;  // the column of the other side
    // What an element adds to those that decide the plan.
    // An outer one: by whether there is something on the other side.
    // One that is looked for: for each on the other side, by whether this is the first, or last, of
    // its key; for with that they change sides.
    std::array<std::int32_t, 2> adds = {};
  };
  Side outer;
  Side inner;
};
struct FastCount {
  std::uint32_t column = 0;
  FastUse first;
  std::span<const FastUse> rest;  // mostly none
};

struct alignas(64) FastPath {
  CollectionId collection;
  std::uint32_t schedule = 0;  // Collection::place
  Time length = 0;
  std::uint32_t unit = 0;
  std::uint32_t field = 0;  // the key
  FastCount count;
  const FastPath* next = nullptr;  // of another window of the stream, if there is one
  // Negative if an element that goes changes more than its count and what is decided by its first
  // use, or one that comes: a sign, to be looked at together with that of what is decided.
  std::int64_t more_to_remove = 0;
  std::int64_t more_to_add = 0;
};

// Of streams that have nothing but `last` windows with short ways.
struct FastPaths {
  std::vector<FastPath> of_collection;     // of no use for those that have none
  std::vector<const FastPath*> of_stream;  // the first one, or none
};

}  // namespace poise::watch
