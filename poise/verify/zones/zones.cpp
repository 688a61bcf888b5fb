#include "poise/verify/zones/zones.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/model/polynomial.h"
#include "poise/verify/system/cubes.h"

namespace poise::verify {

using model::SlotId;

namespace {

// Beyond these, octagons and their combinations would take too long; the solver has its turn.
constexpr std::size_t kMostDimensions = 32;
constexpr std::size_t kMostCubes = 256;
// Bounds up to so many ticks leave room for long sums.
const Rational kMostTicks = Rational(std::int64_t{1} << 44U);

Integer common_multiple(const Integer& a, const Integer& b) {
  return floor_divide(a, gcd(a, b)) * b;
}

}  // namespace

// Translates a system. Conditions become cubes, cubes become constraints of octagons. The condition
// of an act is taken apart: equations that define a later value (x' == y - unit) become a source
// and a shift, a noise that several definitions share moves them together, and the rest are
// constraints before, after, or between both. The first thing that does not fit is the reason to
// give up.
class ZoneCompiler {
 public:
  ZoneCompiler(const System& system, Budget& budget) : system_(system), budget_(budget) {}

  std::variant<ZoneSystem, std::string> made() {
    find_dimensions();
    if (zones_.dimensions_.size() > kMostDimensions) {
      return fmt::format("there are {} variables that change", zones_.dimensions_.size());
    }
    if (!find_ticks()) return "numbers are too large, or have too many decimals";
    add_start();
    add_always();
    for (const SlotId slot : system_.renewed) {
      zones_.renewed_.push_back(*dimension_of_[slot.index]);
      add_free(zones_.renewed_.back(), zones_.renewed_domains_);
    }
    for (const std::vector<Move>& moves : system_.moves) {
      auto& compiled = zones_.moves_.emplace_back();
      for (const Move& move : moves) {
        if (!why_not_.empty()) return why_not_;
        compiled.push_back(compiled_move(move));
      }
    }
    if (!why_not_.empty()) return why_not_;
    return std::move(zones_);
  }

 private:
  using Constraint = Octagon::Constraint;
  using Constraints = ZoneSystem::Constraints;

  void fail(std::string why) {
    if (why_not_.empty()) why_not_ = std::move(why);
  }

  // The cubes of a condition; none, and a reason, if there are too many or there is no time.
  [[nodiscard]] std::optional<std::vector<Cube>> cubes_of(std::span<const Wanted> wanted,
                                                          std::string why) {
    auto found = cubes(system_, wanted, kMostCubes, &budget_);
    if (budget_.seen() != Exhausted::No) fail(std::string(reason(budget_.seen())));
    if (!found) fail(std::move(why));
    return found;
  }

  // ---- Dimensions and ticks ----

  void find_dimensions() {
    dimension_of_.assign(system_.slots(), std::nullopt);
    for (const SlotId slot : system_.model->slots.ids()) {
      if (!system_.changes[slot.index]) continue;
      dimension_of_[slot.index] = static_cast<std::uint32_t>(zones_.dimensions_.size());
      zones_.dimensions_.push_back(slot);
    }
  }

  template <class Visit>
  void for_each_act(Visit visit) const {
    for (const std::vector<Move>& moves : system_.moves) {
      for (const Move& move : moves) {
        for (const Act& act : move.acts) visit(act);
      }
    }
  }

  // The least number of ticks for which every number that can come up is whole.
  bool find_ticks() {
    Integer ticks = 1;
    bool fits = true;
    const auto note = [&](const Rational& number) {
      ticks = common_multiple(ticks, number.denominator());
      const Rational size = number.sign() < 0 ? -number : number;
      fits = fits && ticks <= Integer(1'000'000'000) && size * Rational(ticks) < kMostTicks;
    };
    for (const SlotId slot : system_.model->slots.ids()) {
      const model::Variable& variable = system_.variable(slot);
      const Domain domain = domain_of(system_, slot);
      note(domain.low);
      note(domain.high);
      for (const Rational& value : variable.initial) note(value);
      if (const auto& error = system_.errors[slot.index]) {
        note(error->low);
        note(error->high);
      }
    }
    for (const model::Atom& atom : system_.atoms) {
      for (const model::Monomial& of : atom.value.terms) {
        note(atom.value.constant / of.coefficient);
        for (const Rational& value : atom.among) note(value / of.coefficient);
        for (const model::Monomial& other : atom.value.terms) note_own(other, of, note);
      }
    }
    for_each_act([&](const Act& act) {
      for (const model::Effect& effect : act.sets) {
        if (effect.value) note(*effect.value);
      }
    });
    if (!fits) return false;
    auto shape = std::make_shared<Octagon::Shape>();
    shape->dimensions = static_cast<std::uint32_t>(zones_.dimensions_.size());
    // Octagons without whole dimensions are faster if they are told so.
    if (std::ranges::any_of(zones_.dimensions_,
                            [&](SlotId slot) { return is_whole(system_, slot); })) {
      for (const SlotId slot : zones_.dimensions_) shape->whole.push_back(is_whole(system_, slot));
    }
    shape->unit = ticks.to_int64();
    auto twice = std::make_shared<Octagon::Shape>(*shape);
    twice->dimensions *= 2;
    twice->whole.insert(twice->whole.end(), shape->whole.begin(), shape->whole.end());
    zones_.shape_ = std::move(shape);
    zones_.twice_ = std::move(twice);
    return true;
  }

  // The numbers that an own variable which never changes adds to a comparison.
  template <class Note>
  void note_own(const model::Monomial& own, const model::Monomial& of, const Note& note) const {
    const SlotId slot = own.slots.front();
    if (slot.index >= system_.slots() || dimension_of_[slot.index]) return;
    const Rational factor = own.coefficient / of.coefficient;
    for (const Rational& value : system_.variable(slot).initial) note(factor * value);
    if (const auto& error = system_.errors[slot.index]) {
      note(factor * error->low);
      note(factor * error->high);
    }
  }

  [[nodiscard]] std::int64_t in_ticks(const Rational& number) {
    const Rational scaled = number * Rational(zones_.ticks());
    if (!scaled.is_integer() || !scaled.numerator().fits_int64() || scaled > kMostTicks ||
        scaled < -kMostTicks) {
      fail("numbers are too large, or have too many decimals");
      return 0;
    }
    return scaled.numerator().to_int64();
  }

  // ---- Comparisons ----

  // A comparison of a sum with 0: of dimensions (those after the act are numbered behind those
  // before), noises (by their index in Act::done) and a number.
  struct Form {
    std::map<std::uint32_t, Rational> terms;
    std::map<std::uint32_t, Rational> noises;
    Rational constant;
    Literal::Sign sign = Literal::Sign::AtMost;
  };

  [[nodiscard]] std::uint32_t count() const { return zones_.shape_->dimensions; }

  [[nodiscard]] Form form_of(const Literal& literal, std::span<const SlotId> done) const {
    Form form{.terms = {}, .noises = {}, .constant = literal.constant, .sign = literal.sign};
    const auto slots = static_cast<std::uint32_t>(system_.slots());
    for (const Literal::Term& term : literal.terms) {
      const bool later = term.slot.index >= slots;
      const SlotId slot{later ? term.slot.index - slots : term.slot.index};
      if (const auto dimension = dimension_of_[slot.index]) {
        form.terms[*dimension + (later ? count() : 0)] = term.factor;
      } else {
        form.constant =
            form.constant + term.factor * system_.variable(slot).initial[member_of(slot)];
      }
      const auto noise = std::ranges::find(done, slot);
      if (!later && noise != done.end()) {
        form.noises[static_cast<std::uint32_t>(noise - done.begin())] = term.factor;
      }
    }
    return form;
  }

  [[nodiscard]] std::size_t member_of(SlotId slot) const {
    return system_.model->slots[slot].member;
  }

  // Adds the constraints of an octagon that the form stands for. False if it is not octagonal.
  [[nodiscard]] bool add_octagonal(const Form& form, Constraints& result) {
    if (!form.noises.empty() || form.terms.empty() || form.terms.size() > 2) return false;
    const auto& [x, x_factor] = *form.terms.begin();
    const auto& [y, y_factor] = *form.terms.rbegin();
    const Rational size = x_factor.sign() < 0 ? -x_factor : x_factor;
    if (form.terms.size() == 2 && y_factor != size && y_factor != -size) return false;
    Constraint constraint{.x = x,
                          .x_sign = x_factor.sign(),
                          .y = form.terms.size() == 2 ? y : x,
                          .y_sign = form.terms.size() == 2 ? y_factor.sign() : 0,
                          .most = {.value = in_ticks(-form.constant / size),
                                   .strict = form.sign == Literal::Sign::Less}};
    result.push_back(constraint);
    if (form.sign != Literal::Sign::Equal) return true;
    constraint.x_sign = -constraint.x_sign;
    constraint.y_sign = -constraint.y_sign;
    constraint.most.value = -constraint.most.value;
    result.push_back(constraint);
    return true;
  }

  [[nodiscard]] std::vector<Constraints> compiled(std::span<const Wanted> wanted, bool of_sensed) {
    std::vector<Constraints> result;
    const auto found = cubes_of(wanted, "a condition is not linear, or has too many cases");
    if (!found) return result;
    for (const Cube& cube : *found) {
      const auto constraints = constraints_of(cube);
      if (!constraints) continue;
      if (auto made = of_sensed ? widened(*constraints) : checked(*constraints)) {
        result.push_back(std::move(*made));
      }
    }
    return result;
  }

  // None if a comparison of numbers, and of variables that never change, does not hold. No octagon
  // could say so: there may be no dimension.
  [[nodiscard]] std::optional<Constraints> constraints_of(const Cube& cube) {
    Constraints constraints;
    for (const Literal& literal : cube) {
      const Form form = form_of(literal, {});
      if (form.terms.empty()) {
        if (!holds(form)) return std::nullopt;
      } else if (!add_octagonal(form, constraints)) {
        fail("a condition compares more than two variables, or with factors");
      }
    }
    return constraints;
  }

  [[nodiscard]] static bool holds(const Form& form) {
    const int sign = form.constant.sign();
    switch (form.sign) {
      case Literal::Sign::Less: return sign < 0;
      case Literal::Sign::AtMost: return sign <= 0;
      case Literal::Sign::Equal: return sign == 0;
    }
    return false;
  }

  [[nodiscard]] std::optional<Constraints> checked(const Constraints& constraints) const {
    Octagon octagon(*zones_.shape_);
    for (const Constraint& constraint : constraints) octagon.add(constraint);
    if (octagon.is_empty()) return std::nullopt;
    return constraints;
  }

  // Constraints on actual values for which some reading satisfies these constraints. Found with an
  // octagon over readings and actual values, in which the readings are then forgotten.
  [[nodiscard]] std::optional<Constraints> widened(const Constraints& constraints) {
    std::vector<std::uint32_t> used;
    for (const Constraint& constraint : constraints) {
      used.push_back(constraint.x);
      used.push_back(constraint.y);
    }
    std::ranges::sort(used);
    used.erase(std::unique(used.begin(), used.end()), used.end());
    const auto place = [&](std::uint32_t dimension) {
      return static_cast<std::uint32_t>(std::ranges::lower_bound(used, dimension) - used.begin());
    };
    const auto half = static_cast<std::uint32_t>(used.size());
    Octagon::Shape shape{.dimensions = 2 * half, .whole = {}, .unit = zones_.ticks()};
    for (int i = 0; i < 2; ++i) {
      for (const std::uint32_t dimension : used) {
        shape.whole.push_back(is_whole(system_, zones_.dimensions_[dimension]));
      }
    }
    // Readings come first, actual values behind them.
    Octagon both(shape);
    for (Constraint constraint : constraints) {
      constraint.x = place(constraint.x);
      constraint.y = place(constraint.y);
      both.add(constraint);
    }
    for (std::uint32_t i = 0; i < half; ++i) {
      const auto error = sensing_error(used[i]);
      const std::int64_t low = error ? in_ticks(error->low) : 0;
      const std::int64_t high = error ? in_ticks(error->high) : 0;
      both.add({.x = i, .x_sign = 1, .y = half + i, .y_sign = -1, .most = {.value = high}});
      both.add({.x = i, .x_sign = -1, .y = half + i, .y_sign = 1, .most = {.value = -low}});
    }
    if (both.is_empty()) return std::nullopt;
    for (std::uint32_t i = 0; i < half; ++i) both.forget(i);
    Constraints result = both.constraints();
    for (Constraint& constraint : result) {
      constraint.x = used[constraint.x - half];
      constraint.y = constraint.y_sign == 0 ? constraint.x : used[constraint.y - half];
    }
    return result;
  }

  [[nodiscard]] std::optional<model::WorldError> sensing_error(std::uint32_t dimension) const {
    const SlotId slot = zones_.dimensions_[dimension];
    return system_.is_off(slot) ? system_.errors[slot.index] : std::nullopt;
  }

  // In the mode AsPrinted, zones are sets of sensed values, and actual ones are derived from them.
  [[nodiscard]] bool of_sensed() const { return system_.mode == Mode::AsPrinted; }

  // ---- Start ----

  void add_start() {
    std::vector<Wanted> wanted;
    for (const model::FormulaId constraint : system_.start) wanted.push_back({constraint, true});
    for (Constraints& constraints : compiled(wanted, false)) {
      for (std::uint32_t i = 0; i < count(); ++i) {
        const SlotId slot = zones_.dimensions_[i];
        if (system_.is_sensed(slot)) {
          add_domain(i, constraints);
        } else {
          add_value(i, system_.variable(slot).initial[member_of(slot)], constraints);
        }
      }
      if (auto made = of_sensed() ? turned(constraints) : checked(constraints)) {
        for (Constraints& one : without_gaps(*made)) zones_.start_.push_back(std::move(one));
      }
    }
  }

  void add_always() {
    if (system_.always.empty()) return;
    std::vector<Wanted> wanted;
    for (const model::FormulaId constraint : system_.always) wanted.push_back({constraint, true});
    zones_.always_.emplace();
    for (const Constraints& constraints : compiled(wanted, false)) {
      const auto made = of_sensed() ? turned(constraints) : constraints;
      if (made) zones_.always_->push_back(*made);
    }
    for (const model::FormulaId constraint : system_.always) {
      zones_.violated_.push_back(of_sensed() ? std::vector<Constraints>() : where_not(constraint));
    }
  }

  // Where a condition does not hold. Only a warning needs it: if that has too many cases, it is
  // taken for nowhere, and the model fits all the same.
  [[nodiscard]] std::vector<Constraints> where_not(model::FormulaId condition) {
    const Wanted wanted{condition, false};
    if (!cubes(system_, {&wanted, 1}, kMostCubes)) return {};
    return compiled({&wanted, 1}, false);
  }

  // The opposite of widened(): constraints on readings for which some actual values satisfy these
  // constraints. reading = actual + error is -actual = -reading + error, so negated values are
  // widened.
  [[nodiscard]] std::optional<Constraints> turned(Constraints constraints) {
    const auto negate = [](Constraints& all) {
      for (Constraint& constraint : all) {
        constraint.x_sign = -constraint.x_sign;
        constraint.y_sign = -constraint.y_sign;
      }
    };
    negate(constraints);
    auto made = widened(constraints);
    if (made) negate(*made);
    return made;
  }

  void add_domain(std::uint32_t dimension, Constraints& constraints) {
    add_interval(dimension, domain_of(system_, zones_.dimensions_[dimension]), constraints);
  }

  // The domain of a dimension that may take any value; of its reading if zones are about those.
  void add_free(std::uint32_t dimension, Constraints& constraints) {
    Domain domain = domain_of(system_, zones_.dimensions_[dimension]);
    const auto error = sensing_error(dimension);
    if (of_sensed() && error) {
      domain.low = domain.low + error->low;
      domain.high = domain.high + error->high;
    }
    add_interval(dimension, domain, constraints);
  }

  void add_interval(std::uint32_t dimension, const Domain& domain, Constraints& constraints) {
    constraints.push_back({.x = dimension,
                           .x_sign = 1,
                           .y = dimension,
                           .y_sign = 0,
                           .most = {.value = in_ticks(domain.high)}});
    constraints.push_back({.x = dimension,
                           .x_sign = -1,
                           .y = dimension,
                           .y_sign = 0,
                           .most = {.value = -in_ticks(domain.low)}});
  }

  void add_value(std::uint32_t dimension, const Rational& value, Constraints& constraints) {
    const std::int64_t ticks = in_ticks(value);
    constraints.push_back(
        {.x = dimension, .x_sign = 1, .y = dimension, .y_sign = 0, .most = {.value = ticks}});
    constraints.push_back(
        {.x = dimension, .x_sign = -1, .y = dimension, .y_sign = 0, .most = {.value = -ticks}});
  }

  // Gives up if the members of an enumeration do not have consecutive numbers.
  [[nodiscard]] std::vector<Constraints> without_gaps(const Constraints& constraints) {
    for (std::uint32_t i = 0; i < count(); ++i) {
      if (!domain_of(system_, zones_.dimensions_[i]).gaps.empty()) {
        fail("the members of an enumeration are not next to each other");
      }
    }
    return {constraints};
  }

  // ---- Moves ----

  ZoneSystem::CompiledMove compiled_move(const Move& move) {
    ZoneSystem::CompiledMove result;
    std::vector<Wanted> wanted = {{move.guard, true}};
    for (const model::FormulaId stronger : move.stronger) wanted.push_back({stronger, false});
    result.guard = compiled(wanted, !of_sensed());
    result.alone =
        move.stronger.empty() ? result.guard : compiled({wanted.data(), 1}, !of_sensed());
    for (const Act& act : move.acts) result.acts.push_back(compiled_act(act));
    return result;
  }

  ZoneSystem::CompiledAct compiled_act(const Act& act) {
    ZoneSystem::CompiledAct result;
    if (act.condition) {
      const std::vector<Wanted> wanted = {{*act.condition, true}};
      const auto found = cubes_of(wanted, "an action is not linear, or has too many cases");
      if (!found) return result;
      for (const Cube& cube : *found) {
        if (auto change = change_of(act, cube)) result.changes.push_back(std::move(*change));
      }
    } else if (auto change = change_of(act, {})) {
      result.changes.push_back(std::move(*change));
    }
    std::vector<Wanted> safe;
    for (const Case& one : act.cases) {
      const std::vector<Wanted> wanted = {{one.condition, true}};
      result.failures.push_back({one.failure, failing(wanted, act)});
      safe.push_back({one.condition, false});
    }
    if (!safe.empty()) result.safe = failing(safe, act);
    return result;
  }

  [[nodiscard]] std::vector<Constraints> failing(std::span<const Wanted> wanted, const Act& act) {
    if (!of_sensed()) return compiled(wanted, false);
    // Zones are about readings, failures about actual values, which are in their domain if freed.
    std::vector<Constraints> result;
    for (Constraints& constraints : compiled(wanted, false)) {
      for (const SlotId slot : act.freed) add_domain(*dimension_of_[slot.index], constraints);
      if (auto made = turned(constraints)) result.push_back(std::move(*made));
    }
    return result;
  }

  // None if the cube holds for no values: see constraints_of().
  std::optional<ZoneSystem::Change> change_of(const Act& act, const Cube& cube) {
    ZoneSystem::Change change;
    // Dimensions stay as they are, take any value, or are set.
    std::vector<Octagon::Source> sources(count());
    for (std::uint32_t i = 0; i < count(); ++i) sources[i] = {.from = i};
    const auto free = [&](SlotId slot) { sources[*dimension_of_[slot.index]] = {}; };
    for (const SlotId slot : act.freed) {
      free(slot);
      add_free(*dimension_of_[slot.index], change.after);
    }
    for (const SlotId slot : act.later) {
      free(slot);
      if (has_members(system_, slot)) add_domain(*dimension_of_[slot.index], change.after);
    }
    for (const model::Effect& effect : act.sets) {
      if (effect.unless || !effect.value) {
        fail("an action sets a variable that may have no value");
        continue;
      }
      free(effect.slot);
      add_value(*dimension_of_[effect.slot.index], *effect.value, change.after);
    }
    std::vector<Form> forms;
    std::map<std::uint32_t, int> uses;  // by noise
    for (const Literal& literal : cube) {
      forms.push_back(form_of(literal, act.done));
      for (const auto& [noise, factor] : forms.back().noises) ++uses[noise];
    }
    define(act, forms, sources, change);
    for (const Form& form : forms) {
      const bool alone = std::ranges::all_of(
          form.noises, [&](const auto& noise) { return uses[noise.first] == 1; });
      for (const Form& one : alone ? without_noise(act, form) : std::vector{form}) {
        if (!one.terms.empty() || !one.noises.empty()) {
          add_rest(one, change);
        } else if (!holds(one)) {
          return std::nullopt;
        }
      }
    }
    if (!change.relation.empty() && !change.together.empty()) {
      fail("an action moves variables together, and relates values before and after besides");
    }
    change.sources = std::move(sources);
    return change;
  }

  // later' is `from`, or its negation, or 0, plus noises and a number between low and high.
  struct Definition {
    std::uint32_t later = 0;
    std::optional<std::uint32_t> from;
    bool negated = false;
    std::map<std::uint32_t, Rational> noises;
    Rational low;
    Rational high;
  };

  // Finds the definitions of later values, removes their forms, and adds what they do to the
  // change.
  void define(const Act& act, std::vector<Form>& forms, std::vector<Octagon::Source>& sources,
              ZoneSystem::Change& change) {
    std::vector<Definition> definitions;
    for (const SlotId slot : act.later) {
      const std::uint32_t later = *dimension_of_[slot.index];
      if (auto found = definition(later, forms)) definitions.push_back(std::move(*found));
    }
    std::map<std::uint32_t, std::vector<std::size_t>> users;  // definitions by noise
    for (std::size_t i = 0; i < definitions.size(); ++i) {
      const Definition& one = definitions[i];
      sources[one.later] = {.from = one.from, .negated = one.negated};
      for (const auto& [noise, factor] : one.noises) users[noise].push_back(i);
      if (!one.from) add_origin(one.later, change);
    }
    for (const Definition& one : definitions) check_noises(act, one);
    for (const auto& [noise, uses] : users) {
      if (uses.size() > 1) move_together(act, noise, uses, definitions, change);
    }
    for (const Definition& one : definitions) {
      Rational low = one.low;
      Rational high = one.high;
      for (const auto& [noise, factor] : one.noises) {
        if (users[noise].size() > 1) continue;
        const model::WorldError& error = *system_.errors[act.done[noise].index];
        const Rational a = factor * error.low;
        const Rational b = factor * error.high;
        low = low + std::min(a, b);
        high = high + std::max(a, b);
      }
      if (low.sign() != 0 || high.sign() != 0) {
        change.shifts.push_back({one.later, in_ticks(low), in_ticks(high)});
      }
    }
  }

  // The error of a whole number is whole, which an interval does not express. It is no problem if
  // it shifts a whole dimension by a factor of 1 or -1.
  void check_noises(const Act& act, const Definition& definition) {
    for (const auto& [noise, factor] : definition.noises) {
      const model::WorldError& error = *system_.errors[act.done[noise].index];
      if (!is_whole(system_, act.done[noise]) || error.low == error.high) continue;
      const bool unit = factor == Rational(1) || factor == Rational(-1);
      if (!is_whole(system_, zones_.dimensions_[definition.later]) || !unit) {
        fail("an action does a whole number of something within an error");
      }
    }
  }

  // A value without a source is 0 before it is shifted.
  void add_origin(std::uint32_t dimension, ZoneSystem::Change& change) {
    change.zeros.push_back(dimension);
  }

  void move_together(const Act& act, std::uint32_t noise, const std::vector<std::size_t>& uses,
                     const std::vector<Definition>& definitions, ZoneSystem::Change& change) {
    const model::WorldError& error = *system_.errors[act.done[noise].index];
    const Rational& first = definitions[uses.front()].noises.at(noise);
    const Rational size = first.sign() < 0 ? -first : first;
    ZoneSystem::Together together{
        .moved = {}, .low = in_ticks(size * error.low), .high = in_ticks(size * error.high)};
    for (const std::size_t use : uses) {
      const Rational& factor = definitions[use].noises.at(noise);
      if (factor != size && factor != -size) {
        fail("an action moves variables together by different amounts");
        return;
      }
      together.moved.push_back({definitions[use].later, factor.sign()});
    }
    change.together.push_back(std::move(together));
  }

  // The definition of a later value by an equation, or by two bounds on the same difference.
  [[nodiscard]] std::optional<Definition> definition(std::uint32_t later,
                                                     std::vector<Form>& forms) {
    for (std::size_t i = 0; i < forms.size(); ++i) {
      if (forms[i].sign != Literal::Sign::Equal) continue;
      if (auto found = solved(later, forms[i])) {
        forms.erase(forms.begin() + static_cast<std::ptrdiff_t>(i));
        return found;
      }
    }
    for (std::size_t i = 0; i < forms.size(); ++i) {
      for (std::size_t j = i + 1; j < forms.size(); ++j) {
        auto found = between(later, forms[i], forms[j]);
        if (!found) continue;
        forms.erase(forms.begin() + static_cast<std::ptrdiff_t>(j));
        forms.erase(forms.begin() + static_cast<std::ptrdiff_t>(i));
        return found;
      }
    }
    return std::nullopt;
  }

  [[nodiscard]] std::optional<Definition> solved(std::uint32_t later, const Form& form) const {
    const auto own = form.terms.find(later + count());
    if (own == form.terms.end() || form.terms.size() > 2) return std::nullopt;
    const Rational factor = -own->second;
    Definition result;
    result.later = later;
    for (const auto& [dimension, other] : form.terms) {
      if (dimension == own->first) continue;
      if (dimension >= count()) return std::nullopt;
      const Rational ratio = other / factor;
      if (ratio != Rational(1) && ratio != Rational(-1)) return std::nullopt;
      result.from = dimension;
      result.negated = ratio.sign() < 0;
    }
    for (const auto& [noise, other] : form.noises) result.noises[noise] = other / factor;
    result.low = result.high = form.constant / factor;
    return result;
  }

  [[nodiscard]] std::optional<Definition> between(std::uint32_t later, const Form& a,
                                                  const Form& b) const {
    if (a.sign != Literal::Sign::AtMost || b.sign != Literal::Sign::AtMost) return std::nullopt;
    if (!a.noises.empty() || !b.noises.empty() || a.terms.size() != 2) return std::nullopt;
    auto first = solved(later, a);
    auto second = solved(later, b);
    if (!first || !second || !first->from || first->from != second->from ||
        first->negated != second->negated) {
      return std::nullopt;
    }
    const bool a_above = a.terms.at(later + count()).sign() > 0;
    const bool b_above = b.terms.at(later + count()).sign() > 0;
    if (a_above == b_above) return std::nullopt;
    first->low = a_above ? second->low : first->low;
    first->high = a_above ? first->high : second->high;
    if (first->low > first->high) return std::nullopt;
    return first;
  }

  // The form without its noises, which occur nowhere else, so that each only widens the comparison.
  [[nodiscard]] std::vector<Form> without_noise(const Act& act, const Form& form) {
    if (form.noises.empty()) return {form};
    Rational low;
    Rational high;
    for (const auto& [noise, factor] : form.noises) {
      if (is_whole(system_, act.done[noise])) {
        fail("an action does a whole number of something within an error");
      }
      const model::WorldError& error = *system_.errors[act.done[noise].index];
      low = low + std::min(factor * error.low, factor * error.high);
      high = high + std::max(factor * error.low, factor * error.high);
    }
    Form least = form;
    least.noises.clear();
    least.constant = form.constant + low;
    if (form.sign != Literal::Sign::Equal) return {least};
    Form most = least;
    most.constant = -(form.constant + high);
    for (auto& [dimension, factor] : most.terms) factor = -factor;
    least.sign = most.sign = Literal::Sign::AtMost;
    return {least, most};
  }

  // Adds a comparison that is no definition: of values before the act, after it, or of both.
  void add_rest(const Form& form, ZoneSystem::Change& change) {
    const auto is_later = [&](const auto& term) { return term.first >= count(); };
    const auto later = static_cast<std::size_t>(std::ranges::count_if(form.terms, is_later));
    if (later != 0 && later != form.terms.size()) {
      if (!add_octagonal(form, change.relation)) {
        fail("an action relates values before and after in a way that is no sum or difference");
      }
      return;
    }
    Form shifted = form;
    if (later != 0) {
      shifted.terms.clear();
      for (const auto& [dimension, factor] : form.terms) {
        shifted.terms[dimension - count()] = factor;
      }
    }
    if (!add_octagonal(shifted, later != 0 ? change.after : change.before)) {
      fail("an action compares more than two variables, or with factors");
    }
  }

  const System& system_;
  Budget& budget_;
  ZoneSystem zones_;
  std::vector<std::optional<std::uint32_t>> dimension_of_;  // by slot
  std::string why_not_;
};

std::variant<ZoneSystem, std::string> ZoneSystem::of(const System& system, Budget& budget) {
  return ZoneCompiler(system, budget).made();
}

Zones ZoneSystem::start() const {
  Zones zones;
  Budget unlimited;  // at most kMostCubes
  restrict({Octagon(*shape_)}, start_, zones, unlimited);
  tidy(zones, unlimited);
  return zones;
}

void ZoneSystem::restrict(const Zones& zones, const std::vector<Constraints>& to, Zones& result,
                          Budget& budget) {
  for (const Octagon& zone : zones) {
    if (budget.exhausted_now() != Exhausted::No) return;
    for (const Constraints& constraints : to) {
      if (std::ranges::any_of(constraints, [&](const auto& one) { return zone.excludes(one); })) {
        continue;
      }
      Octagon part = zone;
      for (const Octagon::Constraint& constraint : constraints) {
        part.add(constraint);
        if (part.is_empty()) break;
      }
      if (!part.is_empty()) result.push_back(std::move(part));
    }
  }
}

Zones ZoneSystem::renewed(Zones zones) const {
  for (Octagon& zone : zones) {
    for (const std::uint32_t dimension : renewed_) zone.forget(dimension);
    for (const Octagon::Constraint& constraint : renewed_domains_) zone.add(constraint);
  }
  return zones;
}

// Applies a change with relations: makes an octagon over values before and after, and forgets those
// before.
Octagon ZoneSystem::related(const Octagon& zone, const Change& change) const {
  Octagon both(*twice_);
  for (const Octagon::Constraint& constraint : zone.constraints()) both.add(constraint);
  for (const Octagon::Constraint& constraint : change.relation) both.add(constraint);
  const std::uint32_t count = shape_->dimensions;
  const auto add = [&](std::uint32_t later, int sign, const Octagon::Source& source,
                       std::int64_t most) {
    both.add({.x = count + later,
              .x_sign = sign,
              .y = source.from.value_or(0),
              .y_sign = !source.from     ? 0
                        : source.negated ? sign
                                         : -sign,
              .most = {.value = most}});
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto shift = std::ranges::find(change.shifts, i, &Shift::dimension);
    const bool zero = std::ranges::find(change.zeros, i) != change.zeros.end();
    if (!change.sources[i].from && !zero) continue;
    add(i, 1, change.sources[i], shift == change.shifts.end() ? 0 : shift->high);
    add(i, -1, change.sources[i], shift == change.shifts.end() ? 0 : -shift->low);
  }
  for (std::uint32_t i = 0; i < count; ++i) both.forget(i);
  Octagon after(*shape_);
  if (both.is_empty()) {
    after.add({.x = 0, .x_sign = 1, .most = {.value = -1}});
    after.add({.x = 0, .x_sign = -1, .most = {.value = -1}});
    return after;
  }
  for (Octagon::Constraint constraint : both.constraints()) {
    constraint.x -= count;
    if (constraint.y_sign != 0) constraint.y -= count;
    after.add(constraint);
  }
  return after;
}

// Applies an act to all octagons. False if the result is not exact.
bool ZoneSystem::change(const Zones& before, const CompiledAct& act, Zones& result,
                        Budget& budget) const {
  for (const Octagon& zone : before) {
    if (budget.exhausted_now() != Exhausted::No) return true;
    for (const Change& change : act.changes) {
      Octagon part = zone;
      for (const Octagon::Constraint& constraint : change.before) part.add(constraint);
      if (part.is_empty()) continue;
      if (!change.relation.empty()) {
        part = related(part, change);
        for (const Octagon::Constraint& constraint : change.after) part.add(constraint);
        if (part.is_empty()) continue;
        if (part.overflowed() || !part.is_exact()) return false;
        result.push_back(std::move(part));
        continue;
      }
      part.assign(change.sources);
      for (const std::uint32_t zero : change.zeros) {
        part.add({.x = zero, .x_sign = 1, .y = zero, .y_sign = 0, .most = {.value = 0}});
        part.add({.x = zero, .x_sign = -1, .y = zero, .y_sign = 0, .most = {.value = 0}});
      }
      for (const Together& together : change.together) {
        if (!part.shift_together(together.moved, together.low, together.high)) return false;
      }
      for (const Shift& shift : change.shifts) part.shift(shift.dimension, shift.low, shift.high);
      for (const Octagon::Constraint& constraint : change.after) part.add(constraint);
      if (part.is_empty()) continue;
      if (part.overflowed() || !part.is_exact()) return false;
      result.push_back(std::move(part));
    }
  }
  return true;
}

Zones ZoneSystem::about_to_look(const Zones& before, Budget& budget) const {
  Zones zones = renewed_.empty() ? before : renewed(before);
  if (!always_) return zones;
  Zones possible;
  restrict(zones, *always_, possible, budget);
  return possible;
}

bool ZoneSystem::looks(const Zones& before, Budget& budget) const {
  return !about_to_look(before, budget).empty();
}

bool ZoneSystem::holds(const Zones& before, model::StateId state, std::size_t move,
                       Budget& budget) const {
  Zones zones;
  restrict(about_to_look(before, budget), moves_[state.index][move].alone, zones, budget);
  return !zones.empty();
}

bool ZoneSystem::leave(const Zones& after, std::size_t constraint, Budget& budget) const {
  Zones zones;
  restrict(after, violated_[constraint], zones, budget);
  return !zones.empty();
}

ZoneSystem::Outcome ZoneSystem::outcome(const Zones& before, model::StateId state, std::size_t move,
                                        Budget& budget) const {
  const CompiledMove& compiled = moves_[state.index][move];
  Outcome result;
  Zones zones;
  restrict(about_to_look(before, budget), compiled.guard, zones, budget);
  result.fires = !zones.empty();
  for (std::size_t i = 0; i < compiled.acts.size() && !zones.empty(); ++i) {
    const CompiledAct& act = compiled.acts[i];
    Zones after;
    if (!change(zones, act, after, budget)) {
      result.exact = false;
      return result;
    }
    if (!after.empty()) result.acts = i + 1;
    for (const CompiledAct::Fails& fails : act.failures) {
      Zones failing;
      restrict(after, fails.where, failing, budget);
      if (failing.empty()) continue;
      tidy(failing, budget);
      result.failing.push_back({i, fails.failure, std::move(failing)});
    }
    if (act.failures.empty()) {
      zones = std::move(after);
    } else {
      zones.clear();
      restrict(after, act.safe, zones, budget);
    }
  }
  tidy(zones, budget);
  result.after = std::move(zones);
  result.finished = budget.seen() == Exhausted::No;
  return result;
}

void sort_by_hash(Zones& zones) {
  if (zones.size() < 2) return;
  std::vector<std::pair<std::size_t, std::size_t>> order;  // hash, index
  for (const Octagon& zone : zones) order.emplace_back(zone.hash(), order.size());
  std::ranges::sort(order);
  Zones sorted;
  sorted.reserve(zones.size());
  for (const auto& [hash, index] : order) sorted.push_back(std::move(zones[index]));
  zones = std::move(sorted);
}

void tidy(Zones& zones, Budget& budget) {
  if (zones.size() < 2) return;
  std::vector<bool> inside(zones.size());
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (budget.exhausted_now() != Exhausted::No) return;
    for (std::size_t j = 0; j < zones.size() && !inside[i]; ++j) {
      if (i == j || inside[j]) continue;
      inside[i] = zones[j].includes(zones[i]);
    }
  }
  Zones kept;
  for (std::size_t i = 0; i < zones.size(); ++i) {
    if (!inside[i]) kept.push_back(std::move(zones[i]));
  }
  sort_by_hash(kept);
  zones = std::move(kept);
}

}  // namespace poise::verify
