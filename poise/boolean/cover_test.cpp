#include "poise/boolean/cover.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise::boolean {
namespace {

Node function_of(Arena& arena, const Cube& cube) {
  Node function = kTrue;
  for (const auto& [variable, holds] : cube) {
    function = arena.conjunction(function, arena.literal(variable, holds));
  }
  return function;
}

Node any_of(Arena& arena, const std::vector<Cube>& cubes) {
  Node any = kFalse;
  for (const Cube& cube : cubes) any = arena.disjunction(any, function_of(arena, cube));
  return any;
}

// A function that holds in each row with some probability.
Node random_function(Arena& arena, Random& random, std::uint64_t percent, std::size_t level = 0) {
  if (level == arena.order().size()) return random.below(100) < percent ? kTrue : kFalse;
  const Node low = random_function(arena, random, percent, level + 1);
  const Node high = random_function(arena, random, percent, level + 1);
  return arena.node(arena.order()[level], low, high);
}

void expect_exact(Arena& arena, const std::vector<Cube>& cubes, Node on, Node allowed) {
  const Node any = any_of(arena, cubes);
  EXPECT_TRUE(arena.implies(on, any));
  EXPECT_TRUE(arena.implies(any, allowed));
}

void expect_irredundant(Arena& arena, const std::vector<Cube>& cubes, Node on) {
  for (std::size_t left_out = 0; left_out < cubes.size(); ++left_out) {
    std::vector<Cube> others = cubes;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_FALSE(arena.implies(on, any_of(arena, others)));
  }
}

void expect_widest(Arena& arena, const std::vector<Cube>& cubes, Node allowed) {
  for (const Cube& cube : cubes) {
    for (std::size_t left_out = 0; left_out < cube.size(); ++left_out) {
      Cube wider = cube;
      wider.erase(wider.begin() + static_cast<std::ptrdiff_t>(left_out));
      EXPECT_FALSE(arena.implies(function_of(arena, wider), allowed));
    }
  }
}

void expect_ordered(const Arena& arena, const std::vector<Cube>& cubes) {
  for (const Cube& cube : cubes) {
    for (std::size_t i = 1; i < cube.size(); ++i) {
      EXPECT_LT(arena.level_of(cube[i - 1].variable), arena.level_of(cube[i].variable));
    }
  }
}

class RandomCovers : public testing::TestWithParam<std::uint64_t> {};

INSTANTIATE_TEST_SUITE_P(Seeds, RandomCovers, testing::Range<std::uint64_t>(1, 4));

TEST_P(RandomCovers, LieBetweenTheBoundsAndHaveNothingToSpare) {
  Random random(GetParam());
  for (int i = 0; i < 160; ++i) {
    Arena arena;
    const std::size_t variables = random.below(8);
    for (std::size_t v = 0; v < variables; ++v) {
      if (v == 0 || random.coin()) {
        static_cast<void>(arena.add_variable());
      } else {
        static_cast<void>(arena.add_variable_behind(arena.order()[random.below(v)]));
      }
    }
    const Node on = random_function(arena, random, random.below(101));
    const Node allowed =
        arena.disjunction(on, random_function(arena, random, random.coin() ? 0 : 50));
    const auto cubes = Covers(arena).of(on, allowed, 1000);
    ASSERT_TRUE(cubes.has_value());
    expect_exact(arena, *cubes, on, allowed);
    expect_irredundant(arena, *cubes, on);
    expect_ordered(arena, *cubes);
    // Five variables never need more than 16.
    if (variables <= 5) expect_widest(arena, *cubes, allowed);
    // The same again, for a limit that is just enough, and nothing below what is there at first.
    if (cubes->empty()) continue;
    EXPECT_FALSE(Covers(arena).of(on, allowed, 0).has_value());
    const auto enough = Covers(arena).of(on, allowed, std::size_t{1} << variables);
    ASSERT_TRUE(enough.has_value());
    EXPECT_EQ(enough->size(), cubes->size());
  }
}

// What is kept from one function to the next does not show, whatever happens to the arena between.
TEST_P(RandomCovers, AreTheSameWithWhatIsKnown) {
  Random random(100 + GetParam());
  Arena arena;
  Covers kept(arena);
  Node last = kFalse;
  for (int i = 0; i < 300; ++i) {
    switch (random.below(20)) {
      case 0: {
        const std::vector<Node*> roots{&last};
        arena.collect(roots);
        break;
      }
      case 1:
        arena.clear();
        last = kFalse;
        break;
      default: break;
    }
    if (arena.order().empty()) static_cast<void>(arena.add_variable());
    if (arena.order().size() < 7 && random.below(4) == 0) {
      static_cast<void>(
          arena.add_variable_behind(arena.order()[random.below(arena.order().size())]));
    }
    // Functions that have parts in common.
    Node on = random_function(arena, random, random.below(101));
    on = random.coin() ? arena.conjunction(on, last) : arena.disjunction(on, last);
    const Node allowed = arena.disjunction(on, random_function(arena, random, 20));
    const std::size_t most = random.below(20);
    ASSERT_EQ(kept.of(on, allowed, most), Covers(arena).of(on, allowed, most));
    last = on;
  }
}

// Of so many pairs at least one each.
Node some_of_each_pair(Arena& arena, std::size_t pairs) {
  Node all = kTrue;
  for (std::size_t i = 0; i < pairs; ++i) {
    const Node first = arena.literal(arena.add_variable());
    all = arena.conjunction(all, arena.disjunction(first, arena.literal(arena.add_variable())));
  }
  return all;
}

TEST(Cover, OfTheOppositeWhereThatIsMuchShorter) {
  for (const std::size_t pairs : {2U, 8U, 9U, 30U}) {
    Arena arena;
    Covers covers(arena);
    const Node all = some_of_each_pair(arena, pairs);
    const auto cover = covers.shorter_of(all, all, 10'000);
    ASSERT_TRUE(cover.has_value());
    EXPECT_EQ(cover->of_opposite, pairs > 8);
    EXPECT_EQ(cover->cubes.size(), pairs > 8 ? pairs : std::size_t{1} << pairs);
    const Node said = any_of(arena, cover->cubes);
    EXPECT_EQ(cover->of_opposite ? arena.negation(said) : said, all);
  }
}

TEST(Cover, OfTheOppositeKeepsToTheBounds) {
  Arena arena;
  Covers covers(arena);
  const Node on = some_of_each_pair(arena, 10);
  const Node open = arena.conjunction(arena.literal(1, false), arena.literal(2, false));
  const Node allowed = arena.disjunction(on, open);
  const auto cover = covers.shorter_of(on, allowed, 10'000);
  ASSERT_TRUE(cover.has_value());
  ASSERT_TRUE(cover->of_opposite);
  EXPECT_EQ(cover->cubes.size(), 9U);  // the first pair need not be mentioned
  expect_exact(arena, cover->cubes, arena.negation(allowed), arena.negation(on));
}

TEST(Cover, OfConstantsIsNothingOrOneEmptyCube) {
  Arena arena;
  const Node literal = arena.literal(arena.add_variable());
  EXPECT_TRUE(Covers(arena).of(kFalse, kFalse, 0)->empty());
  EXPECT_TRUE(Covers(arena).of(kFalse, literal, 0)->empty());
  for (const Node on : {kTrue, literal}) {
    const auto cubes = Covers(arena).of(on, kTrue, 1);
    ASSERT_EQ(cubes->size(), 1U);
    EXPECT_TRUE(cubes->front().empty());
  }
}

TEST(Cover, IsNothingWhenThereAreTooManyCubes) {
  Arena arena;
  Node parity = kFalse;
  for (int i = 0; i < 6; ++i) {
    parity = arena.negation(arena.equivalence(parity, arena.literal(arena.add_variable())));
  }
  // Of a parity, every row is a cube of its own.
  EXPECT_FALSE(Covers(arena).of(parity, parity, 31).has_value());
  const auto cubes = Covers(arena).of(parity, parity, 32);
  ASSERT_TRUE(cubes.has_value());
  EXPECT_EQ(cubes->size(), 32U);
  expect_exact(arena, *cubes, parity, parity);
}

TEST(Cover, IsNothingWhenThereAreMoreCubesThanAWordCounts) {
  Arena large;
  Node wide = kFalse;
  for (int i = 0; i < 200; ++i) {
    wide = large.negation(large.equivalence(wide, large.literal(large.add_variable())));
  }
  EXPECT_FALSE(Covers(large).of(wide, wide, 100).has_value());
}

TEST(Cover, IsNothingWhereTheArenaGaveUp) {
  Arena arena({.nodes = 40});
  Node parity = kFalse;
  for (int i = 0; i < 12; ++i) {
    parity = arena.negation(arena.equivalence(parity, arena.literal(arena.add_variable())));
  }
  ASSERT_TRUE(arena.gave_up());
  EXPECT_FALSE(Covers(arena).of(parity, parity, 10'000).has_value());
}

// One literal that says what two others say together is found with few cubes.
TEST(Cover, SaysItInAsFewLiteralsAsTheDontCaresAllow) {
  Arena arena;
  const Node c = arena.literal(arena.add_variable());
  const Node a = arena.literal(arena.add_variable());
  const Node b = arena.literal(arena.add_variable());
  const Node both = arena.conjunction(a, b);
  // c holds exactly with a and b.
  const Node possible = arena.equivalence(c, both);
  const Node on = arena.conjunction(possible, both);
  const auto cubes = Covers(arena).of(on, arena.disjunction(on, arena.negation(possible)), 10);
  ASSERT_TRUE(cubes.has_value());
  ASSERT_EQ(cubes->size(), 1U);
  EXPECT_EQ(cubes->front().size(), 1U);
}

}  // namespace
}  // namespace poise::boolean
