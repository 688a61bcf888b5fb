#include "poise/rank/feedback.h"

#include <gtest/gtest.h>

namespace poise::rank {
namespace {

TEST(Feedback, IsAFaultAndAVerdict) {
  const auto read = judgement_from(R"({"fault": "12ab", "verdict": "confirmed"})");
  ASSERT_TRUE(read && *read);
  EXPECT_EQ((*read)->fault, "12ab");
  EXPECT_EQ((*read)->verdict, Verdict::Confirmed);
  EXPECT_EQ((*judgement_from(R"({"verdict":"rejected","fault":"x"})"))->verdict, Verdict::Rejected);
  EXPECT_EQ((*judgement_from(R"({"fault":"x","verdict":"none"})"))->verdict, Verdict::None);
}

TEST(Feedback, MayHaveOtherKeysAndBlankLines) {
  EXPECT_TRUE((*judgement_from(R"({"note": {"a": [1]}, "fault": "x", "verdict": "none"})")));
  EXPECT_EQ(*judgement_from("  \r"), std::nullopt);
}

TEST(Feedback, SaysWhatIsWrong) {
  const auto wrong = [](const char* line) {
    const auto read = judgement_from(line);
    return read ? std::string("nothing") : read.error().message;
  };
  EXPECT_EQ(wrong(R"({"fault": "x"})"), "`verdict` is missing");
  EXPECT_EQ(wrong(R"({"verdict": "rejected"})"), "`fault` is missing");
  EXPECT_EQ(wrong(R"({"fault": "x", "verdict": "maybe"})"),
            "column 27: a verdict is `confirmed`, `rejected` or `none`");
  EXPECT_EQ(wrong(R"({"fault": "x", "fault": "y", "verdict": "none"})"),
            "column 16: `fault` is there twice");
  EXPECT_NE(wrong("[]"), "nothing");
  EXPECT_NE(wrong(R"({"fault": "x", "verdict": "none"} more)"), "nothing");
}

}  // namespace
}  // namespace poise::rank
