#pragma once

// Which plans count together, and what a change of a collection means to each.
//
// Plans that compare the same fields share a table: of r6 and r8 of the stock tracker, one asks for
// tags read at the storage bay and at a gate, the other for tags loaded and not read at the storage
// bay. In one row, by tag, stand how often it is in each of the three: an element that comes or
// goes finds its row once, and changes one count.

#include <cstdint>
#include <vector>

#include "poise/watch/counting/fast_path.h"
#include "poise/watch/counting/plan.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

inline constexpr std::uint32_t kOuter = UINT32_MAX;

// A plan to which a count matters: it counts its outer elements, or those that fit a lookup.
struct Use {
  std::uint32_t plan;    // of the unit
  std::uint32_t lookup;  // or kOuter
};

struct Column {
  CollectionId collection;
  std::uint32_t field = 0;
  std::vector<Use> uses;
};

// Plans with one table of counters, or one plan of pairs.
struct Unit {
  std::vector<std::uint32_t> plans;
  bool pairs = false;
  bool keyed = false;  // else there is one row
  bool dense = false;  // keys are small numbers
  std::vector<Column> columns;
  struct Columns {
    std::uint32_t outer;                 // the first of a column per class
    std::vector<std::uint32_t> lookups;  // a column for each
  };
  std::vector<Columns> columns_of;  // by plan of the unit
};

// What an element of a collection changes in a unit.
struct Entry {
  enum class Kind {
    Plain,    // every element counts in the column
    Classes,  // in one of the columns, by its class
    Fitting,  // if it fits
    Pairs,
  };
  Kind kind;
  std::uint32_t column;  // the first
  std::uint32_t plan;    // Classes, Fitting, Pairs: of the unit
  std::uint32_t lookup;  // Fitting, Pairs
};
struct Access {
  std::uint32_t unit;
  std::uint32_t field;  // the key
  std::vector<Entry> entries = {};
  // The usual case, which is worth a short way: by key, in one column, and all plans to which that
  // matters are plain.
  bool is_plain = false;
  std::uint32_t column = 0;
  std::vector<FastUse> uses = {};

  [[nodiscard]] FastCount count() const {
    return {column, uses.front(), std::span(uses).subspan(1)};
  }
};

struct CounterLayout {
  std::vector<Unit> units;
  std::vector<std::uint32_t> unit_of;             // by plan; none of a plan that is scanned
  std::vector<std::uint32_t> place_of;            // by plan: which one of its unit
  std::vector<std::vector<Access>> accesses;      // by collection
  std::vector<std::vector<std::uint32_t>> plans;  // by collection: those that read it
  std::vector<std::uint64_t> units_of;            // by collection: the units of all of them
};

inline constexpr std::uint32_t kNoUnit = UINT32_MAX;

// Units as a set; one that has no bit of its own, or is none, is in no set.
inline constexpr std::uint64_t kEveryUnit = UINT64_MAX;
[[nodiscard]] constexpr std::uint64_t bit_of(std::uint32_t unit) {
  return unit < 63 ? std::uint64_t{1} << unit : 0;
}

// Without what elements add to those that decide a plan.
[[nodiscard]] CounterLayout counter_layout(const WatchedModel& program,
                                           const std::vector<Plan>& plans);

}  // namespace poise::watch
