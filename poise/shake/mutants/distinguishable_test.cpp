#include "poise/shake/mutants/distinguishable.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "poise/shake/subjects/hand_made_test.h"
#include "poise/shake/subjects/web_server_test.h"

namespace poise::shake {
namespace {

using model::PolicyOp;

class OneProperty : public testing::Test {
 protected:
  OneProperty()
      : load_(maker_.whole("load", 0, 9)),
        servers_(maker_.variant(maker_.whole("servers", 0, 99), "1")) {
    grid_ = digits(maker_.model, load_);
  }
  std::vector<Instance> apart(const std::vector<Mutant>& mutants = {}) {
    std::vector<const Mutant*> which;
    for (const Mutant& mutant : mutants) which.push_back(&mutant);
    return *distinguishable(maker_.model, which, grid_);
  }

  PolicyMaker maker_;
  model::SlotId load_;
  model::SlotId servers_;
  Grid grid_;
};

TEST_F(OneProperty, ThresholdsTellBelowAtAndAbove) {
  maker_.option("set", servers_, maker_.constant("5"), maker_.below(load_, "4"));
  EXPECT_EQ(apart(), (std::vector<Instance>{{0}, {4}, {5}}));
}

TEST_F(OneProperty, TermsTellDegrees) {
  maker_.term(load_, "high", model::Shape::Kind::Ramp, {"3", "6"});
  maker_.option("set", servers_, maker_.constant("5"), maker_.is(load_, 0));
  EXPECT_EQ(apart(), (std::vector<Instance>{{0}, {4}, {5}, {6}}));
}

TEST_F(OneProperty, WhatIsReadItselfTellsAll) {
  maker_.option("set", servers_, maker_.read(load_), maker_.below(load_, "4"));
  EXPECT_EQ(apart().size(), 10u);
}

TEST_F(OneProperty, WhatIsNotReadTellsNothing) {
  maker_.option("set", servers_, maker_.constant("5"), std::nullopt);
  EXPECT_EQ(apart().size(), 1u);
  EXPECT_EQ(all_valid(grid_)->size(), 10u);
}

TEST_F(OneProperty, MutantsSeeInTheirOwnWay) {
  maker_.option("set", servers_, maker_.constant("5"), maker_.below(load_, "4"));
  const auto moved = mutants_of(maker_.model, grid_, {.groups = {MutantGroup::Threshold}});
  EXPECT_EQ(apart(moved), (std::vector<Instance>{{0}, {3}, {4}, {5}, {6}}));
  const std::vector<Mutant> scaled = {
      {.model = maker_.model, .sensor = {.permutation = {}, .scale = {2}}}};
  EXPECT_EQ(apart(scaled), (std::vector<Instance>{{0}, {2}, {3}, {4}, {5}}));
}

TEST(ToldApart, IsLittleOfThePapersWebContext) {
  const WebServer web = web_server();
  const auto all = all_valid(web.grid);
  EXPECT_EQ(all->size(), 2310u);
  const auto apart = distinguishable(web.maker.model, {}, web.grid);
  EXPECT_LT(apart->size(), all->size() / 3);
  EXPECT_TRUE(
      std::ranges::all_of(*apart, [&](const Instance& i) { return is_valid(web.grid, i); }));
}

TEST(ToldApart, GivesUpOnTooMany) {
  const WebServer web = web_server();
  EXPECT_EQ(all_valid(web.grid, {.most = 1000}), std::nullopt);
}

}  // namespace
}  // namespace poise::shake
