#include "poise/model/questions.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/model/step.h"

namespace poise::model {
namespace {

Model questions_model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

Result<Questions> try_questions(const Model& model) {
  Budget budget;
  return Questions::of(model, budget);
}

Questions questions_of(const Model& model) { return try_questions(model).value(); }

SlotId slot_of(const Model& model, const std::string& name) {
  for (const Variable& variable : model.variables) {
    if (variable.name == name) return variable.first_slot;
  }
  ADD_FAILURE() << "no variable " << name;
  return {};
}

QuestionId asking(const Model& model, const std::string& text) {
  for (const AtomId atom : model.atoms.ids()) {
    if (model.atoms[atom].text == text) return question_of(atom);
  }
  ADD_FAILURE() << "no atom " << text;
  return {};
}

TEST(Questions, AtomsComeFirstAndEachHasItsPlaceInItsTopic) {
  const Model model = questions_model_of(R"(
    sense a : bool  sense n : int 0..9  sense x : real 0..1  sense y : real 0..1
    state A initial
    rule r: A -> A when a and n > 3 and x < y do n := 5
    rule s: A -> A when n in {1, 2} or x + y > 1)");
  const Questions questions = questions_of(model);
  ASSERT_GE(questions.size(), model.atoms.size());
  for (const AtomId atom : model.atoms.ids()) {
    EXPECT_EQ(questions.test(question_of(atom)).text, model.atoms[atom].text);
  }
  std::size_t places = 0;
  for (std::uint32_t index = 0; index < questions.topics().size(); ++index) {
    const Topic& topic = questions.topics()[index];
    for (std::uint32_t place = 0; place < topic.questions.size(); ++place) {
      EXPECT_EQ(questions.topic_of(topic.questions[place]), index);
      EXPECT_EQ(questions.place_of(topic.questions[place]), place);
      ++places;
      for (const SlotId slot : questions.test(topic.questions[place]).slots) {
        EXPECT_EQ(questions.topic_of(slot), index);
        EXPECT_TRUE(questions.reads(topic.questions[place], slot));
      }
    }
  }
  EXPECT_EQ(places, questions.size());
}

TEST(Questions, ATopicHoldsTheSlotsThatAtomsReadTogether) {
  const Model model = questions_model_of(R"(
    sense a : bool  sense n : int 0..9  sense x : int 0..9  sense y : int 0..9  sense z : int 0..9
    state A initial
    rule r: A -> A when a and n > 3 and x < y
    rule s: A -> A when y < z)");
  const Questions questions = questions_of(model);
  const std::uint32_t joint = questions.topic_of(slot_of(model, "x"));
  EXPECT_EQ(questions.topic_of(slot_of(model, "y")), joint);
  EXPECT_EQ(questions.topic_of(slot_of(model, "z")), joint);
  EXPECT_NE(questions.topic_of(slot_of(model, "n")), joint);
  EXPECT_EQ(questions.topics()[joint].slots.size(), 3U);
  EXPECT_FALSE(questions.topics()[joint].plain);
  EXPECT_FALSE(questions.topics()[joint].changes);
  EXPECT_TRUE(questions.topics()[questions.topic_of(slot_of(model, "a"))].plain);
  EXPECT_FALSE(questions.reads(asking(model, "x < y"), slot_of(model, "z")));
}

// A boolean is plain only while nothing but itself is asked about it.
TEST(Questions, PlainTopicsHaveOneQuestionAndAlwaysAValue) {
  const Model model = questions_model_of(R"(
    sense a : bool  sense b : bool  sense c : bool if a  sense d : bool  sense e : bool
    sense s : set {m, n}
    state A initial
    rule r: A -> A when b == false and c and d and s has m
    rule t: A -> A when d == false)");
  const Questions questions = questions_of(model);
  const auto topic = [&](const std::string& name) -> const Topic& {
    return questions.topics()[questions.topic_of(slot_of(model, name))];
  };
  EXPECT_TRUE(topic("a").plain);  // asked because c stands behind it
  EXPECT_EQ(topic("a").questions.size(), 1U);
  EXPECT_FALSE(topic("c").plain);
  EXPECT_EQ(topic("c").guard, questions.holds(slot_of(model, "a")));
  EXPECT_FALSE(topic("d").plain);
  EXPECT_TRUE(topic("e").plain);
  EXPECT_TRUE(topic("e").questions.empty());
  EXPECT_TRUE(topic("s").plain);
  EXPECT_EQ(questions.slots_behind(slot_of(model, "a")), std::vector<SlotId>{slot_of(model, "c")});
  EXPECT_TRUE(questions.slots_behind(slot_of(model, "b")).empty());
}

// The parts of a topic give every combination of answers that some value gives, and each once.
TEST(Questions, PartsAreAllTheAnswersThatGoTogether) {
  const Model model = questions_model_of(R"(
    sense n : int 0..20  sense x : int 0..4  sense y : int 0..4
    state A initial
    rule r: A -> A when n > 3 and n <= 12 and n in {2, 9, 30} and 2 * n == 9
    rule s: A -> A when x < y or x + y == 6 or x * y > 3)");
  const Questions questions = questions_of(model);
  std::set<std::vector<bool>> expected_n;
  for (int n = 0; n <= 20; ++n) {
    expected_n.insert({n > 3, n <= 12, n == 2 || n == 9, false});
  }
  std::set<std::vector<bool>> expected_xy;
  for (int x = 0; x <= 4; ++x) {
    for (int y = 0; y <= 4; ++y) expected_xy.insert({x<y, x + y == 6, x * y> 3});
  }
  for (const auto& [name, expected] : {std::pair("n", expected_n), std::pair("x", expected_xy)}) {
    const Topic& topic = questions.topics()[questions.topic_of(slot_of(model, name))];
    ASSERT_TRUE(topic.parts.has_value());
    ASSERT_EQ(topic.parts->answers.size(), topic.questions.size());
    std::set<std::vector<bool>> found;
    for (std::size_t point = 0; point < topic.parts->points.size(); ++point) {
      std::vector<bool> answers;
      for (const std::vector<bool>& answer : topic.parts->answers) answers.push_back(answer[point]);
      EXPECT_TRUE(found.insert(answers).second) << "a part comes twice";
      // And the point is one that gives them.
      Context context(model.slots.size());
      for (std::size_t i = 0; i < topic.parts->order.size(); ++i) {
        context[topic.parts->order[i].index] = topic.parts->points[point][i];
      }
      for (std::size_t i = 0; i < topic.questions.size(); ++i) {
        EXPECT_EQ(holds(questions.test(topic.questions[i]), context), answers[i]);
      }
    }
    EXPECT_EQ(found, expected) << name;
  }
}

TEST(Questions, PartsOfSomeQuestionsTellOnlyTheseApart) {
  std::string text = "sense n : int 0..1000 state A initial";
  for (int i = 1; i <= 100; ++i) {
    text += " rule r" + std::to_string(i) + ": A -> A when n > " + std::to_string(i * 7);
  }
  const Model model = questions_model_of(text);
  const Questions questions = questions_of(model);
  const std::uint32_t topic = questions.topic_of(slot_of(model, "n"));
  EXPECT_FALSE(questions.topics()[topic].parts.has_value());  // too many to be found at once
  Budget budget;
  ClusterFinder finder(model, budget);
  const Parts parts =
      questions.parts(topic, {asking(model, "n > 70"), asking(model, "n > 21")}, finder).value();
  ASSERT_EQ(parts.answers.size(), 2U);
  std::set<std::vector<bool>> found;
  for (std::size_t point = 0; point < parts.points.size(); ++point) {
    found.insert({parts.answers[0][point], parts.answers[1][point]});
  }
  EXPECT_EQ(parts.points.size(), 3U);
  EXPECT_EQ(found, (std::set<std::vector<bool>>{{false, false}, {false, true}, {true, true}}));
}

TEST(Questions, OnceSetAQuestionIsAnsweredOrBecomesAnother) {
  const Model model = questions_model_of(R"(
    sense n : int 0..9  sense x : int 0..9  sense y : int 0..9  sense b : bool
    state A initial
    rule r: A -> A when n > 3 or n in {1, 5} or n * n == 4 or b do n := 5, b := false
    rule s: A -> A when x < y or 2 * x == y do x := 3, n := 2)");
  const Questions questions = questions_of(model);
  const SlotId n = slot_of(model, "n");
  const auto answer = [&](const std::string& text, SlotId slot, int value) {
    return std::get<bool>(questions.once_set(asking(model, text), slot, value));
  };
  EXPECT_TRUE(answer("n > 3", n, 5));
  EXPECT_FALSE(answer("n > 3", n, 2));
  EXPECT_TRUE(answer("n in {1, 5}", n, 5));
  EXPECT_FALSE(answer("n in {1, 5}", n, 2));
  EXPECT_TRUE(answer("n * n == 4", n, 2));
  EXPECT_FALSE(answer("n * n == 4", n, 5));
  EXPECT_FALSE(answer("b", slot_of(model, "b"), 0));
  // `x < y` becomes `3 < y`, a question on y alone that has the right answer for every y.
  const SlotId y = slot_of(model, "y");
  for (const auto& [text, holds_for] : {std::pair(
                                            "x < y", +[](int value) { return 3 < value; }),
                                        std::pair(
                                            "2 * x == y", +[](int value) { return value == 6; })}) {
    const auto becomes = questions.once_set(asking(model, text), slot_of(model, "x"), 3);
    const QuestionId question = std::get<QuestionId>(becomes);
    EXPECT_EQ(questions.test(question).slots, std::vector<SlotId>{y}) << text;
    EXPECT_EQ(questions.topic_of(question), questions.topic_of(y));
    for (int value = 0; value <= 9; ++value) {
      Context context(model.slots.size());
      context[y.index] = value;
      EXPECT_EQ(holds(questions.test(question), context), holds_for(value)) << text << value;
    }
  }
}

TEST(Questions, TopicsThatActionsChangeSayWhatMakesAContextTheSame) {
  const Model model = questions_model_of(R"(
    sense on : bool  sense n : int 0..9 if on  sense m : int 0..9  sense k : int 0..9
    state A initial
    rule r: A -> A when n > 3 and m > 2 and k < 5 do m := 7, on := true)");
  const Questions questions = questions_of(model);
  const auto topic = [&](const std::string& name) -> const Topic& {
    return questions.topics()[questions.topic_of(slot_of(model, name))];
  };
  EXPECT_TRUE(topic("on").changes);
  EXPECT_FALSE(topic("on").freed);
  EXPECT_TRUE(topic("n").changes);
  EXPECT_TRUE(topic("n").freed);
  EXPECT_TRUE(topic("m").changes);
  EXPECT_FALSE(topic("m").freed);
  EXPECT_FALSE(topic("k").changes);
  EXPECT_TRUE(topic("k").identity.empty());
  // m > 2, and m == 7, which the action makes true.
  EXPECT_EQ(topic("m").identity.size(), 2U);
  EXPECT_FALSE(topic("n").identity.empty());
}

TEST(Questions, ConstraintsThatReadCommonClustersAreOneComponent) {
  const Model model = questions_model_of(R"(
    sense a : bool  sense b : bool  sense c : bool  sense d : bool  sense e : bool
    sense on : bool  sense n : int 0..9 if on  sense x : int 0..9  sense y : int 0..9
    constraint a or b
    constraint b or c
    constraint d
    constraint n > 3
    constraint x < 5
    constraint y > 2 or on
    constraint true
    state A initial
    rule r: A -> A when e and x < y)");
  const Questions questions = questions_of(model);
  std::vector<std::vector<std::uint32_t>> constraints;
  for (const Component& component : questions.components()) {
    constraints.emplace_back();
    for (const ConstraintId id : component.constraints) constraints.back().push_back(id.index);
  }
  // n's guard joins its constraint with the sixth; x and y share a cluster.
  EXPECT_EQ(constraints, (std::vector<std::vector<std::uint32_t>>{{0, 1}, {2}, {3, 4, 5}, {6}}));
  EXPECT_TRUE(questions.components().back().topics.empty());
  for (std::uint32_t index = 0; index < questions.components().size(); ++index) {
    for (const std::uint32_t topic : questions.components()[index].topics) {
      EXPECT_EQ(questions.topics()[topic].component, index);
    }
  }
  const auto component = [&](const std::string& name) {
    return questions.topics()[questions.topic_of(slot_of(model, name))].component;
  };
  EXPECT_FALSE(component("e").has_value());
  EXPECT_EQ(component("a"), component("c"));
  EXPECT_NE(component("a"), component("d"));
  EXPECT_EQ(component("on"), component("x"));
}

TEST(Questions, FailWhereAnActionChangesWhatCannotBeDividedIntoParts) {
  const std::string text = R"(
    sense x : real 0..9  sense y : real 0..9
    state A initial
    rule r: A -> A when x * y > 3)";
  const Result<Questions> asked = try_questions(questions_model_of(text));
  EXPECT_TRUE(asked.has_value());  // parts are found when they are needed, or not
  const Model model = questions_model_of(text + " do x := 3");
  EXPECT_FALSE(try_questions(model).has_value());
}

}  // namespace
}  // namespace poise::model
