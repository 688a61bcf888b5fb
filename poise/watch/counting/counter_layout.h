#pragma once

// Which plans share a table of counters, and which counts an element of a collection changes.
//
// Plans that compare the same fields form a *unit* and share a table: a row for each key, a column
// for each thing that is counted. Example: rule r6 of the stock tracker asks for tags read at the
// storage bay and at a gate, r8 for tags loaded and not read at the storage bay. One table serves
// both. It has a row for each tag, and its three columns say how often the tag was loaded, read at
// the storage bay, and read at the gate. So an element that comes or goes finds its row once and
// changes one count.

#include <cstdint>
#include <vector>

#include "poise/watch/counting/fast_path.h"
#include "poise/watch/counting/plan.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

// Stands for the outer collection where a number would stand for a lookup.
inline constexpr std::uint32_t kOuter = UINT32_MAX;

// A plan that uses a column: it counts the outer elements of the plan, or those that fit a lookup.
struct Use {
  std::uint32_t plan;    // its place in the unit
  std::uint32_t lookup;  // or kOuter
};

// Counts elements of a collection by a field: all of them, those of one class, or those that fit a
// lookup.
struct Column {
  CollectionId collection;
  std::uint32_t field = 0;
  std::vector<Use> uses;
};

// Plans that share one table of counters; or a single plan of pairs, which has no table.
struct Unit {
  std::vector<std::uint32_t> plans;
  bool pairs = false;
  bool keyed = false;  // else there is a single row
  bool dense = false;  // keys are small numbers (counters.h)
  std::vector<Column> columns;
  struct Columns {
    std::uint32_t outer;                 // the first of as many columns as there are classes
    std::vector<std::uint32_t> lookups;  // a column for each
  };
  std::vector<Columns> columns_of;  // by place of a plan in the unit
};

// A change that an element of a collection makes to a unit.
struct Entry {
  enum class Kind {
    Plain,    // every element counts in `column`
    Classes,  // it counts in one of the columns from `column` on, by its class
    Fitting,  // it counts in `column` if it fits the lookup
    Pairs,    // it is compared with elements (pairs.h); no column
  };
  Kind kind;
  std::uint32_t column;
  std::uint32_t plan;    // Classes, Fitting, Pairs: its place in the unit
  std::uint32_t lookup;  // Fitting, Pairs; may be kOuter
};
// All that an element changes in a unit under the key in one of its fields.
struct Access {
  std::uint32_t unit;
  std::uint32_t field;  // the key
  std::vector<Entry> entries = {};
  // The usual case, which has a fast path: rows are found by key, one column changes, and every
  // plan that uses the column has one lookup, no conditions on the outer element alone, and nothing
  // but elements to wait for (no variables, no `next` windows, no closed queries). `column` and
  // `uses` are for this case only.
  bool is_plain = false;
  std::uint32_t column = 0;
  std::vector<FastUse> uses = {};

  [[nodiscard]] FastCount count() const {
    return {column, uses.front(), std::span(uses).subspan(1)};
  }
};

struct CounterLayout {
  std::vector<Unit> units;
  std::vector<std::uint32_t> unit_of;             // by plan; kNoUnit if it is scanned
  std::vector<std::uint32_t> place_of;            // by plan: its place in Unit::plans
  std::vector<std::vector<Access>> accesses;      // by collection
  std::vector<std::vector<std::uint32_t>> plans;  // by collection: the plans that read it
  std::vector<std::uint64_t> units_of;            // by collection: the units of these plans, a set
};

inline constexpr std::uint32_t kNoUnit = UINT32_MAX;

// A set of units is a word with a bit for each of the first 63. The others, and kNoUnit, have no
// bit and are in no set. Where one of these reads a collection, units_of is kEveryUnit: no set of
// units contains that, so nothing is skipped for it.
inline constexpr std::uint64_t kEveryUnit = UINT64_MAX;
[[nodiscard]] constexpr std::uint64_t bit_of(std::uint32_t unit) {
  return unit < 63 ? std::uint64_t{1} << unit : 0;
}

// FastUse::Side::adds stays 0: it depends on the truth of the plan's body, which the incremental
// evaluator works out.
[[nodiscard]] CounterLayout counter_layout(const WatchedModel& watched,
                                           const std::vector<Plan>& plans);

}  // namespace poise::watch
