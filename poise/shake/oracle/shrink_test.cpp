#include "poise/shake/oracle/shrink.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "poise/base/random.h"

namespace poise::shake {
namespace {

using Fails = std::function<bool(const Flow&)>;

Property numbers(std::string name, Index count) {
  Property property{.name = std::move(name), .values = {}, .texts = {}};
  for (Index i = 0; i < count; ++i) {
    property.values.push_back(i);
    property.texts.push_back(std::to_string(i));
  }
  return property;
}

// a and b from 0 to 19, b not more than a.
Grid ordered() {
  return {.properties = {numbers("a", 20), numbers("b", 20)},
          .constraints = {{.scope = {0, 1},
                           .allows = [](std::span<const double> v) { return v[1] <= v[0]; },
                           .text = "b <= a"}}};
}

Flow random_flow(const Grid& grid, std::size_t length, Random& random) {
  Flow flow;
  while (flow.size() < length) {
    Instance instance;
    for (const Property& property : grid.properties) {
      instance.push_back(static_cast<Index>(random.below(property.values.size())));
    }
    if (is_valid(grid, instance)) flow.push_back(instance);
  }
  return flow;
}

std::size_t changes_in(const Flow& flow) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < flow.size(); ++i) changes += std::size_t{flow[i] != flow[i - 1]};
  return changes;
}

// No tick can be left out, and none of the contexts can be held on in place of the next one, or
// begin earlier in place of the one before.
bool is_one_minimal(const Flow& flow, const Fails& fails) {
  for (std::size_t i = 0; i < flow.size() && flow.size() > 1; ++i) {
    Flow rest = flow;
    rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
    if (fails(rest)) return false;
  }
  for (std::size_t first = 0; first < flow.size();) {
    std::size_t last = first + 1;
    while (last < flow.size() && flow[last] == flow[first]) ++last;
    const auto replaced = [&](const Instance& by) {
      Flow other = flow;
      std::fill(other.begin() + static_cast<std::ptrdiff_t>(first),
                other.begin() + static_cast<std::ptrdiff_t>(last), by);
      return other;
    };
    if (first > 0 && fails(replaced(flow[first - 1]))) return false;
    if (last < flow.size() && fails(replaced(flow[last]))) return false;
    first = last;
  }
  return true;
}

// At some tick a >= 12, and three ticks of b >= 5 have been seen by then, not counting it.
bool needs_four(const Flow& flow) {
  int seen = 0;
  for (const Instance& instance : flow) {
    if (instance[0] >= 12 && seen >= 3) return true;
    seen += instance[1] >= 5 ? 1 : 0;
  }
  return false;
}

TEST(Shrink, KeepsOnlyWhatTheFailureNeeds) {
  const Grid grid = ordered();
  Random random(1);
  const Shrunk small =
      shrunk(grid, random_flow(grid, 200, random), needs_four, {.nominal = {0, 0}});
  EXPECT_EQ(small.flow, Flow(4, {12, 5})) << "a change would be one too many";
  EXPECT_TRUE(small.is_minimal);
  EXPECT_LT(small.executions, 600u);
}

TEST(Shrink, IsOneMinimalValidAndTheSameWhenRepeated) {
  const Grid grid = ordered();
  Random random(2);
  // Failures of very different kinds: monotone, not monotone, about order and about holding.
  const std::vector<Fails> kinds = {
      needs_four,
      [](const Flow& flow) {  // a rises by ten at least, anywhere
        for (std::size_t i = 1; i < flow.size(); ++i) {
          if (flow[i][0] >= flow[i - 1][0] + 10) return true;
        }
        return false;
      },
      [](const Flow& flow) {  // an even number of ticks with b > 3, but not none
        const auto count = std::ranges::count_if(flow, [](const Instance& i) { return i[1] > 3; });
        return count > 0 && count % 2 == 0;
      },
      [](const Flow& flow) {  // something above 15, and much later something below 2
        for (std::size_t i = 0; i < flow.size(); ++i) {
          for (std::size_t j = i + 4; flow[i][0] > 15 && j < flow.size(); ++j) {
            if (flow[j][0] < 2) return true;
          }
        }
        return false;
      }};
  for (const Fails& fails : kinds) {
    for (int repeat = 0; repeat < 30; ++repeat) {
      const Flow flow = random_flow(grid, 40 + random.below(40), random);
      if (!fails(flow)) continue;
      const Fails checked = [&](const Flow& tried) {
        for (const Instance& instance : tried) EXPECT_TRUE(is_valid(grid, instance));
        return fails(tried);
      };
      const Shrunk small = shrunk(grid, flow, checked);
      EXPECT_TRUE(fails(small.flow));
      EXPECT_TRUE(is_one_minimal(small.flow, fails));
      EXPECT_LE(small.flow.size(), flow.size());
      EXPECT_EQ(shrunk(grid, small.flow, fails).flow, small.flow);
    }
  }
}

// Three ticks of 12 or more, three of 7, three of 2 or less: two changes, and b is as usual.
TEST(Shrink, ChangesAsLittleAsItCanAndThenTakesNominalValues) {
  const Grid grid{.properties = {numbers("a", 20), numbers("b", 20)}, .constraints = {}};
  const Fails fails = [](const Flow& flow) {
    std::size_t stage = 0;
    std::size_t held = 0;
    for (const Instance& instance : flow) {
      const Index a = instance[0];
      held = (stage == 0 && a >= 12) || (stage == 1 && a == 7) || (stage == 2 && a <= 2) ? held + 1
                                                                                         : 0;
      if (held == 3) {
        ++stage;
        held = 0;
      }
    }
    return stage == 3;
  };
  Random random(4);
  for (int repeat = 0; repeat < 10; ++repeat) {
    Flow flow;
    for (const Index a : {Index{13}, Index{7}, Index{1}}) {
      for (int i = 0; i < 3; ++i) {
        const Flow some = random_flow(grid, 1, random);
        flow.push_back({a, some[0][1]});
      }
    }
    EXPECT_EQ(shrunk(grid, flow, fails, {.nominal = {9, 4}}).flow,
              (Flow{{12, 4}, {12, 4}, {12, 4}, {7, 4}, {7, 4}, {7, 4}, {2, 4}, {2, 4}, {2, 4}}));
  }
}

TEST(Shrink, FindsAConstantFlowThatTheFlowDoesNotContain) {
  // A context is never seen for long in the flow, and neighbours alone do not help: 3 and 9 in turn
  // fail, and so does 6 all the time.
  const Grid grid{.properties = {numbers("a", 12)}, .constraints = {}};
  const Fails fails = [](const Flow& flow) {
    std::size_t turns = 0;
    std::size_t sixes = 0;
    for (std::size_t i = 0; i < flow.size(); ++i) {
      sixes += std::size_t{flow[i][0] == 6};
      turns += std::size_t{i > 0 && flow[i][0] == 9 && flow[i - 1][0] == 3};
    }
    return turns >= 4 || sixes >= 10;
  };
  Flow flow;
  for (int i = 0; i < 6; ++i) flow.insert(flow.end(), {{3}, {9}});
  EXPECT_EQ(shrunk(grid, flow, fails).flow, Flow(10, {6}));
  // Longer flows are tried only if that is asked for.
  flow.resize(8);
  EXPECT_EQ(changes_in(shrunk(grid, flow, fails).flow), 7u);
  EXPECT_EQ(shrunk(grid, flow, fails, {.most_ticks = 20}).flow, Flow(10, {6}));
}

TEST(Shrink, MovesWhatIsHeldTogether) {
  const Grid grid{.properties = {numbers("a", 20)}, .constraints = {}};
  // Held at one value, other than the origin, above or below, for five ticks.
  const Fails fails = [](const Flow& flow) {
    for (std::size_t i = 0; i + 4 < flow.size(); ++i) {
      const bool held = std::all_of(flow.begin() + static_cast<std::ptrdiff_t>(i),
                                    flow.begin() + static_cast<std::ptrdiff_t>(i + 5),
                                    [&](const Instance& x) { return x == flow[i]; });
      if (held && (flow[i][0] <= 7 || flow[i][0] >= 14)) return true;
    }
    return false;
  };
  EXPECT_EQ(shrunk(grid, Flow(20, {2}), fails, {.nominal = {10}}).flow, Flow(5, {7}));
  EXPECT_EQ(shrunk(grid, Flow(20, {19}), fails, {.nominal = {10}}).flow, Flow(5, {14}));
}

TEST(Shrink, RespectsGuards) {
  Property on = numbers("on", 2);
  on.kind = Property::Kind::Boolean;
  Property speed = numbers("speed", 10);
  speed.guard = 0;
  const Grid grid{.properties = {on, speed}, .constraints = {}};
  const Fails fast = [&](const Flow& flow) {
    return std::ranges::any_of(flow,
                               [](const Instance& i) { return i[1] != kNoValue && i[1] > 3; });
  };
  EXPECT_EQ(shrunk(grid, {{1, 8}, {0, kNoValue}, {1, 9}}, fast, {.nominal = {0, 0}}).flow,
            (Flow{{1, 4}}));
  const Fails any = [](const Flow& flow) { return !flow.empty(); };
  EXPECT_EQ(shrunk(grid, {{1, 8}, {1, 9}}, any).flow, (Flow{{0, kNoValue}}));
}

TEST(Shrink, StopsWhenExecutionsRunOut) {
  const Grid grid = ordered();
  Random random(3);
  const Flow flow = random_flow(grid, 200, random);
  std::size_t count = 0;
  const Fails fails = [&](const Flow& tried) {
    ++count;
    return needs_four(tried);
  };
  const Shrunk small = shrunk(grid, flow, fails, {.most_executions = 10});
  EXPECT_FALSE(small.is_minimal);
  EXPECT_EQ(count, 10u);
  EXPECT_EQ(small.executions, 10u);
  EXPECT_TRUE(needs_four(small.flow));
}

TEST(Shrink, LeavesAFlowThatDoesNotFail) {
  const Flow flow = {{3, 1}};
  EXPECT_EQ(shrunk(ordered(), flow, needs_four).flow, flow);
}

}  // namespace
}  // namespace poise::shake
