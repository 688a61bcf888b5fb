#pragma once

// The search for races and cycles, shortest first, for any engine that can walk: Walk of walk.h, or
// RowWalk of the enumerative engine.
//
// From each start state the prefixes of runs form a tree. It is searched by iterative deepening:
// depth first up to a length, then anew up to a greater one. The length grows by one while the tree
// branches. While it does not, it grows by more, so far that the new firings would be about as many
// as those already seen. So a pass costs no more than a few times the last one, a long chain does
// not cost the square of its length, and all paths of one length are known before longer ones are
// looked at. The search ends when all runs have ended, or when more races and more cycles are known
// than are to be listed.
//
// A race is a run that is stable after two or more firings. A cycle is a run that closes: its
// configuration, state and context, comes back.
//
// Every decision how far to go depends only on numbers of prefixes and of paths. These are the same
// for every engine and any number of threads, and so is the result.

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <tuple>

#include "poise/base/parallel.h"
#include "poise/check/engines/findings.h"
#include "poise/check/engines/graph.h"
#include "poise/check/engines/prepared.h"

namespace poise::check {

// The order of reports: by length, start state, rules.
inline bool precedes(const PathFinding& a, const PathFinding& b) {
  if (a.rules.size() != b.rules.size()) return a.rules.size() < b.rules.size();
  return std::tie(a.state, a.rules) < std::tie(b.state, b.rules);
}

// A search for a limited number of paths gives up after so many prefixes, over all passes.
inline constexpr std::size_t kMaxPrefixes = 1'000'000;

// The result of one pass from one start state.
struct Harvest {
  std::vector<PathFinding> races;  // those that may still be among the first in the report
  std::vector<PathFinding> cycles;
  std::size_t races_found = 0;  // including those that were not kept
  std::size_t cycles_found = 0;
  std::size_t prefixes = 0;
  std::size_t open = 0;  // prefixes that go on beyond the length of this pass
  std::string stopped;
};

// Searches from one start state at a time. WalkType has start(state), fire(rule), pop(), stable(),
// goes_on(), alive(), is_empty(set), situations(set, atoms), gave_up() and gave_up_because(), with
// the meaning that they have in class Walk.
template <class WalkType>
class PathSearch {
 public:
  // Caches that the searches of one thread share.
  struct Shared {
    CountedAtoms counted;
    Nearness nearness;
    explicit Shared(const Prepared& prepared) : counted(prepared), nearness(prepared.model) {}
  };

  PathSearch(const Prepared& prepared, WalkType& walk, Shared& shared)
      : prepared_(prepared), walk_(walk), shared_(shared) {}

  struct Pass {
    std::size_t done = 0;  // all paths up to this length are known
    std::size_t upto = 1;  // the length that this pass searches up to
    // Numbers of known paths that surely come earlier in the report than any of this search.
    std::size_t races_before = 0;
    std::size_t cycles_before = 0;
    std::size_t max_prefixes = SIZE_MAX;  // of one start state
    // False once more are known than are to be listed: further ones change nothing.
    bool wants_races = true;
    bool wants_cycles = true;
  };

  Harvest harvest(model::StateId start, const Pass& pass) {
    harvest_ = {};
    pass_ = &pass;
    for (auto& counts : length_counts_) counts.clear();
    rules_.clear();
    states_ = {start};
    walk_.start(start);
    // For each state on the stack: the index of its rule to be tried next.
    std::vector<std::uint32_t> next = {0};
    while (!next.empty() && !walk_.gave_up() && harvest_.prefixes <= pass.max_prefixes) {
      const std::vector<model::RuleId>& rules = prepared_.model.states[states_.back()].rules;
      if (rules_.size() >= pass.upto || next.back() == rules.size()) {
        next.pop_back();
        if (next.empty()) break;
        back();
        continue;
      }
      const std::uint32_t rule = next.back()++;
      if (!leads_somewhere(prepared_.model.rules[rules[rule]].to)) {
        ++harvest_.open;
        continue;
      }
      const auto fired = walk_.fire(rule);
      if (!fired.fired) continue;
      ++harvest_.prefixes;
      rules_.push_back(rules[rule]);
      states_.push_back(prepared_.model.rules[rules[rule]].to);
      if (!walk_.is_empty(fired.closed) && wants(finding::FaultKind::Cycle)) {
        add(finding::FaultKind::Cycle, fired.closed, fired.loop);
      }
      if (walk_.is_empty(walk_.alive())) {
        back();
        continue;
      }
      if (rules_.size() >= 2 && wants(finding::FaultKind::Race)) {
        const auto stable = walk_.stable();
        if (!walk_.is_empty(stable)) add(finding::FaultKind::Race, stable, 0);
      }
      if (rules_.size() < pass.upto) {
        next.push_back(0);
        continue;
      }
      if (walk_.goes_on()) ++harvest_.open;
      back();
    }
    if (walk_.gave_up()) harvest_.stopped = walk_.gave_up_because();
    return std::move(harvest_);
  }

 private:
  void back() {
    rules_.pop_back();
    states_.pop_back();
    walk_.pop();
  }

  // Whether it is worth while to go on to a state. Always while races are wanted; if only cycles
  // are, no more than when a run could still close there within the length of this pass: by coming
  // back to a state on the stack, or by going round a loop ahead.
  [[nodiscard]] bool leads_somewhere(model::StateId to) {
    const std::size_t left = pass_->upto - rules_.size() - 1;
    if (left > Nearness::kFar || pass_->wants_races) return true;
    const auto was_in = [&](model::StateId state) {
      return std::ranges::find(states_, state) != states_.end();
    };
    if (was_in(to) || shared_.nearness.firings_to_close(to) <= left) return true;
    for (const Nearness::Near& near : shared_.nearness.to_where(to)) {
      if (near.firings > left) return false;
      if (was_in(near.state)) return true;
    }
    return false;
  }

  [[nodiscard]] bool wants(finding::FaultKind kind) const {
    const bool wanted = kind == finding::FaultKind::Race ? pass_->wants_races : pass_->wants_cycles;
    return wanted && rules_.size() > pass_->done;
  }

  template <class Set>
  void add(finding::FaultKind kind, const Set& starts, std::size_t loop) {
    const bool race = kind == finding::FaultKind::Race;
    ++(race ? harvest_.races_found : harvest_.cycles_found);
    // How many surely come earlier in the report: from other start states those known before, from
    // this one those that are not longer. If they fill the list, this one is counted but not kept,
    // which saves counting its situations.
    std::size_t earlier = race ? pass_->races_before : pass_->cycles_before;
    std::vector<std::size_t>& counts = length_counts_[race ? 0 : 1];
    const std::size_t length = rules_.size() - pass_->done;
    if (counts.size() <= length) counts.resize(length + 1, 0);
    for (std::size_t i = 0; i <= length; ++i) earlier += counts[i];
    ++counts[length];
    if (prepared_.options.paths && earlier >= *prepared_.options.paths) return;
    const Atoms& atoms = shared_.counted.of(states_, rules_);
    (race ? harvest_.races : harvest_.cycles)
        .push_back({kind, states_.front(), rules_, loop, walk_.situations(starts, atoms)});
  }

  const Prepared& prepared_;
  WalkType& walk_;
  Shared& shared_;
  const Pass* pass_ = nullptr;
  Harvest harvest_;
  std::vector<model::RuleId> rules_;
  std::vector<model::StateId> states_;
  // How many races, and how many cycles, this pass found from this start, by length above `done`.
  std::array<std::vector<std::size_t>, 2> length_counts_;
};

// One: the walks share their arena, which is not thread-safe.
enum class Threads { One, AsAsked };

// The search from all `wanted` states, in waves of start states that the workers share. After each
// wave the harvests are looked at in the order of the states, so that the search stops at the same
// place for any number of threads. make() returns a std::unique_ptr to a space of one worker's own:
// an object whose walk() is a WalkType.
template <class Make>
PathFindings find_paths(const Prepared& prepared, const std::vector<bool>& wanted, Make make,
                        Threads threads = Threads::AsAsked) {
  using finding::FaultKind;
  const Options& options = prepared.options;
  PathFindings found;
  const bool asked = asks_for(options, FaultKind::Race) || asks_for(options, FaultKind::Cycle);
  if (!asked) return found;
  std::vector<model::StateId> starts;
  for (const model::StateId state : prepared.model.states.ids()) {
    if (wanted[state.index] && !prepared.model.states[state].rules.empty()) starts.push_back(state);
  }
  using Space = typename decltype(make())::element_type;
  struct Worker {
    std::shared_ptr<Space> space;
    std::shared_ptr<typename PathSearch<typename Space::WalkType>::Shared> shared;
    const Prepared* prepared;
    const std::vector<model::StateId>* starts;
    std::vector<Harvest>* harvests;
    const typename PathSearch<typename Space::WalkType>::Pass* pass;
    std::size_t first = 0;
    void operator()(std::size_t i) {
      PathSearch<typename Space::WalkType> search(*prepared, space->walk(), *shared);
      (*harvests)[i - first] = search.harvest((*starts)[i], *pass);
    }
  };
  typename PathSearch<typename Space::WalkType>::Pass pass;
  std::vector<Harvest> harvests;
  std::vector<Worker> workers;
  for (std::size_t i = 0;
       i < worker_count(threads == Threads::One ? 1 : options.jobs, starts.size(), 2); ++i) {
    workers.push_back(
        {make(), std::make_shared<typename PathSearch<typename Space::WalkType>::Shared>(prepared),
         &prepared, &starts, &harvests, &pass});
  }
  const std::size_t wave = workers.size() == 1 ? 1 : 32 * workers.size();
  // If the graph of states has no cycle, do not search for cycles: a limited search that never
  // finds enough of them would look at every run.
  const bool cyclic = !options.paths || can_come_back(prepared.model, starts);
  const auto enough = [&](FaultKind kind, std::size_t count) {
    if (!asks_for(options, kind) || (kind == FaultKind::Cycle && !cyclic)) return true;
    return options.paths && count > *options.paths;
  };
  const auto shortest = [&](std::vector<PathFinding>& paths) {
    std::ranges::sort(paths, precedes);
    if (options.paths && paths.size() > *options.paths) paths.resize(*options.paths);
  };
  // Keeps memory in bounds: paths that will not be listed are dropped from time to time.
  const auto forget_late = [&](std::vector<PathFinding>& paths) {
    constexpr std::size_t kSlack = 10'000;
    if (options.paths && paths.size() > *options.paths * 2 + kSlack) shortest(paths);
  };
  std::size_t races = 0;
  std::size_t cycles = 0;
  std::size_t prefixes = 0;  // in all passes
  if (options.paths) pass.max_prefixes = kMaxPrefixes;
  // If all paths are listed and no limit can end the search early, one pass of unlimited length
  // does: then it does not matter which paths are found first.
  const bool all_at_once = !options.paths && !options.limits.time && !options.limits.memory_bytes;
  if (all_at_once) pass.upto = SIZE_MAX;
  while (found.stopped.empty()) {
    std::size_t open = 0;
    std::size_t seen = 0;
    const std::size_t shorter_races = races;
    const std::size_t shorter_cycles = cycles;
    const bool one_length = pass.upto == pass.done + 1;
    pass.wants_races = !enough(FaultKind::Race, races);
    pass.wants_cycles = !enough(FaultKind::Cycle, cycles);
    bool done = false;
    for (std::size_t first = 0; first < starts.size() && !done; first += wave) {
      const std::size_t last = std::min(first + wave, starts.size());
      harvests.assign(last - first, {});
      for (Worker& worker : workers) worker.first = first;
      pass.races_before = one_length ? races : shorter_races;
      pass.cycles_before = one_length ? cycles : shorter_cycles;
      for_each_index(first, last, workers);
      for (Harvest& harvest : harvests) {
        std::ranges::move(harvest.races, std::back_inserter(found.races));
        std::ranges::move(harvest.cycles, std::back_inserter(found.cycles));
        forget_late(found.races);
        forget_late(found.cycles);
        races += harvest.races_found;
        cycles += harvest.cycles_found;
        seen += harvest.prefixes;
        open += harvest.open;
        if (!harvest.stopped.empty()) {
          found.stopped = harvest.stopped;
          done = true;
          break;
        }
        // In a pass over a single length, everything still to come is later in the report.
        if (one_length && enough(FaultKind::Race, races) && enough(FaultKind::Cycle, cycles)) {
          done = true;
          break;
        }
        if (options.paths && prefixes + seen > kMaxPrefixes) {
          found.stopped = cut_short(pass.done, kMaxPrefixes);
          found.is_long = true;
          done = true;
          break;
        }
      }
    }
    prefixes += seen;
    if (done || open == 0) break;
    if (enough(FaultKind::Race, races) && enough(FaultKind::Cycle, cycles)) break;
    pass.done = pass.upto;
    pass.upto += std::max<std::size_t>(1, std::min(seen / open, pass.upto));
  }
  shortest(found.races);
  shortest(found.cycles);
  found.more_races = options.paths && races > *options.paths;
  found.more_cycles = options.paths && cycles > *options.paths;
  return found;
}

}  // namespace poise::check
