// Expressions over streams: fields, quantifiers, and the queries that quantified conditions become.
//
// Every quantifier binds an element of its own, also where a `let` expands to the same text again.
// While expressions are resolved, a quantifier is an atom like any other. One that reads no element
// from outside is *closed*, and the same wherever it has the same text; only such ones can be left
// in a rule, and become queries.

#include <algorithm>

#include <fmt/format.h>

#include "poise/lang/expressions.h"
#include "poise/model/polynomial.h"

namespace poise::lang {

using diag::Code;
using model::Atom;
using model::AtomId;
using model::Formula;
using model::FormulaId;
using model::Op;
using model::Query;
using model::QueryNode;
using model::SlotId;
using model::StreamId;
using model::Window;

namespace {

std::string window_text(const Window& window, std::string_view duration) {
  switch (window.kind) {
    case Window::Kind::Latest: return "";
    case Window::Kind::Last: return fmt::format("[last {}]", duration);
    case Window::Kind::Next: return fmt::format("[next {}]", duration);
  }
  return "";
}

QueryNode::Op query_op(Op op) {
  switch (op) {
    case Op::False: return QueryNode::Op::False;
    case Op::True: return QueryNode::Op::True;
    case Op::Atom: return QueryNode::Op::Atom;
    case Op::Not: return QueryNode::Op::Not;
    case Op::And: return QueryNode::Op::And;
    case Op::Or: return QueryNode::Op::Or;
    case Op::Implies: return QueryNode::Op::Implies;
    case Op::Iff: return QueryNode::Op::Iff;
  }
  return QueryNode::Op::True;
}

}  // namespace

// The one of these things whose name is spelt most like it.
template <class Things>
std::string Expressions::hint_among(const Things& things, std::string_view name) {
  std::vector<std::string_view> names;
  if (!reporter_.guesses_among(things.size())) return "";
  for (const auto& one : things) names.push_back(one.name);
  return reporter_.hint(name, names);
}

Expressions::Operand Expressions::field(std::uint32_t binding, std::string_view name, Span span) {
  const Binding& element = bindings_[binding];
  const model::Stream& stream = model_.streams[element.stream];
  const auto found = std::ranges::find(stream.fields, name, &model::Field::name);
  if (found == stream.fields.end()) {
    return wrong({.code = Code::UnknownField,
                  .span = span,
                  .message = fmt::format("elements of {} have no field {}", quoted(stream.name),
                                         quoted(name)),
                  .hint = hint_among(stream.fields, name)});
  }
  lowest_used_ = std::min(lowest_used_, element.level);
  const model::Place place{.slot = std::nullopt,
                           .binding = binding,
                           .field = static_cast<std::uint32_t>(found - stream.fields.begin())};
  const auto next = static_cast<std::uint32_t>(places_.size());
  const auto [row, is_new] = place_rows_.emplace(std::uint64_t{binding} << 32U | place.field, next);
  if (is_new) places_.push_back(place);
  const SlotId slot{kFirstPlace + row->second};
  const std::string text = fmt::format("{}.{}", element.name, name);
  if (!found->text) return typed(found->type, text, slot, span);
  Operand result;
  result.kind = Kind::Text;
  result.value = model::slot_value(slot);
  result.slots = {slot};
  result.text = text;
  result.span = span;
  return result;
}

// Of what stands behind `in`.
std::optional<StreamId> Expressions::stream_of(const Node& node) {
  const std::string_view name = tree_.text(node);
  const Scope::Entry* entry = scope_.find(name);
  if (entry == nullptr) {
    if (scope_.broken.contains(name)) return std::nullopt;
    report({.code = Code::UnknownStream,
            .span = node.span,
            .message = fmt::format("unknown stream {}", quoted(name)),
            .hint = hint_among(model_.streams, name)});
    return std::nullopt;
  }
  const auto* stream = std::get_if<StreamId>(&entry->meaning);
  if (stream != nullptr) return *stream;
  report({.code = Code::UnknownStream,
          .span = node.span,
          .message = fmt::format("{} is not a stream", quoted(name)),
          .related = {{entry->span, "declared here"}}});
  return std::nullopt;
}

std::optional<Window> Expressions::window_of(const Node& node) {
  if (node.kind == NodeKind::Name) return Window{};
  const Node& duration = tree_.nodes[tree_.children(node)[1]];
  const std::string_view text = tree_.text(duration);
  const Rational seconds = tree_.number(duration);
  const bool has_unit = text.back() < '0' || text.back() > '9';
  if (!has_unit || seconds.sign() <= 0) {
    report({.code = Code::BadWindow,
            .span = duration.span,
            .message = fmt::format("{} is no length of time{}", quoted(text),
                                   has_unit ? " that anything could happen in" : ""),
            .hint = has_unit ? "" : "did you mean " + quoted(fmt::format("{}s", text)) + "?"});
    return std::nullopt;
  }
  return Window{node.kind == NodeKind::Last ? Window::Kind::Last : Window::Kind::Next, seconds};
}

Expressions::Operand Expressions::quantifier(NodeId id, const Environment* environment) {
  const Node& node = tree_.nodes[id];
  const Node& variable = tree_.nodes[tree_.children(node)[0]];
  const Node& range = tree_.nodes[tree_.children(node)[1]];
  const bool windowed = range.kind != NodeKind::Name;
  const Node& stream_name = windowed ? tree_.nodes[tree_.children(range)[0]] : range;
  const std::string_view name = tree_.text(variable);
  asks_ = true;
  if (in_world()) return stream_in_world("a condition on a stream", node.span, {});
  if (name.find('.') != std::string_view::npos) {
    return wrong(
        {.code = Code::ExpectedName,
         .span = variable.span,
         .message = fmt::format("{} is the name of a field, not of an element", quoted(name))});
  }
  const std::optional<StreamId> stream = stream_of(stream_name);
  const std::optional<Window> window = window_of(range);
  if (!stream || !window) return wrong();

  std::string shown(name);
  const auto taken = [&](std::uint32_t other) { return bindings_[other].name == shown; };
  for (int i = 2; std::ranges::any_of(active_, taken); ++i) shown = fmt::format("{}{}", name, i);
  const auto binding = static_cast<std::uint32_t>(bindings_.size());
  const std::size_t level = active_.size();
  bindings_.push_back({*stream, shown, level});
  Environment inner;
  inner.arguments.emplace_back(name, Argument{tree_.children(node)[0], nullptr, binding});
  if (environment != nullptr) {
    std::ranges::copy(environment->arguments, std::back_inserter(inner.arguments));
  }
  active_.push_back(binding);
  const std::size_t used_before = std::exchange(lowest_used_, SIZE_MAX);
  const std::optional<FormulaId> body = as_condition(operand(tree_.children(node)[2], &inner));
  const bool closed = lowest_used_ >= level;
  lowest_used_ = closed ? used_before : std::min(used_before, lowest_used_);
  active_.pop_back();
  if (!body) return wrong();

  const std::string_view duration =
      windowed ? tree_.text(tree_.nodes[tree_.children(range)[1]]) : std::string_view();
  const bool all = node.kind == NodeKind::All;
  Atom atom;
  atom.text = fmt::format("({} {} in {}{}: {})", all ? "all" : "exists", shown,
                          model_.streams[*stream].name, window_text(*window, duration),
                          model::to_text(model_, *body, kMaxTextLength));
  if (atom.text.size() > kMaxTextLength) {
    return wrong({.code = Code::ExpansionTooLarge,
                  .span = node.span,
                  .message = "this expands to more than Poise can hold"});
  }
  const std::string key =
      closed ? atom.text : fmt::format("{}\n{}", atom.text, binding);  // an open one is its own
  const auto [known, is_new] = atoms_.try_emplace(key);
  if (is_new) {
    known->second = model_.atoms.add(std::move(atom));
    quantifiers_.emplace(known->second,
                         Quantifier{.op = all ? QueryNode::Op::All : QueryNode::Op::Exists,
                                    .window = *window,
                                    .binding = binding,
                                    .body = *body,
                                    .span = node.span});
  }
  return from_formula(formula({Op::Atom, known->second, {}}), node.span);
}

// ---- Queries ----

// Copies a quantifier out of the tables of the model.
class Expressions::QueryBuilder {
 public:
  explicit QueryBuilder(const Expressions& expressions) : from_(expressions) {}

  // Of a quantifier or a call.
  Query query(AtomId atom) && {
    const auto quantifier = from_.quantifiers_.find(atom);
    if (quantifier != from_.quantifiers_.end()) {
      add(quantifier->second);
    } else {
      QueryNode node;
      node.op = QueryNode::Op::Atom;
      node.atom = add(from_.calls_.at(atom), from_.model_.atoms[atom].text);
      add(std::move(node));
    }
    return std::move(query_);
  }

 private:
  std::uint32_t add(QueryNode node) {
    query_.nodes.push_back(std::move(node));
    return static_cast<std::uint32_t>(query_.nodes.size() - 1);
  }

  std::uint32_t add(const Quantifier& quantifier) {
    const auto binding = static_cast<std::uint32_t>(query_.names.size());
    const Binding& element = from_.bindings_[quantifier.binding];
    bindings_[quantifier.binding] = binding;
    query_.names.push_back(element.name);
    query_.streams.push_back(element.stream);
    const std::uint32_t body = add(quantifier.body);
    return add(QueryNode{.op = quantifier.op,
                         .atom = 0,
                         .parts = {body},
                         .stream = element.stream,
                         .window = quantifier.window,
                         .binding = binding});
  }

  // Parts that are shared are copied once: formulas can be much smaller than what they stand for.
  std::uint32_t add(FormulaId id) {
    if (const auto known = nodes_.find(id); known != nodes_.end()) return known->second;
    const Formula& formula = from_.model_.formulas[id];
    std::uint32_t added = 0;
    if (formula.op == Op::Atom && from_.quantifiers_.contains(formula.atom)) {
      added = add(from_.quantifiers_.at(formula.atom));
    } else {
      QueryNode node;
      node.op = query_op(formula.op);
      if (formula.op == Op::Atom) node.atom = add(formula.atom);
      for (const FormulaId part : formula.parts) node.parts.push_back(add(part));
      added = add(std::move(node));
    }
    nodes_[id] = added;
    return added;
  }

  [[nodiscard]] model::Place place(SlotId slot) const {
    if (slot.index < kFirstPlace) return {.slot = slot};
    model::Place place = from_.places_[slot.index - kFirstPlace];
    place.binding = bindings_.at(place.binding);
    return place;
  }

  // The atom of a call may be that of a query by now, so what it reads is with the call.
  std::uint32_t add(const Call& call, std::string text) {
    model::ElementAtom result;
    result.atom.text = std::move(text);
    result.call = model::Call{.function = call.function, .arguments = {}};
    for (const Call::Argument& argument : call.arguments) {
      model::Call::Argument& added = result.call->arguments.emplace_back();
      if (!argument.slot) {
        added.constant = argument.constant;
        continue;
      }
      const auto row = static_cast<std::uint32_t>(result.places.size());
      added.place = row;
      result.places.push_back(place(*argument.slot));
      result.atom.slots.push_back(SlotId{row});
    }
    query_.atoms.push_back(std::move(result));
    return static_cast<std::uint32_t>(query_.atoms.size() - 1);
  }

  std::uint32_t add(AtomId id) {
    const Atom& atom = from_.model_.atoms[id];
    const auto call = from_.calls_.find(id);
    if (call != from_.calls_.end()) return add(call->second, atom.text);
    model::ElementAtom result{.atom = atom, .places = {}};
    for (std::uint32_t i = 0; i < atom.slots.size(); ++i) {
      result.places.push_back(place(atom.slots[i]));
      result.atom.slots[i] = SlotId{i};
    }
    for (model::Monomial& term : result.atom.value.terms) {
      for (SlotId& slot : term.slots) {
        const auto row = std::ranges::lower_bound(atom.slots, slot);
        slot = SlotId{static_cast<std::uint32_t>(row - atom.slots.begin())};
      }
    }
    query_.atoms.push_back(std::move(result));
    return static_cast<std::uint32_t>(query_.atoms.size() - 1);
  }

  const Expressions& from_;
  Query query_;
  std::unordered_map<FormulaId, std::uint32_t> nodes_;
  std::unordered_map<std::uint32_t, std::uint32_t> bindings_;  // to those of the query
};

std::vector<Span> Expressions::add_queries(const std::vector<FormulaId>& conditions) {
  std::vector<Span> spans;
  if (quantifiers_.empty() && calls_.empty()) return spans;
  for (const AtomId id : model::atoms_of(model_, conditions)) {
    const auto quantifier = quantifiers_.find(id);
    const auto call = calls_.find(id);
    if (quantifier == quantifiers_.end() && call == calls_.end()) continue;
    Atom& atom = model_.atoms[id];
    const SlotId slot{static_cast<std::uint32_t>(model_.slots.size())};
    const model::QueryId query = model_.queries.add(QueryBuilder(*this).query(id));
    model::Variable variable;
    variable.name = atom.text;
    variable.first_slot = slot;
    variable.query = query;
    model_.slots.add({.variable = model_.variables.add(std::move(variable)), .member = 0});
    atom.slots = {slot};
    atom.value = sum(model::slot_value(slot), model::constant(-1));
    spans.push_back(quantifier != quantifiers_.end() ? quantifier->second.span : call->second.span);
  }
  return spans;
}

}  // namespace poise::lang
