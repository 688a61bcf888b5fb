#include "poise/boolean/decided.h"

#include <optional>
#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/model/step.h"

namespace poise::boolean {
namespace {

using model::Differences;

// The atoms of one model as variables of an arena, in the order in which they are best decided.
struct Compared {
  explicit Compared(const std::string& text) {
    lang::Parsed parsed = lang::parse({.name = "test.poise", .text = "state S initial\n" + text});
    EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
    model = std::move(*parsed.model);
    std::vector<model::SlotId> slots;
    for (const model::SlotId slot : model.slots.ids()) slots.push_back(slot);
    std::vector<const model::Atom*> tests;
    for (const model::Atom& atom : model.atoms) tests.push_back(&atom);
    differences = Differences::of(model, slots, tests);
    truths.resize(tests.size());
    for (std::size_t step = 0; step < differences->steps(); ++step) {
      for (const std::uint32_t test : differences->tests(step)) {
        truths[test] = arena.literal(arena.add_variable());
      }
    }
  }

  model::Model model;
  std::optional<Differences> differences;
  Arena arena;
  std::vector<Node> truths;
};

// The number of answers that go together.
Integer answers_of(const std::string& text) {
  Compared compared(text);
  Budget budget;
  DecidedAnswers answers(compared.arena, budget, *compared.differences, compared.truths);
  const Node node = answers.node();
  EXPECT_EQ(answers.trouble(), "");
  EXPECT_FALSE(compared.arena.gave_up());
  return compared.arena.count(node, std::vector<bool>(compared.truths.size() + 1, true));
}

std::string chain_of(int length, const std::string& type, const std::string& relation) {
  std::string text;
  for (int i = 0; i < length; ++i) text += "sense x" + std::to_string(i) + " : " + type + " ";
  text += "constraint true";
  for (int i = 1; i < length; ++i) {
    text += " or x" + std::to_string(i - 1) + relation + "x" + std::to_string(i);
  }
  return text;
}

TEST(Decided, AChainOfRealsHasEveryAnswer) {
  EXPECT_EQ(answers_of(chain_of(30, "real 0..100", " < ")), Integer::power(2, 29));
}

// With numbers from 0 to 2 no three comparisons in a row can hold: tribonacci numbers.
TEST(Decided, AChainOfFewNumbersHasNoLongRuns) {
  std::int64_t last[3] = {1, 1, 2};  // words of length -1, 0 and 1
  for (int length = 2; length <= 40; ++length) {
    const std::int64_t next = last[0] + last[1] + last[2];
    last[0] = last[1];
    last[1] = last[2];
    last[2] = next;
    EXPECT_EQ(answers_of(chain_of(length + 1, "int 0..2", " < ")), Integer(next)) << length;
  }
}

// x0 < x1 < ... < x0 cannot be; all of the others can.
TEST(Decided, ARingCannotRiseAllTheWay) {
  EXPECT_EQ(answers_of(chain_of(20, "real 0..1", " < ") + " or x19 < x0"),
            Integer::power(2, 20) - 1);
}

TEST(Decided, EveryLeafOfAStarIsFree) {
  std::string text = "sense c : int 0..1439 ";
  for (int i = 0; i < 40; ++i) text += "sense x" + std::to_string(i) + " : int 0..1439 ";
  text += "constraint true";
  for (int i = 0; i < 40; ++i) text += " or x" + std::to_string(i) + " < c";
  EXPECT_EQ(answers_of(text), Integer::power(2, 40));
}

TEST(Decided, ATableOfThresholdsHasOneAnswerMoreThanThresholds) {
  std::string text = "sense x : int 0..100000 constraint true";
  for (int i = 1; i <= 3000; ++i) {
    const std::string at = std::to_string(i * 7919 % 100000);
    text += " or x >= " + at + " or x < " + at;
  }
  EXPECT_EQ(answers_of(text), Integer(3001));
}

// Each answer that some whole numbers give, counted one by one.
std::int64_t answers_by_trying(const model::Model& model, std::int64_t most) {
  std::set<std::vector<bool>> found;
  model::Context context(model.slots.size(), Rational(0));
  for (bool more = true; more;) {
    found.insert(evaluate(model, context).atoms);
    more = false;
    for (model::Value& value : context) {
      more = *value < Rational(most);
      value = more ? *value + 1 : Rational(0);
      if (more) break;
    }
  }
  return static_cast<std::int64_t>(found.size());
}

TEST(Decided, AsManyAnswersAsTryingFinds) {
  std::mt19937 random(11);
  const std::vector<std::string> relations = {" < ", " <= ", " == ", " != ", " > ", " >= "};
  for (int round = 0; round < 100; ++round) {
    std::string text;
    for (int i = 0; i < 4; ++i) text += "sense x" + std::to_string(i) + " : int 0..4 ";
    text += "constraint true";
    for (unsigned i = 0; i < 6 + random() % 4; ++i) {
      text += " or x" + std::to_string(random() % 4) + relations[random() % 6] + "x";
      text += std::to_string(random() % 4) + " + " + std::to_string(random() % 4);
    }
    EXPECT_EQ(answers_of(text), Integer(answers_by_trying(Compared(text).model, 4))) << text;
  }
}

std::string all_pairs_of(int count) {
  std::string text = chain_of(count, "real 0..100", " < ");
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < i; ++j) text += " or x" + std::to_string(i) + " < x" + std::to_string(j);
  }
  return text;
}

TEST(Decided, SaysWhenComparisonsDependOnEachOtherTooMuch) {
  Compared compared(all_pairs_of(7));
  Budget budget;
  DecidedAnswers answers(compared.arena, budget, *compared.differences, compared.truths, 1000);
  static_cast<void>(answers.node());
  EXPECT_NE(answers.trouble().find("27 comparisons"), std::string::npos) << answers.trouble();
}

TEST(Decided, EndsWithTheTimeLimit) {
  Compared compared(all_pairs_of(16));
  Budget budget({.time = std::chrono::milliseconds(20), .memory_bytes = {}});
  DecidedAnswers answers(compared.arena, budget, *compared.differences, compared.truths);
  static_cast<void>(answers.node());
  EXPECT_EQ(answers.trouble(), reason(Exhausted::Time));
}

}  // namespace
}  // namespace poise::boolean
