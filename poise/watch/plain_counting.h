#pragma once

// The short way of the incremental evaluator: an element comes or goes, one count of one row
// changes, and with it how many elements decide the plans to which that count matters. That is what
// happens to nearly every element, and takes less than a call of a function; so it stands in a
// header, for the monitor to have it in line. Everything else is in incremental.cpp.

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "poise/watch/counters.h"
#include "poise/watch/evaluator.h"
#include "poise/watch/layout.h"
#include "poise/watch/pairs.h"
#include "poise/watch/tally.h"

namespace poise::watch {

// What else a counting plan depends on: which windows are open, and its closed queries.
struct Surroundings {
  std::uint32_t open = 0;  // a bit for each lookup, then one for the outer collection
  std::array<Truth, kMostClosed> closed = {};
  friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

struct PlanState {
  Surroundings surroundings;
  Tally tally;
};

// Of a unit that counts, or has counted.
struct UnitState {
  bool counting = false;  // else the counts say nothing, and the plans are scanned
  std::vector<PlanState> plans;
  Counters counters;
  std::optional<Pairs> pairs;
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

// Counts an element in its row. Whether a quantifier has another truth now.
//
// Which collection the next element belongs to is as good as random, and a branch that goes the
// other way costs more than all of this. So there is none that depends on it: outer elements and
// those that are looked for count alike, and all accesses of a unit have equally many uses.
template <int by>
[[nodiscard]] inline bool count_plain(std::vector<PlanState>& plans, const Access& access,
                                      Counters::Count* row) {
  Counters::Count& count = row[access.column];
  const bool crosses = count == (by > 0 ? 0 : 1);
  count += static_cast<Counters::Count>(by);
  bool changed = false;
  for (const Access::Plain& use : access.uses) {
    const Counters::Count there = row[use.other];
    const Counters::Count most = use.most[std::size_t{crosses}];
    // The lesser of them; that it may be either has to be said, or there is a branch.
    const Counters::Count others =
        __builtin_expect_with_probability(static_cast<long>(there < most), 1, 0.5) != 0 ? there
                                                                                        : most;
    const std::int64_t more = use.itself + use.others * std::int64_t{others};
    std::int64_t& deciding = plans[use.plan].tally.deciding;
    const std::int64_t before = deciding;
    const std::int64_t after = before + by * more;
    deciding = after;
    if (before == 0 || after == 0) changed |= before != after;
  }
  return changed;
}

class PlainCounting : public Evaluator {
 public:
  [[gnu::always_inline]] bool added(std::uint32_t instance, const Instance& of,
                                    CollectionId collection, const Cell* element) final {
    return change<1>(instance, of, collection, element);
  }
  [[gnu::always_inline]] bool removed(std::uint32_t instance, const Instance& of,
                                      CollectionId collection, const Cell* element) final {
    return change<-1>(instance, of, collection, element);
  }

 protected:
  // By however many ways.
  virtual bool added_anyhow(InstanceState& states, const Instance& of, CollectionId collection,
                            const Cell* element) = 0;
  virtual bool removed_anyhow(InstanceState& states, const Instance& of, CollectionId collection,
                              const Cell* element) = 0;
  // Whether a rule of the present state may ask for what an access changes.
  [[nodiscard]] virtual bool matters(const Access& access, const Instance& of) const = 0;

  // By collection: what an element changes, where that is one row of one unit and nothing else;
  // where it is not, what is of no unit.
  std::vector<const Access*> only_;
  std::vector<InstanceState> states_;

 private:
  template <int by>
  [[gnu::always_inline]] bool change(std::uint32_t instance, const Instance& of,
                                     CollectionId collection, const Cell* element) {
    InstanceState& states = states_[instance];
    const Access& only = *only_[collection.index];
    if ((states.counting & only.bit) != 0) {
      UnitState& state = *states.units[only.unit];
      const Cell key = element[only.field];
      if (state.counters.is_place(key)) {
        return count_plain<by>(state.plans, only, state.counters.row(key)) && matters(only, of);
      }
    }
    return by > 0 ? added_anyhow(states, of, collection, element)
                  : removed_anyhow(states, of, collection, element);
  }
};

}  // namespace poise::watch
