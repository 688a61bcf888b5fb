#include "poise/model/differences.h"

#include <algorithm>
#include <unordered_set>

#include "poise/base/check.h"

namespace poise::model {

namespace {

// The sum of two upper bounds: not reached if one of them is not.
std::int64_t plus(std::int64_t a, std::int64_t b) { return a + b - ((a | b) & 1); }

std::int64_t floor_of(std::int64_t number, std::int64_t step) {
  const std::int64_t rest = number % step;
  return number - (rest < 0 ? rest + step : rest);
}

// A simple number from low to high: whole if there is one, else with few decimals.
Rational simple_from(const Rational& low, bool above_low, const Rational& high, bool below_high) {
  if (low == high || (!above_low && low.is_integer())) return low;
  const Rational between = simple_between(low, high);
  if (between.is_integer()) return between;
  if (!below_high && high.is_integer()) return high;
  return above_low ? between : low;
}

}  // namespace

std::size_t Differences::Hash::operator()(const State& state) const {
  std::uint64_t hash = state.size();
  for (const std::int64_t bound : state) {
    hash = (hash ^ static_cast<std::uint64_t>(bound)) * 0x9E3779B97F4A7C15U;
    hash ^= hash >> 29U;
  }
  return hash;
}

bool Differences::answer(std::uint32_t test, Segment segment) const {
  if (segment == kAbsent) return false;
  const auto& [lowest, changes] = tests_[test];
  const auto below = std::ranges::lower_bound(changes, segment) - changes.begin();
  return lowest != (below % 2 != 0);
}

// ---- Bounds ----

// Closed bounds between some slots. Place 0 is the number 0, which is whole.
class Differences::Matrix {
 public:
  Matrix(State& bounds, std::size_t places) : bounds_(bounds), places_(places) {}

  [[nodiscard]] std::int64_t& at(std::size_t first, std::size_t second) {
    return bounds_[first * places_ + second];
  }

  // Bounds first - second from above. False if nothing fits any more.
  bool confine(std::size_t first, std::size_t second, std::int64_t bound) {
    if (at(first, second) <= bound) return true;
    if (plus(at(second, first), bound) < kZero) return false;
    for (std::size_t from = 0; from < places_; ++from) {
      const std::int64_t before = plus(at(from, first), bound);
      for (std::size_t to = 0; to < places_; ++to) {
        std::int64_t& known = at(from, to);
        known = std::min(known, plus(before, at(second, to)));
      }
    }
    return true;
  }

  // Rounds the differences of whole numbers, until nothing changes. One round is enough (what a
  // real puts between two whole numbers is known before it is rounded); the second one finds that.
  template <class Whole>
  bool round(std::int64_t scale, Whole is_whole) {
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t first = 0; first < places_; ++first) {
        for (std::size_t second = 0; second < places_; ++second) {
          if (!is_whole(first) || !is_whole(second)) continue;
          const std::int64_t bound = at(first, second);
          const std::int64_t number = (bound >> 1) - (1 - (bound & 1));
          const std::int64_t rounded = 2 * floor_of(number, scale) + 1;
          if (rounded >= bound) continue;
          if (!confine(first, second, rounded)) return false;
          changed = true;
        }
      }
    }
    return true;
  }

 private:
  State& bounds_;
  std::size_t places_;
};

// Opens the slots that the step reads first, with the bounds of their types.
void Differences::enter(const Step& step, State& state) const {
  if (step.entering.empty()) return;
  const std::size_t places = step.open.size() + 1;
  const std::size_t before = places - step.entering.size();
  State wider(places * places, kZero);
  Matrix matrix(wider, places);
  for (std::size_t i = 0; i < before; ++i) {
    for (std::size_t j = 0; j < before; ++j) matrix.at(i, j) = state[i * before + j];
  }
  for (std::size_t place = before; place < places; ++place) {
    const Slot& slot = slots_[step.entering[place - before]];
    for (std::size_t other = 0; other < place; ++other) {
      matrix.at(place, other) = plus(slot.above, matrix.at(0, other));
      matrix.at(other, place) = plus(matrix.at(other, 0), slot.below);
    }
  }
  state = std::move(wider);
}

std::vector<Differences::Branch> Differences::branches(std::size_t index,
                                                       const State& state) const {
  const Step& step = steps_[index];
  const std::size_t places = step.open.size() + 1;
  State entered = state;
  enter(step, entered);
  std::vector<Branch> found;
  const auto add = [&](Segment segment, State& after) {
    State kept;
    kept.reserve((step.kept.size() + 1) * (step.kept.size() + 1));
    Matrix matrix(after, places);
    for (const std::uint32_t first : step.kept) {
      for (const std::uint32_t second : step.kept) kept.push_back(matrix.at(first, second));
    }
    found.push_back({segment, std::move(kept)});
  };
  const bool absent = std::ranges::any_of(step.guard_places, [&](std::uint32_t guard) {
    return entered[guard * places] <= kZero;  // the guard's value is at most 0
  });
  if (absent) {
    if (step.guards) Matrix(entered, places).confine(step.first_place, 0, kZero);
    add(kAbsent, entered);
    return found;
  }
  const auto is_whole = [&](std::size_t place) {
    return place == 0 || slots_[step.open[place - 1]].whole;
  };
  const std::size_t first = step.first_place;
  const std::size_t second = step.second_place;
  const std::int64_t least = entered[second * places + first];
  const auto too_low = [&](const Sides& cut) { return plus(cut.below, least) < kZero; };
  auto segment = static_cast<std::size_t>(std::ranges::partition_point(step.cuts, too_low) -
                                          step.cuts.begin());
  for (; segment <= step.cuts.size(); ++segment) {
    State after = entered;
    Matrix matrix(after, places);
    if (segment > 0 && !matrix.confine(second, first, step.cuts[segment - 1].above)) break;
    if (segment < step.cuts.size() && !matrix.confine(first, second, step.cuts[segment].below)) {
      continue;
    }
    if (!step.missing.empty() && step.missing[segment]) continue;
    if (mixed_ && !matrix.round(scale_, is_whole)) continue;
    add(static_cast<Segment>(segment), after);
  }
  return found;
}

// ---- Values ----

// The closed bounds between all slots, in these segments. Place i + 1 is slot i.
Differences::State Differences::bounds_in(const std::vector<Segment>& segments) const {
  State bounds = start();
  Step all;
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    all.entering.push_back(slot);
    all.open.push_back(slot);
  }
  enter(all, bounds);
  Matrix matrix(bounds, slots_.size() + 1);
  bool fits = true;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    const Step& step = steps_[i];
    if (!step.first) continue;
    const std::size_t first = *step.first + std::size_t{1};
    const std::size_t second = step.second ? *step.second + std::size_t{1} : 0;
    const Segment segment = segments[i];
    if (segment == kAbsent) {
      if (step.guards) fits = fits && matrix.confine(first, 0, kZero);
      continue;
    }
    if (segment > 0) fits = fits && matrix.confine(second, first, step.cuts[segment - 1].above);
    if (segment < step.cuts.size()) {
      fits = fits && matrix.confine(first, second, step.cuts[segment].below);
    }
  }
  const auto is_whole = [&](std::size_t place) { return place == 0 || slots_[place - 1].whole; };
  POISE_CHECK(fits && (!mixed_ || matrix.round(scale_, is_whole)));
  return bounds;
}

// Since the bounds are closed, any value that fits those chosen before leaves some for the others.
class Differences::Chooser {
 public:
  Chooser(const Differences& differences, State bounds)
      : slots_(differences.slots_),
        scale_(differences.scale_),
        bounds_(std::move(bounds)),
        matrix_(bounds_, slots_.size() + 1),
        open_(slots_.size(), true),
        values_(slots_.size()) {}

  std::vector<Value> values() {
    for (std::size_t chosen = 0; chosen < slots_.size(); ++chosen) {
      std::size_t slot = 0;
      while (!open_[slot] || must_wait(slot)) ++slot;
      open_[slot] = false;
      const std::optional<std::uint32_t> guard = slots_[slot].guard;
      if (!guard || holds(values_[*guard])) values_[slot] = value_of(slot);
    }
    return std::move(values_);
  }

 private:
  // Whole numbers come first, because they are not free to follow reals; and what has to be smaller
  // before what has to be greater, so that numbers are counted up from the lowest.
  [[nodiscard]] bool must_wait(std::size_t slot) {
    const Slot& here = slots_[slot];
    if (here.guard && open_[*here.guard]) return true;
    for (std::size_t other = 0; other < slots_.size(); ++other) {
      if (!open_[other] || other == slot) continue;
      if (slots_[other].whole != here.whole) {
        if (slots_[other].whole) return true;
      } else if (slots_[other].guard == here.guard && matrix_.at(other + 1, slot + 1) < kZero) {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] Rational value_of(std::size_t slot) {
    std::optional<Rational> low;
    std::optional<Rational> high;
    bool above_low = false;
    bool below_high = false;
    for (std::size_t other = 0; other <= slots_.size(); ++other) {
      if (other > 0 && !values_[other - 1]) continue;
      const Rational base = other == 0 ? Rational(0) : *values_[other - 1];
      const std::int64_t upper = matrix_.at(slot + 1, other);
      const std::int64_t lower = matrix_.at(other, slot + 1);
      const Rational most = base + Rational(upper >> 1, scale_);
      const Rational least = base - Rational(lower >> 1, scale_);
      if (!high || most < *high || (most == *high && (upper & 1) == 0)) {
        high = most;
        below_high = (upper & 1) == 0;
      }
      if (!low || least > *low || (least == *low && (lower & 1) == 0)) {
        low = least;
        above_low = (lower & 1) == 0;
      }
    }
    return slots_[slot].whole ? *low : simple_from(*low, above_low, *high, below_high);
  }

  const std::vector<Slot>& slots_;
  std::int64_t scale_;
  State bounds_;
  Matrix matrix_;
  std::vector<bool> open_;
  std::vector<Value> values_;
};

std::vector<Value> Differences::point(const std::vector<Segment>& segments) const {
  return Chooser(*this, bounds_in(segments)).values();
}

// Looks for segments that give some answers. States from which there is no way on are remembered.
class Differences::Search {
 public:
  Search(const Differences& differences, const std::vector<bool>& answers)
      : differences_(differences), answers_(answers), futile_(differences.steps()) {}

  std::optional<std::vector<Segment>> segments() {
    if (!go_on(0, start())) return std::nullopt;
    return std::move(chosen_);
  }

 private:
  bool go_on(std::size_t step, const State& state) {
    if (step == differences_.steps()) return true;
    if (futile_[step].contains(state)) return false;
    for (const Branch& branch : differences_.branches(step, state)) {
      const bool fits = std::ranges::all_of(differences_.tests(step), [&](std::uint32_t test) {
        return differences_.answer(test, branch.segment) == answers_[test];
      });
      if (!fits) continue;
      chosen_.push_back(branch.segment);
      if (go_on(step + 1, branch.state)) return true;
      chosen_.pop_back();
    }
    futile_[step].insert(state);
    return false;
  }

  const Differences& differences_;
  const std::vector<bool>& answers_;
  std::vector<Segment> chosen_;
  std::vector<std::unordered_set<State, Hash>> futile_;
};

std::optional<std::vector<Value>> Differences::point(const std::vector<bool>& answers) const {
  const auto segments = Search(*this, answers).segments();
  if (!segments) return std::nullopt;
  return point(*segments);
}

}  // namespace poise::model
