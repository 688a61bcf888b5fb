#include "poise/verify/odds/path_event.h"

#include <algorithm>

#include "poise/base/check.h"
#include "poise/verify/odds/act_outcome.h"
#include "poise/verify/system/law_of.h"

namespace poise::verify {

using model::SlotId;
using Role = Number::Role;

namespace {

constexpr std::size_t kMostWays = 512;
constexpr std::size_t kMostBranches = 32;

// The error that is nearest to 0.
Rational next_to_zero(const model::WorldError& error) {
  if (error.low.sign() > 0) return error.low;
  return error.high.sign() < 0 ? error.high : Rational(0);
}

// Adds a stage. Each bound that all its ways have becomes a stage of its own, so that independent
// parts can be recognised.
void add_stages(Stage stage, std::vector<Stage>& stages) {
  const auto is = [](const Bound& a) {
    return [&a](const Bound& b) { return a.sign == b.sign && a.value == b.value; };
  };
  const Bounds first = stage.ways.front();
  for (const Bound& bound : first) {
    const bool common = std::ranges::all_of(
        stage.ways, [&](const Bounds& way) { return std::ranges::any_of(way, is(bound)); });
    if (!common) continue;
    for (Bounds& way : stage.ways) std::erase_if(way, is(bound));
    stages.push_back({stage.origin, {{bound}}});
  }
  // Ways exclude each other, so if one is empty now, and always holds, there is no other.
  const bool passed = std::ranges::any_of(stage.ways, &Bounds::empty);
  if (!passed) stages.push_back(std::move(stage));
}

}  // namespace

// Follows a path once for each branch, depth first: it starts again from the beginning with the
// outcomes chosen so far, until an act has several outcomes and none is chosen.
class PathFollower {
 public:
  PathFollower(PathReader& reader, const FailingPath& path)
      : reader_(reader), system_(reader.system_), path_(path) {}

  Result<PathEvent> followed() {
    Result<PathEvent> event = along_all_branches();
    // Too many branches: again with fewer choices for the environment. The probability may come out
    // too low then, but that is better than none.
    for (const Style style : {Style::Same, Style::Distances}) {
      if (event || !too_many_) break;
      style_ = style;
      why_.clear();
      event_ = {};
      numbers_.clear();
      event = along_all_branches();
    }
    return event;
  }

 private:
  Result<PathEvent> along_all_branches() {
    std::vector<Branching> open = {{}};
    while (!open.empty() && why_.empty()) {
      chosen_ = std::move(open.back());
      open.pop_back();
      more_.clear();
      const bool possible = follow();
      if (!more_.empty()) {
        // A stack: the first outcome on top.
        for (auto more = more_.rbegin(); more != more_.rend(); ++more) {
          open.push_back(chosen_);
          open.back().push_back(*more);
        }
        too_many_ = open.size() > kMostBranches;
        if (too_many_) why_ = "actions leave too many choices";
      } else if (possible) {
        add_branch();
      }
    }
    if (!why_.empty()) return failure(why_);
    return std::move(event_);
  }

  struct ChosenOutcome {
    std::size_t outcome;
    std::size_t group;
    std::size_t choice;
  };
  using Branching = std::vector<ChosenOutcome>;

  void add_branch() {
    branch_.groups.clear();
    branch_.choices.clear();
    for (const ChosenOutcome& choice : chosen_) {
      branch_.groups.push_back(choice.group);
      branch_.choices.push_back(choice.choice);
    }
    event_.branches.push_back(std::move(branch_));
  }

  // False if the path is impossible on this branch, or if an outcome has to be chosen first
  // (more_).
  bool follow() {
    branch_ = {};
    branching_ = 0;
    chosen_before_ = {};
    origin_ = 0;
    step_ = 0;  // numbers of the start are the same on every branch
    act_ = 0;
    if (!start()) return false;
    model::StateId state = system_.model->initial;
    for (step_ = 0; step_ < path_.path.size(); ++step_) {
      const std::vector<Move>& moves = system_.moves[state.index];
      const auto move = std::ranges::find(moves, path_.path[step_], &Move::rule);
      POISE_CHECK(move != moves.end());
      if (!sense(state, *move)) return false;
      const bool last = step_ + 1 == path_.path.size();
      for (act_ = 0; act_ < move->acts.size(); ++act_) {
        const Act& act = move->acts[act_];
        if (!run(act)) return false;
        const bool may_fail = last && fails_after(act_);
        const bool fails = may_fail && (act_ == last_end() || chosen_to_fail());
        if (!more_.empty() || !look(act, fails)) return false;
        if (fails) return true;
      }
      state = move->to;
    }
    POISE_CHECK(false);
  }

  // The path ends after any of these acts of its last rule, whichever fails first. Failing here and
  // going on exclude each other, so they are two groups.
  [[nodiscard]] bool fails_after(std::size_t act) const {
    return act == path_.act || std::ranges::find(path_.later, act) != path_.later.end();
  }
  [[nodiscard]] std::size_t last_end() const {
    return path_.later.empty() ? path_.act : path_.later.back();
  }
  bool chosen_to_fail() {
    if (branching_ < chosen_.size()) return chosen_[branching_++].outcome == 0;
    more_ = {{0, 0, 0}, {1, 1, 0}};
    return false;
  }

  bool start() {
    now_.clear();
    for (const SlotId slot : system_.model->slots.ids()) {
      const std::uint32_t member = system_.model->slots[slot].member;
      now_.push_back(system_.is_sensed(slot) ? affine(within_domain(slot, Role::Start))
                                             : Affine{system_.variable(slot).initial[member], {}});
    }
    return pass_all(system_.start);
  }

  // Conditions on actual values: of the start, or the constraints before a step.
  bool pass_all(const std::vector<model::FormulaId>& conditions) {
    return std::ranges::all_of(conditions, [&](model::FormulaId condition) {
      return pass(reader_.condition_cubes(condition), now_);
    });
  }

  bool sense(model::StateId state, const Move& move) {
    act_ = 0;
    for (const SlotId slot : system_.renewed) {
      now_[slot.index] = affine(within_domain(slot, Role::Renewed));
    }
    // The start satisfies them already, but for what has been renewed.
    if ((step_ > 0 || !system_.renewed.empty()) && !pass_all(system_.always)) return false;
    const PathReader::Cubes& cubes = reader_.guard_cubes(move);
    std::vector<Affine> sensed = now_;
    std::vector<bool> read(system_.slots());
    if (cubes) {
      for (const Cube& cube : *cubes) {
        for (const Literal& literal : cube) {
          for (const Literal::Term& term : literal.terms) read[term.slot.index] = true;
        }
      }
    }
    for (const SlotId slot : system_.model->slots.ids()) {
      if (!system_.is_off(slot)) continue;
      Affine& value = sensed[slot.index];
      if (read[slot.index]) {
        value = sum(value, error_of(slot, Role::SensingError));
      } else {
        value.constant = value.constant + next_to_zero(*system_.errors[slot.index]);
      }
    }
    branch_.steps.push_back({state, move.rule, now_, sensed, {}});
    return pass(cubes, sensed);
  }

  bool run(const Act& act) {
    ActForms forms{&act, {}, {}};
    std::vector<Affine> before = now_;
    for (const SlotId slot : act.done) {
      Affine& value = before[slot.index];
      value = sum(value, error_of(slot, Role::DoneError));
      forms.done.emplace_back(slot, value);
    }
    for (const SlotId slot : act.freed) {
      now_[slot.index] = affine(within_domain(slot, Role::Freed));
    }
    std::vector<Open> open;
    for (const SlotId slot : act.later) {
      open.push_back({slot, around_domain(slot, Role::Open)});
      now_[slot.index] = affine(open.back().number);
    }
    for (const model::Effect& effect : act.sets) {
      if (!effect.value) continue;
      now_[effect.slot.index] = {*effect.value, {}};
      std::erase_if(open, [&](const Open& one) { return one.slot == effect.slot; });
    }
    if (act.condition && !act_by_condition(act, before, open)) return false;
    forms.actual = now_;
    branch_.steps.back().acts.push_back(std::move(forms));
    return true;
  }

  bool act_by_condition(const Act& act, const std::vector<Affine>& before,
                        const std::vector<Open>& open) {
    const PathReader::Cubes& cubes = reader_.act_cubes(act);
    if (!cubes) return give_up();
    std::vector<ActOutcome> outcomes;
    const auto add = [&](const Cube& cube, Chosen what) {
      ActOutcome made =
          act_outcome(system_, cube, before, now_, open, event_.numbers, what,
                      [&](SlotId slot, Role role) { return around_domain(slot, role); });
      const bool follows_noise = made.follows_noise;
      if (auto bounds = simplified(made.bounds, event_.numbers)) {
        made.bounds = std::move(*bounds);
        outcomes.push_back(std::move(made));
      }
      return follows_noise;
    };
    for (const Cube& cube : *cubes) {
      if (chosen_before_ == Chosen::Fixed) {
        add(cube, Chosen::Fixed);
      } else if (add(cube, Chosen::Apart) && style_ != Style::Distances && !chosen_before_) {
        add(cube, Chosen::Fixed);
      }
    }
    if (outcomes.empty()) return false;
    std::size_t chosen = 0;
    if (outcomes.size() > 1) {
      if (branching_ == chosen_.size()) {
        more_ = choices_of(outcomes);
        return false;
      }
      chosen = chosen_[branching_++].outcome;
    }
    const ActOutcome& outcome = outcomes[chosen];
    branch_.fixed = branch_.fixed || outcome.chosen == Chosen::Fixed;
    if (style_ == Style::Same && (outcome.follows_noise || outcome.chosen == Chosen::Fixed)) {
      chosen_before_ = outcome.chosen;
    }
    now_ = std::move(outcomes[chosen].after);
    if (!outcomes[chosen].bounds.empty()) {
      add_stages({origin_++, {std::move(outcomes[chosen].bounds)}}, branch_.stages);
    }
    return true;
  }

  // Outcomes with the same later values are one choice. Outcomes with different ones are in one
  // group, for the environment to choose from, if both may be possible at once.
  static Branching choices_of(const std::vector<ActOutcome>& outcomes) {
    Branching choices;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
      choices.push_back({i, i, i});
      for (std::size_t j = 0; j < i; ++j) {
        if (outcomes[j].after == outcomes[i].after) {
          choices[i].choice = choices[j].choice;
        } else if (!exclude_each_other(outcomes[i].bounds, outcomes[j].bounds)) {
          const std::size_t other = choices[j].group;
          const std::size_t own = choices[i].group;
          for (ChosenOutcome& one : choices) {
            if (one.group == other) one.group = own;
          }
        }
      }
    }
    return choices;
  }

  // Whether all whole slots stay whole. If real noise moves one, it is whole with probability 0,
  // and real choices of the environment make it whole only in some cases: neither is supported.
  [[nodiscard]] bool stays_whole() const {
    for (const SlotId slot : system_.model->slots.ids()) {
      if (!is_whole(system_, slot)) continue;
      const Affine& value = now_[slot.index];
      const bool steps = std::ranges::all_of(value.terms, [&](const Affine::Term& term) {
        return event_.numbers[term.number].whole && term.factor.is_integer();
      });
      if (!steps || !value.constant.is_integer()) return false;
    }
    return true;
  }

  bool look(const Act& act, bool fails) {
    if (!stays_whole()) {
      why_ = "an action makes a whole number of numbers that are not";
      return false;
    }
    if (!fails) return act.cases.empty() || pass(reader_.passed_cubes(act), now_);
    const auto one = std::ranges::find(act.cases, path_.failure, &Case::failure);
    POISE_CHECK(one != act.cases.end());
    return pass(reader_.failed_cubes(*one), now_);
  }

  bool pass(const PathReader::Cubes& cubes, const std::vector<Affine>& values) {
    if (!cubes) return give_up();
    Stage stage{origin_++, {}};
    for (const Cube& cube : *cubes) {
      Bounds way;
      for (const Literal& literal : cube) {
        Affine value{literal.constant, {}};
        for (const Literal::Term& term : literal.terms) {
          value = sum(value, values[term.slot.index], term.factor);
        }
        way.push_back({std::move(value), literal.sign});
      }
      if (auto kept = simplified(way, event_.numbers)) stage.ways.push_back(std::move(*kept));
    }
    if (stage.ways.empty()) return false;
    add_stages(std::move(stage), branch_.stages);
    return true;
  }

  bool give_up() {
    why_ = "a condition is not linear, or has too many cases";
    return false;
  }

  // ---- Numbers ----

  NumberId number(Number made) {
    const auto key = std::tuple(made.role, made.step, made.act, made.slot);
    const auto [known, is_new] = numbers_.try_emplace(key);
    if (is_new) known->second = event_.numbers.add(std::move(made));
    return known->second;
  }

  NumberId within_domain(SlotId slot, Role role) {
    Domain domain = domain_of(system_, slot);
    return number({.role = role,
                   .slot = slot,
                   .step = step_,
                   .act = act_,
                   .whole = is_whole(system_, slot),
                   .low = domain.low,
                   .high = domain.high,
                   .gaps = std::move(domain.gaps)});
  }

  // A value after an action may be beyond the domain. It is searched for up to one width of the
  // domain beyond it.
  NumberId around_domain(SlotId slot, Role role) {
    const model::TypeKind kind = system_.variable(slot).type.kind;
    if (kind != model::TypeKind::Int && kind != model::TypeKind::Real) {
      return within_domain(slot, role);
    }
    const Domain domain = domain_of(system_, slot);
    Rational width = domain.high - domain.low;
    if (width.sign() == 0) width = 1000;
    const bool apart = role == Role::Above || role == Role::Below;
    return number({.role = role,
                   .slot = slot,
                   .step = step_,
                   .act = act_,
                   .whole = is_whole(system_, slot),
                   .low = apart ? Rational(0) : domain.low - width,
                   .high = apart ? width * Rational(2) : domain.high + width,
                   .searched = true});
  }

  Affine error_of(SlotId slot, Role role) {
    const model::WorldError& error = *system_.errors[slot.index];
    if (error.low == error.high) return {error.low, {}};
    return affine(number({.role = role,
                          .slot = slot,
                          .step = step_,
                          .act = act_,
                          .whole = is_whole(system_, slot),
                          .low = error.low,
                          .high = error.high,
                          .law = law_of(system_.variable(slot))}));
  }

  PathReader& reader_;
  const System& system_;
  const FailingPath& path_;
  PathEvent event_;
  std::map<std::tuple<Role, std::size_t, std::size_t, SlotId>, NumberId> numbers_;
  std::string why_;
  bool too_many_ = false;  // why_ is that there are too many branches
  // What the environment chooses after an inequality with noise (act_outcome.h): distances or
  // values for each act, one of the two for all acts of the path, or always distances.
  enum class Style { Any, Same, Distances } style_ = Style::Any;
  // State of the branch that is followed.
  Branching chosen_;
  Branching more_;  // outcomes to choose from, if the choice is still to be made
  std::size_t branching_ = 0;
  std::size_t origin_ = 0;
  std::size_t step_ = 0;
  std::size_t act_ = 0;
  std::optional<Chosen> chosen_before_;  // Style::Same: what the acts so far chose
  std::vector<Affine> now_;
  Branch branch_;
};

Result<PathEvent> PathReader::event(const FailingPath& path) {
  return PathFollower(*this, path).followed();
}

const PathReader::Cubes& PathReader::guard_cubes(const Move& move) {
  const auto [known, is_new] = guards_.try_emplace(&move);
  if (is_new) {
    std::vector<Wanted> wanted = {{move.guard, true}};
    for (const model::FormulaId stronger : move.stronger) wanted.push_back({stronger, false});
    known->second = cubes(system_, wanted, kMostWays);
  }
  return known->second;
}

const PathReader::Cubes& PathReader::act_cubes(const Act& act) {
  const auto [known, is_new] = acts_.try_emplace(&act);
  if (is_new) {
    const Wanted wanted{*act.condition, true};
    known->second = cubes(system_, {&wanted, 1}, kMostBranches);
  }
  return known->second;
}

const PathReader::Cubes& PathReader::passed_cubes(const Act& act) {
  const auto [known, is_new] = passed_.try_emplace(&act);
  if (is_new) {
    std::vector<Wanted> wanted;
    for (const Case& one : act.cases) wanted.push_back({one.condition, false});
    known->second = cubes(system_, wanted, kMostWays);
  }
  return known->second;
}

const PathReader::Cubes& PathReader::failed_cubes(const Case& one) {
  const auto [known, is_new] = failed_.try_emplace(&one);
  if (is_new) {
    const Wanted wanted{one.condition, true};
    known->second = cubes(system_, {&wanted, 1}, kMostWays);
  }
  return known->second;
}

const PathReader::Cubes& PathReader::condition_cubes(model::FormulaId condition) {
  const auto [known, is_new] = conditions_.try_emplace(condition);
  if (is_new) {
    const Wanted wanted{condition, true};
    known->second = cubes(system_, {&wanted, 1}, kMostWays);
  }
  return known->second;
}

}  // namespace poise::verify
