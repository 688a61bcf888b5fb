#include "poise/importer/fcl.h"

#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise::importer {
namespace {

// The example of the standard's draft, with singletons, and one output more.
constexpr std::string_view kTipper = R"((* a restaurant *)
FUNCTION_BLOCK tipper
VAR_INPUT
  service : REAL;  // 0 to 9
  food : REAL;
END_VAR
VAR_OUTPUT
  tip : REAL;
  smile : REAL;
END_VAR
FUZZIFY service
  TERM poor := (0, 1) (4, 0);
  TERM good := (1, 0) (4,1) (6,1) (9,0);
  TERM excellent := (6, 0) (9, 1);
END_FUZZIFY
FUZZIFY food
  RANGE := (0 .. 10);
  TERM rancid := (0, 1) (1, 1) (3, 0.0);
  TERM delicious := trape 7 9 10 10;
END_FUZZIFY
DEFUZZIFY tip
  RANGE := (0..30);
  TERM cheap := (0,0) (5,1) (10,0);
  TERM average := (10,0) (15,1) (20,0);
  TERM generous := trian 20 25 30;
  ACCU : MAX;
  METHOD : COG;
  DEFAULT := 0;
END_DEFUZZIFY
DEFUZZIFY smile
  TERM no := 0;
  TERM yes := 1;
  METHOD : COGS;
  DEFAULT := 0.5;
END_DEFUZZIFY
RULEBLOCK No1
  AND : MIN;
  OR : MAX;
  ACT : MIN;
  ACCU : MAX;
  RULE 1 : IF service IS poor OR food IS rancid THEN tip IS cheap;
  RULE 2 : IF service IS good THEN tip IS average, smile IS yes;
  RULE 3 : if Service is EXCELLENT and NOT (food IS NOT delicious) THEN tip IS generous WITH 0.75;
END_RULEBLOCK
END_FUNCTION_BLOCK
)";

TEST(Fcl, BecomesAPolicy) {
  const Imported imported = from_fcl(kTipper);
  for (const diag::Diagnostic& diagnostic : imported.diagnostics) {
    ADD_FAILURE() << diagnostic.message << " at " << diagnostic.span.begin;
  }
  EXPECT_EQ(imported.text, R"(model tipper

sense service : real 0..9
  term poor = ramp 4 0, good = trapezoid 1 4 6 9, excellent = ramp 6 9
sense food : real 0..10
  term rancid = table (0 1) (1 1) (3 0.0), delicious = trapezoid 7 9 10 10

variant tip : real 0..30 = 0
option set_tip: tip := utility
utility of set_tip : real 0..30 = 0 mamdani
  term cheap = triangle 0 5 10, average = triangle 10 15 20, generous = triangle 20 25 30

variant smile : real 0..1 = 0.5
option set_smile: smile := utility
utility of set_smile : real 0..1 = 0.5 sugeno
  term no = singleton 0, yes = singleton 1

prefer set_tip cheap when service is poor or food is rancid
prefer set_tip average when service is good
prefer set_smile yes when service is good
prefer set_tip generous weight 0.75 when service is excellent and not (not food is delicious)
)");
}

std::string fcl_mistake(std::string_view text) {
  const Imported imported = from_fcl(text);
  EXPECT_TRUE(imported.text.empty());
  if (imported.diagnostics.empty()) return "none";
  const diag::Diagnostic& first = imported.diagnostics.front();
  return std::string(diag::info(first.code).code) + ": " +
         std::string(text.substr(first.span.begin, first.span.end - first.span.begin));
}

// The tipper with a piece of it replaced.
std::string with(std::string_view old, std::string_view other) {
  std::string text(kTipper);
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, old.size(), other);
}

TEST(Fcl, SaysWhatItCannotRead) {
  EXPECT_EQ(fcl_mistake("nonsense"), "import-syntax: nonsense");
  EXPECT_EQ(fcl_mistake("(* never closed"), "import-syntax: (*");
  EXPECT_EQ(fcl_mistake(with("METHOD : COG;", "METHOD : LM;")), "import-unsupported: LM");
  EXPECT_EQ(fcl_mistake(with("DEFAULT := 0;", "DEFAULT := NC;")), "import-unsupported: NC");
  EXPECT_EQ(fcl_mistake(with("AND : MIN", "AND : PROD")), "import-unsupported: PROD");
  EXPECT_EQ(fcl_mistake(with("food : REAL", "food : INT")), "import-unsupported: INT");
  EXPECT_EQ(fcl_mistake(with("trian 20 25 30", "gauss 20 3")), "import-unsupported: gauss");
  EXPECT_EQ(fcl_mistake(with("(0, 1) (4, 0)", "(0, 1) (4, 2)")), "import-syntax: (");
  EXPECT_EQ(fcl_mistake(with("(0, 1) (4, 0)", "(0 1) (4, 0)")), "import-syntax: 1");
  EXPECT_EQ(fcl_mistake(with("METHOD : COGS", "METHOD : COG")), "import-unsupported: no");
  EXPECT_EQ(fcl_mistake(with("service IS poor", "service IS bad")), "import-syntax: bad");
  EXPECT_EQ(fcl_mistake(with("END_RULEBLOCK", "")), "import-syntax: END_FUNCTION_BLOCK");
}

TEST(Fcl, BadTextNeverCrashes) {
  Random random(12);
  for (int round = 0; round < 3000; ++round) {
    std::string text(kTipper);
    for (std::uint64_t i = 1 + random.below(6); i > 0; --i) {
      const std::size_t at = random.below(text.size());
      switch (random.below(3)) {
        case 0: text.erase(at, random.below(30)); break;
        case 1: text[at] = static_cast<char>(random.below(128)); break;
        default: text.insert(at, text.substr(random.below(text.size()), random.below(30)));
      }
    }
    const Imported imported = from_fcl(text);
    EXPECT_EQ(imported.text.empty(), !imported.diagnostics.empty());
  }
}

}  // namespace
}  // namespace poise::importer
