#include "poise/verify/simulate/simulate.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "poise/base/check.h"
#include "poise/base/random.h"
#include "poise/chance/interval.h"
#include "poise/verify/simulate/constrained_draw.h"
#include "poise/verify/simulate/numeric.h"
#include "poise/verify/system/law_of.h"

namespace poise::verify {

using model::FailureId;
using model::Model;
using model::RuleId;
using model::SlotId;
using model::StateId;

namespace {

using Numbers = std::vector<double>;  // by slot

Numbers numbers_of(const Values& values) {
  Numbers numbers;
  for (const Rational& value : values) numbers.push_back(to_double(value));
  return numbers;
}

// The values around an action in a counterexample.
struct Pattern {
  Numbers both;    // before it, with own variables as executed, then after it: for its condition
  Numbers actual;  // after
};

// What holds at the start: constraints, which are conditions of the rules, and `start` conditions,
// which are conditions of the world, in one pair of tables.
struct StartTables {
  Table<model::AtomId, model::Atom> atoms;
  Table<model::FormulaId, model::Formula> formulas;
  std::vector<model::FormulaId> required;
};

StartTables start_tables(const Model& model) {
  StartTables made{model.atoms, model.formulas, {}};
  const auto atoms = static_cast<std::uint32_t>(made.atoms.size());
  const auto formulas = static_cast<std::uint32_t>(made.formulas.size());
  for (const model::Atom& atom : model.world.atoms) made.atoms.add(atom);
  for (model::Formula formula : model.world.formulas) {
    for (model::FormulaId& part : formula.parts) part.index += formulas;
    formula.atom.index += atoms;
    made.formulas.add(std::move(formula));
  }
  for (const model::Constraint& one : model.constraints) made.required.push_back(one.condition);
  for (const model::WorldStart& one : model.world.starts) {
    made.required.push_back({one.condition.index + formulas});
  }
  return made;
}

// The interpreter: senses, triggers rules and runs actions, one at a time, on a Moment. Given the
// values of a counterexample it makes the choices of the world as there, otherwise at random.
class World {
 public:
  World(const Model& model, Mode mode)
      : model_(model),
        mode_(mode),
        rules_(model, model.atoms, model.formulas),
        world_(model, model.world.atoms, model.world.formulas),
        start_tables_(start_tables(model)),
        start_(model, start_tables_.atoms, start_tables_.formulas) {
    for (const SlotId slot : model.slots.ids()) {
      const model::Variable& declared = variable(slot);
      domains_.push_back(numeric_domain(declared.type));
      const bool errors = mode == Mode::Actual || mode == Mode::AsPrinted;
      laws_.push_back(errors && declared.error ? std::optional(law_of(declared)) : std::nullopt);
    }
    for (const model::Constraint& constraint : model.constraints) {
      constraints_.push_back(constraint.condition);
    }
    for (const model::WorldAction& action : model.world.actions) prepare(action);
  }

  // The present state of a run.
  struct Moment {
    StateId state;
    Numbers actual;
    Numbers read;
  };

  // The start of a run. The reading matters only in the mode AsPrinted; in the others, sense()
  // reads anew at each step.
  [[nodiscard]] Moment moment(Numbers actual, Random& random) const {
    Numbers read = read_of(actual, random);
    return {model_.initial, std::move(actual), std::move(read)};
  }

  [[nodiscard]] std::optional<Moment> random_start(Random& random) const {
    Numbers actual(model_.slots.size());
    std::vector<UnknownValue> unknown;
    for (const SlotId slot : model_.slots.ids()) {
      if (variable(slot).own) {
        actual[slot.index] = to_double(variable(slot).initial[model_.slots[slot].member]);
      } else {
        unknown.push_back({slot.index, domains_[slot.index], true});
      }
    }
    if (!draw({start_, start_tables_.required, unknown}, actual, random)) return std::nullopt;
    return moment(std::move(actual), random);
  }

  // The next reading. Conditions over streams take new values: those of `then`, if it is given, or
  // random ones. False if the constraints do not hold: then this cannot happen.
  [[nodiscard]] bool sense(Moment& now, const Numbers* then, Random& random) const {
    std::vector<UnknownValue> asked;
    for (const SlotId slot : model_.slots.ids()) {
      if (!variable(slot).query) continue;
      if (then != nullptr) now.actual[slot.index] = (*then)[slot.index];
      if (then == nullptr) asked.push_back({slot.index, domains_[slot.index], true});
    }
    const bool possible = asked.empty() ? is_feasible(now.actual)
                                        : draw({rules_, constraints_, asked}, now.actual, random);
    if (!possible) return false;
    for (const SlotId slot : model_.slots.ids()) {
      if (variable(slot).query) now.read[slot.index] = now.actual[slot.index];
    }
    if (mode_ != Mode::AsPrinted) now.read = read_of(now.actual, random);
    return true;
  }

  [[nodiscard]] std::vector<RuleId> triggered(const Moment& now) const {
    std::vector<RuleId> satisfied;
    for (const RuleId rule : model_.states[now.state].rules) {
      if (rules_.holds(model_.rules[rule].guard, now.read)) satisfied.push_back(rule);
    }
    std::vector<RuleId> strongest;
    for (const RuleId rule : satisfied) {
      const bool yields = std::ranges::any_of(satisfied, [&](RuleId other) {
        return model::is_stronger(model_.rules[other], model_.rules[rule]);
      });
      if (!yields) strongest.push_back(rule);
    }
    return strongest;
  }

  // False if no values after the action were found that satisfy its condition.
  [[nodiscard]] bool run(const model::Action& action, Moment& now, const Pattern* pattern,
                         Random& random) const {
    const bool printed = mode_ == Mode::AsPrinted;
    Numbers both = printed ? now.read : now.actual;
    const std::size_t count = both.size();
    both.insert(both.end(), both.begin(), both.end());
    const auto freed = [&](SlotId slot) {
      double value =
          pattern != nullptr ? pattern->actual[slot.index] : drawn(domains_[slot.index], random);
      if (printed && is_off(slot)) value += off_by(slot, random);
      both[count + slot.index] = value;
    };
    for (const model::Effect& effect : action.effects) {
      if (!effect.value) continue;
      both[count + effect.slot.index] = to_double(*effect.value);
      if (*effect.value != Rational(1)) continue;
      for (const SlotId slot : behind(effect.slot)) freed(slot);
    }
    if (action.world) {
      const Prepared& prepared = prepared_[action.world->index];
      for (const SlotId slot : prepared.freed) freed(slot);
      for (const SlotId slot : prepared.done) both[slot.index] += off_by(slot, random);
      const std::array condition = {model_.world.actions[*action.world].condition};
      if (mode_ != Mode::Naive &&
          !draw({.conditions = world_,
                 .required = condition,
                 .unknown = prepared.later,
                 .pattern = pattern != nullptr ? std::span<const double>(pattern->both)
                                               : std::span<const double>()},
                both, random)) {
        return false;
      }
    }
    now.actual.assign(both.begin() + static_cast<std::ptrdiff_t>(count), both.end());
    if (!printed) return true;
    now.read = now.actual;
    for (const SlotId slot : model_.slots.ids()) {
      if (is_off(slot)) now.actual[slot.index] -= off_by(slot, random);
    }
    return true;
  }

  [[nodiscard]] std::vector<FailureId> failures(const model::Action& action,
                                                const Moment& now) const {
    std::vector<FailureId> found;
    if (!action.world) return found;
    for (const FailureId id : model_.world.failures.ids()) {
      for (const model::WorldFailure::Case& one : model_.world.failures[id].cases) {
        if (one.after != *action.world || !world_.holds(one.condition, now.actual)) continue;
        found.push_back(id);
        break;
      }
    }
    return found;
  }

  [[nodiscard]] const Model& model() const { return model_; }
  [[nodiscard]] bool is_printed() const { return mode_ == Mode::AsPrinted; }

 private:
  struct Prepared {
    std::vector<UnknownValue> later;  // slots after the action: the second half of the values
    std::vector<SlotId> freed;
    std::vector<SlotId> done;
  };

  [[nodiscard]] const model::Variable& variable(SlotId slot) const {
    return model_.variables[model_.slots[slot].variable];
  }
  [[nodiscard]] bool is_feasible(const Numbers& actual) const {
    return std::ranges::all_of(constraints_, [&](model::FormulaId constraint) {
      return rules_.holds(constraint, actual);
    });
  }
  [[nodiscard]] bool is_off(SlotId slot) const {
    return !variable(slot).own && laws_[slot.index].has_value();
  }

  void prepare(const model::WorldAction& action) {
    Prepared& prepared = prepared_.emplace_back();
    const auto count = static_cast<std::uint32_t>(model_.slots.size());
    for (const SlotId slot : model_.slots.ids()) {
      const bool primed = mode_ != Mode::Naive && std::ranges::binary_search(action.primed, slot);
      if (primed) {
        prepared.later.push_back({count + slot.index, domains_[slot.index], false});
      } else if (!variable(slot).own) {
        prepared.freed.push_back(slot);
      }
      if (variable(slot).own && laws_[slot.index] && reads(action.condition, slot)) {
        prepared.done.push_back(slot);
      }
    }
  }

  [[nodiscard]] bool reads(model::FormulaId id, SlotId slot) const {
    const model::Formula& formula = model_.world.formulas[id];
    if (formula.op == model::Op::Atom) {
      return std::ranges::binary_search(model_.world.atoms[formula.atom].slots, slot);
    }
    return std::ranges::any_of(formula.parts,
                               [&](model::FormulaId part) { return reads(part, slot); });
  }

  // The slots behind a guard, directly or behind other guards.
  [[nodiscard]] std::vector<SlotId> behind(SlotId guard) const {
    std::vector<SlotId> found;
    for (const SlotId slot : model_.slots.ids()) {
      for (auto on = model::guard_slot(model_, slot); on; on = model::guard_slot(model_, *on)) {
        if (*on == guard) found.push_back(slot);
      }
    }
    return found;
  }

  double off_by(SlotId slot, Random& random) const {
    const chance::Law& law = *laws_[slot.index];
    return domains_[slot.index].whole ? law.sample_whole(random) : law.sample(random);
  }

  [[nodiscard]] Numbers read_of(const Numbers& actual, Random& random) const {
    Numbers read = actual;
    for (const SlotId slot : model_.slots.ids()) {
      if (is_off(slot)) read[slot.index] += off_by(slot, random);
    }
    return read;
  }

  const Model& model_;
  Mode mode_;
  NumericConditions rules_;
  NumericConditions world_;
  StartTables start_tables_;
  NumericConditions start_;                       // reads start_tables_
  std::vector<NumericDomain> domains_;            // by slot
  std::vector<std::optional<chance::Law>> laws_;  // by slot
  std::vector<model::FormulaId> constraints_;
  std::vector<Prepared> prepared_;  // by action of the world
};

// The actions that do something: those that acts of counterexamples are counted by.
std::vector<const model::Action*> acts_of(const model::Rule& rule) {
  std::vector<const model::Action*> acts;
  for (const model::Action& action : rule.actions) {
    if (action.world || !action.effects.empty()) acts.push_back(&action);
  }
  return acts;
}

// Replays of one counterexample.
class Replays {
 public:
  Replays(const World& world, const Counterexample& example) : world_(world), example_(example) {
    for (const StepTrace& step : example.trace) {
      actual_.push_back(numbers_of(step.actual));
      std::vector<Pattern>& patterns = patterns_.emplace_back();
      const Values* before = world.is_printed() ? &step.sensed : &step.actual;
      for (const ActTrace& act : step.acts) {
        Values with_done = *before;
        for (const auto& [slot, done] : act.done) with_done[slot.index] = done;
        const Values* after = world.is_printed() ? &act.read : &act.actual;
        Pattern& pattern =
            patterns.emplace_back(Pattern{numbers_of(with_done), numbers_of(act.actual)});
        const Numbers later = numbers_of(*after);
        pattern.both.insert(pattern.both.end(), later.begin(), later.end());
        before = after;
      }
    }
  }

  [[nodiscard]] bool hits(Random& random) const {
    World::Moment now = world_.moment(actual_.front(), random);
    for (std::size_t i = 0; i < example_.path.size(); ++i) {
      if (!world_.sense(now, &actual_[i], random)) return false;
      const std::vector<RuleId> triggered = world_.triggered(now);
      if (std::ranges::find(triggered, example_.path[i]) == triggered.end()) return false;
      const model::Rule& rule = world_.model().rules[example_.path[i]];
      const std::vector<const model::Action*> acts = acts_of(rule);
      for (std::size_t j = 0; j < acts.size(); ++j) {
        // The trace ends with the act after which it fails; a replay may fail later.
        const Pattern* pattern = j < patterns_[i].size() ? &patterns_[i][j] : nullptr;
        if (!world_.run(*acts[j], now, pattern, random)) return false;
        const std::vector<FailureId> failures = world_.failures(*acts[j], now);
        if (failures.empty()) continue;
        return i + 1 == example_.path.size() &&
               std::ranges::find(failures, example_.failure) != failures.end();
      }
      now.state = rule.to;
    }
    return false;
  }

 private:
  const World& world_;
  const Counterexample& example_;
  std::vector<Numbers> actual_;                 // by step, before it
  std::vector<std::vector<Pattern>> patterns_;  // by step and act
};

class RandomRuns {
 public:
  RandomRuns(const World& world, Simulation& simulation, Budget& budget)
      : world_(world), simulation_(simulation), budget_(budget) {}

  void add(Random& random) {
    std::optional<World::Moment> now = world_.random_start(random);
    bool goes_on = now.has_value();
    if (!now) ++simulation_.stuck;
    for (std::size_t i = 0; i < simulation_.bound && goes_on; ++i) {
      goes_on = step(*now, random) && budget_.exhausted() == Exhausted::No;
    }
  }

  // Once, after all runs.
  void finish() {
    for (const auto& [where, runs] : counts_) {
      const auto& [state, rule, act, failure] = where;
      simulation_.hits.push_back({state, rule, act, failure, runs});
    }
  }

 private:
  bool step(World::Moment& now, Random& random) {
    if (!world_.sense(now, nullptr, random)) {
      ++simulation_.stuck;
      return false;
    }
    const std::vector<RuleId> triggered = world_.triggered(now);
    if (triggered.empty()) return true;
    const RuleId id = triggered[random.below(triggered.size())];
    const model::Rule& rule = world_.model().rules[id];
    const std::vector<const model::Action*> acts = acts_of(rule);
    for (std::size_t i = 0; i < acts.size(); ++i) {
      if (!world_.run(*acts[i], now, nullptr, random)) {
        ++simulation_.stuck;
        return false;
      }
      const std::vector<FailureId> failures = world_.failures(*acts[i], now);
      for (const FailureId failure : failures) ++counts_[{now.state, id, i, failure}];
      if (!failures.empty()) {
        ++simulation_.failed;
        return false;
      }
    }
    now.state = rule.to;
    return true;
  }

  const World& world_;
  Simulation& simulation_;
  Budget& budget_;
  std::map<std::tuple<StateId, RuleId, std::size_t, FailureId>, std::uint64_t> counts_;
};

}  // namespace

Result<Simulation> simulate(const Model& model, const Report& report,
                            const SimulationOptions& options) {
  Budget budget(options.limits);
  const World world(model, report.mode);
  Simulation simulation{.runs = options.runs, .bound = options.bound};
  for (std::size_t i = 0; i < report.counterexamples.size(); ++i) {
    const Replays replays(world, report.counterexamples[i]);
    Random random(options.seed, i + 1);
    Observed& observed = simulation.replays.emplace_back();
    for (std::uint64_t run = 0; run < options.runs; ++run) {
      if (budget.exhausted_now() != Exhausted::No)
        return failure(std::string(reason(budget.seen())));
      if (replays.hits(random)) ++observed.hits;
    }
    const chance::Interval interval =
        chance::clopper_pearson(observed.hits, options.runs, simulation.confidence);
    observed.low = interval.low;
    observed.high = interval.high;
  }
  RandomRuns runs(world, simulation, budget);
  Random random(options.seed);
  for (std::uint64_t run = 0; run < options.runs; ++run) {
    runs.add(random);
    if (budget.exhausted_now() != Exhausted::No) return failure(std::string(reason(budget.seen())));
  }
  runs.finish();
  return simulation;
}

}  // namespace poise::verify
