// An event is dealt with in four steps:
//   1. Elements whose time has come leave their windows, in the order of time. All that leave at
//      one instant are one change, followed by a run.
//   2. The event is applied: assignments, then an element that comes or is taken back. The
//      evaluator is told of each element and each slot that changes.
//   3. A run: the strongest satisfied rules are found; one of them fires, which enters a state and
//      may assign variables; again, until no rule is satisfied or a configuration comes back. More
//      than one strongest rule is nondeterminism, a configuration that comes back a cycle, and a
//      run that ends after more than one firing a race.
//   4. At times, texts that nobody uses any more are found.
// An instance is *settled* while a run could not do anything; then there is none. Most changes
// leave an instance settled, so they are little more than a few counts.

#include "poise/watch/monitor.h"

#include <algorithm>
#include <bit>

#include "poise/base/check.h"
#include "poise/watch/counting/fast_counting.h"

namespace poise::watch {

using model::FormulaId;
using model::Op;
using model::RuleId;
using model::SlotId;
using model::StateId;
using model::StreamId;
using model::Window;

namespace {

MakeEvaluator evaluator_for(Evaluation evaluation) {
  switch (evaluation) {
    case Evaluation::Incremental: return incremental_evaluator;
    case Evaluation::Counting: return counting_evaluator;
    case Evaluation::Full: return full_evaluator;
  }
  return nullptr;
}

std::vector<std::string> all_texts(const model::Model& model) {
  return {model.texts.begin(), model.texts.end()};
}

}  // namespace

Monitor::Monitor(const model::Model& model, const Options& options)
    : Monitor(model, options, evaluator_for(options.evaluation)) {}

Monitor::Monitor(const model::Model& model, const Options& options, const MakeEvaluator& make)
    : model_(model),
      options_(options),
      texts_(all_texts(model)),
      watched_(model, options_.functions.empty() ? nullptr : &options_.functions, &texts_),
      numbers_(watched_.numbers()),
      evaluator_(make(watched_, numbers_)),
      plain_(dynamic_cast<FastCounting*>(evaluator_.get())),
      nothing_counts_(std::make_unique<InstanceState>()),
      ways_(plain_ == nullptr ? FastPaths{} : plain_->fast_paths()),
      random_(options.seed),
      known_(model.formulas.size()) {
  ways_.of_stream.resize(model.streams.size());
  ways_.of_collection.resize(watched_.collections().size());
  for (const model::ExternId called : called_externs(model)) {
    POISE_CHECK(called.index < options_.functions.size() && options_.functions[called]);
  }
}

Monitor::~Monitor() = default;

AppId Monitor::app(std::string_view name) {
  if (last_app_.index < names_.size() && *names_[last_app_.index] == name) return last_app_;
  const auto known = apps_.find(name);
  if (known != apps_.end()) return last_app_ = known->second;
  last_app_ = AppId{static_cast<std::uint32_t>(names_.size())};
  names_.push_back(&apps_.emplace(std::string(name), last_app_).first->first);
  instances_.emplace_back(watched_);
  evaluator_->start(last_app_.index);
  busy_ = {};
  ++summary_.instances;
  return last_app_;
}

// ---- Values ----

Cell Monitor::number(SlotId slot, const Rational& value) {
  return numbers_.cell(value, watched_.scale(slot));
}
Cell Monitor::number(StreamId stream, std::size_t field, const Rational& value) {
  return numbers_.cell(value, watched_.scale(stream, field));
}
Cell Monitor::text(std::string_view text) { return texts_.number(text); }

// Goes through all elements that are still known.
void Monitor::mark_texts() {
  std::size_t steps = 0;
  texts_.begin_marking();
  for (const Instance& instance : instances_) {
    for (const StreamId stream : model_.streams.ids()) {
      const std::span<const std::uint32_t> fields = watched_.text_fields(stream);
      if (fields.empty()) continue;
      ++steps;
      for_each_known(watched_, instance, stream, [&](const Cell* element) {
        for (const std::uint32_t field : fields) {
          if (element[field] != kNone) texts_.mark(element[field]);
        }
        ++steps;
      });
    }
  }
  texts_.end_marking(steps);
}

// ---- Changes ----

// One element after another, as its time comes. The next one is found before anything is done about
// the one that leaves: the branch at the end of the loop depends on it and is hard to predict, so
// it should be known early. Mostly there is one schedule only, hence the template.
template <bool only_one>
[[gnu::always_inline]] inline void Monitor::expire_until(Instance& instance, Time time) {
  Schedule* schedule = only_one ? instance.schedules.data() : &next_of_some(instance.schedules);
  do {
    const Due& due = schedule->first();
    const Time now = due.leaves;
    std::uint64_t& cursor = instance.cursors[due.collection.index];
    const std::uint64_t number = cursor;
    cursor = number + 1;
    if (schedule->has_gaps()) [[unlikely]] {
      cursor = instance.rings[watched_.collection(due.collection).stream.index].next(number);
    }
    schedule->drop_first();
    if (!only_one) schedule = &next_of_some(instance.schedules);
    instance.next = schedule->next();
    instance.now = now;
    touch(instance, remove_expired(due, number));
    // All that leaves at one instant is one change. There is no branch on whether this was the
    // last, because it would be mispredicted as often as not.
    summary_.expiries += std::uint64_t{instance.next != now};
    if (!instance.settled) run_if_complete(now);
  } while (instance.next <= time);
}

void Monitor::expire_some_until(Time time) { expire_until<false>(*busy_.instance, time); }

[[gnu::always_inline]] inline bool Monitor::remove_expired(const Due& due, std::uint64_t number) {
  // A collection without a fast path has kNoKey here, which is not the index of any row.
  const FastPath& way = ways_.of_collection[due.collection.index];
  const auto [state, row] = fast_row(*busy_.state, way, due.key);
  if (state == nullptr) return remove_otherwise(due.collection, number);
  const std::int64_t turned = count_first<-1>(*state, way.count, row);
  return (turned | way.more_to_remove) < 0 && remove_rest(way, due.key, turned);
}

bool Monitor::remove_rest(const FastPath& way, Cell key, std::int64_t turned) {
  UnitState& state = *busy_.state->units[way.unit];
  turned |= count_rest<-1>(state, way.count, state.counters.row(key));
  return turned < 0 && plain_->matters(way.collection, *busy_.instance);
}

bool Monitor::remove_otherwise(CollectionId id, std::uint64_t number) {
  const Instance& instance = *busy_.instance;
  const Ring& ring = instance.rings[watched_.collection(id).stream.index];
  return evaluator_->removed(busy_.app.index, instance, id, ring.cells(number));
}

[[gnu::always_inline]] inline void Monitor::add_element(Instance& instance, const Event& event) {
  const StreamId stream = *event.stream;
  const Time time = event.time;
  const std::span<const Cell> cells = event.element;
  Ring& ring = instance.rings[stream.index];
  if (ring.is_full()) {
    drop_old(instance, stream);
    ring.make_room();
  }
  ring.add(time, cells);
  const FastPath* const way = ways_.of_stream[stream.index];
  if (way == nullptr) {
    add_otherwise(busy_.app, event);
    return;
  }
  const Cell key = cells[way->field];
  const auto [state, row] = fast_row(*busy_.state, *way, key);
  if (state == nullptr) {
    add_by_ways(way, event);
    return;
  }
  schedule(instance, way->schedule,
           {later(time, way->length), way->collection, static_cast<SmallKey>(key)});
  const std::int64_t turned = count_first<1>(*state, way->count, row);
  if ((turned | way->more_to_add) < 0) add_rest(*way, event, turned);
}

// All that an element changes beside the first use of its count. `turned` is negative if that has
// changed a truth.
void Monitor::add_rest(const FastPath& first, const Event& event, std::int64_t turned) {
  UnitState& state = *busy_.state->units[first.unit];
  turned |= count_rest<1>(state, first.count, state.counters.row(event.element[first.field]));
  touch(*busy_.instance, turned < 0 && plain_->matters(first.collection, *busy_.instance));
  add_by_ways(first.next, event);
}

// Adds an element to the window of this path and of the next ones, also where their units do not
// count at the moment.
void Monitor::add_by_ways(const FastPath* way, const Event& event) {
  Instance& instance = *busy_.instance;
  for (; way != nullptr; way = way->next) {
    const Cell key = event.element[way->field];
    schedule(instance, way->schedule,
             {later(event.time, way->length), way->collection, small_key(key)});
    const auto [state, row] = fast_row(*busy_.state, *way, key);
    if (state == nullptr) {
      touch(instance,
            evaluator_->added(busy_.app.index, instance, way->collection, event.element.data()));
    } else if (count_fast<1>(*state, way->count, row) < 0) {
      touch(instance, plain_->matters(way->collection, instance));
    }
  }
}

// For streams without fast paths. The element is the latest in the ring of its stream.
void Monitor::add_otherwise(AppId app, const Event& event) {
  Instance& instance = instances_[app.index];
  const Ring& ring = instance.rings[event.stream->index];
  for (const CollectionId id : watched_.collections_of(*event.stream)) {
    const Collection& collection = watched_.collection(id);
    if (collection.kind == Window::Kind::Last) {
      schedule(instance, id, collection, event.time);
      touch(instance, evaluator_->added(app.index, instance, id, ring.cells(ring.end() - 1)));
    } else {
      add_to_other(app, id, event.element);
    }
  }
}

// To a collection that elements do not leave by time: the latest element, or a `next` window.
void Monitor::add_to_other(AppId app, CollectionId id, std::span<const Cell> element) {
  Instance& instance = instances_[app.index];
  const Collection& collection = watched_.collection(id);
  const Ring& ring = instance.rings[collection.stream.index];
  const std::uint64_t number = ring.end() - 1;
  if (collection.kind == Window::Kind::Latest) {
    std::uint64_t& cursor = instance.cursors[id.index];
    if (cursor != 0) {
      touch(instance, evaluator_->removed(app.index, instance, id, ring.cells(cursor - 1)));
    }
    cursor = number + 1;
  } else {
    if (!is_open(instance, collection)) return;
    add_ahead(instance, collection, element, number);
  }
  touch(instance, evaluator_->added(app.index, instance, id, ring.cells(number)));
}

void Monitor::turn_to(AppId app, Time time) {
  Instance& instance = instances_[app.index];
  busy_ = {app, &instance, plain_ == nullptr ? nothing_counts_.get() : &plain_->state(app.index)};
  expect(instance);
  evaluator_->expect(app.index);
  if (instance.started) return;
  instance.started = true;
  instance.now = time;
  instance.entered = time;
}

Result<std::span<const Occurrence>> Monitor::on_event(AppId app, const Event& event) {
  if (app != busy_.app) turn_to(app, event.time);
  Instance& instance = *busy_.instance;
  if (event.time < instance.now) return failure("time goes back");
  if (instance.next <= event.time) {
    watched_.lengths() == 1 ? expire_until<true>(instance, event.time)
                            : expire_some_until(event.time);
  }
  instance.now = event.time;
  if (!event.assignments.empty()) assign(app, event.assignments);
  if (event.stream) event.remove ? remove_element(app, event) : add_element(instance, event);
  ++summary_.events;
  if (!instance.settled) run(app);
  if (texts_.should_mark()) mark_texts();
  if (said_.empty()) return std::span<const Occurrence>{};
  return occurrences();
}

std::span<const Occurrence> Monitor::occurrences() {
  occurrences_.clear();
  for (const Said& said : said_) {
    occurrences_.push_back(said.what);
    occurrences_.back().rules = std::span(rules_).subspan(said.first_rule, said.rule_count);
  }
  said_.clear();
  return occurrences_;
}

// Drops the elements that no window holds and nothing remembers. It is enough to do so when there
// is no room for the next one.
void Monitor::drop_old(Instance& instance, StreamId stream) {
  instance.rings[stream.index].drop_before(first_known(watched_, instance, stream));
}

void Monitor::set(AppId app, SlotId slot, Cell value) {
  Cell& cell = instances_[app.index].slots[slot.index];
  if (cell == value) return;
  cell = value;
  instances_[app.index].settled = false;
  evaluator_->assigned(app.index, slot);
}

// Variables behind a guard that does not hold have no value.
void Monitor::clear_behind(AppId app, SlotId guard) {
  for (const SlotId slot : watched_.behind(guard)) {
    set(app, slot, kNone);
    clear_behind(app, slot);
  }
}

// Once one member of a set is known to be in or out, those of which nothing is known are out.
void Monitor::complete_set(AppId app, SlotId slot) {
  const model::Variable& variable = model_.variables[model_.slots[slot].variable];
  if (variable.type.kind != model::TypeKind::Set) return;
  for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
    const SlotId member{variable.first_slot.index + i};
    if (instances_[app.index].slots[member.index] == kNone) set(app, member, 0);
  }
}

void Monitor::assign(AppId app, std::span<const Assignment> assignments) {
  Instance& instance = instances_[app.index];
  for (const Assignment& assignment : assignments) set(app, assignment.slot, assignment.value);
  // Behind a guard that did not hold before there are only the values that this event gives; behind
  // one that does not hold now there are none. clear_behind() also clears guards behind guards.
  for (const Assignment& assignment : assignments) {
    const std::optional<SlotId> guard = watched_.guard(assignment.slot);
    if (guard && instance.slots[guard->index] != 1) set(app, assignment.slot, kNone);
  }
  for (const Assignment& assignment : assignments) {
    if (instance.slots[assignment.slot.index] != 1) clear_behind(app, assignment.slot);
  }
  for (const Assignment& assignment : assignments) {
    if (instance.slots[assignment.slot.index] != kNone) complete_set(app, assignment.slot);
  }
}

void Monitor::add_ahead(Instance& instance, const Collection& collection,
                        std::span<const Cell> element, std::uint64_t number) {
  std::vector<Cell>& cells = instance.ahead[collection.place];
  cells.insert(cells.end(), element.begin(), element.end());
  cells.push_back(static_cast<Cell>(number));
}

void Monitor::find_latest(AppId app, StreamId stream) {
  Instance& instance = instances_[app.index];
  const Ring& ring = instance.rings[stream.index];
  const std::uint64_t known = first_known(watched_, instance, stream);
  std::uint64_t latest = ring.end();
  while (latest > known && ring.is_gone(latest - 1)) --latest;
  if (latest == known) latest = 0;
  for (const CollectionId id : watched_.collections_of(stream)) {
    if (watched_.collection(id).kind != Window::Kind::Latest) continue;
    std::uint64_t& cursor = instance.cursors[id.index];
    if (cursor == latest) continue;
    if (cursor != 0) evaluator_->removed(app.index, instance, id, ring.cells(cursor - 1));
    cursor = latest;
    if (cursor != 0) evaluator_->added(app.index, instance, id, ring.cells(cursor - 1));
    instance.settled = false;
  }
}

// Takes back the latest element like the given one, wherever it is still known: in the ring of the
// stream, or in a `next` window, which may hold elements that the ring has dropped.
void Monitor::remove_element(AppId app, const Event& event) {
  Instance& instance = instances_[app.index];
  const StreamId stream = *event.stream;
  Ring& ring = instance.rings[stream.index];
  const std::size_t fields = event.element.size();
  const auto same = [&](const Cell* element) {
    return std::ranges::equal(event.element, std::span(element, fields));
  };
  // When elements are dropped must not matter, so those that are still there by chance are not
  // looked at.
  const std::uint64_t known = first_known(watched_, instance, stream);
  std::uint64_t behind = ring.end();
  while (behind > known && (ring.is_gone(behind - 1) || !same(ring.cells(behind - 1)))) {
    --behind;
  }
  std::optional<std::uint64_t> number;
  if (behind > known) {
    number = behind - 1;
  } else {
    for (const CollectionId id : watched_.collections_of(stream)) {
      if (watched_.collection(id).kind != Window::Kind::Next) continue;
      const std::vector<Cell>& cells = instance.ahead[watched_.collection(id).place];
      for (std::size_t row = 0; row < cells.size(); row += fields + 1) {
        const auto other = static_cast<std::uint64_t>(cells[row + fields]);
        if (same(cells.data() + row)) number = std::max(number.value_or(0), other);
      }
    }
  }
  if (number) take_back(app, stream, *number);
}

void Monitor::take_back(AppId app, StreamId stream, std::uint64_t number) {
  Instance& instance = instances_[app.index];
  Ring& ring = instance.rings[stream.index];
  const bool in_ring = number >= ring.first();
  if (in_ring) ring.take_back(number);
  const std::size_t width = model_.streams[stream].fields.size() + 1;
  for (const CollectionId id : watched_.collections_of(stream)) {
    std::uint64_t& cursor = instance.cursors[id.index];
    switch (watched_.collection(id).kind) {
      case Window::Kind::Latest: break;
      case Window::Kind::Last:
        if (!in_ring || number < cursor) break;
        evaluator_->removed(app.index, instance, id, ring.cells(number));
        if (number == cursor) cursor = ring.next(cursor);
        instance.schedules[watched_.collection(id).place].take_back(id, ring.behind(number));
        find_next(instance);
        break;
      case Window::Kind::Next: {
        std::vector<Cell>& cells = instance.ahead[watched_.collection(id).place];
        for (std::size_t row = 0; row < cells.size(); row += width) {
          if (static_cast<std::uint64_t>(cells[row + width - 1]) != number) continue;
          evaluator_->removed(app.index, instance, id, cells.data() + row);
          const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(row);
          cells.erase(begin, begin + static_cast<std::ptrdiff_t>(width));
          break;
        }
        break;
      }
    }
  }
  if (in_ring) find_latest(app, stream);
  instance.settled = false;
}

// ---- Runs ----

void Monitor::enter(AppId app, StateId state) {
  Instance& instance = instances_[app.index];
  instance.state = state;
  instance.settled = false;
  instance.entered = instance.now;
  for (const Collection& collection : watched_.collections()) {
    if (collection.kind != Window::Kind::Next) continue;
    instance.ahead[collection.place].clear();
  }
  evaluator_->entered(app.index, instance);
}

Truth Monitor::truth(AppId app, FormulaId id) {
  Known& known = known_[id.index];
  if (known.stamp == stamp_) return known.truth;
  const model::Formula& formula = model_.formulas[id];
  const auto part = [&](std::size_t i) { return this->truth(app, formula.parts[i]); };
  Truth truth = Truth::False;
  switch (formula.op) {
    case Op::False: break;
    case Op::True: truth = Truth::True; break;
    case Op::Atom: {
      const Instance& instance = instances_[app.index];
      const std::optional<model::QueryId> query = watched_.query_of(formula.atom);
      truth = query ? evaluator_->truth(app.index, instance, *query)
                    : truth_of(holds(watched_.atom(formula.atom), instance.slots, {}, numbers_));
      break;
    }
    case Op::Not: truth = !part(0); break;
    case Op::And: truth = all_hold(formula.parts.size(), part); break;
    case Op::Or: truth = any_holds(formula.parts.size(), part); break;
    case Op::Implies: truth = std::max(!part(0), part(1)); break;
    case Op::Iff: truth = are_the_same(part(0), part(1)); break;
  }
  known_[id.index] = {stamp_, truth};
  return truth;
}

void Monitor::find_triggered(AppId app) {
  triggered_.clear();
  ++stamp_;
  for (const RuleId rule : watched_.rules(instances_[app.index].state)) {
    if (!triggered_.empty() &&
        model::is_stronger(model_.rules[triggered_.front()], model_.rules[rule])) {
      return;
    }
    if (truth(app, model_.rules[rule].guard) == Truth::True) triggered_.push_back(rule);
  }
}

RuleId Monitor::chosen() {
  if (options_.choice == Choice::First || triggered_.size() == 1) return triggered_.front();
  return triggered_[random_.below(triggered_.size())];
}

void Monitor::fire(AppId app, RuleId rule) {
  Instance& instance = instances_[app.index];
  for (const CellEffect& effect : watched_.effects(rule)) {
    const std::optional<SlotId> guard = watched_.guard(effect.slot);
    if (guard && instance.slots[guard->index] != 1) continue;
    set(app, effect.slot, effect.value);
    if (effect.value != 1) clear_behind(app, effect.slot);
  }
  enter(app, model_.rules[rule].to);
}

std::optional<std::size_t> Monitor::seen_before(const Instance& instance, bool entered) {
  constexpr std::size_t kFew = 16;
  std::uint64_t hash = instance.state.index;
  for (const Cell cell : instance.slots) {
    hash = (hash ^ static_cast<std::uint64_t>(cell)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  const Configuration now{instance.state, entered && watched_.looks_ahead(instance.state),
                          configuration_slots_.size(), hash};
  const auto same = [&](std::size_t i) {
    const Configuration& other = configurations_[i];
    return other.hash == now.hash && other.state == now.state && other.entered == now.entered &&
           std::equal(instance.slots.begin(), instance.slots.end(),
                      configuration_slots_.begin() + static_cast<std::ptrdiff_t>(other.slots));
  };
  std::optional<std::size_t> found;
  if (configurations_.size() <= kFew) {
    for (std::size_t i = 0; i < configurations_.size() && !found; ++i) {
      if (same(i)) found = i;
    }
  } else {
    const std::size_t mask = configuration_table_.size() - 1;
    for (std::size_t place = hash & mask; configuration_table_[place] != 0 && !found;
         place = (place + 1) & mask) {
      if (same(configuration_table_[place] - 1)) found = configuration_table_[place] - 1;
    }
  }
  if (found) return found;
  configurations_.push_back(now);
  configuration_slots_.insert(configuration_slots_.end(), instance.slots.begin(),
                              instance.slots.end());
  // From here on the run is long.
  if (configurations_.size() > kFew) hash_configurations();
  return std::nullopt;
}

// Puts configurations into the table that are not in it yet.
void Monitor::hash_configurations() {
  if (2 * configurations_.size() > configuration_table_.size()) {
    configuration_table_.assign(std::bit_ceil(4 * configurations_.size()), 0);
    hashed_ = 0;
  }
  const std::size_t mask = configuration_table_.size() - 1;
  for (; hashed_ < configurations_.size(); ++hashed_) {
    std::size_t place = configurations_[hashed_].hash & mask;
    while (configuration_table_[place] != 0) place = (place + 1) & mask;
    configuration_table_[place] = hashed_ + 1;
  }
}

// Takes configurations out of the table, the last one first, so that each is found where it was
// put. That is cheaper than clearing a table that a long run has made large.
void Monitor::forget_configurations() {
  const std::size_t mask = configuration_table_.size() - 1;
  for (; hashed_ > 0; --hashed_) {
    std::size_t place = configurations_[hashed_ - 1].hash & mask;
    while (configuration_table_[place] != hashed_) place = (place + 1) & mask;
    configuration_table_[place] = 0;
  }
  configurations_.clear();
  configuration_slots_.clear();
}

// No rule was satisfied. If rules look at `next` windows, that may change when one closes, so the
// instance is not settled.
void Monitor::settle(Instance& instance) const {
  instance.settled = !watched_.looks_ahead(instance.state);
}

// Runs if nothing else leaves at the same instant.
void Monitor::run_if_complete(Time now) {
  if (busy_.instance->next != now) run(busy_.app);
}

void Monitor::run(AppId app) {
  find_triggered(app);
  if (triggered_.empty()) {
    settle(instances_[app.index]);
    return;
  }
  const StateId start = instances_[app.index].state;
  path_.clear();
  forget_configurations();
  std::optional<std::size_t> loop = seen_before(instances_[app.index], false);
  while (!triggered_.empty() && !loop) {
    const StateId from = instances_[app.index].state;
    const RuleId rule = chosen();
    if (triggered_.size() > 1) {
      say(app, {.kind = Kind::Nondeterminism, .state = from, .chosen = rule}, triggered_);
    }
    fire(app, rule);
    path_.push_back(rule);
    ++summary_.adaptations;
    if (options_.trace) {
      say(app, {.kind = Kind::Adaptation, .state = from, .to = model_.rules[rule].to},
          std::span(&rule, 1));
    }
    loop = seen_before(instances_[app.index], true);
    if (!loop) find_triggered(app);
  }
  if (loop) {
    say(app, {.kind = Kind::Cycle, .state = start, .loop = *loop}, path_);
    return;
  }
  settle(instances_[app.index]);
  if (path_.size() > 1) {
    say(app, {.kind = Kind::Race, .state = start, .to = instances_[app.index].state}, path_);
  }
}

void Monitor::say(AppId app, Occurrence what, std::span<const RuleId> rules) {
  if (said_.empty()) rules_.clear();
  what.app = *names_[app.index];
  what.time = instances_[app.index].now;
  if (what.kind != Kind::Adaptation) ++summary_.faults[static_cast<std::size_t>(what.kind)];
  said_.push_back({what, rules_.size(), rules.size()});
  rules_.insert(rules_.end(), rules.begin(), rules.end());
}

std::uint64_t Monitor::elements(CollectionId collection) const {
  std::uint64_t count = 0;
  for (const Instance& instance : instances_) {
    if (!instance.started) continue;
    for_each_element(watched_, instance, collection, [&count](const Cell*) {
      ++count;
      return true;
    });
  }
  return count;
}

}  // namespace poise::watch
