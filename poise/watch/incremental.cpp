// Queries by counters (plan.h), where that pays: as long as the windows of a query hold only a few
// elements, going through them when somebody asks costs less than counting every one that comes and
// goes. Most queries are not asked most of the time: their state of the application has to come
// first.

#include <algorithm>
#include <array>
#include <cstring>

#include "poise/watch/evaluator.h"
#include "poise/watch/plan.h"

namespace poise::watch {

using model::QueryNode;
using model::Window;

namespace {

constexpr std::uint32_t kNowhere = UINT32_MAX;
constexpr std::uint32_t kInside = UINT32_MAX - 1;

// So many steps of a scan are cheaper than counting; measured with bench/watch.
constexpr std::uint64_t kCheap = 64;

// What changes of a collection do to a plan.
struct Role {
  std::uint32_t plan;
  // Or kNowhere: the outer elements; or kInside: of a query inside, which counts for itself.
  std::uint32_t lookup;
  // The usual case, which is worth a short way: one lookup, and nothing else that counts.
  bool plain = false;
  std::uint32_t field = 0;  // then: the key
};

bool is_plain(const Plan& plan) {
  return plan.kind == Plan::Kind::Count && plan.lookups.size() == 1 && plan.locals.empty() &&
         plan.lookups.front().literals.empty();
}

// What else a counting plan depends on: which windows are open, and its closed queries.
struct Surroundings {
  std::uint32_t open = 0;  // a bit for each lookup, then one for the outer collection
  std::array<Truth, 4> closed = {};
  friend bool operator==(const Surroundings&, const Surroundings&) = default;
};

// By key: for each lookup how many elements fit, for each class how many there are. A row is the
// key, which takes two words, and its counts, so that one look at the memory finds all. Open
// hashing; a row whose counts are all 0 goes at once, and what stands behind it moves up.
class Counters {
 public:
  void set_up(std::size_t counts) { stride_ = kKey + counts + counts % 2; }

  // The counts of a key, which are made where there are none.
  std::uint32_t* row(Cell key) {
    if (2 * (used_ + 1) > room_) grow();
    std::uint32_t* const place = place_of(key);
    if (key_of(place) == kFree) {
      set_key(place, key);
      ++used_;
    }
    return place + kKey;
  }
  // To be called with a row of which a count has become less.
  void tidy(std::uint32_t* row) {
    std::uint32_t* const place = row - kKey;
    for (std::size_t i = kKey; i < stride_; ++i) {
      if (place[i] != 0) return;
    }
    set_key(place, kFree);
    --used_;
    std::size_t gap = static_cast<std::size_t>(place - rows_.data()) / stride_;
    for (std::size_t next = (gap + 1) & (room_ - 1); key_of(at(next)) != kFree;
         next = (next + 1) & (room_ - 1)) {
      const std::size_t home = home_of(key_of(at(next)));
      if (((next - home) & (room_ - 1)) < ((next - gap) & (room_ - 1))) continue;
      std::copy_n(at(next), stride_, at(gap));
      empty(at(next));
      gap = next;
    }
  }
  template <class Visit>
  void for_each(Visit visit) {
    for (std::size_t i = 0; i < room_; ++i) {
      if (key_of(at(i)) != kFree) visit(at(i) + kKey);
    }
  }
  void clear() {
    used_ = 0;
    for (std::size_t i = 0; i < room_; ++i) empty(at(i));
  }

 private:
  static constexpr Cell kFree = kNone + 1;  // which is no value
  static constexpr std::size_t kKey = sizeof(Cell) / sizeof(std::uint32_t);

  static Cell key_of(const std::uint32_t* place) {
    Cell key = 0;
    std::memcpy(&key, place, sizeof(key));
    return key;
  }
  static void set_key(std::uint32_t* place, Cell key) { std::memcpy(place, &key, sizeof(key)); }
  void empty(std::uint32_t* place) const {
    set_key(place, kFree);
    std::fill_n(place + kKey, stride_ - kKey, 0U);
  }
  [[nodiscard]] std::uint32_t* at(std::size_t index) { return rows_.data() + index * stride_; }
  [[nodiscard]] std::size_t home_of(Cell key) const {
    return (static_cast<std::uint64_t>(key) * 0x9E3779B97F4A7C15U >> 32U) & (room_ - 1);
  }
  [[nodiscard]] std::uint32_t* place_of(Cell key) {
    std::size_t index = home_of(key);
    std::uint32_t* place = at(index);
    while (key_of(place) != kFree && key_of(place) != key) {
      index = (index + 1) & (room_ - 1);
      place = at(index);
    }
    return place;
  }
  void grow() {
    const std::vector<std::uint32_t> old = std::move(rows_);
    const std::size_t before = room_;
    room_ = std::max<std::size_t>(8, room_ * 2);
    rows_ = std::vector<std::uint32_t>(room_ * stride_);
    clear();
    for (std::size_t i = 0; i < before; ++i) {
      const std::uint32_t* const row = old.data() + i * stride_;
      if (key_of(row) == kFree) continue;
      std::copy_n(row, stride_, place_of(key_of(row)));
      ++used_;
    }
  }

  std::size_t stride_ = kKey + 2;
  std::size_t room_ = 0;  // a power of two, or 0
  std::size_t used_ = 0;
  std::vector<std::uint32_t> rows_;
};

struct CountState {
  bool counting = false;  // else the counters say nothing, and the query is scanned
  Surroundings surroundings;
  // The truth of the body, by class and by which lookups found something.
  std::vector<Truth> table;
  Counters counters;
  std::int64_t size = 0;  // outer elements
  std::int64_t holding = 0;
  std::int64_t undecided = 0;
};

struct ScanState {
  bool valid = false;
  std::uint64_t open = 0;  // which windows were
  Truth truth = Truth::False;
};

struct InstanceState {
  std::vector<std::unique_ptr<CountState>> counts;  // by plan; none as long as it is scanned
  std::vector<ScanState> scans;                     // by plan
};

class Incremental final : public Evaluator {
 public:
  Incremental(const Program& program, const Numbers& numbers, std::uint64_t cheap)
      : program_(program),
        numbers_(numbers),
        cheap_(cheap),
        plans_(plans(program)),
        roles_(program.collections().size()),
        readers_(program.model().slots.size()) {
    for (std::uint32_t i = 0; i < plans_.size(); ++i) {
      const Plan& plan = plans_[i];
      if (plan.kind == Plan::Kind::Count) {
        const bool plain = is_plain(plan);
        roles_[plan.collection.index].push_back({i, kNowhere, plain, plan.key});
        for (std::uint32_t k = 0; k < plan.lookups.size(); ++k) {
          const Plan::Lookup& lookup = plan.lookups[k];
          roles_[lookup.collection.index].push_back({i, k, plain, lookup.field});
        }
        for (const CollectionId id : plan.collections) {
          const bool known = std::ranges::any_of(roles_[id.index],
                                                 [&](const Role& role) { return role.plan == i; });
          if (!known) roles_[id.index].push_back({i, kInside});
        }
      } else {
        for (const CollectionId id : plan.collections) roles_[id.index].push_back({i, kNowhere});
      }
      for (const model::SlotId slot : plan.slots) readers_[slot.index].push_back(i);
      matters_.push_back(program.asked_in(plan.query));
    }
  }

  void start(std::uint32_t instance) override {
    if (states_.size() <= instance) states_.resize(instance + 1);
    states_[instance].counts.resize(plans_.size());
    states_[instance].scans.resize(plans_.size());
  }

  bool added(std::uint32_t instance, const Instance& of, CollectionId collection,
             const Cell* element) override {
    return change(instance, of, collection, element, 1);
  }
  bool removed(std::uint32_t instance, const Instance& of, CollectionId collection,
               const Cell* element) override {
    return change(instance, of, collection, element, -1);
  }

  void entered(std::uint32_t instance, const Instance&) override {
    for (std::uint32_t i = 0; i < plans_.size(); ++i) {
      const bool ahead = std::ranges::any_of(plans_[i].collections, [&](CollectionId id) {
        return program_.collection(id).kind == Window::Kind::Next;
      });
      if (ahead) forget(instance, i);
    }
  }

  void assigned(std::uint32_t instance, model::SlotId slot) override {
    for (const std::uint32_t plan : readers_[slot.index]) forget(instance, plan);
  }

  Truth truth(std::uint32_t instance, const Instance& of, model::QueryId query) override {
    return truth_of_plan(instance, of, query.index);
  }

 private:
  void forget(std::uint32_t instance, std::uint32_t plan) {
    states_[instance].scans[plan].valid = false;
    if (CountState* const state = states_[instance].counts[plan].get()) state->counting = false;
  }

  // ---- Counting ----

  bool change(std::uint32_t instance, const Instance& of, CollectionId collection,
              const Cell* element, int by) {
    bool changed = false;
    InstanceState& states = states_[instance];
    for (const Role& role : roles_[collection.index]) {
      CountState* const state = states.counts[role.plan].get();
      bool other = true;
      if (state == nullptr || !state->counting) {
        states.scans[role.plan].valid = false;
      } else if (role.lookup == kInside) {
        other = false;
      } else if (role.plain) {
        other = change_plain(*state, role, element[role.field], by);
      } else {
        const std::size_t before = sides(*state);
        count(*state, plans_[role.plan], role.lookup, of, element, by);
        other = before != sides(*state);
      }
      changed = changed || (other && matters_[role.plan][of.state.index]);
    }
    return changed;
  }

  // A row has two counts: of what the lookup found, and of outer elements.
  static bool change_plain(CountState& state, const Role& role, Cell key, int by) {
    const std::size_t before = sides(state);
    const bool outer = role.lookup == kNowhere;
    if (!outer && key == kNone) return false;
    std::uint32_t* const row = state.counters.row(key);
    if (outer) {
      row[1] += static_cast<std::uint32_t>(by);
      state.size += by;
      tally(state, state.table[row[0] != 0], by);
    } else {
      const std::uint32_t found = row[0];
      row[0] = found + static_cast<std::uint32_t>(by);
      if ((found == 0) != (row[0] == 0) && row[1] != 0) {
        tally(state, state.table[found != 0], -std::int64_t{row[1]});
        tally(state, state.table[found == 0], row[1]);
      }
    }
    if (by < 0) state.counters.tidy(row);
    return before != sides(state);
  }

  // Which truths the body has for some element: all that a quantifier asks.
  static std::size_t sides(const CountState& state) {
    return std::size_t{state.holding != 0} | std::size_t{state.undecided != 0} << 1U |
           std::size_t{state.size != state.holding + state.undecided} << 2U;
  }

  void count(CountState& state, const Plan& plan, std::uint32_t lookup, const Instance& of,
             const Cell* element, int by) {
    if (lookup == kNowhere) {
      count_outer(state, plan, of, element, by);
    } else {
      count_inner(state, plan, lookup, of, element, by);
    }
  }

  void count_outer(CountState& state, const Plan& plan, const Instance& of, const Cell* element,
                   int by) {
    const Cell key = plan.lookups.empty() ? 0 : element[plan.key];
    const std::size_t the_class = class_of(plan, of, element);
    std::uint32_t* const row = state.counters.row(key);
    row[plan.lookups.size() + the_class] += static_cast<std::uint32_t>(by);
    state.size += by;
    tally(state, state.table[found(plan, row) << plan.locals.size() | the_class], by);
    if (by < 0) state.counters.tidy(row);
  }

  void count_inner(CountState& state, const Plan& plan, std::uint32_t index, const Instance& of,
                   const Cell* element, int by) {
    const Plan::Lookup& lookup = plan.lookups[index];
    const Cell key = element[lookup.field];
    if (key == kNone || !fits(plan, lookup, of, element)) return;
    std::uint32_t* const row = state.counters.row(key);
    const std::size_t before = found(plan, row);
    row[index] += static_cast<std::uint32_t>(by);
    const std::size_t after = found(plan, row);
    if (before != after) {
      const std::size_t classes = std::size_t{1} << plan.locals.size();
      for (std::size_t i = 0; i < classes; ++i) {
        const std::int64_t here = row[plan.lookups.size() + i];
        if (here == 0) continue;
        tally(state, state.table[before << plan.locals.size() | i], -here);
        tally(state, state.table[after << plan.locals.size() | i], here);
      }
    }
    if (by < 0) state.counters.tidy(row);
  }

  static void tally(CountState& state, Truth truth, std::int64_t by) {
    if (truth == Truth::True) state.holding += by;
    if (truth == Truth::Unknown) state.undecided += by;
  }

  // Which lookups found something for a key, a bit each.
  static std::size_t found(const Plan& plan, const std::uint32_t* row) {
    std::size_t bits = 0;
    for (std::size_t i = 0; i < plan.lookups.size(); ++i) bits |= std::size_t{row[i] != 0} << i;
    return bits;
  }

  [[nodiscard]] std::size_t class_of(const Plan& plan, const Instance& of, const Cell* element) {
    std::size_t bits = 0;
    for (std::size_t i = 0; i < plan.locals.size(); ++i) {
      bits |= std::size_t{local(plan, plan.locals[i], plan.binding, of, element)} << i;
    }
    return bits;
  }

  [[nodiscard]] bool fits(const Plan& plan, const Plan::Lookup& lookup, const Instance& of,
                          const Cell* element) {
    return std::ranges::all_of(lookup.literals, [&](const Plan::Literal& literal) {
      return local(plan, literal.node, lookup.binding, of, element) != literal.negated;
    });
  }

  // A condition on one element: never undecided.
  [[nodiscard]] bool local(const Plan& plan, std::uint32_t node, std::uint32_t binding,
                           const Instance& of, const Cell* element) {
    const CellQuery& query = program_.query(plan.query);
    elements_.resize(std::max(elements_.size(), query.query->streams.size()));
    elements_[binding] = element;
    return evaluate(program_, numbers_, of, query, node, elements_) == Truth::True;
  }

  // ---- What the counts mean ----

  [[nodiscard]] Surroundings surroundings(std::uint32_t instance, const Instance& of,
                                          std::uint32_t index) {
    const Plan& plan = plans_[index];
    Surroundings now;
    const auto open = [&](CollectionId id) {
      const Collection& collection = program_.collection(id);
      return collection.kind == Window::Kind::Next && is_open(of, collection);
    };
    for (std::size_t i = 0; i < plan.lookups.size(); ++i) {
      now.open |= std::uint32_t{open(plan.lookups[i].collection)} << i;
    }
    now.open |= std::uint32_t{open(plan.collection)} << plan.lookups.size();
    for (std::size_t i = 0; i < plan.closed_plans.size(); ++i) {
      now.closed[i] = truth_of_plan(instance, of, plan.closed_plans[i]);
    }
    return now;
  }

  void tell(CountState& state, const Plan& plan, const Surroundings& now) {
    state.surroundings = now;
    const std::size_t classes = std::size_t{1} << plan.locals.size();
    const std::size_t lookups = std::size_t{1} << plan.lookups.size();
    const std::uint32_t body = program_.query(plan.query).query->nodes[plan.node].parts[0];
    state.table.resize(classes * lookups);
    for (std::size_t found = 0; found < lookups; ++found) {
      for (std::size_t i = 0; i < classes; ++i) {
        state.table[found << plan.locals.size() | i] = truth_of_body(plan, body, i, found, now);
      }
    }
    state.holding = 0;
    state.undecided = 0;
    state.counters.for_each([&](const std::uint32_t* row) {
      for (std::size_t i = 0; i < classes; ++i) {
        tally(state, state.table[found(plan, row) << plan.locals.size() | i],
              row[plan.lookups.size() + i]);
      }
    });
  }

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
    const QueryNode& node = program_.query(plan.query).query->nodes[node_id];
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

  void count_again(CountState& state, const Plan& plan, const Instance& of) {
    state.counters.clear();
    state.size = 0;
    state.holding = 0;
    state.undecided = 0;
    const auto add_all = [&](CollectionId id, std::uint32_t lookup) {
      for_each_element(program_, of, id, [&](const Cell* element) {
        count(state, plan, lookup, of, element, 1);
        return true;
      });
    };
    for (std::uint32_t i = 0; i < plan.lookups.size(); ++i) {
      add_all(plan.lookups[i].collection, i);
    }
    add_all(plan.collection, kNowhere);
  }

  Truth truth_of_plan(std::uint32_t instance, const Instance& of, std::uint32_t index) {
    const Plan& plan = plans_[index];
    if (plan.kind == Plan::Kind::Scan) return scanned(instance, of, index);
    std::unique_ptr<CountState>& known = states_[instance].counts[index];
    const bool counting = known && known->counting;
    // What has become cheap must be so by far, or it would go back and forth.
    if (steps_of_scan(of, plan) <= (counting ? cheap_ / 4 : cheap_) && cheap_ > 0) {
      if (counting) forget(instance, index);
      return scanned(instance, of, index);
    }
    if (!counting) start_counting(instance, of, index);
    CountState& state = *known;
    if (!plan.closed.empty() || looks_ahead(plan)) {
      const Surroundings now = surroundings(instance, of, index);
      if (now != state.surroundings) tell(state, plan, now);
    }
    const bool open = (state.surroundings.open >> plan.lookups.size() & 1U) != 0;
    const std::int64_t failing = state.size - state.holding - state.undecided;
    if (plan.all) {
      if (failing > 0) return Truth::False;
      return open || state.undecided > 0 ? Truth::Unknown : Truth::True;
    }
    if (state.holding > 0) return Truth::True;
    return open || state.undecided > 0 ? Truth::Unknown : Truth::False;
  }

  void start_counting(std::uint32_t instance, const Instance& of, std::uint32_t index) {
    const Plan& plan = plans_[index];
    std::unique_ptr<CountState>& state = states_[instance].counts[index];
    if (!state) {
      state = std::make_unique<CountState>();
      state->counters.set_up(plan.lookups.size() + (std::size_t{1} << plan.locals.size()));
    }
    tell(*state, plan, surroundings(instance, of, index));
    count_again(*state, plan, of);
    state->counting = true;
  }

  // Through the outer elements, and for each through all others.
  [[nodiscard]] std::uint64_t steps_of_scan(const Instance& of, const Plan& plan) const {
    std::uint64_t others = 0;
    for (const CollectionId id : plan.collections) {
      if (id != plan.collection) others += most_elements(program_, of, id);
    }
    for (const Plan::Lookup& lookup : plan.lookups) {
      if (lookup.collection == plan.collection)
        others += most_elements(program_, of, lookup.collection);
    }
    return most_elements(program_, of, plan.collection) * (1 + others);
  }

  [[nodiscard]] bool looks_ahead(const Plan& plan) const {
    return std::ranges::any_of(plan.collections, [&](CollectionId id) {
      return program_.collection(id).kind == Window::Kind::Next;
    });
  }

  // ---- Scans ----

  Truth scanned(std::uint32_t instance, const Instance& of, std::uint32_t index) {
    const Plan& plan = plans_[index];
    ScanState& state = states_[instance].scans[index];
    std::uint64_t open = 0;
    for (std::size_t i = 0; i < plan.collections.size(); ++i) {
      const Collection& collection = program_.collections()[plan.collections[i]];
      const bool waits = collection.kind == Window::Kind::Next && is_open(of, collection);
      open = open << 1U | std::uint64_t{waits};
    }
    // With so many quantifiers, which ones wait does not fit a word.
    const bool fits = plan.collections.size() <= 64;
    if (state.valid && fits && state.open == open) return state.truth;
    const CellQuery& query = program_.query(plan.query);
    elements_.assign(query.query->streams.size(), nullptr);
    state = {true, open, evaluate(program_, numbers_, of, query, plan.node, elements_)};
    return state.truth;
  }

  const Program& program_;
  const Numbers& numbers_;
  std::uint64_t cheap_;
  std::vector<Plan> plans_;
  std::vector<std::vector<Role>> roles_;             // by collection
  std::vector<std::vector<std::uint32_t>> readers_;  // by slot: plans
  std::vector<std::vector<bool>> matters_;           // by plan and state
  std::vector<InstanceState> states_;
  std::vector<const Cell*> elements_;
};

}  // namespace

std::unique_ptr<Evaluator> incremental_evaluator(const Program& program, const Numbers& numbers) {
  return std::make_unique<Incremental>(program, numbers, kCheap);
}

std::unique_ptr<Evaluator> counting_evaluator(const Program& program, const Numbers& numbers) {
  return std::make_unique<Incremental>(program, numbers, 0);
}

}  // namespace poise::watch
