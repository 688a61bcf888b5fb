#pragma once

// A monitor watches applications adapt: it takes the changes of their contexts, fires their rules
// as the language says, and reports nondeterminism, races and cycles as they occur.
//
//   Monitor monitor(model, {});
//   const AppId robot = monitor.app("robot");
//   if (const auto said = monitor.on_event(robot, event)) {
//     for (const Occurrence& what : *said) ...
//   }
//
// Instances share nothing but the model. Time comes with the events and never goes back within an
// instance; elements that leave a window before an event are dealt with first, each instant as a
// change of its own. Once all instances, texts and windows have been seen at their largest, an
// event allocates no memory.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poise/base/random.h"
#include "poise/base/result.h"
#include "poise/base/text.h"
#include "poise/model/model.h"
#include "poise/watch/counting/evaluator.h"
#include "poise/watch/counting/fast_path.h"
#include "poise/watch/result.h"
#include "poise/watch/store/externs.h"
#include "poise/watch/store/instance.h"
#include "poise/watch/store/texts.h"
#include "poise/watch/store/watched_model.h"

namespace poise::watch {

class FastCounting;
struct InstanceState;

using AppId = Id<struct AppTag>;

struct Assignment {
  model::SlotId slot;
  Cell value = kNone;
};

// A change of the context of one instance. With neither assignments nor an element, only time goes
// on.
struct Event {
  Time time = 0;
  std::span<const Assignment> assignments = {};  // all at once
  std::optional<model::StreamId> stream = {};
  bool remove = false;                 // take back the latest element like this one, if any
  std::span<const Cell> element = {};  // a cell per field
};

enum class Evaluation { Incremental, Counting, Full };  // evaluator.h
enum class Choice { First, Random };

struct Options {
  Evaluation evaluation = Evaluation::Incremental;
  Choice choice = Choice::First;  // which of several triggered rules fires
  std::uint64_t seed = 1;
  bool trace = false;  // adaptations are reported, too
  // For the externs that rules call: functions_for(model, ...). There must be one for each.
  Functions functions = {};
};

class Monitor {
 public:
  // The model must outlive it.
  Monitor(const model::Model& model, const Options& options);
  // With an evaluator of another kind than the options know.
  Monitor(const model::Model& model, const Options& options, const MakeEvaluator& make);
  Monitor(const Monitor&) = delete;
  Monitor& operator=(const Monitor&) = delete;
  ~Monitor();

  // An instance by its name, made on first use.
  [[nodiscard]] AppId app(std::string_view name);
  [[nodiscard]] std::string_view name(AppId app) const { return *names_[app.index]; }
  [[nodiscard]] Time now(AppId app) const { return instances_[app.index].now; }

  // What the event leads to. An error if its time is before that of the last event.
  [[nodiscard]] Result<std::span<const Occurrence>> on_event(AppId app, const Event& event);

  // Values as cells. (The cell of a boolean is 0 or 1, that of a member the row of its name in the
  // model's symbols.) The cell of a text is valid for the next event only, unless it is pinned.
  [[nodiscard]] Cell number(model::SlotId slot, const Rational& value);
  [[nodiscard]] Cell number(model::StreamId stream, std::size_t field, const Rational& value);
  [[nodiscard]] Cell text(std::string_view text);
  void pin(Cell text) { texts_.pin(text); }
  void unpin(Cell text) { texts_.unpin(text); }

  [[nodiscard]] const Summary& summary() const { return summary_; }
  [[nodiscard]] const WatchedModel& watched() const { return watched_; }
  // How many elements a collection has in all instances together. Looks at each instance.
  [[nodiscard]] std::uint64_t elements(CollectionId collection) const;
  [[nodiscard]] model::StateId state(AppId app) const { return instances_[app.index].state; }

 private:
  friend struct SnapshotParts;  // of snapshot.cpp
  // A state and the values of all slots. A run that comes to the same one again is a cycle.
  struct Configuration {
    model::StateId state;
    bool entered;       // in this run, if the state has `next` windows, which are empty then
    std::size_t slots;  // where their copy starts in configuration_slots_
    std::uint64_t hash;
  };
  // An occurrence with its rules as places in rules_, since that may move.
  struct Said {
    Occurrence what;
    std::size_t first_rule;
    std::size_t rule_count;
  };

  // Makes an instance the busy one, and starts it if that has not happened yet.
  [[gnu::noinline]] void turn_to(AppId app, Time time);
  // Elements of the busy instance leave windows and come into them. The fast path, which most
  // elements take, is inlined; everything else is not.
  template <bool only_one>
  void expire_until(Instance& instance, Time time);
  [[gnu::noinline]] void expire_some_until(Time time);
  [[nodiscard]] bool remove_expired(const Due& due, std::uint64_t number);
  [[nodiscard]] [[gnu::noinline]] bool remove_rest(const FastPath& way, Cell key,
                                                   std::int64_t turned);
  [[nodiscard]] [[gnu::noinline]] bool remove_otherwise(CollectionId id, std::uint64_t number);
  void assign(AppId app, std::span<const Assignment> assignments);
  void set(AppId app, model::SlotId slot, Cell value);
  void complete_set(AppId app, model::SlotId slot);
  void clear_behind(AppId app, model::SlotId guard);
  void add_element(Instance& instance, const Event& event);
  [[gnu::noinline]] void add_rest(const FastPath& first, const Event& event, std::int64_t turned);
  [[gnu::noinline]] void add_by_ways(const FastPath* way, const Event& event);
  [[gnu::noinline]] void add_otherwise(AppId app, const Event& event);
  void add_to_other(AppId app, CollectionId id, std::span<const Cell> element);
  static void add_ahead(Instance& instance, const Collection& collection,
                        std::span<const Cell> element, std::uint64_t number);
  void remove_element(AppId app, const Event& event);
  void take_back(AppId app, model::StreamId stream, std::uint64_t number);
  void find_latest(AppId app, model::StreamId stream);
  void drop_old(Instance& instance, model::StreamId stream);
  static void touch(Instance& instance, bool changed) {
    if (changed) instance.settled = false;
  }
  // Marks the texts that elements still use (texts.h).
  void mark_texts();
  void enter(AppId app, model::StateId state);

  void run(AppId app);
  [[gnu::noinline]] void run_if_complete(Time now);
  void settle(Instance& instance) const;
  // Puts into triggered_ the satisfied rules that no stronger satisfied rule suppresses.
  void find_triggered(AppId app);
  [[nodiscard]] Truth truth(AppId app, model::FormulaId formula);
  [[nodiscard]] model::RuleId chosen();
  void fire(AppId app, model::RuleId rule);
  // The place of the present configuration among those of the run; nothing if it is new, and then
  // it is added.
  [[nodiscard]] std::optional<std::size_t> seen_before(const Instance& instance, bool entered);
  void hash_configurations();
  void forget_configurations();
  void say(AppId app, Occurrence what, std::span<const model::RuleId> rules);
  // All that was said since the last call.
  [[nodiscard]] std::span<const Occurrence> occurrences();

  const model::Model& model_;
  Options options_;
  Texts texts_;
  WatchedModel watched_;
  Numbers numbers_;
  std::unique_ptr<Evaluator> evaluator_;
  FastCounting* plain_;                                  // evaluator_ if it has fast paths, or null
  std::unique_ptr<const InstanceState> nothing_counts_;  // of all instances if plain_ is null
  FastPaths ways_;                                       // without paths if plain_ is null
  Random random_;
  Summary summary_;

  std::unordered_map<std::string, AppId, TextHash, std::equal_to<>> apps_;
  AppId last_app_;  // the next event is often about the same
  // The instance of the last event, which is mostly that of the next one, too. The pointers are
  // valid until another instance is made.
  struct Busy {
    AppId app{UINT32_MAX};
    Instance* instance = nullptr;
    const InstanceState* state = nullptr;  // of plain_
  };
  Busy busy_;
  std::vector<const std::string*> names_;  // in apps_
  std::vector<Instance> instances_;

  // Of the event, or the run, under way
  std::vector<Said> said_;
  std::vector<Occurrence> occurrences_;
  std::vector<model::RuleId> rules_;
  std::vector<model::RuleId> triggered_;
  std::vector<model::RuleId> path_;
  std::vector<Configuration> configurations_;
  std::vector<Cell> configuration_slots_;
  // For long runs: open hashing; an entry is an index of configurations_ plus one, 0 is free. The
  // first hashed_ configurations are in it.
  std::vector<std::size_t> configuration_table_;
  std::size_t hashed_ = 0;
  // Truths of formulas are remembered while nothing changes: those of the present stamp are valid.
  std::uint64_t stamp_ = 0;
  struct Known {
    std::uint64_t stamp = 0;
    Truth truth = Truth::False;
  };
  std::vector<Known> known_;  // by formula
};

}  // namespace poise::watch
