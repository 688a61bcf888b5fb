#include "poise/verify/system/system.h"

#include <algorithm>

#include "poise/model/polynomial.h"

namespace poise::verify {

using model::Atom;
using model::AtomId;
using model::Formula;
using model::FormulaId;
using model::Model;
using model::Op;
using model::SlotId;

namespace {

// Atoms and formulas of the model and of its world are copied into one pair of tables, to which
// conditions can be added.
class SystemMaker {
 public:
  SystemMaker(const Model& model, Mode mode) {
    system_.model = &model;
    system_.mode = mode;
    const std::size_t formulas = model.formulas.size();
    copy(model.atoms, model.formulas);
    copy(model.world.atoms, model.world.formulas);
    first_world_formula_ = static_cast<std::uint32_t>(formulas);
  }

  System made() {
    const Model& model = *system_.model;
    for (const SlotId slot : model.slots.ids()) {
      const model::Variable& variable = model.variables[model.slots[slot].variable];
      system_.errors.push_back(has_errors() ? variable.error : std::nullopt);
      if (variable.query) system_.renewed.push_back(slot);
      system_.members.push_back(is_member(slot));
      system_.seen.push_back(is_seen(slot));
    }
    for (const model::Constraint& constraint : model.constraints) {
      system_.always.push_back(of_rules(constraint.condition));
    }
    system_.start = system_.always;
    for (const model::WorldStart& start : model.world.starts) {
      system_.start.push_back(of_world(start.condition));
    }
    for (const model::StateId state : model.states.ids()) {
      std::vector<Move>& moves = system_.moves.emplace_back();
      for (const model::RuleId rule : model.states[state].rules) moves.push_back(move(state, rule));
    }
    find_changes();
    return std::move(system_);
  }

 private:
  void find_changes() {
    for (const SlotId slot : system_.model->slots.ids()) {
      system_.changes.push_back(system_.is_sensed(slot));
    }
    for (const std::vector<Move>& moves : system_.moves) {
      for (const Move& move : moves) {
        for (const Act& act : move.acts) {
          for (const model::Effect& effect : act.sets) system_.changes[effect.slot.index] = true;
          for (const SlotId slot : act.later) system_.changes[slot.index] = true;
        }
      }
    }
  }

  [[nodiscard]] bool has_errors() const {
    return system_.mode == Mode::Actual || system_.mode == Mode::AsPrinted;
  }

  // Appends the tables. An atom that reads slots which may have no value becomes a conjunction with
  // their guards, so that engines need not know about guards of variables.
  void copy(const Table<AtomId, Atom>& atoms, const Table<FormulaId, Formula>& formulas) {
    const auto first_formula = static_cast<std::uint32_t>(renamed_.size());
    const auto first_atom = static_cast<std::uint32_t>(system_.atoms.size());
    for (const Atom& atom : atoms) system_.atoms.add(atom);
    for (const Formula& formula : formulas) {
      Formula copy = formula;
      for (FormulaId& part : copy.parts) part = renamed_[first_formula + part.index];
      if (copy.op == Op::Atom) copy.atom.index += first_atom;
      FormulaId id = system_.formulas.add(copy);
      if (copy.op == Op::Atom) id = guarded(id, system_.atoms[copy.atom].slots);
      renamed_.push_back(id);
    }
  }

  FormulaId guarded(FormulaId id, const std::vector<SlotId>& slots) {
    const Model& model = *system_.model;
    const auto count = static_cast<std::uint32_t>(model.slots.size());
    std::vector<SlotId> guards;
    for (const SlotId slot : slots) {
      const std::uint32_t later = slot.index >= count ? count : 0;
      std::optional<SlotId> guard = model::guard_slot(model, SlotId{slot.index - later});
      for (; guard; guard = model::guard_slot(model, *guard)) {
        const SlotId read{guard->index + later};
        if (std::ranges::find(guards, read) == guards.end()) guards.push_back(read);
      }
    }
    if (guards.empty()) return id;
    Formula all{Op::And, {}, {}};
    for (const SlotId guard : guards) all.parts.push_back(holds(guard));
    all.parts.push_back(id);
    return system_.formulas.add(std::move(all));
  }

  FormulaId holds(SlotId boolean) {
    Atom atom;
    atom.slots = {boolean};
    atom.value = model::sum(model::slot_value(boolean), model::constant(-1));
    return system_.formulas.add({Op::Atom, system_.atoms.add(std::move(atom)), {}});
  }

  std::optional<FormulaId> is_member(SlotId slot) {
    if (domain_of(system_, slot).gaps.empty()) return std::nullopt;
    Atom atom;
    atom.slots = {slot};
    atom.value = model::slot_value(slot);
    atom.membership = true;
    for (const model::SymbolId member : system_.variable(slot).type.members) {
      atom.among.emplace_back(member.index);
    }
    std::ranges::sort(atom.among);
    return system_.formulas.add({Op::Atom, system_.atoms.add(std::move(atom)), {}});
  }

  std::optional<FormulaId> is_seen(SlotId slot) {
    const Model& model = *system_.model;
    const SlotId later{slot.index + static_cast<std::uint32_t>(model.slots.size())};
    const FormulaId least = compared(
        model::sum(model::slot_value(later), model::constant(-domain_of(system_, slot).low)),
        {later}, model::Relation::Equal);
    if (system_.variable(slot).query) return least;
    Formula all{Op::And, {}, {}};
    for (auto guard = model::guard_slot(model, slot); guard;
         guard = model::guard_slot(model, *guard)) {
      all.parts.push_back(holds(*guard));
    }
    if (all.parts.empty()) return std::nullopt;
    const FormulaId has_value = system_.formulas.add(std::move(all));
    const FormulaId has_none = system_.formulas.add({Op::Not, {}, {has_value}});
    const FormulaId shown = system_.formulas.add({Op::And, {}, {has_value, same(later, slot)}});
    const FormulaId hidden = system_.formulas.add({Op::And, {}, {has_none, least}});
    return system_.formulas.add({Op::Or, {}, {shown, hidden}});
  }

  [[nodiscard]] FormulaId of_rules(FormulaId id) const { return renamed_[id.index]; }
  [[nodiscard]] FormulaId of_world(FormulaId id) const {
    return renamed_[first_world_formula_ + id.index];
  }

  Move move(model::StateId state, model::RuleId id) {
    const Model& model = *system_.model;
    const model::Rule& rule = model.rules[id];
    Move move{.rule = id, .to = rule.to, .guard = of_rules(rule.guard), .stronger = {}, .acts = {}};
    for (const model::RuleId other : model.states[state].rules) {
      if (!model::is_stronger(model.rules[other], rule)) continue;
      move.stronger.push_back(of_rules(model.rules[other].guard));
    }
    for (const model::Action& action : rule.actions) {
      // A name that is not declared as an action does nothing.
      if (action.world || !action.effects.empty()) move.acts.push_back(act(action));
    }
    return move;
  }

  Act act(const model::Action& action) {
    const Model& model = *system_.model;
    Act act;
    act.text = action.text;
    act.sets = action.effects;
    if (!action.world) {
      free_behind_guards(act);
      return act;
    }
    const model::WorldAction& world = model.world.actions[*action.world];
    act.action = action.world;
    const bool says = system_.mode != Mode::Naive;
    if (says) {
      act.condition = of_world(world.condition);
      act.later = world.primed;
    }
    for (const SlotId slot : model.slots.ids()) {
      const bool primed = says && std::ranges::binary_search(world.primed, slot);
      if (system_.is_sensed(slot) && !primed) act.freed.push_back(slot);
    }
    if (says && has_errors()) act.done = done_in(*act.condition);
    for (const model::FailureId failure : model.world.failures.ids()) {
      for (const model::WorldFailure::Case& one : model.world.failures[failure].cases) {
        if (one.after == *action.world) add_case(failure, of_world(one.condition), act);
      }
    }
    return act;
  }

  // One case for each failure.
  void add_case(model::FailureId failure, FormulaId condition, Act& act) {
    if (!act.cases.empty() && act.cases.back().failure == failure) {
      FormulaId& known = act.cases.back().condition;
      known = system_.formulas.add({Op::Or, {}, {known, condition}});
    } else {
      act.cases.push_back({failure, condition});
    }
  }

  // An assignment may make a guard of variables true. If the guard did not hold before, the
  // variables behind it take any value of their domain; if it did, they stay as they are.
  void free_behind_guards(Act& act) {
    const Model& model = *system_.model;
    Formula all{Op::And, {}, {}};
    for (const model::Effect& effect : act.sets) {
      if (effect.value != Rational(1)) continue;
      for (const SlotId slot : model.slots.ids()) {
        if (!is_behind(slot, effect.slot)) continue;
        act.later.push_back(slot);
        const SlotId later{slot.index + static_cast<std::uint32_t>(model.slots.size())};
        const FormulaId held = holds(effect.slot);
        const FormulaId began = system_.formulas.add({Op::Not, {}, {held}});
        const FormulaId stays = system_.formulas.add({Op::And, {}, {held, same(later, slot)}});
        const FormulaId any = system_.formulas.add({Op::And, {}, {began, in_domain(slot, later)}});
        all.parts.push_back(system_.formulas.add({Op::Or, {}, {stays, any}}));
      }
    }
    if (all.parts.empty()) return;
    std::ranges::sort(act.later);
    act.condition = system_.formulas.add(std::move(all));
  }

  [[nodiscard]] bool is_behind(SlotId slot, SlotId guard) const {
    auto before = model::guard_slot(*system_.model, slot);
    while (before && *before != guard) before = model::guard_slot(*system_.model, *before);
    return before.has_value();
  }

  FormulaId compared(model::Polynomial value, std::vector<SlotId> slots, model::Relation relation) {
    Atom atom;
    std::ranges::sort(slots);
    atom.slots = std::move(slots);
    atom.value = std::move(value);
    atom.relation = relation;
    return system_.formulas.add({Op::Atom, system_.atoms.add(std::move(atom)), {}});
  }
  FormulaId same(SlotId a, SlotId b) {
    return compared(model::sum(model::slot_value(a), model::scaled(model::slot_value(b), -1)),
                    {a, b}, model::Relation::Equal);
  }
  FormulaId in_domain(SlotId slot, SlotId later) {
    const Domain domain = domain_of(system_, slot);
    const auto bound = [&](const Rational& number, model::Relation relation) {
      return compared(model::sum(model::slot_value(later), model::constant(-number)), {later},
                      relation);
    };
    const FormulaId low = bound(domain.low, model::Relation::GreaterEqual);
    const FormulaId high = bound(domain.high, model::Relation::LessEqual);
    return system_.formulas.add({Op::And, {}, {low, high}});
  }

  // The own variables with an error that a condition reads before the act.
  [[nodiscard]] std::vector<SlotId> done_in(FormulaId condition) const {
    std::vector<SlotId> done;
    std::vector<FormulaId> open = {condition};
    while (!open.empty()) {
      const Formula& formula = system_.formulas[open.back()];
      open.pop_back();
      open.insert(open.end(), formula.parts.begin(), formula.parts.end());
      if (formula.op != Op::Atom) continue;
      for (const SlotId slot : system_.atoms[formula.atom].slots) {
        if (slot.index >= system_.slots() || system_.is_sensed(slot)) continue;
        if (system_.variable(slot).error) done.push_back(slot);
      }
    }
    std::ranges::sort(done);
    done.erase(std::unique(done.begin(), done.end()), done.end());
    return done;
  }

  System system_;
  std::vector<FormulaId> renamed_;  // by formula of the model, then of its world
  std::uint32_t first_world_formula_ = 0;
};

}  // namespace

System system_of(const Model& model, Mode mode) { return SystemMaker(model, mode).made(); }

bool has_members(const System& system, SlotId slot) {
  switch (system.variable(slot).type.kind) {
    case model::TypeKind::Bool:
    case model::TypeKind::Enum:
    case model::TypeKind::Set: return true;
    case model::TypeKind::Int:
    case model::TypeKind::Real: return false;
  }
  return false;
}

bool is_whole(const System& system, SlotId slot) {
  return system.variable(slot).type.kind != model::TypeKind::Real;
}

Domain domain_of(const System& system, SlotId slot) {
  const model::Type& type = system.variable(slot).type;
  switch (type.kind) {
    case model::TypeKind::Bool:
    case model::TypeKind::Set: return {0, 1};
    case model::TypeKind::Int:
    case model::TypeKind::Real: return {type.low, type.high};
    case model::TypeKind::Enum: break;
  }
  std::vector<std::uint32_t> members;
  for (const model::SymbolId member : type.members) members.push_back(member.index);
  std::ranges::sort(members);
  Domain domain{members.front(), members.back()};
  for (std::uint32_t i = members.front(); i < members.back(); ++i) {
    if (!std::ranges::binary_search(members, i)) domain.gaps.emplace_back(i);
  }
  return domain;
}

}  // namespace poise::verify
