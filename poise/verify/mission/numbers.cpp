#include "poise/verify/mission/numbers.h"

#include <algorithm>
#include <optional>

#include "poise/model/model.h"

namespace poise::verify {

using model::SlotId;
using model::StateId;

namespace {

constexpr const char* kNotLinear = "a condition is not linear, or has too many cases";

class NumberFinder {
 public:
  explicit NumberFinder(const System& system)
      : system_(system), matters_(system.slots()), states_(system.model->states.size()) {}

  std::variant<MissionNumbers, std::string> found() {
    find_states();
    if (!read_conditions()) return std::string(kNotLinear);
    find_slots();
    if (!give_roles()) return std::string("there are too many combinations of values");
    return std::move(made_);
  }

 private:
  [[nodiscard]] static bool fails(const Move& move) {
    return std::ranges::any_of(move.acts, [](const Act& act) { return !act.cases.empty(); });
  }

  // States that can be reached, and from which something can fail.
  void find_states() {
    std::vector<bool> reached(states_);
    std::vector<StateId> open = {system_.model->initial};
    reached[open.front().index] = true;
    while (!open.empty()) {
      const StateId state = open.back();
      open.pop_back();
      for (const Move& move : system_.moves[state.index]) {
        if (reached[move.to.index]) continue;
        reached[move.to.index] = true;
        open.push_back(move.to);
      }
    }
    made_.fails_later.assign(states_, false);
    for (bool more = true; more;) {
      more = false;
      for (std::size_t state = 0; state < states_; ++state) {
        if (made_.fails_later[state] || !reached[state]) continue;
        const bool now = std::ranges::any_of(system_.moves[state], [&](const Move& move) {
          return fails(move) || made_.fails_later[move.to.index];
        });
        made_.fails_later[state] = now;
        more = more || now;
      }
    }
  }

  // ---- Conditions ----

  bool take(std::optional<std::vector<Cube>> made, std::vector<Cube>& into) {
    if (!made) return false;
    into = std::move(*made);
    return true;
  }

  bool read_conditions() {
    made_.outcomes.resize(states_);
    made_.acts.resize(states_);
    for (std::size_t state = 0; state < states_; ++state) {
      if (!made_.fails_later[state]) continue;
      if (!read_outcomes(state)) return false;
      for (const Move& move : system_.moves[state]) {
        std::vector<ActParts>& acts = made_.acts[state].emplace_back();
        for (const Act& act : move.acts) {
          ActParts& parts = acts.emplace_back();
          parts.ways = {{}};
          if (act.condition) {
            const Wanted wanted{*act.condition};
            if (!take(cubes(system_, {&wanted, 1}), parts.ways)) return false;
          }
          for (const Case& one : act.cases) {
            const Wanted wanted{one.condition};
            if (!take(cubes(system_, {&wanted, 1}), parts.failed.emplace_back())) return false;
          }
        }
      }
    }
    return read_all(system_.start, made_.start) && read_all(system_.always, made_.always);
  }

  bool read_all(const std::vector<model::FormulaId>& conditions,
                std::vector<std::vector<Cube>>& into) {
    for (const model::FormulaId condition : conditions) {
      const Wanted wanted{condition};
      if (!take(cubes(system_, {&wanted, 1}), into.emplace_back())) return false;
    }
    return true;
  }

  // Rules of one priority are triggered together, where all stronger ones are not satisfied.
  bool read_outcomes(std::size_t state) {
    const std::vector<Move>& moves = system_.moves[state];
    std::vector<std::size_t> order(moves.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return moves[i].stronger.size(); });
    std::vector<Wanted> wanted;
    for (std::size_t first = 0; first < order.size();) {
      std::size_t last = first;
      const std::size_t stronger = moves[order[first]].stronger.size();
      while (last < order.size() && moves[order[last]].stronger.size() == stronger) ++last;
      Outcome outcome;
      const std::span<const std::size_t> equals(order.data() + first, last - first);
      if (!add_outcomes(state, equals, wanted, outcome)) return false;
      for (const std::size_t move : equals) wanted.push_back({moves[move].guard, false});
      first = last;
    }
    Outcome none;
    if (!take(cubes(system_, wanted), none.cubes)) return false;
    made_.outcomes[state].push_back(std::move(none));
    return true;
  }

  bool add_outcomes(std::size_t state, std::span<const std::size_t> equals,
                    const std::vector<Wanted>& wanted, Outcome& outcome) {
    if (!take(cubes(system_, wanted), outcome.cubes)) return false;
    if (outcome.cubes.empty()) return true;
    if (equals.empty()) {
      if (!outcome.moves.empty()) made_.outcomes[state].push_back(outcome);
      return true;
    }
    const std::size_t move = equals.front();
    for (const bool holds : {true, false}) {
      std::vector<Wanted> more = wanted;
      more.push_back({system_.moves[state][move].guard, holds});
      if (holds) outcome.moves.push_back(move);
      if (!add_outcomes(state, equals.subspan(1), more, outcome)) return false;
      if (holds) outcome.moves.pop_back();
    }
    return true;
  }

  // ---- Slots ----

  [[nodiscard]] bool is_later(SlotId slot) const { return slot.index >= system_.slots(); }
  [[nodiscard]] SlotId now(SlotId slot) const {
    return is_later(slot) ? SlotId{slot.index - static_cast<std::uint32_t>(system_.slots())} : slot;
  }

  void note(SlotId slot) {
    if (matters_[now(slot).index]) return;
    matters_[now(slot).index] = true;
    more_ = true;
  }
  void note(const std::vector<Cube>& cubes) {
    for (const Cube& cube : cubes) {
      for (const Literal& literal : cube) {
        for (const Literal::Term& term : literal.terms) note(term.slot);
      }
    }
  }

  void find_slots() {
    for (const std::vector<Cube>& condition : made_.start) note(condition);
    for (const std::vector<Cube>& constraint : made_.always) note(constraint);
    for (std::size_t state = 0; state < states_; ++state) {
      for (const Outcome& outcome : made_.outcomes[state]) note(outcome.cubes);
      for (const auto& move : made_.acts[state]) {
        for (const ActParts& act : move) {
          for (const std::vector<Cube>& failed : act.failed) note(failed);
        }
      }
    }
    for (more_ = true; more_;) {
      more_ = false;
      for (const auto& moves : made_.acts) {
        for (const auto& move : moves) {
          for (const ActParts& act : move) {
            for (const Cube& way : act.ways) note_sources(way);
          }
        }
      }
    }
  }

  // A comparison with a later value that does not matter, and that nothing else is said about, can
  // always be satisfied, so it decides nothing.
  void note_sources(const Cube& way) {
    for (const Literal& literal : way) {
      const bool decides = std::ranges::none_of(literal.terms, [&](const Literal::Term& term) {
        return is_later(term.slot) && !matters_[now(term.slot).index] && is_free(way, term);
      });
      if (!decides) continue;
      for (const Literal::Term& term : literal.terms) note(term.slot);
    }
  }

  [[nodiscard]] bool is_free(const Cube& way, const Literal::Term& later) const {
    if (has_members(system_, now(later.slot))) return false;
    std::size_t count = 0;
    bool whole = true;
    for (const Literal& literal : way) {
      const auto reads = [&](const Literal::Term& term) { return term.slot == later.slot; };
      if (std::ranges::none_of(literal.terms, reads)) continue;
      ++count;
      const Rational unit = later.factor;
      whole = whole && (literal.constant / unit).is_integer();
      for (const Literal::Term& term : literal.terms) {
        whole = whole && (term.factor / unit).is_integer() && is_whole(system_, now(term.slot));
      }
    }
    return count == 1 && (whole || !is_whole(system_, now(later.slot)));
  }

  // ---- Roles ----

  bool give_roles() {
    made_.roles.resize(system_.slots());
    std::size_t combinations = 1;
    for (const SlotId slot : system_.model->slots.ids()) {
      if (!matters_[slot.index]) continue;
      SlotRole& role = made_.roles[slot.index];
      const std::uint32_t member = system_.model->slots[slot].member;
      if (!system_.changes[slot.index]) {
        role = {SlotRole::Kind::Fixed, system_.variable(slot).initial[member], 0};
        continue;
      }
      std::vector<Rational> values = few_values(slot);
      if (values.empty()) {
        role = {SlotRole::Kind::Number, 0, made_.axes.size()};
        made_.axes.push_back(slot);
        continue;
      }
      role = {SlotRole::Kind::Choice, 0, made_.choices.size()};
      combinations *= values.size();
      if (combinations > kMostCombinations) return false;
      made_.choices.push_back({slot, std::move(values)});
    }
    return true;
  }

  // Of booleans and enumerations all members, of own variables that only rules assign their values.
  [[nodiscard]] std::vector<Rational> few_values(SlotId slot) const {
    std::vector<Rational> values;
    if (has_members(system_, slot)) {
      const Domain domain = domain_of(system_, slot);
      for (Rational value = domain.low; value <= domain.high; value = value + 1) {
        if (std::ranges::find(domain.gaps, value) == domain.gaps.end()) values.push_back(value);
      }
      return values;
    }
    if (system_.is_sensed(slot)) return {};
    values.push_back(system_.variable(slot).initial[system_.model->slots[slot].member]);
    for (const auto& moves : system_.moves) {
      for (const Move& move : moves) {
        for (const Act& act : move.acts) {
          if (std::ranges::find(act.later, slot) != act.later.end()) return {};
          for (const model::Effect& effect : act.sets) {
            if (effect.slot == slot && effect.value) values.push_back(*effect.value);
          }
        }
      }
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  }

  static constexpr std::size_t kMostCombinations = 4096;

  const System& system_;
  std::vector<bool> matters_;
  std::size_t states_;
  bool more_ = false;
  MissionNumbers made_;
};

}  // namespace

std::size_t MissionNumbers::combinations() const {
  std::size_t count = 1;
  for (const ChoiceSlot& choice : choices) count *= choice.values.size();
  return count;
}

std::size_t MissionNumbers::digit(std::size_t combination, std::size_t choice) const {
  for (std::size_t i = 0; i < choice; ++i) combination /= choices[i].values.size();
  return combination % choices[choice].values.size();
}

std::variant<MissionNumbers, std::string> mission_numbers(const System& system) {
  return NumberFinder(system).found();
}

}  // namespace poise::verify
