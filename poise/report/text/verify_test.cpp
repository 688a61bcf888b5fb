#include "poise/report/text/verify.h"

#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/report/verify_words.h"

namespace poise::report {
namespace {

class VerifyText : public testing::Test {
 protected:
  void SetUp() override {
    lang::Parsed parsed = lang::parse({.name = "test.poise", .text = R"(
      sense front : real 0..40
      action walk: front' == front - 10
      action look: front' <= front
      failure bump: front <= 0 after walk
      state A initial
      rule run: A -> A when front >= 5 do walk, look, walk
    )"});
    ASSERT_TRUE(parsed.model.has_value());
    model_ = std::move(*parsed.model);
  }

  model::Model model_;
  verify::Report report_;
};

TEST_F(VerifyText, SaysWhichOfSeveralEqualActionsItIs) {
  const model::RuleId run{0};
  EXPECT_EQ(act_words(model_, run, 0), "the first walk");
  EXPECT_EQ(act_words(model_, run, 1), "look");
  EXPECT_EQ(act_words(model_, run, 2), "the second walk");
}

TEST_F(VerifyText, ACountThatWasStoppedSaysHowFarItCame) {
  report_.bound = 30;
  report_.paths = {2, 4};
  report_.failing = {0, 1};
  report_.extent.complete = false;
  report_.extent.stopped = report_.reason = "the time limit was reached";
  EXPECT_NE(verify_text(model_, report_, {}).find("6 paths of at most 2 steps, 1 counterexample\n"),
            std::string::npos);
  // Where nothing was stopped, there may be no path as long as the bound.
  report_.extent.complete = true;
  report_.extent.stopped.clear();
  EXPECT_NE(verify_text(model_, report_, {}).find("6 paths of at most 30 steps, "),
            std::string::npos);
}

TEST_F(VerifyText, AHazardWhosePathIsListedWithAnotherActionHasItsOdds) {
  report_.verdict = verify::Verdict::Unsafe;
  report_.hazards = {{.state = {0},
                      .rule = {0},
                      .act = 2,
                      .failure = {0},
                      .first = 1,
                      .shortest = {model::RuleId{0}},
                      .paths = {},
                      .likeliest = {model::RuleId{0}},
                      .probability = verify::Likelihood{
                          .value = 0.25, .error = 0, .method = "test", .at_most = 0.26}}};
  const std::string text = verify_text(model_, report_, {});
  EXPECT_NE(text.find("bump after the second walk of run in A, first with 1 step\n"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("    odds      0.25 in the worst environment found; at most 0.26 in any\n"),
            std::string::npos)
      << text;
}

// A figure never says more than is known.
TEST_F(VerifyText, OddsSayWhatWasFoundAndWhatIsProved) {
  report_.verdict = verify::Verdict::Unsafe;
  report_.hazards = {{.state = {0},
                      .rule = {0},
                      .act = 2,
                      .failure = {0},
                      .first = 1,
                      .shortest = {model::RuleId{0}},
                      .paths = {},
                      .likeliest = {model::RuleId{0}}}};
  const auto odds = [&](const verify::Likelihood& one) {
    report_.hazards.front().probability = one;
    const std::string text = verify_text(model_, report_, {});
    const std::size_t at = text.find("    odds      ");
    return at == std::string::npos ? text
                                   : text.substr(at + 14, text.find("    at ", at) - at - 15);
  };
  EXPECT_EQ(odds({0.25, 0, "exact", 0.25}), "exactly 0.25 in the worst environment");
  EXPECT_EQ(odds({0, 0, "exact", 0}), "0 in the worst environment");
  EXPECT_EQ(odds({0.25, 0.001, "sampling", 0.2501}),
            "0.25 ± 0.001 in the worst environment found; at most 0.251 in any");
  EXPECT_EQ(odds({1e-9, 3e-9, "sampling", 4.2e-9}),
            "below 4e-09 in the worst environment found; at most 4.2e-09 in any");
  EXPECT_EQ(odds({0.25, 0, "exact", 0.5}),
            "0.25 in the worst environment found; at most 0.5 in any, a bound that may be far off");
}

}  // namespace
}  // namespace poise::report
