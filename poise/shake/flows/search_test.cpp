#include "poise/shake/flows/search.h"

#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/shake/flows/dwell_flows.h"
#include "poise/shake/flows/moves.h"
#include "poise/shake/flows/score.h"
#include "poise/shake/flows/stand_ins_test.h"
#include "poise/shake/flows/tabu.h"

namespace poise::shake {
namespace {

using namespace stand_ins;

// Constraints that couple properties, a guard, labels.
Grid coupled_grid() {
  Grid grid;
  grid.properties = {number("low", 0, 9, evenly(0, 9, 10)),
                     number("high", 0, 9, evenly(0, 9, 10)),
                     boolean("on"),
                     number("speed", 1, 100, {1, 10, 50, 100}),
                     {.name = "mode",
                      .kind = Property::Kind::Label,
                      .values = {3, 4, 7},
                      .texts = {"a", "b", "c"}}};
  grid.properties[3].guard = 2;
  grid.properties[3].log = true;
  grid.constraints = {
      {.scope = {0, 1}, .allows = [](std::span<const double> v) { return v[0] + 2 == v[1]; }},
      {.scope = {3, 4}, .allows = [](std::span<const double> v) {
         return std::isnan(v[0]) || v[0] < 60 || v[1] == 7;
       }}};
  return grid;
}

// a <= b <= c ...: one combination in thousands is valid.
Grid chain_grid() {
  Grid grid;
  for (std::size_t k = 0; k < 8; ++k) {
    grid.properties.push_back(
        number(std::string(1, static_cast<char>('a' + k)), 0, 9, evenly(0, 9, 10)));
    if (k > 0) {
      grid.constraints.push_back(
          {.scope = {k - 1, k}, .allows = [](std::span<const double> v) { return v[0] <= v[1]; }});
    }
  }
  return grid;
}

TEST(Search, GivesValidFlowsOfTheLengthAskedFor) {
  for (const Grid& grid :
       {web_grid(), line_grid(), coupled_grid(), chain_grid(), failsafe().grid}) {
    for (const Generator generator : kGenerators) {
      for (const std::size_t length : {1U, 2U, 3U, 60U}) {
        const GeneratedFlows set =
            flows_of(grid, {.generator = generator, .flows = 12, .length = length});
        ASSERT_EQ(set.flows.size(), 12U);
        ASSERT_EQ(set.sources.size(), 12U);
        for (const Flow& flow : set.flows) {
          ASSERT_EQ(flow.size(), length);
          for (const Instance& instance : flow) {
            ASSERT_TRUE(is_valid(grid, instance)) << name_of(generator);
          }
        }
      }
    }
  }
}

TEST(Search, GivesTheSameFlowsForAnyNumberOfJobs) {
  for (const Generator generator : kGenerators) {
    SearchOptions options{.generator = generator, .flows = 30, .seed = 5};
    const GeneratedFlows one = flows_of(web_grid(), options);
    options.jobs = 3;
    EXPECT_EQ(flows_of(web_grid(), options).flows, one.flows) << name_of(generator);
    options.seed = 6;
    EXPECT_NE(flows_of(web_grid(), options).flows, one.flows) << name_of(generator);
  }
}

TEST(Search, GivesNoFlowsWhereNothingIsValid) {
  Grid grid = line_grid(5);
  grid.constraints.push_back(
      {.scope = {0}, .allows = [](std::span<const double>) { return false; }});
  EXPECT_TRUE(flows_of(grid).flows.empty());
  EXPECT_TRUE(flows_of({}).flows.empty());
}

TEST(Moves, ReachesEveryValidInstance) {
  const Grid grid = coupled_grid();
  const Moves moves(grid);
  Random random(1);
  std::set<Instance> drawn;
  std::set<Instance> walked;
  Instance at = moves.random_instance(random);
  for (int i = 0; i < 20'000; ++i) {
    drawn.insert(moves.random_instance(random));
    at = moves.walked(at, 1, random);
    ASSERT_TRUE(is_valid(grid, at));
    walked.insert(at);
  }
  // 8 of (low, high); off, or 3 speeds with any mode, or 100 with mode c: 8 * (3 + 3 * 3 + 1).
  EXPECT_EQ(drawn.size(), 8U * 13U);
  EXPECT_EQ(walked.size(), 8U * 13U);
}

TEST(Moves, DrawsFromChainsToo) {
  const Grid grid = chain_grid();
  const Moves moves(grid);
  Random random(2);
  std::vector<double> means(8);
  for (int i = 0; i < 2000; ++i) {
    const Instance instance = moves.random_instance(random);
    ASSERT_TRUE(is_valid(grid, instance));
    for (std::size_t k = 0; k < 8; ++k) means[k] += instance[k] / 2000.0;
  }
  // All but uniform: the k-th of 8 in order is about at (k + 1) / 9 of the range.
  EXPECT_LT(means[0], 3);
  EXPECT_GT(means[7], 6.5);
}

TEST(Moves, GoesAsNearAsItCan) {
  const Grid grid = web_grid(10);
  const Moves moves(grid);
  const Instance from = {5, 2, 3};
  EXPECT_EQ(moves.towards(from, {9, 9, 10}), (Instance{9, 9, 10}));
  // More files than requests: density comes down to the files it has, files follow.
  EXPECT_TRUE(is_valid(grid, moves.towards(from, {0, 9, 10})));
  EXPECT_FALSE(moves.changed(from, 1, 6));
  EXPECT_TRUE(moves.allows(from, 1, 5));
}

TEST(Shapes, AreWhatTheyAreCalled) {
  const Grid grid = web_grid();
  const ContextSpace space(grid);
  const auto flows = [&](Generator generator) {
    return flows_of(grid, {.generator = generator, .flows = 40}).flows;
  };
  const auto count = [&](const std::vector<Flow>& all, StepKind kind) {
    std::size_t steps = 0;
    for (const Flow& flow : all) {
      for (const StepKind step : step_kinds(space, flow)) steps += step == kind ? 1U : 0U;
    }
    return steps;
  };
  EXPECT_EQ(count(flows(Generator::BangBang), StepKind::Smooth), 0U);
  EXPECT_EQ(count(flows(Generator::Walk), StepKind::Violent), 0U);
  for (const Flow& flow : flows(Generator::Earthquake)) {
    EXPECT_GE(earthquake_profiles(space, flow), 50U);  // of 58
  }
  for (const Flow& flow : flows(Generator::Paper)) EXPECT_TRUE(is_earthquake(space, flow));
  std::size_t resting = 0;
  for (const Flow& flow : flows(Generator::Hold))
    resting += longest_dwell(space, flow) >= 6 ? 1U : 0U;
  EXPECT_GE(resting, 32U);  // the others hold one property
}

TEST(Tabu, MakesEarthquakesThatCover) {
  const Grid grid = web_grid();
  const ContextSpace space(grid);
  const Moves moves(grid);
  const Elements elements(grid);
  const Covered covered(elements);
  Random random(3);
  const Flow first = any_flow(grid, 60, random);
  const Flow found = tabu_search({space, moves, elements, covered, {}}, first, {}, random);
  EXPECT_GT(earthquake_profiles(space, found), 20U);
  EXPECT_GT(earthquake_profiles(space, found), earthquake_profiles(space, first));
  EXPECT_GE(covered.gain_of(found).pairs, covered.gain_of(first).pairs * 9 / 10);
}

TEST(Tabu, MovesAwayFromWhatIsKnown) {
  const Grid grid = web_grid();
  const ContextSpace space(grid);
  const Moves moves(grid);
  const Elements elements(grid);
  Covered covered(elements);
  Random random(4);
  const Flow known = any_flow(grid, 60, random);
  Memory memory;
  memory.add(known);
  const Flow found = tabu_search({space, moves, elements, covered, memory}, known, {}, random);
  std::size_t repeated = 0;
  for (const Instance& instance : found) repeated += memory.has(instance) ? 1U : 0U;
  EXPECT_LE(repeated, 3U);
}

TEST(Paper, CoversAllPairsWithFewFlows) {
  const Grid grid = web_grid();
  const Elements elements(grid);
  EXPECT_EQ(elements.feasible_pairs(), 650U);
  const GeneratedFlows set = flows_of(grid, {.generator = Generator::Paper, .fill = false});
  Covered covered(elements);
  for (const Flow& flow : set.flows) covered.add(flow);
  EXPECT_EQ(covered.pairs(), 650U);
  EXPECT_LT(set.flows.size(), 40U);  // each one adds something
  EXPECT_EQ(flows_of(grid, {.generator = Generator::Paper}).flows.size(), 100U);
}

TEST(Portfolio, CoversPairsAndShapes) {
  const Grid grid = web_grid();
  const Elements elements(grid);
  const ContextSpace space(grid);
  const GeneratedFlows set = flows_of(grid, {});
  Covered covered(elements);
  for (const Flow& flow : set.flows) covered.add(flow);
  EXPECT_EQ(covered.pairs(), 650U);
  EXPECT_GE(shape_cells(space, set.flows).count(), 16U);
  std::set<Shape> shapes;
  for (const FlowSource& source : set.sources) shapes.insert(source.shape);
  EXPECT_GE(shapes.size(), 10U);
}

TEST(Portfolio, IsDiverseFromTheStart) {
  for (const std::size_t flows : {5U, 20U}) {
    const GeneratedFlows set = flows_of(web_grid(), {.flows = flows});
    std::map<Shape, std::size_t> shapes;
    for (const FlowSource& source : set.sources) ++shapes[source.shape];
    EXPECT_GE(shapes[Shape::Hold], flows * 2 / 5);
    EXPECT_GE(shapes[Shape::Cover], flows / 5);
    EXPECT_GE(shapes.size(), 3U);
  }
}

TEST(Portfolio, LooksForWhatTheSubjectNeverDid) {
  // Something happens only where both numbers are in a corner that nothing marks.
  Grid grid;
  grid.properties = {number("a", 0, 49, evenly(0, 49, 50)), number("b", 0, 49, evenly(0, 49, 50))};
  const auto behaviour = [](const Flow& flow) {
    std::vector<std::uint64_t> what;
    for (const Instance& instance : flow) {
      if (instance[0] > 40 && instance[1] > 40) what.push_back(instance[0] * 50U + instance[1]);
    }
    return what;
  };
  const auto found = [&](const SearchOptions& options) {
    std::set<std::uint64_t> all;
    for (const Flow& flow : flows_of(grid, options).flows) {
      for (const std::uint64_t what : behaviour(flow)) all.insert(what);
    }
    return all.size();
  };
  std::size_t with = 0;
  std::size_t without = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    with += found({.flows = 40, .seed = seed, .behaviour = behaviour});
    without += found({.flows = 40, .seed = seed});
  }
  EXPECT_GT(with, without);
}

// ---- What is found ----

constexpr std::uint64_t kSeeds = 20;

TEST(Portfolio, FindsTheFaultsOfTheFailsafeWithTwentyFlows) {
  const Museum museum = failsafe();
  for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
    const GeneratedFlows set = flows_of(museum.grid, {.flows = 20, .seed = seed});
    const std::vector<std::size_t> first = first_kills(museum, set.flows);
    for (std::size_t m = 0; m < first.size(); ++m) {
      EXPECT_LT(first[m], 20U) << museum.mutants[m].first << ", seed " << seed;
    }
  }
}

TEST(Portfolio, FindsTheHeaterThatTogglesWithTwentyFlows) {
  Grid fixed;
  fixed.properties = {number("temperature", 16, 26, evenly(16, 26, 41))};
  mark(fixed.properties[0], 21);
  Grid sensed;
  sensed.properties = {number("temperature", 16, 26, evenly(16, 26, 41)),
                       number("target", 16, 26, evenly(16, 26, 21))};
  for (const bool sensed_target : {false, true}) {
    const Grid& grid = sensed_target ? sensed : fixed;
    for (std::uint64_t seed = 1; seed <= kSeeds; ++seed) {
      const GeneratedFlows set = flows_of(grid, {.flows = 20, .seed = seed});
      EXPECT_TRUE(std::ranges::any_of(set.flows,
                                      [&](const Flow& flow) {
                                        return toggles_while_held(contexts_of(grid, flow),
                                                                  sensed_target);
                                      }))
          << "seed " << seed << (sensed_target ? ", target sensed" : "");
    }
  }
}

TEST(Portfolio, IsNeverBehindChance) {
  for (const Museum& museum : {failsafe(), thermostat(), autoscaler(), web_server()}) {
    const auto first = [&](Generator generator) {
      std::vector<std::size_t> all;
      for (std::uint64_t seed = 1; seed <= 10; ++seed) {
        const GeneratedFlows set = flows_of(museum.grid, {.generator = generator, .seed = seed});
        for (const std::size_t flow : first_kills(museum, set.flows)) all.push_back(flow);
      }
      return all;
    };
    const std::vector<std::size_t> ours = first(Generator::Portfolio);
    const std::vector<std::size_t> chance = first(Generator::Random);
    for (const std::size_t flows : {5U, 20U, 100U}) {
      const auto killed = [&](const std::vector<std::size_t>& kills) {
        return std::ranges::count_if(kills, [&](std::size_t flow) { return flow < flows; });
      };
      EXPECT_GE(killed(ours), killed(chance)) << museum.name << ", " << flows << " flows";
    }
  }
}

TEST(Portfolio, BeginsTheSameWithMoreFlows) {
  const GeneratedFlows few = flows_of(web_grid(), {.flows = 20});
  const GeneratedFlows more = flows_of(web_grid(), {.flows = 30});
  EXPECT_TRUE(std::equal(few.flows.begin(), few.flows.end(), more.flows.begin()));
}

}  // namespace
}  // namespace poise::shake
