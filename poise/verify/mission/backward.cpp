#include "poise/verify/mission/backward.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "poise/model/model.h"
#include "poise/verify/mission/comparison.h"
#include "poise/verify/system/law_of.h"

namespace poise::verify {

using model::SlotId;
using Sign = Literal::Sign;

namespace {

// ---- What is sensed ----

struct Readable {
  Rational low;
  Rational high;
  bool has_low = false;
  bool has_high = false;
  bool low_open = false;
  bool high_open = false;
};

void tighten(Readable& range, const Comparison& comparison) {
  const Rational& factor = comparison.now.front().factor;
  const Rational at = -comparison.constant / factor;
  const bool open = comparison.sign == Sign::Less;
  const bool both = comparison.sign == Sign::Equal;
  if (both || factor.sign() > 0) {
    const bool stricter = !range.has_high || at < range.high || (at == range.high && open);
    if (stricter) {
      range.high = at;
      range.high_open = open;
    }
    range.has_high = true;
  }
  if (both || factor.sign() < 0) {
    const bool stricter = !range.has_low || at > range.low || (at == range.low && open);
    if (stricter) {
      range.low = at;
      range.low_open = open;
    }
    range.has_low = true;
  }
}

// As a range of real numbers; whole ones are half a step wide to both sides.
Factor::Reading reading_of(const Readable& range, bool whole) {
  Factor::Reading made;
  const Rational half(1, 2);
  if (range.has_low) {
    Rational low = range.low;
    if (whole) {
      low = range.low_open ? Rational(range.low.floor()) + half : Rational(range.low.ceil()) - half;
    }
    made.low = to_double(low);
  }
  if (range.has_high) {
    Rational high = range.high;
    if (whole) {
      high = range.high_open ? Rational(range.high.ceil()) - half
                             : Rational(range.high.floor()) + half;
    }
    made.high = to_double(high);
  }
  return made;
}

class Backward {
 public:
  Backward(const System& system, const MissionNumbers& numbers, Objective objective, Workshop& shop)
      : system_(system),
        numbers_(numbers),
        objective_(objective),
        shop_(shop),
        reader_(system, numbers),
        effects_(system, numbers, shop),
        combinations_(numbers.combinations()) {}

  Value value(std::size_t decisions) {
    std::vector<std::vector<Field>> values(numbers_.fails_later.size(),
                                           std::vector<Field>(combinations_, constant_field(0)));
    for (std::size_t left = 0; left < decisions && why().empty(); ++left) {
      if (shop_.is_over()) return nothing_known();
      std::vector<std::vector<Field>> earlier = values;
      for (std::size_t state = 0; state < values.size(); ++state) {
        if (numbers_.fails_later[state]) earlier[state] = decided(state, values);
      }
      values = std::move(earlier);
    }
    Value made{.span = {}, .why = why(), .links = effects_.take_links()};
    if (made.why.empty()) made.span = at_start(values[system_.model->initial.index]);
    return made;
  }

 private:
  [[nodiscard]] const std::string& why() const { return why_.empty() ? effects_.why() : why_; }

  // Without time, all that is left would be "between 0 and 1"; and decisions may be many.
  Value nothing_known() {
    shop_.gave_up = true;
    const bool can_fail = numbers_.fails_later[system_.model->initial.index];
    return {.span = {.low = 0, .high = can_fail ? 1.0 : 0.0},
            .why = {},
            .links = effects_.take_links()};
  }

  // ---- Choices ----

  // Combinations that agree with one in all choices but those that `may_differ` says.
  template <class MayDiffer>
  [[nodiscard]] std::vector<std::size_t> combinations_like(std::size_t combination,
                                                           const MayDiffer& may_differ) const {
    std::vector<std::size_t> all;
    for (std::size_t other = 0; other < combinations_; ++other) {
      bool same = true;
      for (std::size_t i = 0; i < numbers_.choices.size() && same; ++i) {
        same = numbers_.digit(other, i) == numbers_.digit(combination, i) ||
               may_differ(numbers_.choices[i].slot);
      }
      if (same) all.push_back(other);
    }
    return all;
  }

  // ---- The start ----

  Span at_start(const std::vector<Field>& values) {
    Span span;
    for (std::size_t now = 0; now < combinations_; ++now) {
      if (!may_start(now)) continue;
      std::vector<std::vector<Comparisons>> required;
      for (const std::vector<Cube>& constraint : numbers_.start) {
        required.push_back(reader_.read(constraint, now));
      }
      // Numbers that neither the value nor a constraint depends on only have to have some value.
      std::vector<std::size_t> axes = values[now].axes;
      for (const std::vector<Comparisons>& one : required) {
        for (const std::size_t axis : axes_of(one)) {
          if (std::ranges::find(axes, axis) == axes.end()) axes.push_back(axis);
        }
      }
      for (const std::size_t axis : axes) required.push_back({start_of(axis)});
      const Span found = greatest_value(shop_, values[now], axes, [&](const Box& box) {
        return all_hold(required.size(), [&](std::size_t i) { return any_of(required[i], box); });
      });
      span.low = std::max(span.low, found.low);
      span.high = std::max(span.high, found.high);
    }
    return span;
  }

  [[nodiscard]] bool may_start(std::size_t combination) const {
    for (std::size_t i = 0; i < numbers_.choices.size(); ++i) {
      const SlotId slot = numbers_.choices[i].slot;
      if (system_.is_sensed(slot)) continue;
      const std::uint32_t member = system_.model->slots[slot].member;
      if (reader_.chosen(i, combination) != system_.variable(slot).initial[member]) return false;
    }
    return true;
  }

  [[nodiscard]] Comparisons start_of(std::size_t axis) const {
    const SlotId slot = numbers_.axes[axis];
    Rational low;
    Rational high;
    if (system_.is_sensed(slot)) {
      const Domain domain = domain_of(system_, slot);
      low = domain.low;
      high = domain.high;
    } else {
      low = high = system_.variable(slot).initial[system_.model->slots[slot].member];
    }
    return {
        {.now = {{axis, -1}}, .later = {}, .errors = {}, .constant = low, .sign = Sign::AtMost},
        {.now = {{axis, 1}}, .later = {}, .errors = {}, .constant = -high, .sign = Sign::AtMost}};
  }

  [[nodiscard]] Truth any_of(const std::vector<Comparisons>& all, const Box& box) const {
    return any_holds(all.size(), [&](std::size_t i) { return truth_of(all[i], *shop_.grid, box); });
  }

  // ---- Decisions ----

  // By combination: the value of a state with a decision more.
  std::vector<Field> decided(std::size_t state, const std::vector<std::vector<Field>>& values) {
    std::vector<std::vector<Field>> by_move;
    const std::vector<Move>& moves = system_.moves[state];
    for (std::size_t move = 0; move < moves.size(); ++move) {
      std::vector<Field> value = values[moves[move].to.index];
      for (std::size_t act = moves[move].acts.size(); act-- > 0;) {
        value = acted(state, move, act, value);
      }
      by_move.push_back(std::move(value));
    }
    std::vector<Field> made;
    for (std::size_t now = 0; now < combinations_; ++now) {
      made.push_back(where_possible(now, sensed(state, now, by_move, values[state])));
    }
    if (system_.renewed.empty()) return made;
    std::vector<Field> renewed;
    for (std::size_t now = 0; now < combinations_; ++now) {
      std::vector<Field> all;
      for (const std::size_t other : combinations_like(now, [&](SlotId slot) {
             return std::ranges::find(system_.renewed, slot) != system_.renewed.end();
           })) {
        all.push_back(made[other]);
      }
      renewed.push_back(greatest(shop_, all));
    }
    return renewed;
  }

  // Nothing happens where a constraint does not hold: such a context cannot be.
  Field where_possible(std::size_t now, Field value) {
    for (const std::vector<Cube>& constraint : numbers_.always) {
      const std::vector<Comparisons> ways = reader_.read(constraint, now);
      value = restricted(shop_, value, axes_of(ways),
                         [&](const Box& box) { return any_of(ways, box); });
    }
    return value;
  }

  Field sensed(std::size_t state, std::size_t now, const std::vector<std::vector<Field>>& by_move,
               const std::vector<Field>& as_it_is) {
    Field total = constant_field(0);
    for (const Outcome& outcome : numbers_.outcomes[state]) {
      std::vector<Field> all;
      for (const std::size_t move : outcome.moves) all.push_back(by_move[move][now]);
      const Field value = all.empty() ? as_it_is[now] : greatest(shop_, all);
      if (is_zero(value)) continue;
      for (const Cube& cube : outcome.cubes) {
        const std::optional<Comparisons> read = reader_.read(cube, now);
        if (read) total = sum(shop_, total, on_reading(*read, value));
      }
    }
    return total;
  }

  // The value, times the probability that what is sensed satisfies the comparisons.
  Field on_reading(const Comparisons& comparisons, Field value) {
    std::map<std::size_t, Readable> ranges;
    Comparisons exact;
    for (const Comparison& comparison : comparisons) {
      const bool off = std::ranges::any_of(comparison.now, [&](const Comparison::Term& term) {
        return system_.is_off(numbers_.axes[term.axis]);
      });
      if (!off) {
        exact.push_back(comparison);
      } else if (comparison.now.size() == 1) {
        tighten(ranges[comparison.now.front().axis], comparison);
      } else {
        why_ = "a guard compares two numbers that are sensed with errors";
        return constant_field(0);
      }
    }
    if (!exact.empty()) value = where(shop_, exact, value);
    for (const auto& [axis, range] : ranges) {
      value = product(shop_, value, axis, factor_of(axis, range));
    }
    return value;
  }

  const Factor& factor_of(std::size_t axis, const Readable& range) {
    const SlotId slot = numbers_.axes[axis];
    const Factor::Reading reading = reading_of(range, is_whole(system_, slot));
    const auto key = std::tuple(axis, reading.low, reading.high);
    const auto known = factors_.find(key);
    if (known != factors_.end()) return known->second;
    const Factor made(shop_.axis(axis), law_of(system_.variable(slot)), reading);
    return factors_.emplace(key, made).first->second;
  }

  // ---- Acts ----

  std::vector<Field> acted(std::size_t state, std::size_t move, std::size_t number,
                           const std::vector<Field>& after) {
    const Act& act = system_.moves[state][move].acts[number];
    const ActParts& parts = numbers_.acts[state][move][number];
    std::vector<Field> looked_at;
    for (std::size_t later = 0; later < combinations_; ++later) {
      looked_at.push_back(with_failures(state, move, number, later, after[later]));
    }
    std::vector<Field> made;
    for (std::size_t now = 0; now < combinations_; ++now) {
      std::vector<Field> all;
      for (const std::size_t later : successors(act, now)) {
        if (is_zero(looked_at[later])) continue;
        for (const Cube& way : parts.ways) {
          const std::optional<Comparisons> read = reader_.read(way, now, later, &act);
          if (read) all.push_back(effects_.before(act, *read, looked_at[later]));
        }
      }
      made.push_back(all.empty() ? constant_field(0) : greatest(shop_, all));
    }
    return made;
  }

  [[nodiscard]] std::vector<std::size_t> successors(const Act& act, std::size_t now) const {
    const auto set = [&](SlotId slot) {
      return std::ranges::find_if(act.sets, [&](const model::Effect& effect) {
        return effect.slot == slot && effect.value;
      });
    };
    std::vector<std::size_t> all = combinations_like(now, [&](SlotId slot) {
      return set(slot) != act.sets.end() || std::ranges::find(act.later, slot) != act.later.end() ||
             std::ranges::find(act.freed, slot) != act.freed.end();
    });
    std::erase_if(all, [&](std::size_t later) {
      for (std::size_t i = 0; i < numbers_.choices.size(); ++i) {
        const auto effect = set(numbers_.choices[i].slot);
        if (effect != act.sets.end() && reader_.chosen(i, later) != *effect->value) return true;
      }
      return false;
    });
    return all;
  }

  // What happens after an act: it fails, or goes on.
  Field with_failures(std::size_t state, std::size_t move, std::size_t number, std::size_t now,
                      const Field& value) {
    const Act& act = system_.moves[state][move].acts[number];
    const ActParts& parts = numbers_.acts[state][move][number];
    if (act.cases.empty()) return value;
    const bool here = !objective_ || (objective_->state.index == state &&
                                      objective_->rule == system_.moves[state][move].rule &&
                                      objective_->act == number);
    std::vector<Comparisons> any;
    std::vector<Comparisons> counted;
    for (std::size_t i = 0; i < act.cases.size(); ++i) {
      const std::vector<Comparisons> failed = reader_.read(parts.failed[i], now);
      any.insert(any.end(), failed.begin(), failed.end());
      const bool counts = here && (!objective_ || objective_->failure == act.cases[i].failure);
      if (counts) counted.insert(counted.end(), failed.begin(), failed.end());
    }
    if (any.empty() || (counted.empty() && is_zero(value))) return value;
    return judged(shop_, value, axes_of(any), [&](const Box& box) {
      const Truth fails = any_of(any, box);
      const Truth counts = any_of(counted, box);
      return Verdicts{.may_fail = counts != Truth::False,
                      .may_end = fails != Truth::False && counts != Truth::True,
                      .may_go_on = fails != Truth::True};
    });
  }

  const System& system_;
  const MissionNumbers& numbers_;
  Objective objective_;
  Workshop& shop_;
  ComparisonReader reader_;
  Effects effects_;
  std::size_t combinations_;
  std::string why_;
  std::map<std::tuple<std::size_t, double, double>, Factor> factors_;
};

}  // namespace

Value value_of_mission(const System& system, const MissionNumbers& numbers, std::size_t decisions,
                       Objective objective, Workshop& shop) {
  return Backward(system, numbers, objective, shop).value(decisions);
}

}  // namespace poise::verify
