#include "poise/finding/assumed.h"

#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::finding {
namespace {

using model::AtomId;

constexpr const char* kModel = R"(
  sense a : bool
  stream S { n: int 0..9 }
  state A initial, B
  rule go: A -> B when a and (exists s in S[last 5s]: s.n > 3) and (exists s in S: s.n > 3)
  rule back: B -> A when a and (exists s in S[last 9s]: s.n > 4))";

model::Model assumed_model() {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = kModel});
  EXPECT_TRUE(parsed.model.has_value());
  return std::move(*parsed.model);
}

std::string texts(const model::Model& model, const std::vector<AtomId>& atoms) {
  std::string text;
  for (const AtomId atom : atoms) text += model.atoms[atom].text + "\n";
  return text;
}

constexpr const char* kFive = "(exists s in S[last 5s]: s.n > 3)\n";
constexpr const char* kNine = "(exists s in S[last 9s]: s.n > 4)\n";

Fault cycle() {
  Fault fault{};
  fault.kind = FaultKind::Cycle;
  fault.rules = {model::RuleId{0}, model::RuleId{1}};
  return fault;
}

TEST(Assumed, AreTheFreeAtomsOfTheCondition) {
  const model::Model model = assumed_model();
  Fault fault = cycle();
  Conjunction all;
  for (const AtomId atom : model.atoms.ids()) all.push_back({atom, true});
  fault.when = Condition{all};
  EXPECT_EQ(texts(model, assumed_free(model, fault)), std::string(kFive) + kNine);
  fault.when = Condition{{all.front()}, {all[1]}, {all[1]}};
  EXPECT_EQ(texts(model, assumed_free(model, fault)), kFive);
  fault.when = Condition{{all.front()}};
  EXPECT_EQ(texts(model, assumed_free(model, fault)), "");
}

TEST(Assumed, WithoutAConditionAreThoseOfTheStatesVisited) {
  const model::Model model = assumed_model();
  EXPECT_EQ(texts(model, assumed_free(model, cycle())), std::string(kFive) + kNine);
  Fault choice = cycle();
  choice.kind = FaultKind::Nondeterminism;
  EXPECT_EQ(texts(model, assumed_free(model, choice)), kFive);
  EXPECT_EQ(texts(model, assumed_free(model, model::RuleId{1})), std::string(kFive) + kNine);
}

TEST(Assumed, WhatCannotBeNeedsNoAssumption) {
  const model::Model model = assumed_model();
  Fault fault = cycle();
  fault.kind = FaultKind::DeadRule;
  EXPECT_EQ(texts(model, assumed_free(model, fault)), "");
}

}  // namespace
}  // namespace poise::finding
