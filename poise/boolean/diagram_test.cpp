#include "poise/boolean/diagram.h"

#include <algorithm>
#include <bit>
#include <bitset>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise::boolean {
namespace {

constexpr std::size_t kMost = 8;  // variables of a truth table
constexpr std::size_t kRows = 1 << kMost;
using Truths = std::bitset<kRows>;  // row r: variable i holds if bit i of r is set

// Functions of up to eight variables, each as a diagram and as a truth table. Variables come as
// they are needed, at random places of the order, while there are diagrams already.
class Functions {
 public:
  explicit Functions(std::uint64_t seed, std::size_t most = kMost) : random(seed), most_(most) {
    add(kFalse, {});
    add(kTrue, ~Truths());
    add_variable();
  }

  struct Function {
    Node node;
    Truths truths;
  };

  void add_variable() {
    if (variables.size() == most_) return;
    const std::size_t bit = variables.size();
    variables.push_back(bit == 0 || random.coin()
                            ? arena.add_variable()
                            : arena.add_variable_behind(variables[random.below(bit)]));
    Truths truths;
    for (std::size_t row = 0; row < kRows; ++row) truths[row] = ((row >> bit) & 1) != 0;
    add(arena.literal(variables[bit]), truths);
    add(arena.literal(variables[bit], false), ~truths);
  }

  const Function& any() { return all[random.below(all.size())]; }

  void add_operation() {
    const Function a = any();
    const Function b = any();
    const Function c = any();
    switch (random.below(6)) {
      case 0: return add(arena.negation(a.node), ~a.truths);
      case 1: return add(arena.conjunction(a.node, b.node), a.truths & b.truths);
      case 2: return add(arena.disjunction(a.node, b.node), a.truths | b.truths);
      case 3: return add(arena.difference(a.node, b.node), a.truths & ~b.truths);
      case 4: return add(arena.equivalence(a.node, b.node), ~(a.truths ^ b.truths));
      default:
        return add(arena.choice(a.node, b.node, c.node),
                   (a.truths & b.truths) | (~a.truths & c.truths));
    }
  }

  void add_operations(std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      if (random.below(10) == 0) add_variable();
      add_operation();
    }
  }

  void add(Node node, const Truths& truths) {
    all.push_back({node, truths});
    expect_same(node, truths);
  }

  // The diagram is the table, and the only one that is.
  void expect_same(Node node, const Truths& truths) {
    ASSERT_EQ(table_of(node), truths);
    const auto [place, fresh] = node_of.emplace(truths.to_string(), node);
    ASSERT_EQ(place->second, node);
  }

  [[nodiscard]] bool value(Node node, std::size_t row) const {
    while (!arena.is_constant(node)) {
      const Arena::Inside inside = arena.inside(node);
      node = ((row >> bit_of(inside.variable)) & 1) != 0 ? inside.high : inside.low;
    }
    return node == kTrue;
  }

  [[nodiscard]] Truths table_of(Node node) const {
    Truths truths;
    for (std::size_t row = 0; row < kRows; ++row) truths[row] = value(node, row);
    return truths;
  }

  [[nodiscard]] std::size_t bit_of(Variable variable) const {
    return static_cast<std::size_t>(std::ranges::find(variables, variable) - variables.begin());
  }

  // Some of the variables, by variable, and the same as bits of a row.
  struct Some {
    std::vector<bool> chosen;
    std::size_t bits = 0;
  };
  Some some_variables() {
    Some some{std::vector<bool>(1 + random.below(variables.size() + 1), false)};
    for (std::size_t bit = 0; bit < variables.size(); ++bit) {
      if (variables[bit] >= some.chosen.size() || !random.coin()) continue;
      some.chosen[variables[bit]] = true;
      some.bits |= std::size_t{1} << bit;
    }
    return some;
  }

  [[nodiscard]] static bool depends_on(const Truths& truths, std::size_t bit) {
    for (std::size_t row = 0; row < kRows; ++row) {
      if (truths[row] != truths[row ^ (std::size_t{1} << bit)]) return true;
    }
    return false;
  }

  Arena arena;
  Random random;
  std::vector<Variable> variables;  // by bit
  std::vector<Function> all;
  std::map<std::string, Node> node_of;

 private:
  std::size_t most_;
};

class RandomFunctions : public testing::TestWithParam<std::uint64_t> {
 protected:
  Functions functions{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Seeds, RandomFunctions, testing::Range<std::uint64_t>(1, 6));

TEST_P(RandomFunctions, OperationsAreThoseOfTruthTables) {
  functions.add_operations(1000);
  EXPECT_FALSE(functions.arena.gave_up());
  // What was made before variables came in between still is what it was.
  for (const auto& [node, truths] : functions.all) ASSERT_EQ(functions.table_of(node), truths);
}

TEST_P(RandomFunctions, VariablesComeBehindTheOneNamed) {
  Arena& arena = functions.arena;
  for (int i = 0; i < 50; ++i) {
    const std::vector<Variable> before = arena.order();
    const Variable other = before[functions.random.below(before.size())];
    const Variable made = arena.add_variable_behind(other);
    std::vector<Variable> expected = before;
    expected.insert(std::ranges::find(expected, other) + 1, made);
    ASSERT_EQ(arena.order(), expected);
    for (std::uint32_t level = 0; level < expected.size(); ++level) {
      ASSERT_EQ(arena.level_of(expected[level]), level);
    }
  }
  EXPECT_EQ(arena.variable_count(), arena.order().size());
}

TEST_P(RandomFunctions, MeetAndImpliesAreAskedWithoutBuilding) {
  functions.add_operations(100);
  for (int i = 0; i < 200; ++i) {
    const auto a = functions.any();
    const auto b = functions.any();
    const std::size_t size = functions.arena.size();
    ASSERT_EQ(functions.arena.meet(a.node, b.node), (a.truths & b.truths).any());
    ASSERT_EQ(functions.arena.size(), size);
    ASSERT_EQ(functions.arena.implies(a.node, b.node), (a.truths & ~b.truths).none());
  }
}

TEST_P(RandomFunctions, ProjectionLeavesWhatSomeValueOfTheOthersAllows) {
  functions.add_operations(100);
  for (int i = 0; i < 100; ++i) {
    const auto a = functions.any();
    const Functions::Some kept = functions.some_variables();
    std::vector<bool> by_kept(kRows, false);  // rows with all else false
    for (std::size_t row = 0; row < kRows; ++row) {
      if (a.truths[row]) by_kept[row & kept.bits] = true;
    }
    Truths expected;
    for (std::size_t row = 0; row < kRows; ++row) expected[row] = by_kept[row & kept.bits];
    functions.expect_same(functions.arena.projection(a.node, kept.chosen), expected);
  }
}

TEST_P(RandomFunctions, CompositionReplacesAllVariablesAtOnce) {
  functions.add_operations(100);
  for (int i = 0; i < 100; ++i) {
    const auto a = functions.any();
    std::vector<Node> replacements(functions.random.below(functions.variables.size() + 2),
                                   Arena::kUnchanged);
    std::vector<const Truths*> tables(functions.variables.size(), nullptr);
    for (std::size_t bit = 0; bit < functions.variables.size(); ++bit) {
      const Variable variable = functions.variables[bit];
      if (variable >= replacements.size() || functions.random.coin()) continue;
      const Functions::Function& by = functions.any();
      replacements[variable] = by.node;
      tables[bit] = &by.truths;
    }
    Truths expected;
    for (std::size_t row = 0; row < kRows; ++row) {
      std::size_t image = row;
      for (std::size_t bit = 0; bit < tables.size(); ++bit) {
        if (tables[bit] == nullptr) continue;
        image &= ~(std::size_t{1} << bit);
        image |= static_cast<std::size_t>((*tables[bit])[row]) << bit;
      }
      expected[row] = a.truths[image];
    }
    functions.expect_same(functions.arena.composition(a.node, replacements), expected);
  }
}

TEST_P(RandomFunctions, CountsAssignmentsToTheCountedVariables) {
  functions.add_operations(150);
  Arena& arena = functions.arena;
  const std::vector<bool> all(arena.variable_count() + 1, true);
  const std::size_t idle = kMost - functions.variables.size();
  for (int i = 0; i < 100; ++i) {
    const auto a = functions.any();
    const auto rows = static_cast<std::int64_t>(a.truths.count());
    ASSERT_EQ(arena.count(a.node, all), Integer(rows >> idle));
    // Any set of variables that includes those it depends on.
    Functions::Some some = functions.some_variables();
    some.chosen.resize(arena.variable_count() + 1, false);
    for (std::size_t bit = 0; bit < functions.variables.size(); ++bit) {
      if (!Functions::depends_on(a.truths, bit)) continue;
      some.chosen[functions.variables[bit]] = true;
      some.bits |= std::size_t{1} << bit;
    }
    const std::size_t left_out = kMost - static_cast<std::size_t>(std::popcount(some.bits));
    ASSERT_EQ(arena.count(a.node, some.chosen), Integer(rows >> left_out));
  }
}

TEST_P(RandomFunctions, SupportIsWhatTheTableDependsOnInOrder) {
  functions.add_operations(150);
  for (int i = 0; i < 100; ++i) {
    const auto a = functions.any();
    std::vector<Variable> expected;
    for (const Variable variable : functions.arena.order()) {
      if (Functions::depends_on(a.truths, functions.bit_of(variable))) expected.push_back(variable);
    }
    ASSERT_EQ(functions.arena.support(a.node), expected);
    const Functions::Some kept = functions.some_variables();
    const bool only = std::ranges::all_of(expected, [&](Variable variable) {
      return variable < kept.chosen.size() && kept.chosen[variable];
    });
    ASSERT_EQ(functions.arena.depends_only_on(a.node, kept.chosen), only);
  }
}

TEST_P(RandomFunctions, CanHoldWhereSomeRowWithThesePhasesDoes) {
  functions.add_operations(150);
  for (int i = 0; i < 200; ++i) {
    const auto a = functions.any();
    std::vector<std::uint8_t> phases(functions.random.below(functions.variables.size() + 2));
    std::size_t fixed = 0;
    std::size_t wanted = 0;
    for (std::size_t bit = 0; bit < functions.variables.size(); ++bit) {
      const Variable variable = functions.variables[bit];
      if (variable >= phases.size()) continue;
      phases[variable] = static_cast<std::uint8_t>(functions.random.below(4));
      if (phases[variable] > 1) continue;
      fixed |= std::size_t{1} << bit;
      wanted |= std::size_t{phases[variable]} << bit;
    }
    bool expected = false;
    for (std::size_t row = 0; row < kRows; ++row) {
      expected = expected || ((row & fixed) == wanted && a.truths[row]);
    }
    const std::size_t size = functions.arena.size();
    ASSERT_EQ(functions.arena.can_hold(a.node, phases), expected);
    ASSERT_EQ(functions.arena.size(), size);
  }
}

TEST_P(RandomFunctions, SettledIsWhatAllRowsHaveInCommon) {
  functions.add_operations(150);
  for (int i = 0; i < 200; ++i) {
    const auto a = functions.any();
    if (a.node == kFalse) continue;
    std::size_t always_true = kRows - 1;
    std::size_t ever_true = 0;
    for (std::size_t row = 0; row < kRows; ++row) {
      if (!a.truths[row]) continue;
      always_true &= row;
      ever_true |= row;
    }
    const std::vector<std::uint8_t> settled = functions.arena.settled(a.node);
    for (std::size_t bit = 0; bit < functions.variables.size(); ++bit) {
      const bool is_true = ((always_true >> bit) & 1) != 0;
      const bool is_false = ((ever_true >> bit) & 1) == 0;
      ASSERT_EQ(settled[functions.variables[bit]], is_true ? 1 : is_false ? 0 : 2);
    }
  }
}

TEST_P(RandomFunctions, LightestHasFewestTrueAndThenTheFirstFalse) {
  functions.add_operations(150);
  const std::vector<Variable>& order = functions.arena.order();
  for (int i = 0; i < 100; ++i) {
    const auto a = functions.any();
    if (a.node == kFalse) continue;
    const Functions::Some weighs = functions.some_variables();
    // Weight, then the values in order.
    std::pair<int, std::vector<bool>> best{kMost + 1, {}};
    for (std::size_t row = 0; row < kRows; ++row) {
      if (!a.truths[row]) continue;
      std::pair<int, std::vector<bool>> found{std::popcount(row & weighs.bits), {}};
      for (const Variable variable : order) {
        found.second.push_back(((row >> functions.bit_of(variable)) & 1) != 0);
      }
      best = std::min(best, found);
    }
    const std::vector<bool> lightest = functions.arena.lightest(a.node, weighs.chosen);
    ASSERT_EQ(lightest.size(), functions.arena.variable_count() + 1);
    for (std::size_t level = 0; level < order.size(); ++level) {
      ASSERT_EQ(lightest[order[level]], best.second[level]);
    }
  }
}

TEST_P(RandomFunctions, CollectKeepsTheRootsAndWhatFollowsIsRight) {
  for (int round = 0; round < 5; ++round) {
    functions.add_operations(100);
    // A few survive, some of them twice.
    std::vector<Functions::Function> kept;
    for (int i = 0; i < 10; ++i) kept.push_back(functions.any());
    kept.push_back(kept.front());
    std::vector<Node*> roots;
    for (Functions::Function& function : kept) roots.push_back(&function.node);
    const std::size_t before = functions.arena.size();
    functions.arena.collect(roots);
    EXPECT_LE(functions.arena.size(), before);
    functions.all.clear();
    functions.node_of.clear();
    for (const auto& [node, truths] : kept) functions.add(node, truths);
    for (std::size_t bit = 0; bit < functions.variables.size(); ++bit) {
      Truths truths;
      for (std::size_t row = 0; row < kRows; ++row) truths[row] = ((row >> bit) & 1) != 0;
      functions.add(functions.arena.literal(functions.variables[bit]), truths);
    }
  }
}

TEST(Arena, CollectDropsEverythingElse) {
  Functions functions(77);
  functions.add_operations(300);
  const auto kept = functions.any();
  Node node = kept.node;
  const std::size_t size = functions.arena.size_of(node);
  const std::vector<Node*> roots{&node};
  functions.arena.collect(roots);
  EXPECT_EQ(functions.arena.size(), size + 2);
  EXPECT_EQ(functions.arena.size_of(node), size);
  EXPECT_EQ(functions.table_of(node), kept.truths);
}

// ---- Large counts ----

// At least `least` of the variables hold, of those from `first` on in the order.
Node at_least(Arena& arena, std::size_t least) {
  const std::vector<Variable> order = arena.order();
  std::vector<Node> by_need(least + 1, kFalse);  // from the last variable up: if `need` must hold
  by_need[0] = kTrue;
  for (std::size_t i = order.size(); i-- > 0;) {
    for (std::size_t need = least; need > 0; --need) {
      by_need[need] = arena.node(order[i], by_need[need], by_need[need - 1]);
    }
  }
  return by_need[least];
}

Integer binomial(std::uint32_t n, std::uint32_t k) {
  std::vector<Integer> row(k + 1, Integer(0));
  row[0] = 1;
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = k; j > 0; --j) row[j] += row[j - 1];
  }
  return row[k];
}

class LargeCounts : public testing::TestWithParam<std::uint32_t> {};

// Around the sizes of machine words.
INSTANTIATE_TEST_SUITE_P(Variables, LargeCounts,
                         testing::Values(1, 2, 31, 32, 62, 63, 64, 65, 100, 124, 125, 126, 127, 128,
                                         129, 130, 200, 700));

TEST_P(LargeCounts, AreExact) {
  const std::uint32_t n = GetParam();
  Arena arena;
  Random random(n);
  std::vector<Variable> variables{arena.add_variable()};
  while (variables.size() < n) {
    variables.push_back(random.coin()
                            ? arena.add_variable()
                            : arena.add_variable_behind(variables[random.below(variables.size())]));
  }
  const std::vector<bool> all(n + 1, true);
  const Integer every = Integer::power(2, n);
  Node parity = kFalse;
  Node and_all = kTrue;
  Node or_all = kFalse;
  for (const Variable variable : variables) {
    const Node literal = arena.literal(variable);
    parity = arena.negation(arena.equivalence(parity, literal));
    and_all = arena.conjunction(and_all, literal);
    or_all = arena.disjunction(or_all, literal);
  }
  EXPECT_EQ(arena.count(kTrue, all), every);
  EXPECT_EQ(arena.count(kFalse, all), Integer(0));
  EXPECT_EQ(arena.count(parity, all), Integer::power(2, n - 1));
  EXPECT_EQ(arena.count(and_all, all), Integer(1));
  EXPECT_EQ(arena.count(or_all, all), every - Integer(1));
  EXPECT_EQ(arena.count(arena.literal(variables[n / 2]), all), Integer::power(2, n - 1));
  // Only what is counted counts.
  std::vector<bool> one(n + 1, false);
  one[variables[n / 2]] = true;
  EXPECT_EQ(arena.count(arena.literal(variables[n / 2]), one), Integer(1));
  EXPECT_EQ(arena.count(kTrue, one), Integer(2));
}

TEST_P(LargeCounts, OfThresholdsAreBinomial) {
  const std::uint32_t n = GetParam();
  Arena arena;
  for (std::uint32_t i = 0; i < n; ++i) static_cast<void>(arena.add_variable());
  const std::vector<bool> all(n + 1, true);
  const std::uint32_t k = std::min<std::uint32_t>(n / 2, 40);
  const Node exactly = arena.difference(at_least(arena, k), at_least(arena, k + 1));
  EXPECT_EQ(arena.count(exactly, all), binomial(n, k));
}

// ---- Giving up ----

// As many nodes as 2 to the number of pairs: the order is as bad as it can be.
Node pairs(Arena& arena, std::size_t count) {
  std::vector<Variable> first;
  std::vector<Variable> second;
  for (std::size_t i = 0; i < count; ++i) first.push_back(arena.add_variable());
  for (std::size_t i = 0; i < count; ++i) second.push_back(arena.add_variable());
  Node any = kFalse;
  for (std::size_t i = 0; i < count; ++i) {
    any = arena.disjunction(any,
                            arena.conjunction(arena.literal(first[i]), arena.literal(second[i])));
  }
  return any;
}

TEST(Arena, GivesUpAtTheLimitOfNodesForGood) {
  Arena arena({.nodes = 1000});
  static_cast<void>(pairs(arena, 6));
  EXPECT_FALSE(arena.gave_up());
  EXPECT_EQ(arena.gave_up_because(), "");
  static_cast<void>(pairs(arena, 12));
  EXPECT_TRUE(arena.gave_up());
  EXPECT_LE(arena.size(), 1000U);
  const std::string because(arena.gave_up_because());
  EXPECT_NE(because.find("too many nodes"), std::string::npos) << because;
  // Small questions do not make it forget.
  const Node literal = arena.literal(arena.order().front());
  static_cast<void>(arena.conjunction(literal, arena.literal(arena.order().back())));
  static_cast<void>(arena.choice(literal, kTrue, kFalse));
  EXPECT_TRUE(arena.gave_up());
  EXPECT_EQ(arena.gave_up_because(), because);
}

TEST(Arena, GivesUpAtTheLimitOfVariables) {
  Arena arena({.variables = 3});
  for (int i = 0; i < 3; ++i) static_cast<void>(arena.add_variable());
  EXPECT_FALSE(arena.gave_up());
  static_cast<void>(arena.add_variable_behind(arena.order().front()));
  EXPECT_TRUE(arena.gave_up());
  EXPECT_EQ(arena.variable_count(), 3U);
  EXPECT_NE(arena.gave_up_because().find("too many different questions"), std::string_view::npos);
}

TEST(Arena, GivesUpWhenTheBudgetIsExhausted) {
  Budget budget({.time = std::chrono::milliseconds(0)});
  while (budget.exhausted() == Exhausted::No) {
  }
  Arena arena({}, &budget);
  static_cast<void>(pairs(arena, 12));
  EXPECT_TRUE(arena.gave_up());
  EXPECT_EQ(arena.gave_up_because(), "the time limit was reached");
}

TEST(Arena, ClearForgetsAll) {
  Arena arena({.nodes = 1000});
  static_cast<void>(pairs(arena, 12));
  ASSERT_TRUE(arena.gave_up());
  arena.clear();
  EXPECT_FALSE(arena.gave_up());
  EXPECT_EQ(arena.gave_up_because(), "");
  EXPECT_EQ(arena.variable_count(), 0U);
  EXPECT_TRUE(arena.order().empty());
  EXPECT_EQ(arena.size(), 2U);
  const Node any = pairs(arena, 3);
  EXPECT_EQ(arena.count(any, std::vector<bool>(7, true)), Integer(64 - 27));
}

// Larger than the first tables, so that they grow, in an arena that was large before.
TEST(Arena, GrowsAndMayBeUsedAgain) {
  Arena arena;
  for (const std::uint32_t n : {14U, 3U, 15U, 10U}) {
    arena.clear();
    const Node any = pairs(arena, n);
    EXPECT_GT(arena.size_of(any), std::size_t{1} << n);
    const std::vector<bool> all(2 * n + 1, true);
    EXPECT_EQ(arena.count(any, all), Integer::power(4, n) - Integer::power(3, n));
    // The other function of the same variables that looks alike from afar.
    Node none = kTrue;
    const std::vector<Variable> order = arena.order();
    for (std::size_t i = 0; i < n; ++i) {
      none = arena.conjunction(none, arena.disjunction(arena.literal(order[i], false),
                                                       arena.literal(order[n + i], false)));
    }
    EXPECT_EQ(arena.negation(none), any);
    EXPECT_FALSE(arena.meet(none, any));
  }
}

}  // namespace
}  // namespace poise::boolean
