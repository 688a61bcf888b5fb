#pragma once

// The short way of the incremental evaluator: an element comes or goes, one count of one row
// changes, and with it how many elements decide the plans to which that count matters. That is what
// happens to nearly every element, and takes less than a call of a function; so it stands in a
// header, for the monitor to have it in line. Everything else is in incremental.cpp.

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

// What else a counting plan depends on: which windows are open, and its closed queries.
struct Surroundings {
  std::uint32_t open = 0;  // a bit for each lookup, then one for the outer collection
  std::array<Truth, kMostClosed> closed = {};
  friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

struct PlanState {
  Surroundings surroundings;
  Weights weights = {};
  std::int64_t undecided = 0;
};

// Of a unit that counts, or has counted.
struct UnitState {
  bool counting = false;  // else the counts say nothing, and the plans are scanned
  std::vector<PlanState> plans;
  std::vector<std::int64_t> deciding;  // by plan, and one more for what counts for none
  Counters counters;
  std::optional<Pairs> pairs;

  [[nodiscard]] Tally tally(std::uint32_t plan) {
    return {deciding[plan], plans[plan].undecided, plans[plan].weights};
  }
};

struct ScanState {
  bool valid = false;
  Truth truth = Truth::False;
  std::uint32_t open = 0;  // which windows were
};

struct InstanceState {
  std::uint64_t counting = 0;  // units, as a set
  // None where its plans have been scanned so far; nothing at all where that is so everywhere.
  std::vector<std::unique_ptr<UnitState>> units;
  std::vector<ScanState> scans;  // by plan

  [[nodiscard]] UnitState* unit(std::uint32_t index) const {
    return index < units.size() ? units[index].get() : nullptr;
  }
};

// What the next functions return is negative if a quantifier has another truth now.
//
// Which collection the next element belongs to is as good as random, and a branch that goes the
// other way costs more than all of this. So there is none that depends on it: every element counts
// for one plan as the outer element and for one as what is looked for, be it with nothing, and all
// accesses of a unit have equally many uses.
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

// Counts an element in its row, and for the first use.
template <int by>
[[nodiscard]] [[gnu::always_inline]] inline std::int64_t count_first(UnitState& state,
                                                                     const FastCount& plain,
                                                                     Counters::Count* row) {
  Counters::Count& count = row[plain.column];
  const bool crosses = count == (by > 0 ? 0 : 1);
  count += static_cast<Counters::Count>(by);
  return count_for<by>(plain.first, state.deciding.data(), row, crosses);
}

// For the other uses of what has been counted.
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

class FastCounting : public Evaluator {
 public:
  [[nodiscard]] virtual FastPaths fast_paths() const = 0;
  // Valid until an instance starts.
  [[nodiscard]] virtual InstanceState& state(std::uint32_t instance) = 0;
  // Whether a rule of the present state may ask for what an element of a collection changes.
  [[nodiscard]] virtual bool matters(CollectionId collection, const Instance& of) const = 0;
};

// Where an element is counted at once, since its key is the place of its row; or nowhere.
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
