#include "poise/report/fingerprint.h"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "poise/check/check.h"
#include "poise/lang/lang.h"

namespace poise::report {
namespace {

using finding::FaultKind;

constexpr const char* kModel = R"(model Doorbell

sense home.someone : bool
sense clock.hour   : int 0..23

state Loud initial
state Quiet, Off

rule night: Loud -> Quiet
  when clock.hour >= 22

rule away: Loud -> Off
  when not home.someone

rule silent: Quiet -> Off
  when not home.someone
)";

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::vector<std::string> fingerprints(const std::string& text, std::size_t namesakes = 0) {
  const lang::Parsed parsed = lang::parse({.name = "doorbell.poise", .text = text});
  if (!parsed.model) {
    ADD_FAILURE() << "not a model: " << text;
    return {};
  }
  std::vector<std::string> all;
  for (const finding::Fault& fault : check::run(*parsed.model).faults) {
    all.push_back(fingerprint(*parsed.model, fault, namesakes));
  }
  return all;
}

// One choice, from Loud, and one race, from Loud to Off by way of Quiet.
TEST(Fingerprint, StaysTheSameInLaterVersions) {
  EXPECT_EQ(fingerprints(kModel),
            (std::vector<std::string>{"7663e2528106702a", "f10c15816c0e71a5"}));
}

TEST(Fingerprint, DoesNotDependOnWhereRulesStand) {
  const std::string night = "rule night: Loud -> Quiet\n  when clock.hour >= 22\n\n";
  const std::string moved = replaced(kModel, night, "") + "\n" + night;
  EXPECT_EQ(fingerprints(moved), fingerprints(kModel));
}

TEST(Fingerprint, DoesNotDependOnLayoutOrGuards) {
  const std::string one_line =
      replaced(kModel, "Quiet\n  when clock.hour >= 22", "Quiet when   clock.hour > 20 # later");
  EXPECT_EQ(fingerprints("# A comment\n\n" + one_line), fingerprints(kModel));
}

TEST(Fingerprint, DoesNotDependOnOtherRules) {
  const std::vector<std::string> before = fingerprints(kModel);
  const std::vector<std::string> after = fingerprints(replaced(kModel, "rule silent", "rule hush"));
  ASSERT_EQ(before.size(), 2U);
  ASSERT_EQ(after.size(), 2U);
  EXPECT_EQ(after[0], before[0]);
  EXPECT_NE(after[1], before[1]) << "the race goes through the renamed rule";
}

TEST(Fingerprint, DiffersForOtherModelsStatesKindsAndRules) {
  std::set<std::string> seen;
  std::size_t count = 0;
  const auto add = [&](const std::string& text, std::size_t namesakes = 0) {
    for (const std::string& one : fingerprints(text, namesakes)) {
      seen.insert(one);
      ++count;
    }
  };
  add(kModel);
  add(kModel, 1);
  add(kModel, 2);
  add(replaced(kModel, "model Doorbell", "model Bell"));
  EXPECT_EQ(count, 8U);
  EXPECT_EQ(seen.size(), count);
}

TEST(Fingerprint, KeepsPathsWithTheirOrderApart) {
  const lang::Parsed parsed = lang::parse({.name = "doorbell.poise", .text = kModel});
  ASSERT_TRUE(parsed.model);
  const model::RuleId night{0};
  const model::RuleId away{1};
  const auto of = [&](FaultKind kind, std::vector<model::RuleId> rules) {
    return fingerprint(*parsed.model, {.kind = kind, .state = {0}, .rules = std::move(rules)});
  };
  EXPECT_NE(of(FaultKind::Race, {night, away}), of(FaultKind::Race, {away, night}));
  EXPECT_NE(of(FaultKind::Race, {night, away}), of(FaultKind::Cycle, {night, away}));
  EXPECT_NE(of(FaultKind::DeadState, {}), of(FaultKind::UnreachableState, {}));
  EXPECT_EQ(of(FaultKind::Nondeterminism, {night, away}),
            of(FaultKind::Nondeterminism, {away, night}));
}

// Names that run together otherwise: "ab" + "c" and "a" + "bc".
TEST(Fingerprint, KnowsWhereANameEnds) {
  model::Model model;
  model.states.add({.name = "S"});
  for (const char* name : {"ab", "c", "a", "bc"}) model.rules.add({.name = name});
  const auto of = [&](std::uint32_t first, std::uint32_t second) {
    return fingerprint(model,
                       {.kind = FaultKind::Race, .state = {0}, .rules = {{first}, {second}}});
  };
  EXPECT_NE(of(0, 1), of(2, 3));
}

}  // namespace
}  // namespace poise::report
