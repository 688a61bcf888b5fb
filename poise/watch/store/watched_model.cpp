#include "poise/watch/store/watched_model.h"

#include <algorithm>

#include "poise/model/step.h"

namespace poise::watch {

using model::Model;
using model::SlotId;
using model::StreamId;
using model::TypeKind;
using model::Window;

namespace {

using Wide = CellAtom::Wide;

Scale scale_of(const model::Type& type) {
  return type.kind == TypeKind::Real ? Scale::Millionths : Scale::Whole;
}

// A length that is too large for nanoseconds is longer than any log.
Time nanoseconds(const Rational& seconds) {
  const Rational exact = seconds * Rational(1'000'000'000);
  const Integer whole = exact.ceil();
  return whole.fits_int64() ? whole.to_int64() : kNever;
}

std::optional<std::int64_t> small(const Rational& number) {
  constexpr std::int64_t kSmall = std::int64_t{1} << 60U;
  if (!number.is_integer() || !number.numerator().fits_int64()) return std::nullopt;
  const std::int64_t value = number.numerator().to_int64();
  return value > -kSmall && value < kSmall ? std::optional(value) : std::nullopt;
}

bool uses_next(const model::Query& query) {
  return std::ranges::any_of(query.nodes, [](const model::QueryNode& node) {
    const bool quantifier =
        node.op == model::QueryNode::Op::Exists || node.op == model::QueryNode::Op::All;
    return quantifier && node.window.kind == Window::Kind::Next;
  });
}

}  // namespace

WatchedModel::WatchedModel(const Model& model, const Functions* functions, const Texts* texts)
    : model_(model),
      functions_(functions),
      texts_(texts),
      by_stream_(model.streams.size()),
      behind_(model.slots.size()) {
  for (const model::Slot& slot : model.slots) {
    const model::Variable& variable = model.variables[slot.variable];
    slot_scales_.push_back(scale_of(variable.type));
    initial_slots_.push_back(
        variable.own ? numbers_.cell(variable.initial[slot.member], scale_of(variable.type))
                     : kNone);
  }
  for (const SlotId slot : model.slots.ids()) {
    guards_.push_back(model::guard_slot(model, slot));
    if (guards_.back()) behind_[guards_.back()->index].push_back(slot);
  }
  for (const model::Stream& stream : model.streams) {
    std::vector<Scale>& scales = field_scales_.emplace_back();
    std::vector<std::uint32_t>& fields = text_fields_.emplace_back();
    for (const model::Field& field : stream.fields) {
      if (field.text) fields.push_back(static_cast<std::uint32_t>(scales.size()));
      scales.push_back(field.text ? Scale::Whole : scale_of(field.type));
    }
  }
  for (const model::Atom& atom : model.atoms) {
    query_of_.push_back(model.variables[model.slots[atom.slots.front()].variable].query);
  }
  // Queries that only constraints use are left out: constraints are not watched.
  std::vector<model::FormulaId> guards;
  for (const model::Rule& rule : model.rules) guards.push_back(rule.guard);
  std::vector<bool> used(model.queries.size());
  for (const model::AtomId atom : model::atoms_of(model, guards)) {
    if (query_of_[atom.index]) used[query_of_[atom.index]->index] = true;
  }
  for (const model::Query& query : model.queries) {
    CellQuery compiled;
    if (!used[queries_.size()]) {
      queries_.push_back(compiled);
      continue;
    }
    compiled.query = &query;
    for (const model::ElementAtom& atom : query.atoms) {
      compiled.atoms.push_back(atom.call ? cell_call(atom, query)
                                         : cell_atom(atom.atom, atom.places, &query));
    }
    for (const model::QueryNode& node : query.nodes) {
      const bool quantifier =
          node.op == model::QueryNode::Op::Exists || node.op == model::QueryNode::Op::All;
      compiled.collections.push_back(quantifier ? collection(node.stream, node.window)
                                                : CollectionId{});
    }
    queries_.push_back(std::move(compiled));
  }
  for (const model::Atom& atom : model.atoms) {
    std::vector<model::Place> places;
    for (const SlotId slot : atom.slots) places.push_back({.slot = slot});
    // Slots of such an atom are slots of the context; in a query they are rows of its places.
    CellAtom compiled = cell_atom(atom, std::move(places), nullptr);
    atoms_.push_back(std::move(compiled));
  }
  asked_in_.assign(model.queries.size(), std::vector<bool>(model.states.size()));
  for (const model::State& state : model.states) {
    std::vector<model::RuleId>& rules = rules_.emplace_back(state.rules);
    std::ranges::stable_sort(rules, [&](model::RuleId a, model::RuleId b) {
      return model::is_stronger(model.rules[a], model.rules[b]);
    });
    looks_ahead_.push_back(false);
    std::vector<model::FormulaId> of_state;
    for (const model::RuleId rule : state.rules) of_state.push_back(model.rules[rule].guard);
    for (const model::AtomId atom : model::atoms_of(model, of_state)) {
      const std::optional<model::QueryId> query = query_of_[atom.index];
      if (!query) continue;
      asked_in_[query->index][rules_.size() - 1] = true;
      if (uses_next(model.queries[*query])) looks_ahead_.back() = true;
    }
  }
  for (const model::Rule& rule : model.rules) {
    std::vector<CellEffect>& effects = effects_.emplace_back();
    for (const model::Action& action : rule.actions) {
      for (const model::Effect& effect : action.effects) {
        effects.push_back(
            {effect.slot, effect.value ? numbers_.cell(*effect.value, scale(effect.slot)) : kNone});
      }
    }
  }
}

CollectionId WatchedModel::collection(StreamId stream, const Window& window) {
  Collection wanted{stream, window.kind, nanoseconds(window.seconds)};
  for (const CollectionId id : by_stream_[stream.index]) {
    const Collection& known = collections_[id];
    if (known.kind == wanted.kind && known.length == wanted.length) return id;
  }
  if (wanted.kind == Window::Kind::Next) wanted.place = next_windows_++;
  if (wanted.kind == Window::Kind::Last) {
    const auto like = std::ranges::find_if(
        expiring_, [&](CollectionId id) { return collections_[id].length == wanted.length; });
    wanted.place = like == expiring_.end() ? lengths_++ : collections_[*like].place;
  }
  const CollectionId id = collections_.add(wanted);
  by_stream_[stream.index].push_back(id);
  if (wanted.kind == Window::Kind::Last) expiring_.push_back(id);
  return id;
}

std::vector<Scale> WatchedModel::scales_of(std::span<const model::Place> places,
                                           const model::Query* query) const {
  std::vector<Scale> scales;
  for (const model::Place& place : places) {
    scales.push_back(place.slot ? slot_scales_[place.slot->index]
                                : field_scales_[query->streams[place.binding].index][place.field]);
  }
  return scales;
}

CellAtom WatchedModel::cell_call(const model::ElementAtom& atom, const model::Query& query) {
  CellAtom result;
  result.exact = &atom.atom;
  result.linear = false;
  result.places = atom.places;
  result.scales = scales_of(atom.places, &query);
  CellCall& call = result.call.emplace();
  if (functions_ != nullptr) call.function = &(*functions_)[atom.call->function];
  call.texts = texts_;
  call.model = &model_;
  const model::Extern& function = model_.externs[atom.call->function];
  for (std::size_t i = 0; i < function.parameters.size(); ++i) {
    const model::Call::Argument& given = atom.call->arguments[i];
    CellCall::Argument& argument = call.arguments.emplace_back();
    argument.kind = kind_of(function.parameters[i]);
    if (given.place) {
      argument.place = atom.places[*given.place];
      argument.scale = result.scales[*given.place];
    } else {
      argument.scale = scale_of(function.parameters[i].type);
      argument.constant = numbers_.cell(given.constant, argument.scale);
    }
  }
  return result;
}

// Multiplies by the least number that makes every factor whole.
CellAtom WatchedModel::cell_atom(const model::Atom& atom, std::vector<model::Place> places,
                                 const model::Query* query) const {
  CellAtom result;
  result.relation = atom.relation;
  result.membership = atom.membership;
  result.exact = &atom;
  result.scales = scales_of(places, query);
  const auto row_of = [&](SlotId slot) {
    if (query != nullptr) return std::size_t{slot.index};
    return static_cast<std::size_t>(std::ranges::lower_bound(atom.slots, slot) -
                                    atom.slots.begin());
  };
  // The least number that makes all of them whole.
  Integer multiple = 1;
  const auto include = [&](const Rational& number) {
    const Integer& denominator = number.denominator();
    multiple = floor_divide(multiple * denominator, gcd(multiple, denominator));
  };
  include(atom.value.constant);
  for (const Rational& among : atom.among) include(among);
  constexpr std::size_t kMostTerms = 32;
  result.linear = atom.value.terms.size() <= kMostTerms;
  for (const model::Monomial& term : atom.value.terms) {
    if (term.slots.size() != 1) {
      result.linear = false;
      break;
    }
    const bool fine = result.scales[row_of(term.slots.front())] == Scale::Millionths;
    include(fine ? term.coefficient / Rational(kMillion) : term.coefficient);
  }
  const auto whole = [&](const Rational& number) {
    const std::optional<std::int64_t> value = small(number * Rational(multiple));
    if (!value) result.linear = false;
    return value.value_or(0);
  };
  if (result.linear) {
    result.constant = whole(atom.value.constant);
    for (const Rational& among : atom.among) result.among.push_back(whole(among));
    for (const model::Monomial& term : atom.value.terms) {
      const std::size_t row = row_of(term.slots.front());
      const Scale scale = result.scales[row];
      const bool fine = scale == Scale::Millionths;
      result.terms.push_back(
          {places[row], whole(fine ? term.coefficient / Rational(kMillion) : term.coefficient),
           scale});
    }
  }
  result.places = std::move(places);
  return result;
}

bool holds(const CellAtom& atom, std::span<const Cell> slots, Elements elements,
           const Numbers& numbers) {
  const auto cell_at = [&](const model::Place& place) {
    return place.slot ? slots[place.slot->index] : elements[place.binding][place.field];
  };
  // An atom is false if a value is missing, even one whose terms cancel out.
  bool plain = atom.linear;
  for (const model::Place& place : atom.places) {
    const Cell cell = cell_at(place);
    if (cell == kNone) return false;
    plain = plain && is_plain(cell);
  }
  if (plain) {
    Wide sum = atom.constant;
    for (const CellAtom::Term& term : atom.terms) sum += Wide{term.factor} * cell_at(term.place);
    if (atom.membership) return std::ranges::find(atom.among, sum) != atom.among.end();
    return model::holds(atom.relation, static_cast<int>(sum > 0) - static_cast<int>(sum < 0));
  }
  if (atom.call) return holds(*atom.call, slots, elements, numbers);
  std::vector<model::Value> values;
  for (std::size_t row = 0; row < atom.places.size(); ++row) {
    values.emplace_back(numbers.number(cell_at(atom.places[row]), atom.scales[row]));
  }
  return model::holds(*atom.exact, [&](SlotId slot) -> const model::Value& {
    const auto row = std::ranges::lower_bound(atom.exact->slots, slot);
    POISE_CHECK(row != atom.exact->slots.end());
    return values[static_cast<std::size_t>(row - atom.exact->slots.begin())];
  });
}

}  // namespace poise::watch
