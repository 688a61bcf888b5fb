#include "poise/chance/chain.h"

#include <cmath>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/chance/linear_event.h"

namespace poise::chance {
namespace {

// Bounds that contain the value, and are not farther apart than the share of it.
void expect_tight(const Interval& bounds, double value, double share) {
  EXPECT_LE(bounds.low, value * (1 + 1e-10));
  EXPECT_GE(bounds.high, value * (1 - 1e-10));
  EXPECT_LE(bounds.high - bounds.low, share * value);
}

TEST(Chain, WithoutMovesIsAProductOfMasses) {
  Chain chain;
  chain.errors = {Law::uniform(-6, 6), Law::uniform(-5, 5)};
  // Sensed as at least 20.9 at 14.95, and a step of at least 14.95.
  chain.rows = {{.constant = 20.9 - 14.95, .error = 0, .factor = -1},
                {.constant = 4.95, .error = 1, .factor = -1}};
  expect_tight(bounds(chain), 0.05 / 12 * 0.05 / 10, 1e-8);
}

TEST(Chain, TwoUniformMovesHaveTheMassOfATriangle) {
  for (const double limit : {-1.9, -1.0, 0.0, 0.7, 1.999}) {
    Chain chain;
    chain.moves = {{Law::uniform(-1, 1), 1}, {Law::uniform(-1, 1), -1}};
    chain.rows = {{.position = 2, .slope = 1, .constant = -limit}};
    const double truth =
        limit < 0 ? (limit + 2) * (limit + 2) / 8 : 1 - (2 - limit) * (2 - limit) / 8;
    expect_tight(bounds(chain), truth, 0.02);
  }
}

TEST(Chain, ThreeUniformMovesHaveTheirClosedForm) {
  // The volume of x + y + z <= t in the unit cube is t^3 / 6 for t <= 1.
  for (const double t : {1e-3, 0.1, 1.0}) {
    Chain chain;
    for (int i = 0; i < 3; ++i) chain.moves.push_back({Law::uniform(0, 1), 1});
    chain.rows = {{.position = 3, .slope = 1, .constant = -t}};
    expect_tight(bounds(chain), t * t * t / 6, 0.05);
  }
}

TEST(Chain, GaussMovesAddUp) {
  Chain chain;
  for (int i = 0; i < 4; ++i) chain.moves.push_back({Law::gauss(-12, 12, 1), 1});
  for (const double limit : {0.0, 4.0, 8.0, 12.0}) {
    chain.rows = {{.position = 4, .slope = -1, .constant = limit}};
    expect_tight(bounds(chain), std::erfc(limit / 2 / std::sqrt(2)) / 2, 0.05);
  }
}

TEST(Chain, WhatCannotHappenHasNoProbability) {
  Chain chain;
  chain.moves = {{Law::triangle(-1, 1), 1}};
  chain.rows = {{.position = 1, .slope = -1, .constant = 1.5}};
  EXPECT_EQ(bounds(chain).high, 0);
}

Law law_of_chain(Random& random) {
  const double low = -3 + static_cast<double>(random.below(6)) / 2;
  const double high = low + 0.5 + static_cast<double>(random.below(8)) / 2;
  switch (random.below(3)) {
    case 0: return Law::uniform(low, high);
    case 1: return Law::triangle(low, high);
    default: return Law::gauss(low, high, 0.3 + static_cast<double>(random.below(5)) / 2);
  }
}

// A second opinion: estimates by quasi-random points, which share only the laws.
TEST(Chain, AgreesWithEstimatesOnRandomChains) {
  Random random(7);
  std::size_t compared = 0;
  for (int round = 0; round < 150; ++round) {
    Chain chain;
    const std::size_t moves = 1 + random.below(4);
    for (std::size_t i = 0; i < moves; ++i) {
      chain.moves.push_back({law_of_chain(random), random.below(2) == 0 ? 1.0 : -0.5});
    }
    std::vector<Law> laws;
    for (const Chain::Move& move : chain.moves) laws.push_back(move.law);
    std::vector<LinearConstraint> constraints;
    for (std::size_t position = 0; position <= moves; ++position) {
      for (std::size_t rows = random.below(3); rows > 0; --rows) {
        Chain::Row row{.position = position,
                       .slope = random.below(2) == 0 ? 1.0 : -1.0,
                       .constant = -1.5 + static_cast<double>(random.below(9)) / 4};
        if (random.below(2) == 0) {
          row.error = chain.errors.size();
          row.factor = random.below(2) == 0 ? 1.0 : -2.0;
          chain.errors.push_back(law_of_chain(random));
        }
        chain.rows.push_back(row);
      }
    }
    laws.insert(laws.end(), chain.errors.begin(), chain.errors.end());
    for (const Chain::Row& row : chain.rows) {
      LinearConstraint constraint{std::vector<double>(laws.size())};
      for (std::size_t i = 0; i < row.position; ++i) {
        constraint.coefficients[i] = row.slope * chain.moves[i].factor;
      }
      if (row.error) constraint.coefficients[moves + *row.error] = row.factor;
      constraint.upper = -row.constant;
      constraints.push_back(std::move(constraint));
    }
    const Interval proved = bounds(chain);
    const Estimate estimate = probability(constraints, laws, {.relative = 1e-3});
    EXPECT_LE(proved.low, proved.high);
    EXPECT_LE(proved.low, estimate.value + 2 * estimate.error + 1e-12) << round;
    EXPECT_GE(proved.high, estimate.value - 2 * estimate.error - 1e-12) << round;
    if (estimate.value < 1e-6) continue;
    ++compared;
    EXPECT_LE(proved.high, 1.1 * proved.low) << round << ": " << estimate.value;
  }
  EXPECT_GT(compared, 60U);
}

}  // namespace
}  // namespace poise::chance
