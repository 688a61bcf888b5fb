#include "poise/model/latest.h"

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/model/cells.h"
#include "poise/model/step.h"

namespace poise::model {
namespace {

Model latest_model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

// ---- What conditions say about given elements, executed ----

using Element = std::vector<Value>;  // by field
struct World {
  std::vector<std::optional<Element>> latest;  // by stream
  Context context;
};

bool holds_in(const Query& query, std::uint32_t index, const World& world) {
  const QueryNode& node = query.nodes[index];
  const auto part = [&](std::size_t i) { return holds_in(query, node.parts[i], world); };
  const auto is_true = [&](std::uint32_t child) { return holds_in(query, child, world); };
  const auto is_there = [&] { return world.latest[node.stream.index].has_value(); };
  switch (node.op) {
    case QueryNode::Op::False: return false;
    case QueryNode::Op::True: return true;
    case QueryNode::Op::Not: return !part(0);
    case QueryNode::Op::And: return std::ranges::all_of(node.parts, is_true);
    case QueryNode::Op::Or: return std::ranges::any_of(node.parts, is_true);
    case QueryNode::Op::Implies: return !part(0) || part(1);
    case QueryNode::Op::Iff: return part(0) == part(1);
    case QueryNode::Op::Exists: return is_there() && part(0);
    case QueryNode::Op::All: return !is_there() || part(0);
    case QueryNode::Op::Atom: break;
  }
  const ElementAtom& element = query.atoms[node.atom];
  Context values;  // by place, as the atom reads them
  for (const Place& place : element.places) {
    values.push_back(place.slot ? world.context[place.slot->index]
                                : (*world.latest[query.streams[place.binding].index])[place.field]);
  }
  return holds(element.atom, values);
}

// No value, and enough values to see everything that the tests below compare.
Element some_values(const Model& model, const Field& field) {
  Element values = {std::nullopt};
  const auto add = [&](const Rational& low, const Rational& high, const Rational& step) {
    for (Rational value = low; value <= high; value = value + step) values.emplace_back(value);
  };
  if (field.text) {
    add(0, static_cast<std::int64_t>(model.texts.size() + 1), 1);
    return values;
  }
  switch (field.type.kind) {
    case TypeKind::Bool: add(0, 1, 1); break;
    case TypeKind::Enum:
      for (const SymbolId symbol : field.type.members) values.emplace_back(symbol.index);
      break;
    case TypeKind::Int: add(field.type.low, field.type.high, 1); break;
    case TypeKind::Real: add(field.type.low, field.type.high, Rational(1) / Rational(4)); break;
    case TypeKind::Set: break;
  }
  return values;
}

void for_each_element(const Model& model, const Stream& stream, Element& element,
                      const std::function<void()>& visit) {
  if (element.size() == stream.fields.size()) {
    visit();
    return;
  }
  for (const Value& value : some_values(model, stream.fields[element.size()])) {
    element.push_back(value);
    for_each_element(model, stream, element, visit);
    element.pop_back();
  }
}

void for_each_world(const Model& model, World& world, const std::function<void()>& visit) {
  const std::size_t next = world.latest.size();
  if (next == model.streams.size()) {
    visit();
    return;
  }
  const StreamId stream{static_cast<std::uint32_t>(next)};
  world.latest.emplace_back();
  for_each_world(model, world, visit);
  const bool asked = std::ranges::any_of(model.queries, [&](const Query& query) {
    return std::ranges::find(query.streams, stream) != query.streams.end();
  });
  if (asked) {
    world.latest.back().emplace();
    for_each_element(model, model.streams[stream], *world.latest[next],
                     [&] { for_each_world(model, world, visit); });
  }
  world.latest.pop_back();
}

using Truths = std::set<std::vector<bool>>;  // of all atoms of the model

// Atoms other than queries are boolean variables here.
Truths truths_by_trying(const Model& model) {
  Truths truths;
  Budget budget;
  Cells::of(model, budget)->for_each_context([&](const Context& context) {
    World world{.latest = {}, .context = context};
    for_each_world(model, world, [&] {
      std::vector<bool> truth;
      for (const Atom& atom : model.atoms) {
        const auto& query = model.variables[model.slots[atom.slots.front()].variable].query;
        truth.push_back(
            query ? holds_in(model.queries[*query],
                             static_cast<std::uint32_t>(model.queries[*query].nodes.size() - 1),
                             world)
                  : holds(atom, context));
      }
      truths.insert(truth);
    });
    return true;
  });
  return truths;
}

Truths truths_by_constraints(const Model& model) {
  const std::vector<AtomId> written = written_atoms(model);
  Truths truths;
  Budget budget;
  Cells::of(model, budget)->for_each_context([&](const Context& context) {
    const Situation situation = evaluate(model, context);
    if (!feasible(model, situation)) return true;
    std::vector<bool> truth;
    for (const AtomId atom : written) truth.push_back(situation.holds(atom));
    truths.insert(truth);
    return true;
  });
  return truths;
}

void expect_the_same(const std::string& conditions) {
  const Model model = latest_model_of(R"(
    sense door : bool
    stream plate { status: {down, up, gone}, ok: bool, n: int 0..4 }
    stream tags { id: string, at: real 0..1 }
    stream gates { id: string, at: real 0..1 }
    state A initial
    rule r: A -> A when )" + conditions);
  const std::optional<Model> more = with_latest_elements(model);
  ASSERT_TRUE(more.has_value()) << conditions;
  EXPECT_EQ(written_atoms(*more).size(), model.atoms.size());
  for (const AtomId atom : model.atoms.ids()) {
    EXPECT_FALSE(is_free(model, atom)) << model.atoms[atom].text;
    EXPECT_EQ(more->atoms[atom].text, model.atoms[atom].text);
  }
  EXPECT_EQ(truths_by_constraints(*more), truths_by_trying(model)) << conditions;
}

TEST(Latest, FieldsExcludeEachOther) {
  expect_the_same(R"((exists p in plate: p.status == down) and (exists p in plate: p.status == up)
    and (exists p in plate: p.status in {gone, up}))");
  expect_the_same(R"((exists p in plate: p.n > 3) and (exists p in plate: p.n < 2) and
    (exists p in plate: 2 * p.n == 5) and (all p in plate: p.n <= 3))");
  expect_the_same(R"((exists t in tags: t.at < 0.5) and (all t in tags: t.at >= 0.5))");
}

TEST(Latest, AnElementMayBeMissingAndSoMayAValue) {
  expect_the_same(R"((all p in plate: p.ok) and (all p in plate: not p.ok) and
    (exists p in plate: true) and (exists p in plate: not p.ok))");
  expect_the_same(R"((all p in plate: p.n > 2) and (all p in plate: p.n <= 2) and
    (all p in plate: false))");
}

TEST(Latest, ConditionsNestAndReadVariables) {
  expect_the_same(R"((exists p in plate: p.ok and door implies p.n == 3 or p.status == down) and
    (all p in plate: (p.ok iff door) or not (p.n in {1, 2})) and door)");
  expect_the_same(R"((exists p in plate: all t in tags: t.at > 0.5 or p.ok) and
    (exists t in tags: t.at > 0.5) and (exists p in plate: p.ok))");
}

TEST(Latest, TextsAreKnownOrNot) {
  expect_the_same(R"((exists t in tags: t.id == "a") and (exists t in tags: t.id != "b") and
    (exists t in tags: t.id in {"a", "b"}) and (all t in tags: t.id != "a"))");
  expect_the_same(R"((exists t in tags: exists g in gates: t.id == g.id) and
    (exists t in tags: t.id == "a") and (exists g in gates: g.id == "a"))");
}

TEST(Latest, TwoNamesOfOneStreamAreTheSameElement) {
  expect_the_same(R"((exists a in tags: exists b in tags: a.id != b.id) and
    (exists a in tags: exists b in tags: a.at < b.at or a.id == b.id))");
}

TEST(Latest, FieldsAreComparedWithEachOther) {
  expect_the_same(R"((exists t in tags: exists g in gates: t.at < g.at) and
    (exists t in tags: exists g in gates: t.at > g.at) and (exists t in tags: t.at > 0.5))");
}

std::vector<bool> freedom(const std::string& declarations, const std::string& conditions) {
  const Model model =
      latest_model_of(declarations + " state A initial rule r: A -> A when " + conditions);
  std::vector<bool> result;
  for (const AtomId atom : model.atoms.ids()) result.push_back(is_free(model, atom));
  return result;
}

TEST(Latest, OtherConditionsAreFree) {
  const std::string streams = R"(
    extern near(x: real)
    sense limit : int 0..9  var mode : bool = false
    stream S { n: int 0..9, m: int 0..9, x: real 0..9, y: real 0..9 })";
  EXPECT_EQ(freedom(streams, "limit > 3"), std::vector{false});
  for (const std::string condition :
       {"exists s in S[last 5s]: s.n > 3", "exists s in S[next 5s]: s.n > 3",
        "exists s in S: exists t in S[last 5s]: s.n > 3", "exists s in S: near(s.x)", "near(3)",
        "exists s in S: s.n > limit", "exists s in S: s.n > s.m", "exists s in S: s.x * s.y > 3",
        "exists s in S: s.x * s.x > 3", "(exists s in S: mode and s.n > 3) do mode := true"}) {
    EXPECT_EQ(freedom(streams, condition), std::vector{true}) << condition;
  }
  EXPECT_EQ(freedom(streams, "exists s in S: s.x > 1.5 * s.y or s.n > 3"), std::vector{false});
}

TEST(Latest, WhatReadsNoLatestElementStaysAsItIs) {
  EXPECT_FALSE(with_latest_elements(latest_model_of(R"(
    sense a : bool  stream S { n: int 0..9 }
    constraint a
    state A initial
    rule r: A -> A when a and exists s in S[last 5s]: s.n > 3)")));
}

}  // namespace
}  // namespace poise::model
