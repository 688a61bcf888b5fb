#include "poise/log/known_context.h"

#include <string>

#include <gtest/gtest.h>

#include "poise/log/json_lines.h"
#include "tests/support/models.h"

namespace poise::log {
namespace {

using test::model_of;

constexpr const char* kModel = R"(
  sense on    : bool
  sense fix   : bool if on
  sense speed : real 0..350 if fix
  sense limit : int 0..350
  sense near  : set {car, pc} if on
  var ringer  : {loud, mute} = loud
  state A initial
  rule a: A -> A when on
  rule b: A -> A when fix
  rule c: A -> A when speed > 5
  rule d: A -> A when speed > limit
  rule e: A -> A when near has pc
  rule f: A -> A when ringer == mute
  rule g: A -> A when speed in {1, 2}
)";

class KnownTest : public testing::Test {
 protected:
  // The truth of every atom after another line: on fix speed>5 speed>limit near mute speed-in.
  std::string after(const std::string& assignments) {
    const Result<const Entry*> entry = log_.read(1, R"({"set": {)" + assignments + "}}");
    EXPECT_TRUE(entry) << entry.error().message;
    known_.apply(**entry);
    return truths();
  }
  std::string truths() const {
    std::string text;
    for (const model::Atom& atom : model_.atoms) {
      switch (known_.truth(atom)) {
        case Truth::False: text += '0'; break;
        case Truth::True: text += '1'; break;
        case Truth::Unknown: text += '?'; break;
      }
    }
    return text;
  }

  const model::Model model_ = model_of(kModel);
  JsonLines log_{model_};
  KnownContext known_{model_};
};

TEST_F(KnownTest, KnowsNothingAtFirst) { EXPECT_EQ(truths(), "???????"); }

TEST_F(KnownTest, LearnsWhatEntriesSay) {
  EXPECT_EQ(after(R"("on": true, "fix": true, "speed": 7.2)"), "111???0");
  EXPECT_EQ(after(R"("limit": 50)"), "1110??0");
  EXPECT_EQ(after(R"("near": ["pc"], "ringer": "mute")"), "1110110");
  EXPECT_EQ(after(R"("limit": null)"), "111?110");
}

TEST_F(KnownTest, AnAtomIsFalseWhereAValueIsAbsentEvenIfAnotherIsUnknown) {
  EXPECT_EQ(after(R"("fix": true, "on": true, "speed": null)"), "1100??0");
}

TEST_F(KnownTest, AGuardThatIsFalseTakesAwayEverythingBehindIt) {
  EXPECT_EQ(after(R"("on": false)"), "00000?0");
  EXPECT_EQ(after(R"("fix": true, "speed": 100, "limit": 5)"), "00000?0");
}

TEST_F(KnownTest, AValueIsBelievedWhileItsGuardIsUnknown) {
  EXPECT_EQ(after(R"("speed": 1)"), "??0???1");
  EXPECT_EQ(after(R"("fix": true)"), "?10???1");
  EXPECT_EQ(after(R"("on": true)"), "110???1");
  EXPECT_EQ(after(R"("on": null)"), "?10???1");
}

TEST_F(KnownTest, WhatIsOlderThanTheGuardIsForgotten) {
  after(R"("on": true, "fix": true, "speed": 7, "near": ["pc"], "limit": 5)");
  EXPECT_EQ(after(R"("on": false)"), "00000?0");
  after(R"("speed": 100)");
  EXPECT_EQ(after(R"("on": true)"), "1??????");
}

TEST_F(KnownTest, WhatComesWithTheGuardCounts) {
  after(R"("on": false, "limit": 5)");
  EXPECT_EQ(after(R"("speed": 7, "fix": true, "on": true)"), "1111??0");
  after(R"("fix": false)");
  EXPECT_EQ(after(R"("near": [])"), "10000?0");
  EXPECT_EQ(after(R"("fix": true)"), "11??0??");
  EXPECT_EQ(after(R"("speed": 7)"), "11110?0");
}

TEST_F(KnownTest, AGapInTheGuardDoesNotBringOldValuesBack) {
  after(R"("on": true, "fix": true, "speed": 7)");
  after(R"("on": false)");
  EXPECT_EQ(after(R"("on": null)"), "???????");
}

TEST_F(KnownTest, SayingAgainThatAGuardHoldsChangesNothing) {
  after(R"("on": true, "fix": true, "speed": 7, "near": null)");
  EXPECT_EQ(after(R"("on": true, "fix": true)"), "111?0?0");
}

TEST_F(KnownTest, AnAbsentValueIsForgottenWhenTheGuardTurnsOutToHold) {
  EXPECT_EQ(after(R"("fix": null, "speed": 7)"), "?000??0");
  EXPECT_EQ(after(R"("on": true)"), "1??????");
}

TEST_F(KnownTest, AMemberChangesAlone) {
  after(R"("near": ["car"])");
  const Result<const Entry*> entry = log_.read(1, R"({"add": "near", "value": "pc"})");
  ASSERT_TRUE(entry);
  known_.apply(**entry);
  EXPECT_EQ(truths(), "????1??");
}

}  // namespace
}  // namespace poise::log
