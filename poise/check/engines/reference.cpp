// The definitions of docs/findings.md, executed. Contexts are enumerated, one for each
// distinguishable part (model/cells.h), and each is evaluated by model/step.h. What happens in it
// is recorded as an instance of the fault that it shows. The passes over all contexts are
//   1. which rules are satisfied and triggered where: nondeterminism, dead rules, unstable rules;
//   2. runs, ever longer ones until all have ended or enough are known: races and cycles;
//   3. the feasible situations over the atoms of each fault, to say exactly when it occurs.
// Contexts are not kept between passes: memory grows with the faults, not with the contexts.

#include "poise/check/engines/reference.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <tuple>
#include <unordered_set>

#include <fmt/format.h>

#include "poise/check/engines/competing.h"
#include "poise/check/engines/cover.h"
#include "poise/check/engines/findings.h"
#include "poise/check/engines/propositional.h"
#include "poise/model/cells.h"
#include "poise/model/latest.h"
#include "poise/model/step.h"

namespace poise::check {

namespace {

using finding::DeadCause;
using finding::Fault;
using finding::FaultKind;
using model::AtomId;
using model::Cells;
using model::Context;
using model::Model;
using model::RuleId;
using model::Run;
using model::Situation;
using model::StateId;

// Beyond these limits a run would take minutes.
constexpr std::int64_t kMaxContexts = 1 << 20;
constexpr std::int64_t kMaxEvaluations = 1 << 27;  // of a rule in a context
constexpr std::size_t kMaxFirings = 5'000'000;
constexpr std::size_t kMaxComparisons = std::size_t{1} << 29;  // of truths, for conditions

using Atoms = std::vector<AtomId>;

TruthRow truth_of(const Atoms& atoms, const Situation& situation) {
  TruthRow truth(atoms.size(), '0');
  for (std::size_t i = 0; i < atoms.size(); ++i) {
    if (situation.holds(atoms[i])) truth[i] = '1';
  }
  return truth;
}

// The instances of one fault seen so far.
struct Instances {
  const Atoms* atoms = nullptr;  // over which it is counted; none for faults without situations
  std::unordered_set<TruthRow> truths;  // of these atoms: its situations
  Context witness;                      // the first of the instances with the fewest true atoms
  std::size_t witness_size = SIZE_MAX;  // its number of true atoms
  std::size_t loop = SIZE_MAX;

  void add(const Context& context, const Situation& situation) {
    truths.insert(truth_of(*atoms, situation));
    const auto size = static_cast<std::size_t>(std::ranges::count(situation.atoms, true));
    if (size >= witness_size) return;
    witness_size = size;
    witness = context;
  }
};

// Two rules that are triggered together.
struct Together {
  std::int64_t situations = 0;
  std::unordered_set<TruthRow> truths;  // of the rules' atoms, if only these count
};

// The pairs of rules of one state that are triggered together: the first ones, as many as may be
// listed.
struct Overlapping {
  std::map<std::pair<RuleId, RuleId>, Together> pairs;
  bool more = false;

  // The entry of a pair, or nothing if it comes behind all that may be listed.
  Together* entry(std::pair<RuleId, RuleId> pair) {
    const bool full = pairs.size() == kMaxOverlaps;
    if (full && pairs.rbegin()->first < pair) {
      more = true;
      return nullptr;
    }
    const auto [place, is_new] = pairs.try_emplace(pair);
    if (full && is_new) {
      more = true;
      pairs.erase(std::prev(pairs.end()));
    }
    return &place->second;
  }
};

// The path of a race or cycle, or a set of rules that compete. Sorted as in reports: by length,
// (start) state, rules.
struct Path {
  std::vector<RuleId> rules;
  StateId state;
  friend bool operator<(const Path& a, const Path& b) {
    if (a.rules.size() != b.rules.size()) return a.rules.size() < b.rules.size();
    return std::tie(a.state, a.rules) < std::tie(b.state, b.rules);
  }
};

struct PathFaults {
  std::map<Path, Instances> found;
  std::size_t longest = SIZE_MAX;  // longer ones are not collected any more
  bool more = false;               // some were met that were not collected
};

// Whether a rule of a state is satisfied, and triggered, in some feasible context.
struct Liveness {
  bool satisfied = false;
  bool triggered = false;
};

class Reference {
 public:
  Reference(const Model& original, const Options& options)
      : original_(original),
        options_(options),
        propositional_(options.constraints == Constraints::Ignored
                           ? std::optional(propositional(original))
                           : std::nullopt),
        model_(propositional_ ? *propositional_ : original),
        budget_(options.limits) {}

  Report run() {
    report_.engine = Engine::Reference;
    report_.size = {.states = model_.states.size(),
                    .rules = model::rule_count(model_),
                    .atoms = model::written_atoms(model_).size(),
                    .situations = {}};
    const Result<Cells> cells = Cells::of(model_, budget_);
    if (!cells) return stopped(cells.error().message);
    cells_ = &*cells;
    if (const std::string reason = refusal(); !reason.empty()) return stopped(reason);

    collect_atoms();
    deeds_ = finding::deeds(original_);
    if (!look_at_every_context()) return stopped(limit_reached());
    const std::vector<bool> reachable = reachable_states();
    add_overlaps(reachable);
    if (asked_for(FaultKind::Nondeterminism)) find_choices(reachable);
    add_nondeterminism();
    add_dead_rules_and_states();
    add_unreachable_states(reachable);
    if (asked_for(FaultKind::Race) || asked_for(FaultKind::Cycle)) {
      if (options_.paths == 0U) {
        say_what_is_not_listed(reachable);
      } else {
        follow_runs(reachable);
      }
    }
    add_paths(FaultKind::Race, races_);
    add_paths(FaultKind::Cycle, cycles_);
    mark_reachable(reachable);
    report_.reachable = reachable;
    leave_out_what_was_not_asked_for();
    add_conditions();
    report_.extent.complete = report_.extent.stopped.empty() && !report_.more_choices &&
                              !report_.more_races && !report_.more_cycles;
    return std::move(report_);
  }

 private:
  Report stopped(std::string reason) {
    report_.extent.stopped = std::move(reason);
    report_.extent.complete = false;
    return std::move(report_);
  }

  [[nodiscard]] std::string refusal() const {
    if (cells_->count() > Integer(kMaxContexts)) {
      return fmt::format(
          "this model has {} contexts to tell apart; the reference engine goes through at most {}",
          cells_->count().to_string(), kMaxContexts);
    }
    const auto rules = static_cast<std::int64_t>(report_.size.rules);
    if (cells_->count() * rules > Integer(kMaxEvaluations)) {
      return fmt::format(
          "this model has {} rules in {} contexts; the reference engine evaluates at most {} "
          "rules in all",
          rules, cells_->count().to_string(), kMaxEvaluations);
    }
    for (const model::State& state : model_.states) {
      if (state.rules.size() > kMaxRulesPerState) {
        return fmt::format(
            "state `{}` has {} rules; the reference engine compares at most {} with each other",
            state.name, state.rules.size(), kMaxRulesPerState);
      }
    }
    return {};
  }

  std::string limit_reached() { return std::string(reason(budget_.exhausted())); }

  // ---- Which atoms a fault is counted over ----

  void collect_atoms() {
    all_atoms_ = model::written_atoms(model_);
    for (const model::State& state : model_.states) {
      std::vector<model::FormulaId> guards;
      for (const RuleId rule : state.rules) guards.push_back(model_.rules[rule].guard);
      state_atoms_.push_back(atoms_of(model_, std::move(guards)));
    }
  }

  // Few distinct sets of atoms come up. Each is kept once, and pass 3 goes by their addresses.
  const Atoms* interned(const std::set<AtomId>& atoms) {
    return &*atom_sets_.insert(Atoms(atoms.begin(), atoms.end())).first;
  }

  const Atoms* counted_atoms(const std::vector<StateId>& visited,
                             const std::vector<RuleId>& rules) {
    if (options_.count == Count::All) return &*atom_sets_.insert(all_atoms_).first;
    std::set<AtomId> atoms;
    const auto add_state = [&](StateId state) {
      atoms.insert(state_atoms_[state.index].begin(), state_atoms_[state.index].end());
    };
    if (options_.count == Count::Visited) std::ranges::for_each(visited, add_state);
    if (options_.count == Count::Start) add_state(visited.front());
    if (options_.count != Count::Visited) {
      for (const RuleId rule : rules) {
        const Atoms own = atoms_of(model_, {model_.rules[rule].guard});
        atoms.insert(own.begin(), own.end());
      }
    }
    return interned(atoms);
  }

  // ---- Pass 1 ----

  // Calls visit(context, situation) for every feasible context; false if a limit ended it.
  template <class Visit>
  bool for_each_feasible(Visit visit) {
    bool whole = true;
    cells_->for_each_context([&](const Context& context) {
      const Situation situation = evaluate(model_, context);
      if (feasible(model_, situation)) whole = visit(context, situation);
      whole = whole && budget_.exhausted() == Exhausted::No;
      return whole;
    });
    return whole;
  }

  bool look_at_every_context() {
    liveness_.resize(model_.states.size());
    contested_.resize(model_.states.size());
    overlaps_.resize(model_.states.size());
    for (const StateId state : model_.states.ids()) {
      liveness_[state.index].resize(model_.states[state].rules.size());
    }
    std::unordered_set<TruthRow> situations;
    const bool whole = for_each_feasible([&](const Context& context, const Situation& situation) {
      situations.insert(truth_of(all_atoms_, situation));
      for (const StateId state : model_.states.ids()) look_at(state, context, situation);
      return true;
    });
    if (whole) report_.size.situations = static_cast<std::int64_t>(situations.size());
    for (const auto& [key, instances] : unstable_) {
      const auto& [state, rule] = key;
      report_.unstable.push_back(
          {state, rule, model_.rules[rule].to, static_cast<std::int64_t>(instances.truths.size())});
    }
    return whole;
  }

  void look_at(StateId state, const Context& context, const Situation& situation) {
    const std::vector<RuleId>& rules = model_.states[state].rules;
    const std::vector<RuleId> triggered =
        model::triggered(model_, state, situation, options_.priorities);
    for (std::size_t i = 0; i < rules.size(); ++i) {
      Liveness& liveness = liveness_[state.index][i];
      liveness.satisfied = liveness.satisfied || situation.holds(model_.rules[rules[i]].guard);
    }
    for (const RuleId rule : triggered) {
      const auto i = std::ranges::lower_bound(rules, rule) - rules.begin();
      liveness_[state.index][static_cast<std::size_t>(i)].triggered = true;
      if (leads_on(rule, context, situation)) {
        Instances& instances = unstable_[{state, rule}];
        if (instances.atoms == nullptr) {
          instances.atoms = counted_atoms({state, model_.rules[rule].to}, {rule});
        }
        instances.add(context, situation);
      }
    }
    if (triggered.size() > 1) look_at_pairs(state, triggered, situation);
  }

  // Which rules are triggered depends on the truth of the state's atoms alone, so each truth is
  // looked at once. Counted over these or more atoms, it is one situation of each pair.
  void look_at_pairs(StateId state, const std::vector<RuleId>& triggered,
                     const Situation& situation) {
    const bool all = options_.count == Count::All;
    const Atoms& atoms = all ? all_atoms_ : state_atoms_[state.index];
    if (!contested_[state.index].insert(truth_of(atoms, situation)).second) return;
    for (std::size_t i = 0; i < triggered.size(); ++i) {
      for (std::size_t j = i + 1; j < triggered.size(); ++j) {
        Together* pair = overlaps_[state.index].entry({triggered[i], triggered[j]});
        if (pair == nullptr) return;  // those that follow come behind it
        if (options_.count != Count::Rules) {
          ++pair->situations;
          continue;
        }
        const Atoms* own = counted_atoms({state}, {triggered[i], triggered[j]});
        if (pair->truths.insert(truth_of(*own, situation)).second) ++pair->situations;
      }
    }
  }

  void add_overlaps(const std::vector<bool>& reachable) {
    for (const StateId state : model_.states.ids()) {
      const Overlapping& here = overlaps_[state.index];
      if (here.more && report_.extent.stopped.empty()) {
        report_.extent.stopped = too_many_overlaps(model_.states[state]);
      }
      for (const auto& [rules, pair] : here.pairs) {
        Overlap overlap{.state = state,
                        .first = rules.first,
                        .second = rules.second,
                        .situations = pair.situations,
                        .harmless = is_harmless(deeds_, {rules.first, rules.second})};
        overlap.asked_for = is_asked_for(options_, overlap, reachable[state.index]);
        report_.overlaps.push_back(std::move(overlap));
      }
    }
    contested_.clear();
  }

  // Collects the sets of triggered rules that are to be listed. Once there are twice as many as
  // that, those that come last in the report are dropped, and nothing behind the rest is collected
  // any more.
  void find_choices(const std::vector<bool>& reachable) {
    const std::size_t most = most_choices(options_);
    const bool all = options_.show == Show::All;
    std::optional<Path> last;
    const bool whole = for_each_feasible([&](const Context& context, const Situation& situation) {
      for (const StateId state : model_.states.ids()) {
        if (!all && !reachable[state.index]) continue;
        std::vector<RuleId> triggered =
            model::triggered(model_, state, situation, options_.priorities);
        if (triggered.size() < 2 || (!all && is_harmless(deeds_, triggered))) continue;
        Path key{std::move(triggered), state};
        if (last && *last < key) continue;
        Instances& instances = nondeterminism_[key];
        if (instances.atoms == nullptr) instances.atoms = counted_atoms({state}, key.rules);
        instances.add(context, situation);
        if (nondeterminism_.size() > 2 * most) last = cut_choices(most);
      }
      return true;
    });
    if (!whole) report_.extent.stopped = limit_reached();
    if (nondeterminism_.size() > most) cut_choices(most);
    if (report_.more_choices && !options_.paths && report_.extent.stopped.empty()) {
      report_.extent.stopped = too_many_choices();
    }
  }

  // Keeps as many as are to be listed; returns the last of them.
  std::optional<Path> cut_choices(std::size_t most) {
    report_.more_choices = true;
    nondeterminism_.erase(std::next(nondeterminism_.begin(), static_cast<std::ptrdiff_t>(most)),
                          nondeterminism_.end());
    if (nondeterminism_.empty()) return Path{};
    return std::prev(nondeterminism_.end())->first;
  }

  // Whether the rule is unstable in this context: some rule of its target is satisfied at once.
  [[nodiscard]] bool leads_on(RuleId rule, const Context& context,
                              const Situation& situation) const {
    const StateId to = model_.rules[rule].to;
    for (const Context& next : model::after(model_, rule, context, *cells_)) {
      const bool unchanged = next == context;
      const std::vector<RuleId> satisfied =
          model::satisfied(model_, to, unchanged ? situation : evaluate(model_, next));
      if (!satisfied.empty()) return true;
    }
    return false;
  }

  void add_nondeterminism() {
    for (auto& [key, instances] : nondeterminism_) {
      Fault fault = new_fault(FaultKind::Nondeterminism, key.state, key.rules);
      fault.harmless = is_harmless(deeds_, key.rules);
      add(std::move(fault), std::move(instances));
    }
  }

  // ---- Dead rules and states, unreachable states ----

  void add_dead_rules_and_states() {
    std::vector<Fault> dead_states;
    for (const StateId state : model_.states.ids()) {
      const std::vector<RuleId>& rules = model_.states[state].rules;
      std::size_t dead = 0;
      for (std::size_t i = 0; i < rules.size(); ++i) {
        const Liveness& liveness = liveness_[state.index][i];
        if (liveness.triggered) continue;
        ++dead;
        Fault fault = new_fault(FaultKind::DeadRule, state, {rules[i]});
        if (liveness.satisfied) explain_shadowed(fault);
        add(std::move(fault), {});
      }
      if (dead > 0 && dead == rules.size()) {
        dead_states.push_back(new_fault(FaultKind::DeadState, state, {}));
      }
    }
    for (Fault& fault : dead_states) add(std::move(fault), {});
  }

  // Names the stronger rules that shadow a dead one (smallest_cover in competing.h), and finds a
  // witness: a context in which the dead rule is satisfied.
  void explain_shadowed(Fault& fault) {
    const RuleId dead = fault.rules.front();
    std::vector<RuleId> stronger = model_.states[fault.state].rules;
    std::erase_if(stronger, [&](RuleId rule) {
      return !model::is_stronger(model_.rules[rule], model_.rules[dead]);
    });
    std::set<std::vector<bool>> winners;  // for each context: which of the stronger are satisfied
    std::size_t witness_size = SIZE_MAX;
    for_each_feasible([&](const Context& context, const Situation& situation) {
      if (!situation.holds(model_.rules[dead].guard)) return true;
      std::vector<bool> satisfied;
      for (const RuleId rule : stronger)
        satisfied.push_back(situation.holds(model_.rules[rule].guard));
      winners.insert(std::move(satisfied));
      const auto size = static_cast<std::size_t>(std::ranges::count(situation.atoms, true));
      if (size < witness_size) {
        witness_size = size;
        fault.witness = realised(context, situation);
      }
      return true;
    });
    fault.cause = DeadCause::Shadowed;
    const std::vector<std::vector<bool>> contested(winners.begin(), winners.end());
    const auto without = [](std::vector<std::vector<bool>> contexts, std::size_t i) {
      std::erase_if(contexts, [&](const std::vector<bool>& satisfied) { return satisfied[i]; });
      return contexts;
    };
    const auto is_empty = [](const auto& contexts) { return contexts.empty(); };
    for (const std::size_t i : smallest_cover(contested, stronger.size(), without, is_empty)) {
      fault.by.push_back(stronger[i]);
    }
  }

  [[nodiscard]] std::vector<bool> reachable_states() const {
    std::vector<bool> reached(model_.states.size(), false);
    std::vector<StateId> open = {model_.initial};
    reached[model_.initial.index] = true;
    while (!open.empty()) {
      const StateId state = open.back();
      open.pop_back();
      const std::vector<RuleId>& rules = model_.states[state].rules;
      for (std::size_t i = 0; i < rules.size(); ++i) {
        const StateId to = model_.rules[rules[i]].to;
        if (!liveness_[state.index][i].triggered || reached[to.index]) continue;
        reached[to.index] = true;
        open.push_back(to);
      }
    }
    return reached;
  }

  void add_unreachable_states(const std::vector<bool>& reachable) {
    for (const StateId state : model_.states.ids()) {
      if (!reachable[state.index]) add(new_fault(FaultKind::UnreachableState, state, {}), {});
    }
  }

  // ---- Pass 2 ----

  // Follows runs of up to 2, 4, 8, ... firings, until all have ended or more races and cycles are
  // known than are to be listed. After each round all paths up to its length are known, so the
  // shortest of those found are the shortest there are.
  void follow_runs(const std::vector<bool>& reachable) {
    std::size_t firings = 0;
    for (std::size_t length = 2;; length *= 2) {
      bool cut = false;
      const bool whole = for_each_feasible([&](const Context& context, const Situation& situation) {
        const auto visit = [&](const Run& run) {
          firings += run.firings.size();
          cut = cut || run.end == Run::End::Cut;
          add_run(run, situation);
          return firings <= kMaxFirings && budget_.exhausted() == Exhausted::No;
        };
        for (const StateId state : model_.states.ids()) {
          if (options_.show == Show::Reachable && !reachable[state.index]) continue;
          for_each_run(model_, {state, context}, *cells_, {options_.priorities, length}, visit);
          if (firings > kMaxFirings) return false;
        }
        return true;
      });
      if (!whole) {
        report_.extent.stopped = firings > kMaxFirings
                                     ? fmt::format(
                                           "its runs have more than {} firings in all; the "
                                           "reference engine follows no more",
                                           kMaxFirings)
                                     : limit_reached();
        return;
      }
      if (!cut) return;
      const bool enough_races = !asked_for(FaultKind::Race) || enough(races_, length);
      const bool enough_cycles = !asked_for(FaultKind::Cycle) || enough(cycles_, length);
      if (enough_races && enough_cycles) return;
    }
  }

  // An unstable rule begins a race or a cycle. Which of the two only a run tells, and none is
  // followed here; so both are said to have more.
  void say_what_is_not_listed(const std::vector<bool>& reachable) {
    const bool some = std::ranges::any_of(report_.unstable, [&](const Unstable& unstable) {
      return options_.show == Show::All || reachable[unstable.state.index];
    });
    races_.more = some && asked_for(FaultKind::Race);
    cycles_.more = some && asked_for(FaultKind::Cycle);
  }

  [[nodiscard]] bool enough(PathFaults& faults, std::size_t length) const {
    if (!options_.paths || faults.found.size() <= *options_.paths) return false;
    faults.longest = std::min(faults.longest, length);
    return true;
  }

  void add_run(const Run& run, const Situation& situation) {
    const bool race = run.end == Run::End::Stable && run.firings.size() >= 2;
    const bool cycle = run.end == Run::End::Closed;
    if (!race && !cycle) return;
    if (!asked_for(race ? FaultKind::Race : FaultKind::Cycle)) return;
    PathFaults& faults = race ? races_ : cycles_;
    if (run.firings.size() > faults.longest) {
      faults.more = true;
      return;
    }
    const model::Configuration& start = run.configurations.front();
    Instances& instances = faults.found[{run.firings, start.state}];
    if (instances.atoms == nullptr) {
      std::vector<StateId> visited;
      for (const model::Configuration& now : run.configurations) visited.push_back(now.state);
      instances.atoms = counted_atoms(visited, run.firings);
    }
    instances.add(start.context, situation);
    instances.loop = std::min(instances.loop, run.loop);
  }

  void add_paths(FaultKind kind, PathFaults& faults) {
    std::size_t listed = 0;
    for (auto& [path, instances] : faults.found) {
      if (options_.paths && listed == *options_.paths) {
        faults.more = true;
        break;
      }
      ++listed;
      Fault fault = new_fault(kind, path.state, path.rules);
      if (kind == FaultKind::Race) fault.ends = model_.rules[path.rules.back()].to;
      if (kind == FaultKind::Cycle) fault.loop = instances.loop;
      add(std::move(fault), std::move(instances));
    }
    (kind == FaultKind::Race ? report_.more_races : report_.more_cycles) = faults.more;
  }

  // ---- Pass 3 ----

  // A situation belongs to a fault if one of its contexts shows the fault. Others of its contexts
  // need not: contexts can agree in all atoms and differ in a variable that only actions touch.
  void add_conditions() {
    std::map<const Atoms*, std::unordered_set<TruthRow>> feasible_truths;
    for (const Instances& instances : instances_) {
      if (instances.atoms != nullptr) feasible_truths[instances.atoms];
    }
    const bool whole = for_each_feasible([&](const Context&, const Situation& situation) {
      for (auto& [atoms, truths] : feasible_truths) truths.insert(truth_of(*atoms, situation));
      return true;
    });
    const bool runs_followed = report_.extent.stopped.empty();
    if (!whole && runs_followed) report_.extent.stopped = limit_reached();
    Effort effort{.left = kMaxComparisons};
    for (std::size_t i = 0; i < report_.faults.size() && effort.left > 0; ++i) {
      Fault& fault = report_.faults[i];
      const Instances& instances = instances_[i];
      if (instances.atoms == nullptr) {
        fault.when = finding::Condition{};  // never
        continue;
      }
      // If runs were cut short, more situations of a path may exist, and its condition is unknown.
      const bool known = fault.kind == FaultKind::Nondeterminism || runs_followed;
      if (!known || !whole) continue;
      std::vector<TruthRow> on(instances.truths.begin(), instances.truths.end());
      std::vector<TruthRow> off;
      for (const TruthRow& truth : feasible_truths[instances.atoms]) {
        if (!instances.truths.contains(truth)) off.push_back(truth);
      }
      std::ranges::sort(on);
      std::ranges::sort(off);
      if (auto conjunctions = condition_for(*instances.atoms, on, off, effort)) {
        fault.when = finding::Condition(std::move(*conjunctions));
      }
    }
    if (effort.left == 0 && report_.extent.stopped.empty()) {
      report_.extent.stopped = fmt::format(
          "to say when each fault occurs takes more than {} comparisons", kMaxComparisons);
    }
  }

  // ---- The report ----

  [[nodiscard]] bool asked_for(FaultKind kind) const {
    return options_.only.empty() || std::ranges::find(options_.only, kind) != options_.only.end();
  }

  static Fault new_fault(FaultKind kind, StateId state, std::vector<RuleId> rules) {
    Fault fault{};
    fault.kind = kind;
    fault.state = state;
    fault.rules = std::move(rules);
    return fault;
  }

  void add(Fault fault, Instances instances) {
    if (instances.atoms != nullptr) {
      fault.situations = static_cast<std::int64_t>(instances.truths.size());
      fault.witness = realised(instances.witness, evaluate(model_, instances.witness));
    }
    report_.faults.push_back(std::move(fault));
    instances_.push_back(std::move(instances));
  }

  // The witness in the user's variables. With `--ignore constraints` a context of the user's model
  // is looked for that gives the atoms the same truth; there may be none.
  std::optional<Context> realised(const Context& context, const Situation& situation) {
    if (!propositional_) return context;
    if (!original_cells_) original_cells_ = Cells::of(original_, budget_);
    if (!*original_cells_) return std::nullopt;
    return (*original_cells_)->context_with(situation.atoms);
  }

  void mark_reachable(const std::vector<bool>& reachable) {
    for (Fault& fault : report_.faults) fault.reachable = reachable[fault.state.index];
  }

  void leave_out_what_was_not_asked_for() {
    std::vector<Fault> faults;
    std::vector<Instances> instances;
    for (std::size_t i = 0; i < report_.faults.size(); ++i) {
      Fault& fault = report_.faults[i];
      const bool shown = options_.show == Show::All || fault.reachable ||
                         fault.kind == FaultKind::UnreachableState;
      if (!shown || !asked_for(fault.kind)) continue;
      faults.push_back(std::move(fault));
      instances.push_back(std::move(instances_[i]));
    }
    report_.faults = std::move(faults);
    instances_ = std::move(instances);
  }

  const Model& original_;
  const Options& options_;
  std::optional<Model> propositional_;
  const Model& model_;  // the one that is checked: the original or its propositional form
  Budget budget_;
  const Cells* cells_ = nullptr;
  std::optional<Result<Cells>> original_cells_;

  Atoms all_atoms_;
  std::vector<Atoms> state_atoms_;
  std::set<Atoms> atom_sets_;

  std::vector<std::uint32_t> deeds_;             // finding::deeds()
  std::vector<std::vector<Liveness>> liveness_;  // by state, then as the state lists its rules
  std::map<std::pair<StateId, RuleId>, Instances> unstable_;
  std::vector<std::unordered_set<TruthRow>> contested_;  // by state: where rules overlap
  std::vector<Overlapping> overlaps_;                    // by state
  std::map<Path, Instances> nondeterminism_;
  PathFaults races_;
  PathFaults cycles_;

  Report report_;
  std::vector<Instances> instances_;  // of report_.faults
};

}  // namespace

Report reference(const Model& model, const Options& options) {
  return Reference(model, options).run();
}

}  // namespace poise::check
