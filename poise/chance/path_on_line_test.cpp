#include "poise/chance/path_on_line.h"

#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/chance/interval.h"

namespace poise::chance {
namespace {

// k times "what is sensed is at least 20, so walk_of 10", and a collision in the last step.
Line walk_of(std::size_t steps) {
  Line line = {.fails_to = 0, .start_from = 0, .start_to = 400};
  for (std::size_t i = 0; i < steps; ++i) {
    line.steps.push_back({.taken = sensed_within({.error = Law::gauss(-6, 6, 2), .from = 20}),
                          .moved = Law::gauss(-5, 5, 5.0 / 3),
                          .meant = 10,
                          .direction = -1,
                          .safe_from = 0});
  }
  return line;
}

struct Known {
  std::size_t steps;
  double start;
  double probability;
};
// By mvtnorm of R, to 4 digits or more.
const std::vector<Known> kWalks = {{1, 14.5, 3.4693e-6}, {2, 25, 5.2496e-7},  {3, 37, 2.2280e-7},
                                   {5, 58, 1.5787e-7},   {10, 110, 9.877e-8}, {20, 212, 7.263e-8},
                                   {30, 314, 5.710e-8}};

TEST(Backward, AgreesWithMvtnormOnWalksIntoAWall) {
  for (const Known& known : kWalks) {
    const double got = Backward(walk_of(known.steps)).probability(known.start);
    EXPECT_NEAR(got / known.probability, 1, 2e-3) << known.steps;
  }
}

TEST(Forward, AgreesWithMvtnormOnWalksIntoAWall) {
  for (const Known& known : kWalks) {
    const double got = Forward(walk_of(known.steps), known.start).failed();
    EXPECT_NEAR(got / known.probability, 1, 2e-3) << known.steps;
  }
}

TEST(Backward, FindsTheWorstStart) {
  const Backward twice(walk_of(2));
  EXPECT_NEAR(twice.worst().probability / 5.46e-7, 1, 2e-3);
  EXPECT_NEAR(twice.worst().position, 24.54, 0.02);
  for (double start = 0; start <= 400; start += 0.37) {
    EXPECT_LE(twice.probability(start), twice.worst().probability);
  }
  // Once: the chance to see 20 grows with the distance, the chance to go that far falls.
  const Backward once(walk_of(1));
  EXPECT_GT(once.worst().position, 14);
  EXPECT_LT(once.worst().position, 15);
  EXPECT_EQ(once.probability(13.9), 0);
  EXPECT_EQ(once.probability(15.1), 0);
}

TEST(Backward, ChangesLittleOnAFinerGrid) {
  for (const Known& known : kWalks) {
    Line fine = walk_of(known.steps);
    fine.cells *= 3;
    const double coarse = Backward(walk_of(known.steps)).probability(known.start);
    EXPECT_NEAR(coarse / Backward(fine).probability(known.start), 1, 1e-4) << known.steps;
  }
}

Law some_law(Random& random, double size) {
  switch (random.below(5)) {
    case 0: return Law::uniform(-size, 2 * size);
    case 1: return Law::triangle(-size, size);
    case 2: return Law::table(-size, size, {1, 0, 3});
    case 3: return Law::point(size / 2);
    default: return Law::gauss(-size, 2 * size, size / 2);
  }
}

Line random_line(Random& random) {
  Line line = {.fails_to = 0, .start_from = 5, .start_to = 25};
  for (std::size_t i = 0; i < 1 + random.below(4); ++i) {
    const double away = 2 + static_cast<double>(random.below(4));
    Chance taken = sensed_within({.error = some_law(random, 3), .from = away});
    if (random.coin()) {
      // The other way: a wall at 30.
      const Sensed back = {.error = some_law(random, 2), .from = 3, .slope = -1, .offset = 30};
      taken = both(taken, sensed_within(back));
    }
    line.steps.push_back({.taken = random.below(4) == 0 ? certain() : taken,
                          .moved = some_law(random, 2),
                          .meant = 4,
                          .direction = random.below(4) == 0 ? 0.5 : -1,
                          .safe_from = 0.5});
  }
  return line;
}

// Whether the path fails from the start, with everything drawn.
bool fails(const Line& line, double position, Random& random) {
  for (std::size_t i = 0; i < line.steps.size(); ++i) {
    const LineStep& step = line.steps[i];
    if (Law::uniform(0, 1).sample(random) > step.taken.at(position)) return false;
    position += step.direction * (step.meant + step.moved.sample(random));
    const bool last = i + 1 == line.steps.size();
    if (!last && (position < step.safe_from || position > step.safe_to)) return false;
  }
  return position >= line.fails_from && position <= line.fails_to;
}

TEST(Line, AgreesWithCountingOnRandomLines) {
  Random random(31);
  int likely = 0;
  for (int round = 0; round < 60; ++round) {
    Line line = random_line(random);
    if (round % 2 == 0) line.fails_to = 4;
    const Backward backward(line);
    const double start = 5.3 + static_cast<double>(random.below(15));
    const double expected = backward.probability(start);
    std::uint64_t hits = 0;
    constexpr std::uint64_t kDraws = 4'000;
    for (std::uint64_t draw = 0; draw < kDraws; ++draw)
      hits += fails(line, start, random) ? 1U : 0U;
    const Interval counted = clopper_pearson(hits, kDraws, 0.9999);
    EXPECT_GE(expected + 1e-9, counted.low) << round;
    EXPECT_LE(expected - 1e-9, counted.high) << round;
    EXPECT_LE(expected, backward.worst().probability + 1e-9) << round;
    EXPECT_NEAR(Forward(line, start).failed(), expected, 1e-5 + 1e-3 * expected) << round;
    likely += static_cast<int>(expected > 0.01);
  }
  EXPECT_GE(likely, 15);
}

TEST(Line, OfExactStepsIsCertainOrImpossible) {
  Line line = {.fails_to = 0, .start_from = 0, .start_to = 100};
  for (int i = 0; i < 3; ++i) {
    line.steps.push_back({.taken = sensed_within({.error = Law::point(0), .from = 5}),
                          .moved = Law::point(0),
                          .meant = 10,
                          .direction = -1,
                          .safe_from = 0.25});
  }
  const Backward backward(line);
  EXPECT_EQ(backward.probability(20), 0);
  EXPECT_NEAR(backward.probability(27), 1, 1e-12);
  EXPECT_EQ(backward.probability(31), 0);
  EXPECT_NEAR(backward.worst().probability, 1, 1e-12);
  EXPECT_EQ(Forward(line, 27).failed(), 1);
  EXPECT_EQ(Forward(line, 27).density(1, 7), 0);
  EXPECT_EQ(Forward(line, 24).failed(), 0);
  EXPECT_EQ(Forward(line, 24).reached(1), 1);
  EXPECT_EQ(Forward(line, 24).reached(2), 0);
}

TEST(Line, OfOneKnownStartHasThatForItsWorst) {
  Line line = walk_of(2);
  line.start_from = 25;
  line.start_to = 25;
  const Backward backward(line);
  EXPECT_EQ(backward.worst().position, 25);
  EXPECT_NEAR(backward.worst().probability / 5.2496e-7, 1, 1e-3);
}

TEST(Line, ThatCannotFailHasProbabilityZero) {
  Line line = walk_of(2);
  line.start_from = 100;
  EXPECT_EQ(Backward(line).worst().probability, 0);
  EXPECT_EQ(Backward(line).probability(120), 0);
  EXPECT_EQ(Forward(line, 120).failed(), 0);
}

TEST(Forward, KnowsHowFarThePathGets) {
  const Line line = walk_of(3);
  const Forward forward(line, 24);
  EXPECT_NEAR(forward.reached(0), Law::gauss(-6, 6, 2).mass(-4, 6), 1e-12);
  EXPECT_GT(forward.reached(0), forward.reached(1));
  EXPECT_GT(forward.reached(1), forward.reached(2));
  EXPECT_GT(forward.density(0, 14), 0.2);
  EXPECT_EQ(forward.density(0, 20), 0);
  // The second step by itself.
  double second = 0;
  for (double d = 9.0005; d < 19; d += 0.001) {
    second += 0.001 * forward.density(0, d) * line.steps[1].taken.at(d);
  }
  EXPECT_NEAR(forward.reached(1) / second, 1, 1e-4);
}

}  // namespace
}  // namespace poise::chance
