#include "poise/verify/export/mdp.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/model/polynomial.h"
#include "poise/verify/export/names.h"
#include "poise/verify/system/law_of.h"

namespace poise::verify {

using model::FormulaId;
using model::Op;
using model::Polynomial;
using model::Relation;
using model::SlotId;

namespace {

constexpr std::int64_t kMostValues = 1'000'000;
constexpr std::int64_t kMostBranches = 10'000;
constexpr std::int64_t kFewValues = 12;

// Words of PRISM and of JANI, and names of our own.
constexpr std::array<std::string_view, 51> kWords = {"bool",         "clock",
                                                     "const",        "ctmc",
                                                     "double",       "dtmc",
                                                     "endinit",      "endmodule",
                                                     "endrewards",   "endsystem",
                                                     "endinvariant", "endobservables",
                                                     "false",        "formula",
                                                     "filter",       "func",
                                                     "global",       "init",
                                                     "invariant",    "int",
                                                     "label",        "max",
                                                     "mdp",          "min",
                                                     "module",       "nondeterministic",
                                                     "observable",   "observables",
                                                     "of",           "Pmax",
                                                     "Pmin",         "pomdp",
                                                     "popta",        "probabilistic",
                                                     "prob",         "pta",
                                                     "rate",         "rewards",
                                                     "Rmax",         "Rmin",
                                                     "stochastic",   "system",
                                                     "true",         "place",
                                                     "main",         "failure",
                                                     "floor",        "ceil",
                                                     "pow",          "mod",
                                                     "log"};

// The greatest number of the form 1, 2 or 5 times a power of ten that is not greater.
Rational rounded_down(const Rational& positive) {
  Rational power = 1;
  while (power > positive) power = power / Rational(10);
  while (power * Rational(10) <= positive) power = power * Rational(10);
  for (const int times : {5, 2}) {
    if (power * Rational(times) <= positive) return power * Rational(times);
  }
  return power;
}

Rational default_step(const System& system) {
  std::optional<Rational> least;
  const auto take = [&least](const Rational& width) {
    if (width.sign() > 0 && (!least || width < *least)) least = width;
  };
  for (const SlotId slot : system.model->slots.ids()) {
    const auto& error = system.errors[slot.index];
    if (error && !is_whole(system, slot)) take((error->high - error->low) / Rational(10));
  }
  if (!least) {
    for (const SlotId slot : system.model->slots.ids()) {
      const Domain domain = domain_of(system, slot);
      if (!is_whole(system, slot)) take((domain.high - domain.low) / Rational(100));
    }
  }
  return least ? rounded_down(*least) : Rational(1);
}

// A slot after an action, in terms of values before it: a value, or bounds.
struct Later {
  SlotId slot;
  std::optional<Polynomial> value;
  std::optional<Polynomial> low;
  std::optional<Polynomial> high;
};

// Makes places and edges in the order of control: start, then for each state its sensors, its
// rules, and the acts of each rule. The first thing that cannot be expressed is the error.
class Maker {
 public:
  Maker(const System& system, Rational step)
      : system_(system), names_(system, kWords), step_(std::move(step)) {
    mdp_.name = system.model->name;
    mdp_.step = step_;
  }

  Result<Mdp> made() {
    if (system_.mode == Mode::AsPrinted) {
      return failure("prism and jani are not for --as-printed");
    }
    declare();
    // States and failures get their places first, so that edges can lead to them.
    const std::size_t start = place("start");
    std::vector<std::size_t> entries;
    for (const model::StateId state : system_.model->states.ids()) {
      entries.push_back(place(system_.model->states[state].name));
    }
    entries_ = std::move(entries);
    for (std::size_t i = 0; i < mdp_.failures.size(); ++i) {
      failed_.push_back(place("failed: " + mdp_.failures[i]));
      add_edge(failed_.back(), {}, failed_.back());
    }
    add_start(start);
    for (const model::StateId state : system_.model->states.ids()) add_state(state);
    std::ranges::stable_sort(mdp_.edges, {}, &Mdp::Edge::from);
    if (!wrong_.empty()) return failure(wrong_);
    return std::move(mdp_);
  }

 private:
  void complain(std::string what) {
    if (wrong_.empty()) wrong_ = std::move(what);
  }

  // ---- Variables ----

  [[nodiscard]] Rational unit(SlotId slot) const {
    return is_whole(system_, slot) ? Rational(1) : step_;
  }

  std::int64_t count(const Integer& number) {
    if (number.fits_int64() && std::abs(number.to_int64()) < kMostValues * 1000) {
      return number.to_int64();
    }
    complain("values are too many to count; take a larger --step");
    return 0;
  }

  std::size_t add_variable(const std::string& name, const Rational& low, const Rational& high,
                           const Rational& initial) {
    Mdp::Variable variable{
        .name = name, .low = count(low.ceil()), .high = count(high.floor()), .initial = 0};
    // A range that lies between two multiples of the step has a single value.
    variable.high = std::max(variable.low, variable.high);
    if (variable.high - variable.low > kMostValues) {
      complain(fmt::format("a variable would have more than {} values; take a larger --step",
                           kMostValues));
    }
    variable.initial =
        std::clamp(count((initial + Rational(1, 2)).floor()), variable.low, variable.high);
    mdp_.variables.push_back(std::move(variable));
    return mdp_.variables.size() - 1;
  }

  void declare() {
    mdp_.failure = add_variable("failure", 0,
                                static_cast<std::int64_t>(system_.model->world.failures.size()), 0);
    for (const model::FailureId id : system_.model->world.failures.ids()) {
      mdp_.failures.push_back(names_.failure(id));
    }
    const std::size_t none = mdp_.failure;
    actual_.assign(system_.slots(), none);
    sensed_.assign(system_.slots(), none);
    done_.assign(system_.slots(), none);
    up_to_.assign(system_.slots(), none);
    for (const SlotId slot : system_.model->slots.ids()) declare(slot);
  }

  void declare(SlotId slot) {
    const Domain domain = domain_of(system_, slot);
    const Rational of = unit(slot);
    Rational low = domain.low / of;
    Rational high = domain.high / of;
    const bool own = !system_.is_sensed(slot);
    const Rational initial =
        own ? system_.variable(slot).initial[system_.model->slots[slot].member] / of : low;
    if (!system_.changes[slot.index]) {
      low = high = initial;
    } else {
      if (may_leave(slot)) {
        const Rational width = high - low;
        low = low - width;
        high = high + width;
      }
      actual_[slot.index] = add_variable(names_.slot(slot), low, high, initial);
      if (has_range(slot)) {
        up_to_[slot.index] = add_variable(names_.slot(slot) + "__up_to", low, high, initial);
      }
    }
    const auto& error = system_.errors[slot.index];
    if (!error) return;
    const Rational error_low = low + error->low / of;
    const Rational error_high = high + error->high / of;
    const std::string suffix = own ? "__done" : "__sensed";
    (own ? done_ : sensed_)[slot.index] =
        add_variable(names_.slot(slot) + suffix, error_low, error_high, initial);
  }

  template <class Predicate>
  [[nodiscard]] bool any_act(const Predicate& predicate) const {
    for (const std::vector<Move>& moves : system_.moves) {
      for (const Move& move : moves) {
        if (std::ranges::any_of(move.acts, predicate)) return true;
      }
    }
    return false;
  }
  [[nodiscard]] bool may_leave(SlotId slot) const {
    const model::TypeKind kind = system_.variable(slot).type.kind;
    if (kind != model::TypeKind::Int && kind != model::TypeKind::Real) return false;
    return any_act(
        [&](const Act& act) { return std::ranges::find(act.later, slot) != act.later.end(); });
  }
  // Whether some action gives only a range for the slot.
  [[nodiscard]] bool has_range(SlotId slot) {
    return any_act([&](const Act& act) {
      return std::ranges::any_of(later_of(act), [&](const Later& later) {
        return later.slot == slot && !later.value && later.low && later.high;
      });
    });
  }

  // ---- Places ----

  std::size_t place(const std::string& what) {
    std::string name = one_line(what);
    for (int i = 2; std::ranges::find(mdp_.places, name) != mdp_.places.end(); ++i) {
      name = fmt::format("{} ({})", one_line(what), i);
    }
    mdp_.places.push_back(std::move(name));
    return mdp_.places.size() - 1;
  }

  void add_edge(std::size_t from, NamedCondition guard, std::size_t to,
                std::vector<Mdp::Update> updates = {}) {
    Mdp::Edge edge{.from = from, .guard = without_fractions(std::move(guard)), .branches = {}};
    edge.branches.push_back({.probability = 1, .to = to, .updates = std::move(updates)});
    mdp_.edges.push_back(std::move(edge));
  }

  static Mdp::Update becomes(std::size_t variable, std::int64_t value) {
    return {.variable = variable, .sum = {}, .constant = value};
  }
  [[nodiscard]] Mdp::Update reset(std::size_t variable) const {
    return becomes(variable, mdp_.variables[variable].initial);
  }

  [[nodiscard]] NamedCondition::Name name(std::size_t variable) const {
    return {mdp_.variables[variable].name, true};
  }

  // ---- Conditions ----

  // The substitute for a slot: the variable that holds it, or the number that it always is.
  [[nodiscard]] Substitute put(const std::vector<std::size_t>& variables, SlotId slot) const {
    std::size_t variable = variables[slot.index];
    if (variable == mdp_.failure) variable = actual_[slot.index];
    if (variable == mdp_.failure) {
      return system_.variable(slot).initial[system_.model->slots[slot].member];
    }
    return NamedValue{.name = mdp_.variables[variable].name, .whole = true, .factor = unit(slot)};
  }
  [[nodiscard]] NamedCondition on(const std::vector<std::size_t>& variables, FormulaId id) const {
    return named(system_, id, [&](SlotId slot) { return put(variables, slot); });
  }
  [[nodiscard]] NamedCondition on_actual(FormulaId id) const { return on(actual_, id); }

  // Sets a variable to a value of the slot, written as a sum of variables; own variables as
  // executed, where they are.
  [[nodiscard]] Mdp::Update becomes(std::size_t variable, SlotId slot, const Polynomial& value,
                                    Mdp::Update::Rounding rounding) const {
    Mdp::Update update{.variable = variable, .sum = {}, .constant = 0, .rounding = rounding};
    const Rational of = unit(slot);
    update.constant = value.constant / of;
    for (const model::Monomial& term : value.terms) {
      NamedCondition::Product product{.factor = term.coefficient / of, .names = {}};
      for (const SlotId factor : term.slots) {
        const Substitute substitute = put(done_, factor);
        if (const auto* number = std::get_if<Rational>(&substitute)) {
          product.factor = product.factor * *number;
        } else {
          const auto& named_value = std::get<NamedValue>(substitute);
          product.factor = product.factor * named_value.factor;
          product.names.push_back({named_value.name, true});
        }
      }
      if (product.names.empty()) {
        update.constant = update.constant + product.factor;
      } else if (product.factor.sign() != 0) {
        update.sum.push_back(std::move(product));
      }
    }
    return update;
  }

  // ---- Conditions of actions ----

  [[nodiscard]] bool is_later(SlotId slot) const { return slot.index >= system_.slots(); }

  // The parts of a conjunction.
  void gather(FormulaId id, std::vector<FormulaId>& parts) const {
    const model::Formula& formula = system_.formulas[id];
    if (formula.op != Op::And) return parts.push_back(id);
    for (const FormulaId part : formula.parts) gather(part, parts);
  }

  [[nodiscard]] bool says_later(FormulaId id) const {
    const model::Formula& formula = system_.formulas[id];
    if (formula.op == Op::Atom) {
      return std::ranges::any_of(system_.atoms[formula.atom].slots,
                                 [&](SlotId slot) { return is_later(slot); });
    }
    return std::ranges::any_of(formula.parts, [&](FormulaId part) { return says_later(part); });
  }

  // The values after an act; complains if its condition says anything else.
  std::vector<Later> later_of(const Act& act) {
    std::vector<Later> all;
    for (const SlotId slot : act.later) all.push_back({slot, {}, {}, {}});
    std::vector<FormulaId> parts;
    if (act.condition) gather(*act.condition, parts);
    for (const FormulaId part : parts) {
      if (says_later(part) && !read(part, all)) {
        complain(fmt::format(
            "`{}` says more than a value or a range for what comes after it; prism and jani know "
            "no more",
            act.text));
      }
    }
    return all;
  }

  // Reads a comparison of one later value with earlier ones. False if it is something else.
  bool read(FormulaId id, std::vector<Later>& all) const {
    const model::Formula& formula = system_.formulas[id];
    if (formula.op != Op::Atom) return false;
    const model::Atom& atom = system_.atoms[formula.atom];
    std::optional<SlotId> slot;
    Rational factor;
    Polynomial rest = atom.value;
    for (const model::Monomial& term : atom.value.terms) {
      const auto later =
          std::ranges::count_if(term.slots, [&](SlotId one) { return is_later(one); });
      if (later == 0) continue;
      if (later > 1 || term.slots.size() > 1 || slot) return false;
      slot = SlotId{static_cast<std::uint32_t>(term.slots.front().index - system_.slots())};
      factor = term.coefficient;
      Polynomial negative;
      negative.terms.push_back({term.slots, -term.coefficient});
      rest = model::sum(rest, negative);
    }
    if (!slot || atom.membership) return false;
    const auto place = std::ranges::find(all, *slot, &Later::slot);
    if (place == all.end()) return false;
    // factor * later + rest RELATION 0
    const Polynomial bound = model::scaled(rest, Rational(-1) / factor);
    const auto set = [&](std::optional<Polynomial>& where) {
      const bool first = !where;
      if (first) where = bound;
      return first;
    };
    switch (atom.relation) {
      case Relation::Equal: return set(place->value);
      case Relation::NotEqual: return false;
      case Relation::Less:
      case Relation::LessEqual: return set(factor.sign() > 0 ? place->high : place->low);
      case Relation::Greater:
      case Relation::GreaterEqual: return set(factor.sign() > 0 ? place->low : place->high);
    }
    return false;
  }

  // ---- Choices ----

  // The adversary chooses any value of the slot's domain.
  std::size_t add_choice(std::size_t from, SlotId slot, const std::string& what) {
    const Domain domain = domain_of(system_, slot);
    const std::int64_t low = count((domain.low / unit(slot)).ceil());
    const std::int64_t high = count((domain.high / unit(slot)).floor());
    const std::size_t variable = actual_[slot.index];
    if (high - low < kFewValues || !domain.gaps.empty()) {
      const std::size_t to = place(what);
      for (std::int64_t value = low; value <= high; ++value) {
        if (std::ranges::find(domain.gaps, Rational(value)) != domain.gaps.end()) continue;
        add_edge(from, {}, to, {becomes(variable, value)});
      }
      return to;
    }
    const std::size_t counting = place(what + ": choosing " + mdp_.variables[variable].name);
    add_edge(from, {}, counting, {becomes(variable, low)});
    return counted_up(counting, variable, Rational(high), what);
  }

  // The adversary counts a variable up from its least value. Returns the place after that.
  std::size_t counted_up(std::size_t counting, std::size_t variable, const Rational& high,
                         const std::string& what) {
    add_more(counting, variable, compared(named_value(variable), Relation::Less, high));
    const std::size_t to = place(what);
    add_edge(counting, {}, to);
    return to;
  }

  [[nodiscard]] Substitute named_value(std::size_t variable) const {
    return NamedValue{.name = mdp_.variables[variable].name, .whole = true};
  }

  void add_more(std::size_t counting, std::size_t variable, NamedCondition while_holds) {
    Mdp::Update more{.variable = variable, .sum = {{1, {name(variable)}}}, .constant = 1};
    add_edge(counting, std::move(while_holds), counting, {std::move(more)});
  }

  // Draws a value that is off by an error.
  std::size_t add_error(std::size_t from, SlotId slot, std::size_t into, const std::string& what) {
    const model::WorldError& error = *system_.errors[slot.index];
    const chance::Law law = law_of(system_.variable(slot));
    const Rational of = unit(slot);
    const double width = to_double(of);
    std::int64_t low = count((error.low / of).ceil());
    std::int64_t high = count((error.high / of).floor());
    if (low > high) low = high = count(((error.low + error.high) / (of + of)).floor());
    if (high - low > kMostBranches) {
      complain(fmt::format("an error of `{}` would have more than {} values; take a larger --step",
                           system_.variable(slot).name, kMostBranches));
      return from;
    }
    const std::size_t to = place(what);
    Mdp::Edge edge{.from = from, .guard = {}, .branches = {}};
    const Substitute actual = put(actual_, slot);
    for (std::int64_t off = low; off <= high; ++off) {
      const double a = off == low ? law.low() : (static_cast<double>(off) - 0.5) * width;
      const double b = off == high ? law.high() : (static_cast<double>(off) + 0.5) * width;
      const double probability = law.is_point() ? 1.0 : law.mass(a, b);
      if (probability <= 0) continue;
      Mdp::Update update{.variable = into, .sum = {}, .constant = off};
      if (const auto* number = std::get_if<Rational>(&actual)) {
        update.constant = update.constant + *number / of;
      } else {
        update.sum.push_back({1, {name(actual_[slot.index])}});
      }
      edge.branches.push_back({probability, to, {std::move(update)}});
    }
    mdp_.edges.push_back(std::move(edge));
    return to;
  }

  // ---- Steps ----

  void add_start(std::size_t at) {
    for (const SlotId slot : system_.model->slots.ids()) {
      if (system_.is_sensed(slot)) at = add_choice(at, slot, "start");
    }
    add_gate(at, system_.start, entries_[system_.model->initial.index], "no start");
  }

  // Goes on where the conditions hold; elsewhere the run ends, at a place of that title.
  void add_gate(std::size_t at, const std::vector<FormulaId>& conditions, std::size_t to,
                const std::string& otherwise) {
    std::vector<NamedCondition> all;
    for (const FormulaId condition : conditions) all.push_back(on_actual(condition));
    const NamedCondition open = all_of(std::move(all));
    add_edge(at, open, to);
    if (open.op == Op::True) return;
    const std::size_t none = place(otherwise);
    add_edge(at, negated(open), none);
    add_edge(none, {}, none);
  }

  [[nodiscard]] bool reads(FormulaId id, SlotId slot) const {
    const model::Formula& formula = system_.formulas[id];
    if (formula.op == Op::Atom) {
      const std::vector<SlotId>& slots = system_.atoms[formula.atom].slots;
      return std::ranges::find(slots, slot) != slots.end();
    }
    return std::ranges::any_of(formula.parts, [&](FormulaId part) { return reads(part, slot); });
  }

  void add_state(model::StateId state) {
    const std::vector<Move>& moves = system_.moves[state.index];
    const std::string& title = system_.model->states[state].name;
    std::size_t at = entries_[state.index];
    if (moves.empty()) return add_edge(at, {}, at);
    for (const SlotId slot : system_.renewed) at = add_choice(at, slot, title + ": asking");
    if (!system_.always.empty()) {
      const std::size_t possible = place(title + ": possible");
      add_gate(at, system_.always, possible, title + ": out of a constraint");
      at = possible;
    }
    std::vector<Mdp::Update> resets;  // of readings once they are used, so that fewer states differ
    for (const SlotId slot : system_.model->slots.ids()) {
      const bool read =
          std::ranges::any_of(moves, [&](const Move& move) { return reads(move.guard, slot); });
      if (!read || !system_.is_off(slot)) continue;
      at = add_error(at, slot, sensed_[slot.index], title + ": sensing");
      resets.push_back(reset(sensed_[slot.index]));
    }
    std::vector<NamedCondition> fires;
    for (const Move& move : moves) {
      std::vector<NamedCondition> all = {on(sensed_, move.guard)};
      fires.push_back(all.front());
      for (const FormulaId stronger : move.stronger) all.push_back(negated(on(sensed_, stronger)));
      add_edge(at, all_of(std::move(all)), add_acts(state, move), resets);
    }
    const NamedCondition none = negated(any_of(std::move(fires)));
    if (none.op != Op::False) add_edge(at, none, entries_[state.index], resets);
  }

  // Returns the place where the acts begin.
  std::size_t add_acts(model::StateId state, const Move& move) {
    const std::string title = fmt::format("{} in {}", system_.model->rules[move.rule].name,
                                          system_.model->states[state].name);
    const std::size_t first = place(title);
    std::size_t at = first;
    for (const Act& act : move.acts) at = add_act(at, act, title + ": " + act.text);
    add_edge(at, {}, entries_[move.to.index]);
    return first;
  }

  std::size_t add_act(std::size_t at, const Act& act, const std::string& title) {
    std::vector<Mdp::Update> updates;
    for (const SlotId slot : act.done) {
      at = add_error(at, slot, done_[slot.index], title);
      updates.push_back(reset(done_[slot.index]));
    }
    const std::vector<Later> later = later_of(act);
    std::vector<SlotId> ranges;
    std::vector<SlotId> open = act.freed;
    for (const Later& one : later) {
      const std::size_t variable = actual_[one.slot.index];
      using enum Mdp::Update::Rounding;
      if (one.value) {
        if (one.low || one.high) complain(fmt::format("`{}` says a value and a range", act.text));
        updates.push_back(becomes(variable, one.slot, *one.value, Nearest));
      } else if (one.low && one.high) {
        updates.push_back(becomes(variable, one.slot, *one.low, Up));
        updates.push_back(becomes(up_to_[one.slot.index], one.slot, *one.high, Down));
        ranges.push_back(one.slot);
      } else if (one.low || one.high) {
        complain(fmt::format("`{}` says only one end of a range", act.text));
      } else {
        open.push_back(one.slot);
      }
    }
    for (const model::Effect& effect : act.sets) {
      if (!effect.value) continue;
      const Rational value = *effect.value / unit(effect.slot);
      updates.push_back({.variable = actual_[effect.slot.index], .sum = {}, .constant = value});
    }
    const std::size_t changed = place(title);
    add_edge(at, before_of(act), changed, std::move(updates));
    at = changed;
    for (const SlotId slot : ranges) at = add_range(at, slot, title);
    for (const SlotId slot : open) at = add_choice(at, slot, title);
    return add_cases(at, act, title);
  }

  // The part of an action's condition that is about values before it. Where it fails, the action
  // cannot happen, and the run ends.
  NamedCondition before_of(const Act& act) {
    std::vector<FormulaId> parts;
    if (act.condition) gather(*act.condition, parts);
    std::vector<NamedCondition> all;
    for (const FormulaId part : parts) {
      if (!says_later(part)) all.push_back(on(done_, part));
    }
    return all_of(std::move(all));
  }

  std::size_t add_range(std::size_t counting, SlotId slot, const std::string& title) {
    const std::size_t variable = actual_[slot.index];
    const std::size_t up_to = up_to_[slot.index];
    add_more(counting, variable,
             difference(named_value(variable), named_value(up_to), Relation::Less, 0));
    const std::size_t to = place(title);
    add_edge(counting, {}, to, {reset(up_to)});
    return to;
  }

  std::size_t add_cases(std::size_t at, const Act& act, const std::string& title) {
    if (act.cases.empty()) return at;
    std::vector<NamedCondition> any;
    for (const Case& one : act.cases) {
      any.push_back(on_actual(one.condition));
      const std::int64_t number = one.failure.index + 1;
      add_edge(at, any.back(), failed_[one.failure.index], {becomes(mdp_.failure, number)});
    }
    const std::size_t to = place(title);
    add_edge(at, negated(any_of(std::move(any))), to);
    return to;
  }

  const System& system_;
  ExportNames names_;
  Rational step_;
  Mdp mdp_;
  // Variables by slot; the number of the failure variable means that there is none.
  std::vector<std::size_t> actual_;
  std::vector<std::size_t> sensed_;
  std::vector<std::size_t> done_;
  std::vector<std::size_t> up_to_;
  std::vector<std::size_t> entries_;  // by state
  std::vector<std::size_t> failed_;   // by failure
  std::string wrong_;
};

}  // namespace

Result<Mdp> mdp_of(const System& system, const std::optional<Rational>& step) {
  return Maker(system, step ? *step : default_step(system)).made();
}

}  // namespace poise::verify
