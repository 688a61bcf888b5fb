#include "poise/model/differences.h"

#include <random>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/model/step.h"

namespace poise::model {
namespace {

Model differences_model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = "state S initial\n" + text});
  EXPECT_TRUE(parsed.model.has_value()) << text << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

std::vector<SlotId> all_slots(const Model& model) {
  std::vector<SlotId> slots;
  for (const SlotId slot : model.slots.ids()) slots.push_back(slot);
  return slots;
}

std::vector<const Atom*> all_tests(const Model& model) {
  std::vector<const Atom*> tests;
  for (const Atom& atom : model.atoms) tests.push_back(&atom);
  return tests;
}

using Answers = std::set<std::vector<bool>>;

// Follows every branch; each end must have values that give the answers on the way.
class Followed {
 public:
  explicit Followed(const Model& model)
      : model_(model),
        differences_(Differences::of(model, all_slots(model), all_tests(model)).value()),
        present_(model.atoms.size()) {}

  Answers answers() {
    visit(Differences::start());
    return found_;
  }

 private:
  void visit(const Differences::State& state) {
    const std::size_t step = segments_.size();
    if (step == differences_.steps()) {
      const Context values = differences_.point(segments_);
      EXPECT_EQ(evaluate(model_, values).atoms, present_) << "the point gives other answers";
      EXPECT_TRUE(differences_.point(present_).has_value());
      found_.insert(present_);
      return;
    }
    const auto branches = differences_.branches(step, state);
    EXPECT_FALSE(branches.empty()) << "a state that leads nowhere";
    for (const Differences::Branch& branch : branches) {
      for (const std::uint32_t test : differences_.tests(step)) {
        present_[test] = differences_.answer(test, branch.segment);
      }
      segments_.push_back(branch.segment);
      visit(branch.state);
      segments_.pop_back();
    }
  }

  const Model& model_;
  Differences differences_;
  std::vector<bool> present_;
  std::vector<Differences::Segment> segments_;
  Answers found_;
};

// The answers of all values: whole numbers, and of reals the multiples of 1 / parts. If all
// constants are multiples of 1 / 2, and n reals are compared, then parts = 2 * (n + 1) shows all.
class BruteForce {
 public:
  BruteForce(const Model& model, int parts)
      : model_(model), parts_(parts), context_(model.slots.size()) {}

  Answers answers() {
    visit(SlotId{0});
    return found_;
  }

 private:
  void visit(SlotId slot) {
    if (slot.index == model_.slots.size()) {
      found_.insert(evaluate(model_, context_).atoms);
      return;
    }
    Value& value = context_[slot.index];
    const std::optional<SlotId> guard = guard_slot(model_, slot);
    if (guard && !holds(context_[guard->index])) {
      value = std::nullopt;
      visit({slot.index + 1});
      return;
    }
    const Range range = range_of(model_, slot);
    const Rational step = range.whole ? Rational(1) : Rational(1, parts_);
    for (Rational next = range.low; next <= range.high; next = next + step) {
      value = next;
      visit({slot.index + 1});
    }
  }

  const Model& model_;
  int parts_;
  Context context_;
  Answers found_;
};

void expect_as_by_brute_force(const std::string& text, int parts = 8) {
  const Model model = differences_model_of(text);
  EXPECT_EQ(Followed(model).answers(), BruteForce(model, parts).answers()) << text;
}

TEST(Differences, KnowThatOrderIsTransitive) {
  for (const std::string type : {"int 0..3", "real 0..3"}) {
    const std::string declared =
        "sense a : " + type + " sense b : " + type + " sense c : " + type + " constraint ";
    expect_as_by_brute_force(declared + "a < b or b < c or a < c");
    expect_as_by_brute_force(declared + "a == b or b != c or c <= a + 1");
    expect_as_by_brute_force(declared + "a < b + 2 or b < c - 1 or c >= a + 0.5 or a > 1");
  }
}

TEST(Differences, RoundWholeNumbersAlsoBesideReals) {
  expect_as_by_brute_force(
      "sense r : real 0..2  sense i : int 0..2  sense k : int 0..2 "
      "constraint i < r or r < k or i == k or r - i == 0.5 or k - r == 0.5");
  expect_as_by_brute_force(
      "sense i : int 0..2  sense r : real 0..2  sense s : real 0..2 "
      "constraint r < i or i < s or r < s");
}

TEST(Differences, TakeCommonFactorsAndListsAndWhatCancelsOut) {
  expect_as_by_brute_force(
      "sense a : int 0..5  sense b : int 0..5 "
      "constraint 2 * a - 2 * b < 3 or 3 * b - 3 * a == 6 or a - b in {1, 3} or a - a + b > 2 or "
      "a + b - b > 9 or b in {0, 2, 7}");
  const Model sum =
      differences_model_of("sense a : int 0..5  sense b : int 0..5 constraint a + b > 3");
  EXPECT_FALSE(Differences::of(sum, all_slots(sum), all_tests(sum)).has_value());
  const Model multiple =
      differences_model_of("sense a : int 0..5  sense b : int 0..5 constraint 2 * a > b");
  EXPECT_FALSE(Differences::of(multiple, all_slots(multiple), all_tests(multiple)).has_value());
}

TEST(Differences, AnswerNoBehindAGuardThatDoesNotHold) {
  expect_as_by_brute_force(
      "sense f : bool  sense g : bool if f  sense a : int 0..3 if g  sense b : int 0..3  "
      "sense c : int 0..3 if f constraint a < b or b < c or a == c or g or c > 2");
}

TEST(Differences, CompareEnumerationsWithGaps) {
  const Model model = differences_model_of(
      "sense o : {p, q, r, s}  sense a : {p, s}  sense b : {p, s} "
      "constraint a == b or a == s or o == q");
  EXPECT_EQ(Followed(model).answers().size(), 8U);
}

TEST(Differences, LargeNumbersOutsideOfTheRangesDoNoHarm) {
  expect_as_by_brute_force(
      "sense a : int 0..3  sense b : int 0..3 "
      "constraint a < b + 1000000000000000000000000 or a == 99999999999999999999999 or a < b");
}

TEST(Differences, RandomComparisonsAsByBruteForce) {
  std::mt19937 random(7);
  const auto below = [&](unsigned n) { return std::to_string(random() % n); };
  const std::vector<std::string> relations = {" < ", " <= ", " == ", " != ", " > ", " >= "};
  for (int round = 0; round < 300; ++round) {
    const auto reals = random() % 3;  // of three: all whole, some real, all real
    std::string text = random() % 3 == 0 ? "sense g : bool " : "";
    const bool guarded = !text.empty();
    for (unsigned i = 0; i < 3; ++i) {
      const bool real = reals == 2 || (reals == 1 && i == 1);
      text += "sense x" + std::to_string(i) + (real ? " : real 0..2" : " : int 0..3");
      text += guarded && random() % 2 == 0 ? " if g " : " ";
    }
    text += "constraint true";
    for (unsigned i = 0; i < 4 + random() % 3; ++i) {
      text += " or x" + below(3) + relations[random() % 6];
      text += random() % 4 == 0 ? below(3) : "x" + below(3) + " + " + below(2) + ".5";
    }
    expect_as_by_brute_force(text);
  }
}

TEST(Differences, AChainHasFewStates) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "sense x" + std::to_string(i) + " : int 0..1439 ";
  text += "constraint true";
  for (int i = 0; i < 59; ++i) {
    text += " or x" + std::to_string(i) + " < x" + std::to_string(i + 1);
  }
  const Model model = differences_model_of(text);
  const auto differences = Differences::of(model, all_slots(model), all_tests(model));
  std::set<Differences::State> states = {Differences::start()};
  for (std::size_t step = 0; step < differences->steps(); ++step) {
    std::set<Differences::State> next;
    for (const Differences::State& state : states) {
      for (auto& branch : differences->branches(step, state)) next.insert(std::move(branch.state));
    }
    states = std::move(next);
    EXPECT_LE(states.size(), step + 2);
  }
}

TEST(Differences, ValuesAreSimple) {
  const Model model = differences_model_of(
      "sense c : real 0..100  sense b : real 0..100  sense a : real 0..100  sense t : int 0..1439 "
      "constraint a < b and b < c or t > c + 0.5");
  const auto differences = Differences::of(model, all_slots(model), all_tests(model));
  EXPECT_EQ(differences->point(std::vector<bool>{true, true, false}),
            (std::vector<Value>{2, 1, 0, 0}));
}

}  // namespace
}  // namespace poise::model
