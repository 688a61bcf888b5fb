// Evaluates queries by their plans (plan.h), with counters where these pay. As long as the windows
// of a query hold only a few elements, going through them when the query is asked is cheaper than
// counting every element that comes and goes: most queries are not asked most of the time, because
// the application is in a state whose rules do not mention them.
//
// Each unit of plans (counter_layout.h) is, in each instance, in one of two modes:
//   scanning  An element only marks the remembered answers of its plans as out of date. Asking such
//             a plan goes through the elements (evaluate() in full.cpp).
//   counting  An element changes counts in one row, and by them the tally (tally.h) of each plan
//             that uses them. The truth of a plan is then read off its tally.
// A unit begins to count when one of its plans is asked whose scan would take more than kCheap
// steps, and goes back to scanning when all of them would take less than a quarter of that:
// hysteresis, so that it does not flap. A variable that a plan reads, or a state that is entered
// while it has `next` windows, makes the counts of its unit useless; it starts anew when asked.
//
// The weights of a tally depend on open windows and closed queries. Where these have changed since
// the last question, the weights are worked out again and the rows are tallied again, without
// looking at the elements.

#include <algorithm>
#include <utility>

#include "poise/base/check.h"
#include "poise/watch/counting/fast_counting.h"
#include "poise/watch/counting/plan.h"

namespace poise::watch {

using model::QueryNode;
using model::Window;

namespace {

// A scan of so many steps is cheaper than counting; measured with bench/watch.
constexpr std::uint64_t kCheap = 64;

class Incremental final : public FastCounting {
 public:
  Incremental(const WatchedModel& watched, const Numbers& numbers, std::uint64_t cheap)
      : watched_(watched),
        numbers_(numbers),
        cheap_(cheap),
        plans_(plans(watched)),
        layout_(counter_layout(watched, plans_)),
        readers_(watched.model().slots.size()) {
    for (std::uint32_t i = 0; i < plans_.size(); ++i) {
      const Plan& plan = plans_[i];
      for (const model::SlotId slot : plan.slots) readers_[slot.index].push_back(i);
      matters_.push_back(watched.asked_in(plan.query));
      if (looks_ahead(plan)) ahead_.push_back(i);
    }
    for (std::vector<Access>& accesses : layout_.accesses) {
      for (Access& access : accesses) find_what_decides(access);
    }
    level_uses();
  }

  bool added(std::uint32_t instance, const Instance& of, CollectionId collection,
             const Cell* element) override {
    return change<1>(states_[instance], of, collection, element);
  }
  bool removed(std::uint32_t instance, const Instance& of, CollectionId collection,
               const Cell* element) override {
    return change<-1>(states_[instance], of, collection, element);
  }

  [[nodiscard]] InstanceState& state(std::uint32_t instance) override { return states_[instance]; }

  [[nodiscard]] bool matters(CollectionId collection, const Instance& of) const override {
    return matters(layout_.accesses[collection.index].front(), of);
  }

  [[nodiscard]] FastPaths fast_paths() const override {
    FastPaths ways;
    ways.of_collection.resize(watched_.collections().size());
    ways.of_stream.resize(watched_.model().streams.size());
    for (const model::StreamId stream : watched_.model().streams.ids()) {
      const std::span<const CollectionId> windows = watched_.collections_of(stream);
      const auto has_one = [this](CollectionId id) { return has_fast_path(id); };
      if (!std::ranges::all_of(windows, has_one)) continue;
      for (const CollectionId id : windows) {
        FastPath& way = ways.of_collection[id.index];
        way = fast_path(id);
        way.next = std::exchange(ways.of_stream[stream.index], &way);
        way.more_to_remove = way.count.rest.empty() ? 0 : -1;
        way.more_to_add = way.next == nullptr ? way.more_to_remove : -1;
      }
    }
    return ways;
  }

  void start(std::uint32_t instance) override {
    if (states_.size() <= instance) states_.resize(instance + 1);
    states_[instance].scans.resize(plans_.size());
  }

  void expect(std::uint32_t instance) override {
    __builtin_prefetch(states_[instance].scans.data());
    __builtin_prefetch(states_[instance].units.data());
  }

  void entered(std::uint32_t instance, const Instance&) override {
    for (const std::uint32_t plan : ahead_) forget(states_[instance], plan);
  }

  void assigned(std::uint32_t instance, model::SlotId slot) override {
    for (const std::uint32_t plan : readers_[slot.index]) forget(states_[instance], plan);
  }

  Truth truth(std::uint32_t instance, const Instance& of, model::QueryId query) override {
    return truth_of_plan(states_[instance], of, query.index);
  }

 private:
  void forget(InstanceState& states, std::uint32_t plan) const {
    states.scans[plan].valid = false;
    const std::uint32_t unit = layout_.unit_of[plan];
    UnitState* const state = states.unit(unit);
    if (state == nullptr) return;
    state->counting = false;
    states.counting &= ~bit_of(unit);
  }

  // ---- Counting ----

  // The unit that an element changes, for the functions below.
  struct Here {
    UnitState& state;
    const Unit& unit;
    const Instance& of;
    int by;                // 1: the element comes; -1: it goes
    bool changed = false;  // the truth of a plan that a rule of the present state may ask

    [[nodiscard]] std::uint32_t plan(std::uint32_t place) const { return unit.plans[place]; }
  };

  template <int by>
  bool change(InstanceState& states, const Instance& of, CollectionId collection,
              const Cell* element) {
    const std::uint64_t units = layout_.units_of[collection.index];
    bool changed = (states.counting & units) != units && invalidate(states, of, collection);
    if (states.units.empty()) return changed;
    for (const Access& access : layout_.accesses[collection.index]) {
      UnitState* const state = states.units[access.unit].get();
      if (state == nullptr || !state->counting) continue;
      if (access.is_plain && element[access.field] != kNone) {
        Counters::Count* const row = state->counters.row(element[access.field]);
        const bool turned = count_fast<by>(*state, access.count(), row) < 0;
        changed = (turned && matters(access, of)) || changed;
        if (by < 0) state->counters.tidy(row);
      } else {
        Here here{*state, layout_.units[access.unit], of, by};
        count(here, access, element);
        changed = changed || here.changed;
      }
    }
    return changed;
  }

  [[nodiscard]] bool matters(const Access& access, const Instance& of) const {
    const Unit& unit = layout_.units[access.unit];
    return std::ranges::any_of(unit.columns[access.column].uses, [&](const Use& use) -> bool {
      return matters_[unit.plans[use.plan]][of.state.index];
    });
  }

  // Whether an element changes one count in one unit and nothing else, as most do.
  [[nodiscard]] bool has_fast_path(CollectionId id) const {
    const std::vector<Access>& accesses = layout_.accesses[id.index];
    return watched_.collection(id).kind == Window::Kind::Last && accesses.size() == 1 &&
           accesses.front().is_plain && layout_.units_of[id.index] == bit_of(accesses.front().unit);
  }

  [[nodiscard]] FastPath fast_path(CollectionId id) const {
    const Collection& collection = watched_.collection(id);
    const Access& access = layout_.accesses[id.index].front();
    return {.collection = id,
            .schedule = collection.place,
            .length = collection.length,
            .unit = access.unit,
            .field = access.field,
            .count = access.count()};
  }

  // Answers that were found by scanning are out of date.
  bool invalidate(InstanceState& states, const Instance& of, CollectionId collection) const {
    bool changed = false;
    for (const std::uint32_t plan : layout_.plans[collection.index]) {
      const UnitState* const unit = states.unit(layout_.unit_of[plan]);
      if (unit != nullptr && unit->counting) continue;
      states.scans[plan].valid = false;
      changed = changed || matters_[plan][of.state.index];
    }
    return changed;
  }

  void count(Here& here, const Access& access, const Cell* element) {
    if (here.unit.pairs) {
      for (const Entry& entry : access.entries) count_pairs(here, entry, element);
      return;
    }
    const Cell key = here.unit.keyed ? element[access.field] : 0;
    for (const Entry& entry : access.entries) {
      std::uint32_t column = entry.column;
      if (entry.kind == Entry::Kind::Classes) {
        column += static_cast<std::uint32_t>(class_of(here, entry.plan, element));
      } else if (entry.kind == Entry::Kind::Fitting) {
        if (key == kNone || !fits(here, entry, element)) continue;
      }
      Counters::Count* const row = here.state.counters.row(key);
      count_in(here, row, column, column - entry.column, key == kNone);
      if (here.by < 0) here.state.counters.tidy(row);
    }
  }

  // An element without a key finds nothing, and nothing finds it.
  void count_in(Here& here, Counters::Count* row, std::uint32_t column, std::size_t the_class,
                bool without_key) {
    const Counters::Count before = row[column];
    row[column] = before + static_cast<Counters::Count>(here.by);
    const bool crossed = (before == 0) != (row[column] == 0);
    for (const Use& use : here.unit.columns[column].uses) {
      if (use.lookup != kOuter && (!crossed || without_key)) continue;
      const Tally tally = here.state.tally(use.plan);
      const std::size_t sides = tally.sides();
      if (use.lookup == kOuter) {
        tally.count(case_of(here, use.plan, row, the_class, without_key), here.by);
      } else {
        move_classes(here, use, row, before != 0);
      }
      if (sides != tally.sides()) note(here, use.plan);
    }
  }

  // The truth of a plan may have changed.
  void note(Here& here, std::uint32_t place) const {
    here.changed = here.changed || matters_[here.plan(place)][here.of.state.index];
  }

  // A lookup has found its first element for a key, or has lost the last one: the outer elements of
  // that key, class by class, are of another case now.
  void move_classes(Here& here, const Use& use, const Counters::Count* row, bool found_before) {
    const Plan& plan = plans_[here.plan(use.plan)];
    const std::uint32_t outer = here.unit.columns_of[use.plan].outer;
    for (std::size_t i = 0; i < std::size_t{1} << plan.locals.size(); ++i) {
      if (row[outer + i] == 0) continue;
      const std::size_t after = case_of(here, use.plan, row, i, false);
      const std::size_t bit = std::size_t{1} << (plan.locals.size() + use.lookup);
      const std::size_t before = found_before ? after | bit : after & ~bit;
      here.state.tally(use.plan).move(before, after, row[outer + i]);
    }
  }

  // The bits of a case: the class, then for each lookup whether it has found something.
  [[nodiscard]] std::size_t case_of(const Here& here, std::uint32_t place,
                                    const Counters::Count* row, std::size_t the_class,
                                    bool without_key) const {
    std::size_t found = 0;
    const std::vector<std::uint32_t>& lookups = here.unit.columns_of[place].lookups;
    for (std::size_t i = 0; i < lookups.size() && !without_key; ++i) {
      found |= std::size_t{row[lookups[i]] != 0} << i;
    }
    return found << plans_[here.plan(place)].locals.size() | the_class;
  }

  void count_pairs(Here& here, const Entry& entry, const Cell* element) {
    const Tally tally = here.state.tally(0);
    const std::size_t sides = tally.sides();
    if (entry.lookup == kOuter) {
      here.state.pairs->change_outer(element, class_of(here, 0, element), here.by, here.of.slots,
                                     tally);
    } else {
      here.state.pairs->change_inner(entry.lookup, element, here.by, here.of.slots, tally);
    }
    if (sides != tally.sides()) note(here, 0);
  }

  [[nodiscard]] std::size_t class_of(const Here& here, std::uint32_t place, const Cell* element) {
    const Plan& plan = plans_[here.plan(place)];
    std::size_t bits = 0;
    for (std::size_t i = 0; i < plan.locals.size(); ++i) {
      bits |= std::size_t{local(plan, plan.locals[i], plan.binding, here.of, element)} << i;
    }
    return bits;
  }

  [[nodiscard]] bool fits(const Here& here, const Entry& entry, const Cell* element) {
    const Plan& plan = plans_[here.plan(entry.plan)];
    const Plan::Lookup& lookup = plan.lookups[entry.lookup];
    return std::ranges::all_of(lookup.literals, [&](const Plan::Literal& literal) {
      return local(plan, literal.node, lookup.binding, here.of, element) != literal.negated;
    });
  }

  // A condition on one element. It is never Unknown, since it has no quantifiers.
  [[nodiscard]] bool local(const Plan& plan, std::uint32_t node, std::uint32_t binding,
                           const Instance& of, const Cell* element) {
    const CellQuery& query = watched_.query(plan.query);
    elements_.resize(std::max(elements_.size(), query.query->streams.size()));
    elements_[binding] = element;
    return evaluate(watched_, numbers_, of, query, node, elements_) == Truth::True;
  }

  // ---- What the counts mean ----

  [[nodiscard]] Surroundings surroundings(InstanceState& states, const Instance& of,
                                          std::uint32_t index) {
    const Plan& plan = plans_[index];
    Surroundings now;
    const auto open = [&](CollectionId id) {
      const Collection& collection = watched_.collection(id);
      return collection.kind == Window::Kind::Next && is_open(of, collection);
    };
    for (std::size_t i = 0; i < plan.lookups.size(); ++i) {
      now.open |= std::uint32_t{open(plan.lookups[i].collection)} << i;
    }
    now.open |= std::uint32_t{open(plan.collection)} << plan.lookups.size();
    for (std::size_t i = 0; i < plan.closed_plans.size(); ++i) {
      now.closed[i] = truth_of_plan(states, of, plan.closed_plans[i]);
    }
    return now;
  }

  [[nodiscard]] std::uint32_t body_of(const Plan& plan) const {
    return watched_.query(plan.query).query->nodes[plan.node].parts[0];
  }

  // FastUse::Side::adds.
  void find_what_decides(Access& access) const {
    const std::vector<std::uint32_t>& plans = layout_.units[access.unit].plans;
    const auto decides = [&](const FastUse::Side& side, std::size_t found) {
      const Plan& plan = plans_[plans[side.plan]];
      return std::int32_t{truth_of_body(plan, body_of(plan), 0, found, {}) == truth_of(!plan.all)};
    };
    for (auto& [outer, inner] : access.uses) {
      if (outer.plan < plans.size()) outer.adds = {decides(outer, 0), decides(outer, 1)};
      if (inner.plan < plans.size()) inner.adds = {0, decides(inner, 1) - decides(inner, 0)};
    }
  }

  // Pads the uses of each access with some that add nothing, so that all accesses of a unit have
  // equally many: fast_counting.h says why.
  void level_uses() {
    std::vector<std::size_t> most(layout_.units.size());
    const auto for_each_plain = [&](auto visit) {
      for (std::vector<Access>& accesses : layout_.accesses) {
        for (Access& access : accesses) {
          if (access.is_plain) visit(access);
        }
      }
    };
    for_each_plain([&](const Access& access) {
      most[access.unit] = std::max(most[access.unit], access.uses.size());
    });
    for_each_plain([&](Access& access) {
      const auto none = static_cast<std::uint32_t>(layout_.units[access.unit].plans.size());
      const FastUse::Side nothing{none, access.column};
      access.uses.resize(most[access.unit], {nothing, nothing});
    });
  }

  // Works out the weights of all cases.
  void tell(const Plan& plan, const Surroundings& now, PlanState& state) const {
    state.surroundings = now;
    const std::uint32_t body = body_of(plan);
    for (std::size_t found = 0; found < std::size_t{1} << plan.lookups.size(); ++found) {
      for (std::size_t i = 0; i < std::size_t{1} << plan.locals.size(); ++i) {
        state.weights[found << plan.locals.size() | i] =
            weight_of(truth_of_body(plan, body, i, found, now), plan.all);
      }
    }
  }

  // The cases have other weights now: tallies the rows again.
  void tally_again(UnitState& state, const Instance& of, std::uint32_t index) {
    const Unit& unit = layout_.units[layout_.unit_of[index]];
    const std::uint32_t place = layout_.place_of[index];
    const Tally tally = state.tally(place);
    tally.clear();
    if (unit.pairs) {
      state.pairs->for_each_case([&](std::size_t of_case) { tally.count(of_case, 1); });
      return;
    }
    const Here here{state, unit, of, 0};
    const std::uint32_t outer = unit.columns_of[place].outer;
    state.counters.for_each([&](Cell key, const Counters::Count* row) {
      for (std::size_t i = 0; i < std::size_t{1} << plans_[index].locals.size(); ++i) {
        if (row[outer + i] == 0) continue;
        tally.count(case_of(here, place, row, i, key == kNone), row[outer + i]);
      }
    });
  }

  // The truth of a node of the body for all elements of a case.
  [[nodiscard]] Truth truth_of_body(const Plan& plan, std::uint32_t node_id, std::size_t the_class,
                                    std::size_t found, const Surroundings& now) const {
    const auto index_in = [&](const std::vector<std::uint32_t>& nodes) {
      return static_cast<std::size_t>(std::ranges::find(nodes, node_id) - nodes.begin());
    };
    const std::size_t local = index_in(plan.locals);
    if (local < plan.locals.size()) return truth_of((the_class >> local & 1U) != 0);
    const std::size_t closed = index_in(plan.closed);
    if (closed < plan.closed.size()) return now.closed[closed];
    for (std::size_t i = 0; i < plan.lookups.size(); ++i) {
      if (plan.lookups[i].node != node_id) continue;
      Truth some = (now.open >> i & 1U) != 0 ? Truth::Unknown : Truth::False;
      if ((found >> i & 1U) != 0) some = Truth::True;
      return plan.lookups[i].all ? !some : some;
    }
    const QueryNode& node = watched_.query(plan.query).query->nodes[node_id];
    const auto part = [&](std::size_t i) {
      return truth_of_body(plan, node.parts[i], the_class, found, now);
    };
    switch (node.op) {
      case QueryNode::Op::Not: return !part(0);
      case QueryNode::Op::And: return all_hold(node.parts.size(), part);
      case QueryNode::Op::Or: return any_holds(node.parts.size(), part);
      case QueryNode::Op::Implies: return std::max(!part(0), part(1));
      case QueryNode::Op::Iff: return are_the_same(part(0), part(1));
      case QueryNode::Op::False:
      case QueryNode::Op::True:
      case QueryNode::Op::Atom:
      case QueryNode::Op::Exists:
      case QueryNode::Op::All: break;  // locals, lookups and closed ones
    }
    POISE_CHECK(false);
  }

  void start_counting(InstanceState& states, const Instance& of, std::uint32_t index) {
    const Unit& unit = layout_.units[index];
    states.units.resize(layout_.units.size());
    std::unique_ptr<UnitState>& made = states.units[index];
    if (!made) {
      made = std::make_unique<UnitState>();
      made->plans.resize(unit.plans.size());
      made->deciding.resize(unit.plans.size() + 1);
      if (unit.pairs) {
        made->pairs.emplace(watched_, numbers_, plans_[unit.plans.front()]);
      } else {
        made->counters.set_up(unit.columns.size(), unit.dense);
      }
    }
    UnitState& state = *made;
    for (std::uint32_t place = 0; place < unit.plans.size(); ++place) {
      const std::uint32_t plan = unit.plans[place];
      tell(plans_[plan], surroundings(states, of, plan), state.plans[place]);
      state.tally(place).clear();
    }
    if (unit.pairs) {
      state.pairs->clear();
    } else {
      state.counters.clear();
    }
    for (const CollectionId id : watched_.collections().ids()) {
      for (const Access& access : layout_.accesses[id.index]) {
        if (access.unit != index) continue;
        for_each_element(watched_, of, id, [&](const Cell* element) {
          Here here{state, unit, of, 1};
          count(here, access, element);
          return true;
        });
      }
    }
    state.counting = true;
    states.counting |= bit_of(index);
  }

  Truth truth_of_plan(InstanceState& states, const Instance& of, std::uint32_t index) {
    const Plan& plan = plans_[index];
    const std::uint32_t unit = layout_.unit_of[index];
    if (unit == kNoUnit) return scanned(states, of, index);
    const UnitState* const before = states.unit(unit);
    const bool counting = before != nullptr && before->counting;
    if (!counting && cheap_ > 0 && steps_of_scan(of, plan) <= cheap_) {
      return scanned(states, of, index);
    }
    if (!counting) start_counting(states, of, unit);
    UnitState& state = *states.units[unit];
    PlanState& known = state.plans[layout_.place_of[index]];
    if (!plan.closed.empty() || (known.surroundings.open != 0)) {
      const Surroundings now = surroundings(states, of, index);
      if (now != known.surroundings) {
        tell(plan, now, known);
        tally_again(state, of, index);
      }
    }
    const bool open = (known.surroundings.open >> plan.lookups.size() & 1U) != 0;
    const Truth truth = state.tally(layout_.place_of[index]).truth(plan.all, open);
    if (counting && has_become_cheap(of, unit)) forget_unit(states, unit);
    return truth;
  }

  // By far, else a unit would flap between its modes.
  [[nodiscard]] bool has_become_cheap(const Instance& of, std::uint32_t unit) const {
    return std::ranges::all_of(layout_.units[unit].plans, [&](std::uint32_t plan) {
      return 4 * steps_of_scan(of, plans_[plan]) < cheap_;
    });
  }

  void forget_unit(InstanceState& states, std::uint32_t unit) const {
    for (const std::uint32_t plan : layout_.units[unit].plans) forget(states, plan);
  }

  // A scan goes through the outer elements, and for each through all others.
  [[nodiscard]] std::uint64_t steps_of_scan(const Instance& of, const Plan& plan) const {
    std::uint64_t others = 0;
    for (const CollectionId id : plan.collections) {
      if (id != plan.collection) others += most_elements(watched_, of, id);
    }
    for (const Plan::Lookup& lookup : plan.lookups) {
      if (lookup.collection == plan.collection)
        others += most_elements(watched_, of, lookup.collection);
    }
    return most_elements(watched_, of, plan.collection) * (1 + others);
  }

  [[nodiscard]] bool looks_ahead(const Plan& plan) const {
    return std::ranges::any_of(plan.collections, [&](CollectionId id) {
      return watched_.collection(id).kind == Window::Kind::Next;
    });
  }

  // ---- Scans ----

  Truth scanned(InstanceState& states, const Instance& of, std::uint32_t index) {
    const Plan& plan = plans_[index];
    ScanState& state = states.scans[index];
    std::uint32_t open = 0;
    for (std::size_t i = 0; i < plan.collections.size(); ++i) {
      const Collection& collection = watched_.collections()[plan.collections[i]];
      const bool waits = collection.kind == Window::Kind::Next && is_open(of, collection);
      open = open << 1U | std::uint32_t{waits};
    }
    // With more than 32 quantifiers the open windows do not fit a word; nothing is remembered then.
    const bool fits = plan.collections.size() <= 32;
    if (state.valid && fits && state.open == open) return state.truth;
    const CellQuery& query = watched_.query(plan.query);
    elements_.assign(query.query->streams.size(), nullptr);
    state = {true, evaluate(watched_, numbers_, of, query, plan.node, elements_), open};
    return state.truth;
  }

  const WatchedModel& watched_;
  const Numbers& numbers_;
  std::uint64_t cheap_;  // steps of a scan that is cheaper than counting; 0: none is
  std::vector<Plan> plans_;
  CounterLayout layout_;
  std::vector<InstanceState> states_;
  std::vector<std::vector<std::uint32_t>> readers_;  // by slot: plans
  std::vector<std::vector<bool>> matters_;           // by plan and state: a rule may ask for it
  std::vector<std::uint32_t> ahead_;                 // plans with `next` windows
  std::vector<const Cell*> elements_;
};

}  // namespace

std::unique_ptr<Evaluator> incremental_evaluator(const WatchedModel& watched,
                                                 const Numbers& numbers) {
  return std::make_unique<Incremental>(watched, numbers, kCheap);
}

std::unique_ptr<Evaluator> counting_evaluator(const WatchedModel& watched, const Numbers& numbers) {
  return std::make_unique<Incremental>(watched, numbers, 0);
}

}  // namespace poise::watch
