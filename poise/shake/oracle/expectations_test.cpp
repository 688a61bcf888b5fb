#include "poise/shake/oracle/expectations.h"

#include <gtest/gtest.h>

#include "poise/shake/subjects/hand_made_test.h"

namespace poise::shake {
namespace {

using model::Expectation;
using model::PolicyOp;
using Kind = model::Expectation::Kind;

// What a subject with a number and a flag did, judged by one expectation.
class Judged : public testing::Test {
 protected:
  Judged()
      : load_(maker_.whole("load", 0, 9)),
        place_(maker_.whole("place", 0, 1)),
        servers_(maker_.variant(maker_.whole("servers", 1, 9), "1")),
        cache_(maker_.variant(maker_.flag("cache"), "0")) {
    grid_ = digits(maker_.model, load_);
    grid_.properties.push_back(property_of(maker_.model, place_, {0, 1}));
  }

  // The tick of the first violation, or -1. The cache is off.
  int tick(const Expectation& expectation, const std::vector<Index>& loads,
           const std::vector<double>& servers) {
    Flow flow;
    for (const Index load : loads) flow.push_back({load, 0});
    return tick(expectation, flow, servers);
  }
  int tick(const Expectation& expectation, const Flow& flow, const std::vector<double>& servers) {
    PolicyMaker maker = maker_;
    const model::ExpectationId id = maker.expect(expectation);
    const std::vector<Field> fields = {{.name = "servers", .low = 1, .high = 9},
                                       {.name = "cache", .kind = Field::Kind::Boolean}};
    Trace trace{.initial = {1, 0}, .variants = {.width = 2, .count = 0, .values = {}}, .ended = {}};
    for (const double number : servers) {
      trace.variants.values.push_back(number);
      trace.variants.values.push_back(0);
      ++trace.variants.count;
    }
    const Expectations expectations(maker.model, grid_, fields);
    const Judgement judgement = expectations.judgement(id, flow, trace);
    const std::optional<Violation>& found = judgement.violation;
    judged_ = judgement.judged;
    text_ = found ? found->text : "";
    return found ? static_cast<int>(found->tick) : -1;
  }

  PolicyMaker maker_;
  model::SlotId load_;
  model::SlotId place_;
  model::SlotId servers_;
  model::SlotId cache_;
  Grid grid_;
  std::string text_;
  using Counts = std::vector<std::size_t>;
  Counts judged_;  // by the last call of tick()
};

TEST_F(Judged, StableAllowsChangesUntilItsTimeIsOver) {
  const Expectation stable{.kind = Kind::Stable, .name = "calm", .seconds = 2};
  EXPECT_EQ(tick(stable, {5, 5, 5, 5}, {1, 2, 3, 3}), -1);
  EXPECT_EQ(tick(stable, {5, 5, 5, 5}, {1, 2, 3, 4}), 3);
  EXPECT_EQ(text_, "`servers` goes from 3 to 4 although the context is held for 3s");
  EXPECT_EQ(tick(stable, {5, 5, 6, 5}, {1, 2, 3, 4}), -1) << "it was not held";
}

TEST_F(Judged, StableWithoutTimeAllowsTheFirstReactionOnly) {
  const Expectation stable{.kind = Kind::Stable, .name = "calm", .seconds = 0};
  EXPECT_EQ(tick(stable, {5, 5, 5}, {2, 2, 2}), -1);
  EXPECT_EQ(tick(stable, {5, 5, 5}, {1, 2, 2}), 1);
}

TEST_F(Judged, StableOfOnePartIgnoresOthers) {
  const Expectation stable{.kind = Kind::Stable, .name = "calm", .seconds = 0, .variant = cache_};
  EXPECT_EQ(tick(stable, {5, 5, 5}, {1, 2, 3}), -1);
}

TEST_F(Judged, ChangesCountsThemInAnyWindow) {
  const Expectation few{.kind = Kind::Changes, .name = "few", .seconds = 3, .count = 2};
  EXPECT_EQ(tick(few, {0, 0, 0, 0, 0, 0}, {2, 3, 3, 4, 4, 4}), -1);
  EXPECT_EQ(tick(few, {0, 0, 0, 0, 0, 0}, {2, 2, 3, 4, 5, 5}), 4);
  EXPECT_EQ(text_, "3 changes within 3s");
  EXPECT_EQ(tick(few, {0, 0, 0}, {2, 3, 4}), 2) << "the first one is from the beginning";
  const Expectation none{.kind = Kind::Changes, .name = "none", .seconds = 1, .count = 0};
  EXPECT_EQ(tick(none, {0, 0}, {1, 1}), -1);
  EXPECT_EQ(tick(none, {0, 0}, {1, 2}), 1);
}

TEST_F(Judged, BaseIsTheInitialVariantSomeTimeAfterTheOrigin) {
  const Expectation base{.kind = Kind::Base, .name = "back", .seconds = 2};
  EXPECT_EQ(tick(base, {5, 0, 0, 0}, {2, 2, 2, 1}), -1);
  EXPECT_EQ(tick(base, {5, 0, 0, 0}, {2, 2, 2, 2}), 3);
  EXPECT_EQ(text_, "`servers` is 2 instead of 1, 2s after the context went back");
  EXPECT_EQ(tick(base, {5, 0, 0, 1}, {2, 2, 2, 2}), -1);
}

TEST_F(Judged, RisesComparesSettledHolds) {
  const Expectation rises{
      .kind = Kind::Rises, .name = "load", .seconds = 1, .variant = servers_, .property = load_};
  EXPECT_EQ(tick(rises, {2, 2, 7, 7}, {3, 3, 3, 3}), -1);
  EXPECT_EQ(tick(rises, {2, 2, 7, 7}, {3, 3, 2, 2}), 3);
  EXPECT_EQ(tick(rises, {7, 7, 2, 2}, {3, 3, 4, 4}), 3) << "in either order";
  EXPECT_EQ(tick(rises, {2, 2, 7, 7}, {3, 3, 1, 2}), -1) << "it still changes";
  EXPECT_EQ(tick(rises, {2, 2, 7, 2}, {3, 3, 2, 3}), -1) << "not held";
  EXPECT_EQ(tick(rises, {{2, 0}, {2, 0}, {7, 1}, {7, 1}}, {3, 3, 2, 2}), -1)
      << "another property differs";
}

TEST_F(Judged, FallsIsTheOtherWayRound) {
  const Expectation falls{
      .kind = Kind::Falls, .name = "load", .seconds = 0, .variant = servers_, .property = load_};
  EXPECT_EQ(tick(falls, {2, 2, 7, 7}, {3, 3, 2, 2}), -1);
  EXPECT_EQ(tick(falls, {2, 2, 7, 7}, {3, 3, 4, 4}), 3);
}

TEST_F(Judged, HoldsIsAskedAfterEveryTick) {
  const auto held = maker_.make(PolicyOp::Held, {maker_.above(load_, "5")}, "2");
  const auto safe = maker_.make(PolicyOp::Implies, {held, maker_.above(servers_, "1")});
  const Expectation holds{.kind = Kind::Holds, .name = "safe", .condition = safe};
  EXPECT_EQ(tick(holds, {6, 6, 6, 6}, {1, 1, 2, 2}), -1);
  EXPECT_EQ(tick(holds, {6, 6, 6, 6}, {1, 1, 1, 2}), 2);
  EXPECT_EQ(tick(holds, {6, 5, 6, 6}, {1, 1, 1, 1}), -1);
}

TEST_F(Judged, RangesAreExpectedOfEveryVariant) {
  const Expectations expectations(
      maker_.model, grid_,
      {{.name = "servers", .low = 1, .high = 9}, {.name = "cache", .kind = Field::Kind::Boolean}});
  const auto found = [&](double servers, double cache) {
    return expectations.out_of_range(
        {.initial = {1, 0},
         .variants = {.width = 2, .count = 1, .values = {servers, cache}},
         .ended = {}});
  };
  EXPECT_FALSE(found(1, 1));
  EXPECT_FALSE(found(9, 0));
  ASSERT_TRUE(found(10, 0));
  EXPECT_EQ(found(10, 0)->text, "`servers` is 10, out of its range");
  EXPECT_FALSE(found(10, 0)->expectation);
  EXPECT_TRUE(found(1, 2));
}

// ---- How often ----

TEST_F(Judged, StableIsJudgedOnceItsTimeIsOver) {
  const Expectation stable{.kind = Kind::Stable, .name = "calm", .seconds = 2};
  EXPECT_EQ(tick(stable, {5, 5, 5, 5, 5}, {1, 2, 3, 3, 3}), -1);
  EXPECT_EQ(judged_, Counts{2});
  EXPECT_EQ(tick(stable, {5, 5, 5, 6, 6, 6}, {1, 2, 3, 3, 3, 3}), -1);
  EXPECT_EQ(judged_, Counts{0});
  EXPECT_EQ(tick(stable, {5, 5, 5, 5, 5}, {1, 2, 3, 4, 4}), 3);
  EXPECT_EQ(judged_, Counts{1}) << "up to the violation";
}

TEST_F(Judged, ChangesAreJudgedOverWholeWindows) {
  const Expectation few{.kind = Kind::Changes, .name = "few", .seconds = 4, .count = 1};
  EXPECT_EQ(tick(few, {0, 0, 0}, {1, 1, 1}), -1);
  EXPECT_EQ(judged_, Counts{0});
  EXPECT_EQ(tick(few, {0, 0, 0, 0, 0}, {1, 1, 1, 1, 1}), -1);
  EXPECT_EQ(judged_, Counts{2});
  EXPECT_EQ(tick(few, {0, 0}, {2, 3}), 1);
  EXPECT_EQ(judged_, Counts{1}) << "a violation counts";
}

TEST_F(Judged, BaseIsJudgedAtTheOriginOnly) {
  const Expectation base{.kind = Kind::Base, .name = "back", .seconds = 2};
  EXPECT_EQ(tick(base, {5, 0, 0, 0, 0}, {2, 2, 2, 1, 1}), -1);
  EXPECT_EQ(judged_, Counts{2});
  EXPECT_EQ(tick(base, {5, 5, 5, 5, 5}, {2, 2, 2, 1, 1}), -1);
  EXPECT_EQ(judged_, Counts{0});
}

TEST_F(Judged, RisesIsJudgedWhereTwoHoldsCanBeCompared) {
  const Expectation rises{
      .kind = Kind::Rises, .name = "load", .seconds = 1, .variant = servers_, .property = load_};
  EXPECT_EQ(tick(rises, {2, 2, 7, 7}, {3, 3, 3, 3}), -1);
  EXPECT_EQ(judged_, Counts{1});
  EXPECT_EQ(tick(rises, {2, 2, 2, 2}, {3, 3, 3, 3}), -1);
  EXPECT_EQ(judged_, Counts{0});
}

TEST_F(Judged, AnImplicationIsJudgedWhereItsConditionHolds) {
  const auto safe =
      maker_.make(PolicyOp::Implies, {maker_.above(load_, "5"), maker_.above(servers_, "1")});
  const auto rest =
      maker_.make(PolicyOp::Implies, {maker_.above(load_, "8"), maker_.above(servers_, "1")});
  const Expectation holds{.kind = Kind::Holds, .name = "safe", .condition = safe};
  EXPECT_EQ(tick(holds, {6, 5, 6}, {2, 2, 2}), -1);
  EXPECT_EQ(judged_, Counts{2});
  EXPECT_EQ(tick(holds, {5, 5, 5}, {2, 2, 2}), -1);
  EXPECT_EQ(judged_, Counts{0});
  const Expectation both{
      .kind = Kind::Holds, .name = "both", .condition = maker_.make(PolicyOp::And, {safe, rest})};
  EXPECT_EQ(tick(both, {6, 5, 6}, {2, 2, 2}), -1);
  EXPECT_EQ(judged_, (Counts{2, 0})) << "each part by itself";
}

TEST_F(Judged, AWindowIsJudgedOnceItIsWhole) {
  const auto most = maker_.make(PolicyOp::MaximumOver, {maker_.read(servers_)}, "3");
  const auto few = maker_.make(PolicyOp::Less, {most, maker_.constant("5")});
  const Expectation holds{.kind = Kind::Holds, .name = "few", .condition = few};
  EXPECT_EQ(tick(holds, {0, 0}, {1, 1}), -1);
  EXPECT_EQ(judged_, Counts{0});
  EXPECT_EQ(tick(holds, {0, 0, 0, 0}, {1, 1, 1, 1}), -1);
  EXPECT_EQ(judged_, Counts{2});
  EXPECT_EQ(tick(holds, {0, 0}, {1, 5}), 1);
  EXPECT_EQ(judged_, Counts{1});
}

}  // namespace
}  // namespace poise::shake
