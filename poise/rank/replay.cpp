#include "poise/rank/replay.h"

#include <algorithm>
#include <set>

namespace poise::rank {

using model::SlotId;
using model::StateId;

namespace {

using End = ReplaySummary::End;

constexpr std::size_t kMostStarts = 1000;

// The states in which an application can be that is at work.
std::vector<StateId> states_at_work(const model::Model& model) {
  std::set<StateId> reached = {model.initial};
  std::vector<StateId> open = {model.initial};
  while (!open.empty()) {
    const StateId state = open.back();
    open.pop_back();
    for (const model::RuleId rule : model.states[state].rules) {
      const StateId to = model.rules[rule].to;
      if (reached.insert(to).second) open.push_back(to);
    }
  }
  std::vector<StateId> states(reached.begin(), reached.end());
  std::erase_if(states, [&](StateId state) { return model.states[state].final; });
  return states;
}

// What an own variable can be: as declared, or as an action sets it. One value per slot.
std::set<std::vector<Rational>> own_values(const model::Model& model,
                                           const model::Variable& variable) {
  std::set<std::vector<Rational>> values = {variable.initial};
  for (const model::Rule& rule : model.rules) {
    for (const model::Action& action : rule.actions) {
      std::vector<Rational> assigned;
      for (const model::Effect& effect : action.effects) {
        if (model.slots[effect.slot].variable != model.slots[variable.first_slot].variable) break;
        if (effect.value) assigned.push_back(*effect.value);
      }
      if (assigned.size() == variable.slot_count) values.insert(std::move(assigned));
    }
  }
  return values;
}

bool is_own(const model::Model& model, SlotId slot) {
  return model.variables[model.slots[slot].variable].own;
}

// Whether an application with this context can be what the line speaks of.
bool fits(const model::Model& model, const model::Context& context, const log::Entry& entry) {
  return std::ranges::all_of(entry.updates, [&](const log::Update& update) {
    return update.kind != log::Update::Kind::Value || !is_own(model, update.slot) ||
           context[update.slot.index] == update.value;
  });
}

// Adds what happened in another situation of the same case.
void merge_happened(Happened& to, const Happened& one) {
  to.at_most += one.at_most;
  if (one.times == 0) return;
  to.first_line = to.times == 0 ? one.first_line : std::min(to.first_line, one.first_line);
  to.times += one.times;
  if (!one.first_time || !one.last_time) return;
  to.first_time = std::min(to.first_time.value_or(*one.first_time), *one.first_time);
  to.last_time = std::max(to.last_time.value_or(*one.last_time), *one.last_time);
}

}  // namespace

Replay::Replay(const model::Model& model, Start start, Budget budget)
    : rulebook_(model), start_(start), budget_(budget), occasions_(rulebook_) {
  summary_.end = Rulebook::reads_streams(model) ? End::Streams : End::Whole;
}

std::vector<Application> Replay::starts(const log::Entry& first) const {
  const model::Model& model = rulebook_.model;
  std::vector<model::Context> contexts = {rulebook_.initial};
  for (const model::Variable& variable : model.variables) {
    if (!variable.own || variable.initial.empty()) continue;
    const auto values = own_values(model, variable);
    std::vector<model::Context> all;
    for (const model::Context& context : contexts) {
      for (const std::vector<Rational>& value : values) {
        model::Context next = context;
        std::ranges::copy(value, next.begin() + variable.first_slot.index);
        all.push_back(std::move(next));
      }
    }
    contexts = std::move(all);
    if (contexts.size() > kMostStarts) return {};
  }
  if (std::ranges::any_of(contexts, [&](const auto& one) { return fits(model, one, first); })) {
    std::erase_if(contexts, [&](const auto& one) { return !fits(model, one, first); });
  }
  const std::vector<StateId> states = states_at_work(model);
  std::vector<Application> all;
  if (states.size() * contexts.size() > kMostStarts) return all;
  for (const StateId state : states) {
    for (const model::Context& context : contexts) all.emplace_back(rulebook_, state, context);
  }
  return all;
}

Replay::Instance& Replay::instance(const log::Entry& entry) {
  if (last_ != nullptr && last_app_ == entry.app) return *last_;
  auto found = instances_.find(entry.app);
  if (found == instances_.end()) {
    Instance fresh;
    const bool unknown =
        start_.kind == Start::Kind::Unknown ||
        (start_.kind == Start::Kind::Initial && !fits(rulebook_.model, rulebook_.initial, entry));
    if (unknown) {
      fresh.possible = starts(entry);
      ++summary_.unknown_starts;
      summary_.most_starts = std::max(summary_.most_starts, fresh.possible.size());
      if (fresh.possible.empty()) summary_.end = End::ManyStarts;
    } else {
      const bool given = start_.kind == Start::Kind::Given;
      fresh.possible.emplace_back(rulebook_, given ? start_.state : rulebook_.model.initial);
    }
    ++summary_.instances;
    found = instances_.emplace(std::string(entry.app), std::move(fresh)).first;
  }
  last_ = &found->second;
  last_app_ = entry.app;
  return *last_;
}

// Looks at the clock each time: a run can be long.
bool Replay::has_budget() {
  switch (budget_.exhausted_now()) {
    case Exhausted::No: return true;
    case Exhausted::Time: summary_.end = End::TimeLimit; break;
    case Exhausted::Memory: summary_.end = End::MemoryLimit; break;
  }
  return false;
}

void Replay::add(const log::Entry& entry) {
  if (summary_.end != End::Whole || !has_budget()) return;
  Instance& here = instance(entry);
  if (summary_.end != End::Whole) return;
  if (entry.time) here.time = entry.time;
  here.possible.size() == 1 ? run_one(here, entry) : run_all(here, entry);
}

void Replay::count(IncidentKey key, const Count& count, std::size_t line,
                   std::optional<double> time) {
  Sum& sum = sums_[std::move(key)];
  sum.mean += count.mean;
  Happened& happened = sum.happened;
  happened.at_most += count.most;
  if (count.least == 0) return;
  if (happened.times == 0) happened.first_line = line;
  happened.times += count.least;
  if (!time) return;
  // Instances have clocks of their own.
  happened.first_time = std::min(happened.first_time.value_or(*time), *time);
  happened.last_time = std::max(happened.last_time.value_or(*time), *time);
}

void Replay::run_one(Instance& instance, const log::Entry& entry) {
  Application& one = instance.possible.front();
  one.change(entry.updates);
  if (instance.rests && one.is_at_rest()) return;  // no atom changed
  if (instance.rests) occasions_.change(*instance.rests, one);
  const std::size_t before = one.firings();
  const Result<void> run = one.run([&](const Incident& what) {
    count(key_of(what), {1, 1, 1}, entry.line, instance.time);
  });
  if (!run) summary_.end = End::LongRun;
  summary_.firings += one.firings() - before;
  instance.rests.reset();
  if (one.is_at_rest()) instance.rests = occasions_.rest(one);
}

// Runs all that the instance can be.
Replay::Counts Replay::counts_of_all(Instance& instance, const log::Entry& entry) {
  const double share = 1 / static_cast<double>(instance.possible.size());
  Counts counts;
  bool is_first = true;
  for (Application& one : instance.possible) {
    if (!has_budget()) break;
    one.change(entry.updates);
    std::unordered_map<IncidentKey, std::size_t, IncidentKeyHash> shown;
    if (!one.run([&](const Incident& what) { ++shown[key_of(what)]; })) {
      summary_.end = End::LongRun;
    }
    for (auto& [key, known] : counts) {
      if (!shown.contains(key)) known.least = 0;
    }
    for (const auto& [key, times] : shown) {
      Count& known = counts.try_emplace(key, Count{is_first ? times : 0}).first->second;
      known.least = std::min(known.least, times);
      known.most = std::max(known.most, times);
      known.mean += share * static_cast<double>(times);
    }
    is_first = false;
  }
  return counts;
}

void Replay::run_all(Instance& instance, const log::Entry& entry) {
  const model::Model& model = rulebook_.model;
  const auto agrees = [&](const Application& one) { return fits(model, one.context(), entry); };
  if (std::ranges::any_of(instance.possible, agrees)) {
    std::erase_if(instance.possible, [&](const Application& one) { return !agrees(one); });
  }
  for (const auto& [key, times] : counts_of_all(instance, entry)) {
    count(key, times, entry.line, instance.time);
  }
  std::set<Application::Configuration> different;
  std::erase_if(instance.possible, [&](const Application& one) {
    return !different.insert(one.configuration()).second;
  });
}

Executed Replay::executed(std::span<const finding::Fault> faults,
                          std::span<const finding::Case> cases) const {
  Executed executed;
  executed.summary = summary_;
  for (const auto& [app, instance] : instances_) {
    if (instance.possible.size() > 1) ++executed.summary.undecided;
  }
  if (summary_.end != End::Whole) return executed;
  const CaseIndex index(faults, cases);
  executed.happened.resize(cases.size());
  executed.expected = occasions_.expected(index, cases.size());
  for (const auto& [key, sum] : sums_) {
    executed.summary.incidents += sum.happened.times;
    const auto found = index.find(key);
    if (found) {
      merge_happened(executed.happened[*found], sum.happened);
      executed.expected[*found] += sum.mean - static_cast<double>(sum.happened.times);
    } else {
      executed.summary.unlisted += sum.happened.times;
    }
  }
  return executed;
}

Executed executed_of(const Executed& all, std::span<const std::uint32_t> some) {
  Executed executed;
  executed.summary = all.summary;
  if (all.happened.empty()) return executed;
  std::size_t listed = 0;
  for (const std::uint32_t one : some) {
    executed.happened.push_back(all.happened[one]);
    executed.expected.push_back(all.expected[one]);
    listed += all.happened[one].times;
  }
  executed.summary.unlisted = executed.summary.incidents - listed;
  return executed;
}

}  // namespace poise::rank
