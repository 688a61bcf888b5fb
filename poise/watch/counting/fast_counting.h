#pragma once

// The fast path of the incremental evaluator: an element comes or goes, one count of one row
// changes, and with it the number of elements that decide the plans which use that count. Nearly
// every element does just that, and it takes less time than the call of a function; so it is in a
// header, where the monitor inlines it. Everything else is in incremental.cpp.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "poise/watch/counting/counter_layout.h"
#include "poise/watch/counting/counters.h"
#include "poise/watch/counting/evaluator.h"
#include "poise/watch/counting/fast_path.h"
#include "poise/watch/counting/pairs.h"
#include "poise/watch/counting/tally.h"

namespace poise::watch {

// What a counting plan depends on beside its elements: open windows and closed queries.
struct Surroundings {
  std::uint32_t open = 0;  // a bit for each lookup, then one for the outer collection
  std::array<Truth, kMostClosed> closed = {};
  friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

struct PlanState {
  Surroundings surroundings;
  Weights weights = {};        // for these surroundings
  std::int64_t undecided = 0;  // Tally::undecided
};

// The counts of a unit in one instance. It stays when counting is given up: its memory may be
// needed again.
struct UnitState {
  bool counting = false;  // else the counts are out of date, and the plans are scanned
  std::vector<PlanState> plans;
  // Tally::deciding, by plan; one more at the end is for sides of a FastUse that have no plan.
  std::vector<std::int64_t> deciding;
  Counters counters;
  std::optional<Pairs> pairs;

  [[nodiscard]] Tally tally(std::uint32_t plan) {
    return {deciding[plan], plans[plan].undecided, plans[plan].weights};
  }
};

// The last answer of a plan that was scanned.
struct ScanState {
  bool valid = false;  // nothing that the plan reads has changed since
  Truth truth = Truth::False;
  std::uint32_t open = 0;  // the `next` windows that were open then, a bit each
};

struct InstanceState {
  std::uint64_t counting = 0;  // the units that count, as a set
  // By unit; null where its plans have only been scanned so far. Empty until the first unit counts.
  std::vector<std::unique_ptr<UnitState>> units;
  std::vector<ScanState> scans;  // by plan

  [[nodiscard]] UnitState* unit(std::uint32_t index) const {
    return index < units.size() ? units[index].get() : nullptr;
  }
};

// `by` is 1 for an element that comes, -1 for one that goes. The next functions return a negative
// number if a quantifier has another truth now: the sign of `deciding` says which (tally.h).
//
// The collection to which the next element belongs is as good as random, and a mispredicted branch
// costs more than all the work here. So nothing branches on it: every element counts for one plan
// as an outer element and for one as an inner element, if need be for a plan that is not there, and
// all accesses of a unit have the same number of uses (level_uses() in incremental.cpp).
//
// `crosses`: the element is the first of its key to come, or the last to go.
template <int by>
[[nodiscard]] [[gnu::always_inline]] inline std::int64_t count_for(const FastUse& use,
                                                                   std::int64_t* deciding,
                                                                   const Counters::Count* row,
                                                                   bool crosses) {
  const auto add = [&](std::uint32_t plan, std::int64_t more) {
    const std::int64_t before = deciding[plan];
    const std::int64_t after = before + by * more;
    deciding[plan] = after;
    return before ^ after;  // negative if it has changed its sign
  };
  const std::int64_t outer =
      add(use.outer.plan, use.outer.adds[std::size_t{row[use.outer.other] != 0}]);
  const std::int64_t inner = add(
      use.inner.plan, std::int64_t{use.inner.adds[std::size_t{crosses}]} * row[use.inner.other]);
  return outer | inner;
}

// Counts an element in its row, and for the first use of its column.
template <int by>
[[nodiscard]] [[gnu::always_inline]] inline std::int64_t count_first(UnitState& state,
                                                                     const FastCount& plain,
                                                                     Counters::Count* row) {
  Counters::Count& count = row[plain.column];
  const bool crosses = count == (by > 0 ? 0 : 1);
  count += static_cast<Counters::Count>(by);
  return count_for<by>(plain.first, state.deciding.data(), row, crosses);
}

// For the other uses of the column, after count_first().
template <int by>
[[nodiscard]] inline std::int64_t count_rest(UnitState& state, const FastCount& plain,
                                             const Counters::Count* row) {
  const bool crosses = row[plain.column] == (by > 0 ? 1 : 0);
  std::int64_t changed = 0;
  for (const FastUse& use : plain.rest) {
    changed |= count_for<by>(use, state.deciding.data(), row, crosses);
  }
  return changed;
}

template <int by>
[[nodiscard]] inline std::int64_t count_fast(UnitState& state, const FastCount& plain,
                                             Counters::Count* row) {
  const std::int64_t first = count_first<by>(state, plain, row);
  return first | count_rest<by>(state, plain, row);
}

// An evaluator that has fast paths.
class FastCounting : public Evaluator {
 public:
  [[nodiscard]] virtual FastPaths fast_paths() const = 0;
  // Valid until an instance starts.
  [[nodiscard]] virtual InstanceState& state(std::uint32_t instance) = 0;
  // Whether a rule of the present state may ask for a plan that counts elements of the collection.
  [[nodiscard]] virtual bool matters(CollectionId collection, const Instance& of) const = 0;
};

// The row in which the fast path counts an element; null if its unit does not count at the moment
// or its key is not the index of its row.
struct FastRow {
  UnitState* state = nullptr;
  Counters::Count* row = nullptr;
};
[[nodiscard]] inline FastRow fast_row(const InstanceState& states, const FastPath& way, Cell key) {
  if ((states.counting >> way.unit & 1U) == 0) return {};
  UnitState* const state = states.units[way.unit].get();
  if (!state->counters.is_place(key)) return {};
  return {state, state->counters.row_at(key)};
}

}  // namespace poise::watch
