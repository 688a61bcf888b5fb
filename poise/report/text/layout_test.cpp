#include "poise/report/text/layout.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/office_model.h"

namespace poise::report {
namespace {

using diag::Color;
using model::RuleId;

TEST(Wrapped, BreaksAtBlanks) {
  EXPECT_EQ(wrapped("one two three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(wrapped("overlong a", 4), (std::vector<std::string>{"overlong", "a"}));
  EXPECT_EQ(wrapped("", 4), (std::vector<std::string>{""}));
}

TEST(Folded, GoesOnFurtherInWhereALineIsTooWide) {
  EXPECT_EQ(folded("  one two three\nfour\n", 9), "  one two\n    three\nfour\n");
  EXPECT_EQ(folded("  overlong  a\n", 6), "  overlong\n    a\n");
  EXPECT_EQ(folded("\x1b[1mone\x1b[0m two\n", 7), "\x1b[1mone\x1b[0m two\n");
  EXPECT_EQ(folded("", 7), "");
}

TEST(DrawnPath, FollowsTheRules) {
  const std::vector<RuleId> path = {test::kEnter, test::kLeave};
  EXPECT_EQ(drawn_path(test::office_model(), test::kIdle, path, 80, Color::No),
            "Idle ─Enter→ Work ─Leave→ Idle");
}

TEST(DrawnPath, LeavesOutTheMiddleWhereItIsTooLong) {
  const std::vector<RuleId> path = {test::kEnter, test::kLeave, test::kEnter, test::kLeave,
                                    test::kWalk};
  const model::Model model = test::office_model();
  EXPECT_EQ(drawn_path(model, test::kIdle, path, 50, Color::No),
            "Idle ─Enter→ Work … 3 more … Idle ─Walk→ Away");
  EXPECT_EQ(drawn_path(model, test::kIdle, path, 1, Color::No),
            "Idle ─Enter→ Work … 3 more … Idle ─Walk→ Away");
}

TEST(DrawnPath, ColoursDoNotCountAsColumns) {
  const std::vector<RuleId> path = {test::kEnter, test::kLeave};
  const std::string text = drawn_path(test::office_model(), test::kIdle, path, 31, Color::Yes);
  EXPECT_NE(text.find("\x1b[1mIdle\x1b[0m"), std::string::npos);
  EXPECT_EQ(text.find("more"), std::string::npos);
}

TEST(Shortened, PutsTheExamplesWayFirstAndCountsTheRest) {
  const model::Model model = test::office_model();
  const finding::Condition condition = {{{test::kMoving, true}},
                                        {{test::kHasPhone, false}},
                                        {{test::kAtOffice, true}, {test::kHasPhone, true}}};
  EXPECT_EQ(shortened(model, condition, test::at_the_office(), 200),
            "place == office and bt has phone or gps.speed > 5 or not bt has phone");
  EXPECT_EQ(shortened(model, condition, test::at_the_office(), 60),
            "place == office and bt has phone … or 2 other ways");
  EXPECT_EQ(shortened(model, condition, std::nullopt, 40), "gps.speed > 5 … or 2 other ways");
}

TEST(Shortened, CutsAConjunctionAfterALiteral) {
  const finding::Condition condition = {
      {{test::kMoving, false}, {test::kAtOffice, true}, {test::kHasPhone, true}}};
  EXPECT_EQ(shortened(test::office_model(), condition, std::nullopt, 40),
            "place == office and 2 more conditions");
}

TEST(Shortened, CutsAConjunctionOfAlternatives) {
  const finding::Condition condition({{{test::kMoving, true}},
                                      {{test::kAtOffice, true}, {test::kHasPhone, false}},
                                      {{test::kAtOffice, false}, {test::kHasPhone, true}}},
                                     finding::Condition::Form::AllOfAlternatives);
  const model::Model model = test::office_model();
  EXPECT_EQ(shortened(model, condition, std::nullopt, 200),
            "gps.speed > 5 and (place == office or not bt has phone) and "
            "(not place == office or bt has phone)");
  EXPECT_EQ(shortened(model, condition, std::nullopt, 40), "gps.speed > 5 and 2 more conditions");
}

TEST(Shortened, KnowsAlwaysAndNever) {
  EXPECT_EQ(shortened(test::office_model(), {}, std::nullopt, 40), "never");
  EXPECT_EQ(shortened(test::office_model(), {{}}, std::nullopt, 40), "always");
}

TEST(Enumerated, ReadsLikeASentence) {
  const std::vector<std::string> names = {"a", "b", "c", "d"};
  EXPECT_EQ(enumerated(names), "a, b, c and d");
  EXPECT_EQ(enumerated(names, 3), "a, b and 2 more");
}

TEST(ValuesText, LeavesOutWhatHasNoValue) {
  const std::vector<model::VariableId> variables = {{0}, {1}, {2}, {3}};
  const auto text = [&](std::size_t room) {
    return values_text(test::office_model(), test::at_the_office(), variables, room);
  };
  EXPECT_EQ(text(44), "gps.on = false, place = office, bt = {phone}");
  EXPECT_EQ(text(43), "gps.on = false and 2 more values");
  EXPECT_EQ(text(5), "gps.on = false and 2 more values");
}

}  // namespace
}  // namespace poise::report
