#include "poise/model/latest.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "poise/model/clusters.h"
#include "poise/model/polynomial.h"

namespace poise::model {

namespace {

// Where a constraint stands that is in no text.
constexpr Position kNowhere{.line = 0, .column = 0};

bool is_added(const Constraint& constraint) { return constraint.at == kNowhere; }

// The query that an atom is, if it is one.
std::optional<QueryId> query_of(const Model& model, const Atom& atom) {
  if (model.queries.empty() || atom.slots.size() != 1) return std::nullopt;
  return model.variables[model.slots[atom.slots.front()].variable].query;
}

const Field& field_of(const Model& model, const Query& query, const Place& place) {
  return model.streams[query.streams[place.binding]].fields[place.field];
}

bool compares_within_reach(const Model& model, const Query& query, const ElementAtom& element) {
  if (element.call || !is_linear(element.atom.value)) return false;
  if (element.places.size() == 1) return true;
  return !element.places.empty() && std::ranges::all_of(element.places, [&](const Place& place) {
    if (place.slot) return false;
    const Field& field = field_of(model, query, place);
    return field.text || field.type.kind != TypeKind::Int;
  });
}

// Whether some action may change the slot, or whether it has a value.
bool is_changed(const Model& model, const Changes& changes, SlotId slot) {
  if (changes.freed.contains(slot)) return true;
  for (std::optional<SlotId> at = slot; at; at = guard_slot(model, *at)) {
    if (changes.assigned.contains(*at)) return true;
  }
  return false;
}

bool reads_what_changes(const Model& model, const Query& query) {
  std::vector<SlotId> read;
  for (const ElementAtom& element : query.atoms) {
    for (const Place& place : element.places) {
      if (place.slot) read.push_back(*place.slot);
    }
  }
  if (read.empty()) return false;
  const Changes changes = changes_of(model);
  return std::ranges::any_of(read, [&](SlotId slot) { return is_changed(model, changes, slot); });
}

bool is_free_query(const Model& model, const Query& query) {
  const auto looks_at_latest = [](const QueryNode& node) {
    const bool quantifier = node.op == QueryNode::Op::Exists || node.op == QueryNode::Op::All;
    return !quantifier || node.window.kind == Window::Kind::Latest;
  };
  const auto within_reach = [&](const ElementAtom& element) {
    return compares_within_reach(model, query, element);
  };
  return !std::ranges::all_of(query.nodes, looks_at_latest) ||
         !std::ranges::all_of(query.atoms, within_reach) || reads_what_changes(model, query);
}

class LatestElements {
 public:
  explicit LatestElements(const Model& model) : model_(model) {}

  // The query holds if and only if its condition does.
  void add(AtomId atom, const Query& query) {
    std::vector<FormulaId> formulas;  // by node
    for (const QueryNode& node : query.nodes) {
      formulas.push_back(formula_of(query, node, formulas));
    }
    const FormulaId holds = add_formula({.op = Op::Atom, .atom = atom, .parts = {}});
    const FormulaId meaning =
        add_formula({.op = Op::Iff, .atom = {}, .parts = {holds, formulas.back()}});
    model_.constraints.add({.name = {}, .condition = meaning, .at = kNowhere});
  }

  Model take() { return std::move(model_); }

 private:
  FormulaId add_formula(Formula formula) { return model_.formulas.add(std::move(formula)); }

  FormulaId add_atom(Atom atom) {
    return add_formula({.op = Op::Atom, .atom = model_.atoms.add(std::move(atom)), .parts = {}});
  }

  VariableId add_variable(std::string name, Type type, std::optional<VariableId> guard) {
    const SlotId slot{static_cast<std::uint32_t>(model_.slots.size())};
    const VariableId variable = model_.variables.add({.name = std::move(name),
                                                      .type = std::move(type),
                                                      .guard = guard,
                                                      .first_slot = slot,
                                                      .initial = {},
                                                      .at = {}});
    model_.slots.add({.variable = variable});
    return variable;
  }

  struct Presence {
    VariableId variable;
    FormulaId holds;
  };

  // Whether there is a latest element.
  const Presence& presence(StreamId stream) {
    const auto known = presences_.find(stream);
    if (known != presences_.end()) return known->second;
    const std::string& name = model_.streams[stream].name;
    const VariableId variable = add_variable(name, {}, std::nullopt);
    Atom present = equals(model_.variables[variable].first_slot, 1);
    present.text = name;
    return presences_.emplace(stream, Presence{variable, add_atom(std::move(present))})
        .first->second;
  }

  // A field of the latest element, which has a value or none.
  SlotId slot_of(StreamId stream, std::uint32_t index) {
    const auto known = fields_.find({stream, index});
    if (known != fields_.end()) return known->second;
    const Field& field = model_.streams[stream].fields[index];
    const std::string name = model_.streams[stream].name + "." + field.name;
    Type type = field.type;
    if (field.text) {
      // A known text is its number; all other numbers stand for texts that are compared with none
      // but each other, so there are always enough of them.
      type = {.kind = TypeKind::Real,
              .low = -1,
              .high = static_cast<std::int64_t>(model_.texts.size()),
              .members = {}};
    }
    const VariableId given = add_variable(name, {}, presence(stream).variable);
    const VariableId value = add_variable(name, std::move(type), given);
    return fields_.emplace(std::pair(stream, index), model_.variables[value].first_slot)
        .first->second;
  }

  // The atom over slots in place of places. Two bindings of one stream are the same element.
  Atom atom_of(const Query& query, const ElementAtom& element) {
    std::vector<SlotId> slots;  // by place
    for (const Place& place : element.places) {
      slots.push_back(place.slot ? *place.slot
                                 : slot_of(query.streams[place.binding], place.field));
    }
    Atom atom = element.atom;
    for (SlotId& slot : atom.slots) slot = slots[slot.index];
    std::ranges::sort(atom.slots);
    atom.slots.erase(std::unique(atom.slots.begin(), atom.slots.end()), atom.slots.end());
    atom.value = constant(element.atom.value.constant);
    for (const Monomial& term : element.atom.value.terms) {
      Polynomial mapped = constant(term.coefficient);
      for (const SlotId slot : term.slots) mapped = product(mapped, slot_value(slots[slot.index]));
      atom.value = sum(atom.value, mapped);
    }
    return atom;
  }

  FormulaId formula_of(const Query& query, const QueryNode& node,
                       const std::vector<FormulaId>& known) {
    Formula formula{.op = Op::True, .atom = {}, .parts = {}};
    for (const std::uint32_t part : node.parts) formula.parts.push_back(known[part]);
    switch (node.op) {
      case QueryNode::Op::False: formula.op = Op::False; break;
      case QueryNode::Op::True: break;
      case QueryNode::Op::Atom: return add_atom(atom_of(query, query.atoms[node.atom]));
      case QueryNode::Op::Not: formula.op = Op::Not; break;
      case QueryNode::Op::And: formula.op = Op::And; break;
      case QueryNode::Op::Or: formula.op = Op::Or; break;
      case QueryNode::Op::Implies: formula.op = Op::Implies; break;
      case QueryNode::Op::Iff: formula.op = Op::Iff; break;
      case QueryNode::Op::Exists:
        formula.op = Op::And;
        formula.parts.insert(formula.parts.begin(), presence(node.stream).holds);
        break;
      case QueryNode::Op::All:
        formula.op = Op::Implies;
        formula.parts.insert(formula.parts.begin(), presence(node.stream).holds);
        break;
    }
    return add_formula(std::move(formula));
  }

  Model model_;
  std::map<StreamId, Presence> presences_;
  std::map<std::pair<StreamId, std::uint32_t>, SlotId> fields_;
};

}  // namespace

bool is_free(const Model& model, AtomId atom) {
  const std::optional<QueryId> query = query_of(model, model.atoms[atom]);
  return query && is_free_query(model, model.queries[*query]);
}

std::optional<Model> with_latest_elements(const Model& model) {
  std::optional<LatestElements> latest;
  for (const AtomId atom : model.atoms.ids()) {
    const std::optional<QueryId> query = query_of(model, model.atoms[atom]);
    if (!query || is_free_query(model, model.queries[*query])) continue;
    if (!latest) latest.emplace(model);
    latest->add(atom, model.queries[*query]);
  }
  if (!latest) return std::nullopt;
  return latest->take();
}

std::vector<AtomId> written_atoms(const Model& model) {
  std::vector<FormulaId> written;
  std::vector<FormulaId> added;
  for (const Constraint& constraint : model.constraints) {
    (is_added(constraint) ? added : written).push_back(constraint.condition);
  }
  std::vector<bool> is_hidden(model.atoms.size(), false);
  if (!added.empty()) {
    for (const Rule& rule : model.rules) written.push_back(rule.guard);
    for (const AtomId atom : atoms_of(model, std::move(added))) is_hidden[atom.index] = true;
    for (const AtomId atom : atoms_of(model, std::move(written))) is_hidden[atom.index] = false;
  }
  std::vector<AtomId> atoms;
  for (const AtomId atom : model.atoms.ids()) {
    if (!is_hidden[atom.index]) atoms.push_back(atom);
  }
  return atoms;
}

}  // namespace poise::model
