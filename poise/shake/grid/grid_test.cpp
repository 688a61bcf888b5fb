#include "poise/shake/grid/grid.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"
#include "poise/shake/grid/grids_test.h"

namespace poise::shake {
namespace {

using model::PolicyExpr;
using model::PolicyOp;
using model::Shape;

// A model of declarations, to which a test adds what it needs.
model::Model declared(const std::string& lines) {
  const lang::Parsed parsed = lang::parse(
      {.name = "test", .text = "model Test\n" + lines + "\nstate a initial\nstate b\n"});
  EXPECT_TRUE(parsed.model.has_value())
      << lines << "\n"
      << (parsed.diagnostics.empty() ? "" : parsed.diagnostics.front().message);
  return parsed.model.value_or(model::Model{});
}

model::Variable& variable(model::Model& model, const std::string& name) {
  for (model::Variable& found : model.variables) {
    if (found.name == name) return found;
  }
  ADD_FAILURE() << name;
  return *model.variables.begin();
}

model::PolicyExprId add(model::Model& model, PolicyExpr expr) {
  return model.policy.exprs.add(std::move(expr));
}

void compare(model::Model& model, const std::string& name, PolicyOp op, const Rational& constant) {
  const auto slot = add(model, {.op = PolicyOp::Slot, .slot = variable(model, name).first_slot});
  const auto number = add(model, {.op = PolicyOp::Number, .number = constant});
  add(model, {.op = op, .parts = {slot, number}});
}

Rational decimal(const std::string& text) {
  return text[0] == '-' ? -Rational::from_decimal(text.substr(1)) : Rational::from_decimal(text);
}

model::Term term(std::string name, Shape::Kind kind, const std::vector<std::string>& points) {
  model::Term term{.name = std::move(name), .shape = {.kind = kind, .points = {}}, .at = {}};
  for (const std::string& point : points) term.shape.points.push_back(decimal(point));
  return term;
}

using Texts = std::vector<std::string>;

TEST(Grid, TakesAllValuesOfASmallNumber) {
  const Grid grid = grid_of(declared("sense level : int 3..7"));
  ASSERT_EQ(grid.properties.size(), 1U);
  EXPECT_EQ(grid.properties[0].texts, (Texts{"3", "4", "5", "6", "7"}));
  EXPECT_EQ(grid.properties[0].values, (std::vector<double>{3, 4, 5, 6, 7}));
  EXPECT_EQ(grid.properties[0].boundary, (std::vector<bool>{true, false, false, false, true}));
  EXPECT_EQ(grid.properties[0].low, 3);
  EXPECT_EQ(grid.properties[0].high, 7);
}

TEST(Grid, SpacesValuesEvenly) {
  const Grid grid = grid_of(declared("sense level : int 0..1000\nsense load : real 0..1"), 5);
  EXPECT_EQ(grid.properties[0].texts, (Texts{"0", "250", "500", "750", "1000"}));
  EXPECT_EQ(grid.properties[1].texts, (Texts{"0", "0.25", "0.5", "0.75", "1"}));
}

TEST(Grid, SpacesValuesByRatiosOnALogarithmicScale) {
  model::Model model = declared("sense density : int 1..1000\nsense size : real 0.001..1000");
  variable(model, "density").log_scale = true;
  variable(model, "size").log_scale = true;
  const Grid grid = grid_of(model, 7);
  EXPECT_EQ(grid.properties[0].texts, (Texts{"1", "3", "10", "32", "100", "316", "1000"}));
  EXPECT_EQ(grid.properties[1].texts, (Texts{"0.001", "0.01", "0.1", "1", "10", "100", "1000"}));
  // Small whole numbers are too few for equal ratios.
  const Grid fine = grid_of(model, 20);
  EXPECT_EQ(fine.properties[0].values.size(), 20U);
  EXPECT_TRUE(std::ranges::is_sorted(fine.properties[0].values));
}

TEST(Grid, HasConstantsOfRulesAndConstraintsWithTheirNeighbours) {
  const Grid grid = grid_of(
      declared("sense t : int 0..1000\nsense u : int 0..1000\nsense v : real 0..10\n"
               "constraint u <= 900\nrule r: a -> b when 2 * t > 101 or t == 500 or v < 2.5"),
      2);
  EXPECT_EQ(grid.properties[0].texts, (Texts{"0", "50", "51", "499", "500", "501", "1000"}));
  EXPECT_EQ(grid.properties[1].texts, (Texts{"0", "899", "900", "901", "1000"}));
  EXPECT_EQ(grid.properties[2].texts, (Texts{"0", "2.49", "2.5", "2.51", "10"}));
  for (const Property& property : grid.properties) {
    EXPECT_EQ(property.boundary, std::vector<bool>(property.values.size(), true));
  }
  // t > 50.5, then t = 500.
  EXPECT_EQ(grid.properties[0].cells, (std::vector<std::uint32_t>{0, 0, 1, 1, 2, 3, 3}));
  EXPECT_EQ(grid.properties[0].cell_names, (Texts{"<= 50.5", "> 50.5, < 500", "= 500", "> 500"}));
  EXPECT_EQ(grid.properties[2].cell_names, (Texts{"< 2.5", ">= 2.5"}));
}

TEST(Grid, HasConstantsOfThePolicy) {
  model::Model model = declared("sense t : int 0..1000\nsense u : int 0..1000");
  compare(model, "t", PolicyOp::Less, 300);
  // 3 - u / 2 <= 1 + 1, so u >= 2; and a comparison of two slots.
  const auto u = add(model, {.op = PolicyOp::Slot, .slot = variable(model, "u").first_slot});
  const auto two = add(model, {.op = PolicyOp::Number, .number = 2});
  const auto half = add(model, {.op = PolicyOp::Divide, .parts = {u, two}});
  const auto less = add(model, {.op = PolicyOp::Negate, .parts = {half}});
  const auto three = add(model, {.op = PolicyOp::Number, .number = 3});
  const auto left = add(model, {.op = PolicyOp::Add, .parts = {three, less}});
  const auto one = add(model, {.op = PolicyOp::Number, .number = 1});
  const auto right = add(model, {.op = PolicyOp::Add, .parts = {one, one}});
  add(model, {.op = PolicyOp::LessEqual, .parts = {left, right}});
  const auto t = add(model, {.op = PolicyOp::Slot, .slot = variable(model, "t").first_slot});
  add(model, {.op = PolicyOp::Less, .parts = {t, u}});
  const Grid grid = grid_of(model, 2);
  EXPECT_EQ(grid.properties[0].texts, (Texts{"0", "299", "300", "301", "1000"}));
  EXPECT_EQ(grid.properties[0].cell_names, (Texts{"< 300", ">= 300"}));
  EXPECT_EQ(grid.properties[1].texts, (Texts{"0", "1", "2", "3", "1000"}));
  EXPECT_EQ(grid.properties[1].cell_names, (Texts{"< 2", ">= 2"}));
}

TEST(Grid, HasCornersAndCrossingsOfTermsAndTheirCells) {
  model::Model model = declared("sense density : int 1..1000\nsense dispersion : real 0..1");
  variable(model, "density").terms = {term("low", Shape::Kind::Trapezoid, {"1", "1", "50", "200"}),
                                      term("medium", Shape::Kind::Triangle, {"100", "300", "600"}),
                                      term("high", Shape::Kind::Ramp, {"400", "700"})};
  variable(model, "dispersion").step = decimal("0.1");
  variable(model, "dispersion").terms = {
      term("low", Shape::Kind::Trapezoid, {"0", "0", "0.2", "0.4"}),
      term("high", Shape::Kind::Trapezoid, {"0.6", "0.8", "1", "1"})};
  const Grid grid = grid_of(model, 2);
  EXPECT_EQ(grid.properties[0].texts, (Texts{"1", "50", "100", "157", "158", "200", "300", "400",
                                             "500", "600", "700", "1000"}));
  EXPECT_EQ(grid.properties[0].cells,
            (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(grid.properties[0].boundary,
            (std::vector<bool>{true, false, false, true, true, false, false, false, true, false,
                               false, true}));
  EXPECT_EQ(grid.properties[1].texts, (Texts{"0", "0.2", "0.4", "0.6", "0.8", "1"}));
  EXPECT_EQ(grid.properties[1].cells, (std::vector<std::uint32_t>{0, 0, 2, 2, 1, 1}));
  EXPECT_EQ(grid.properties[1].cell_names, (Texts{"low", "high", "no term"}));
}

TEST(Grid, KeepsValuesOnTheSteps) {
  model::Model model = declared("sense x : real 0..1");
  variable(model, "x").step = decimal("0.3");
  compare(model, "x", PolicyOp::Less, decimal("0.5"));
  const Grid grid = grid_of(model);
  EXPECT_EQ(grid.properties[0].texts, (Texts{"0", "0.3", "0.6", "0.9"}));
  EXPECT_EQ(grid.properties[0].values[2], 0.6);
}

TEST(Grid, HasNoMoreValuesForConstantsThanItsLimit) {
  model::Model model = declared("sense x : int 0..1000000");
  for (int i = 1; i <= 50; ++i) compare(model, "x", PolicyOp::Less, Rational(i * 1000));
  const Grid grid = grid_of(model);
  EXPECT_EQ(grid.properties[0].values.size(), 64U);
  for (int i = 1; i <= 50; ++i) {
    EXPECT_TRUE(std::ranges::count(grid.properties[0].values, i * 1000) == 1) << i;
  }
}

TEST(Grid, HasGuardsSetsLabelsAndWeights) {
  model::Model model = declared(
      "sense bt.count : int 0..5 if bt.on\nsense bt.on : bool\nsense bt.devices : set { pc, car "
      "}"
      " if bt.on\nsense mode : {off, eco, full}\nvar own : bool = false");
  variable(model, "bt.devices").weight = 3;
  const Grid grid = grid_of(model);
  ASSERT_EQ(grid.properties.size(), 5U);
  EXPECT_EQ(grid.properties[0].name, "bt.on");
  EXPECT_EQ(grid.properties[1].name, "bt.count");
  EXPECT_EQ(grid.properties[2].name, "bt.devices has pc");
  EXPECT_EQ(grid.properties[3].name, "bt.devices has car");
  EXPECT_EQ(grid.properties[4].texts, (Texts{"off", "eco", "full"}));
  EXPECT_EQ(grid.properties[4].kind, Property::Kind::Label);
  EXPECT_EQ(grid.properties[1].guard, std::optional<std::size_t>(0));
  EXPECT_EQ(grid.properties[3].guard, std::optional<std::size_t>(0));
  EXPECT_EQ(grid.properties[3].weight, 1.5);
  EXPECT_TRUE(is_valid(grid, {0, kNoValue, kNoValue, kNoValue, 2}));
  EXPECT_FALSE(is_valid(grid, {0, 3, kNoValue, kNoValue, 2}));
  EXPECT_FALSE(is_valid(grid, {1, kNoValue, 0, 0, 2}));
  EXPECT_TRUE(is_valid(grid, {1, 3, 0, 1, 0}));
  EXPECT_FALSE(is_valid(grid, {1, 6, 0, 1, 0}));
  EXPECT_FALSE(is_valid(grid, {1, 3, 0, 1}));
  EXPECT_EQ(valid_instances(grid), std::optional<std::uint64_t>(3 + 3 * 6 * 4));
  EXPECT_TRUE(std::isnan(values_of(grid, {0, kNoValue, kNoValue, kNoValue, 2})[1]));
}

TEST(Grid, AsksTheConstraintsOfTheModel) {
  const Grid grid = grid_of(declared(
      "sense density : int 1..9\nsense files : int 1..9\nsense x : real 0..1\nsense y : real 0..1\n"
      "constraint files <= density and not (density == 9 and files == 9)\n"
      "constraint x + y <= 0.3 or y in {0.5, 1}"));
  ASSERT_EQ(grid.constraints.size(), 3U);
  EXPECT_EQ(grid.constraints[0].text, "files <= density");
  EXPECT_EQ(grid.constraints[0].scope, (std::vector<std::size_t>{0, 1}));
  const auto allows = [&](std::size_t constraint, double a, double b) {
    const double values[] = {a, b};
    return grid.constraints[constraint].allows(values);
  };
  EXPECT_TRUE(allows(0, 3, 3));
  EXPECT_FALSE(allows(0, 3, 4));
  EXPECT_FALSE(allows(1, 9, 9));
  EXPECT_TRUE(allows(2, 0.1, 0.2));
  EXPECT_FALSE(allows(2, 0.1, 0.21));
  EXPECT_TRUE(allows(2, 0.7, 0.5));
  EXPECT_FALSE(allows(0, std::nan(""), 1));
}

TEST(Grid, LeavesOutConstraintsOnWhatThePolicyDecides) {
  model::Model model = declared("sense x : bool\nvar v : bool = false\nconstraint not x or v");
  EXPECT_TRUE(grid_of(model).constraints.empty());
}

TEST(Grid, BeginsAtTheNearestValidInstance) {
  Grid grid =
      grid_of(declared("sense on : bool\nsense a : int 0..9\nsense b : int 0..9\n"
                       "constraint on\nconstraint a + b >= 4\nconstraint a <= b"));
  EXPECT_EQ(origin_of(grid), (std::optional<Instance>({1, 0, 4})));
  EXPECT_EQ(grid.properties[2].origin, 4);
  EXPECT_EQ(origin_of(web_grid(20)), (std::optional<Instance>({0, 0, 0})));
  grid.constraints.push_back({.scope = {}, .allows = [](auto) { return false; }, .text = "false"});
  EXPECT_EQ(origin_of(grid), std::nullopt);
  EXPECT_EQ(valid_instances(grid), std::optional<std::uint64_t>(0));
}

// Twelve things in eleven places, all different.
TEST(Grid, GivesUpLookingForItsOriginInTheEnd) {
  Grid grid;
  for (std::size_t b = 0; b < 12; ++b) {
    grid.properties.push_back(whole_numbers("p", 11));
    for (std::size_t a = 0; a < b; ++a) {
      grid.constraints.push_back({.scope = {a, b},
                                  .allows = [](std::span<const double> v) { return v[0] != v[1]; },
                                  .text = {}});
    }
  }
  EXPECT_EQ(origin_of(grid), std::nullopt);
}

std::size_t steps_between(const Grid& grid, const Instance& a) {
  std::size_t steps = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] != kNoValue)
      steps += static_cast<std::size_t>(std::abs(a[i] - grid.properties[i].origin));
  }
  return steps;
}

TEST(Grid, CountsAndNearestAreThoseOfPlainEnumeration) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const Grid grid = random_grid(seed);
    const std::vector<Instance> all = all_valid(grid);
    EXPECT_EQ(valid_instances(grid), std::optional<std::uint64_t>(all.size())) << seed;
    const std::optional<Instance> origin = origin_of(grid);
    ASSERT_EQ(origin.has_value(), !all.empty()) << seed;
    if (!origin) continue;
    EXPECT_TRUE(is_valid(grid, *origin));
    std::size_t nearest = SIZE_MAX;
    for (const Instance& instance : all) nearest = std::min(nearest, steps_between(grid, instance));
    EXPECT_EQ(steps_between(grid, *origin), nearest) << seed;
  }
}

TEST(Grid, CountsTheInstancesOfTheWebServer) {
  const std::pair<std::size_t, std::uint64_t> expected[] = {
      {5, 165}, {10, 605}, {15, 1320}, {20, 2310}, {30, 5115}, {50, 14025}, {100, 55550}};
  for (const auto& [values, instances] : expected) {
    EXPECT_EQ(valid_instances(web_grid(values)), std::optional(instances));
  }
  // The paper's whole space, of which it says that it has a million.
  EXPECT_EQ(valid_instances(web_grid(1000)), std::optional<std::uint64_t>(5'505'500));
}

TEST(Grid, CountsChainsWithoutLookingAtEveryInstance) {
  EXPECT_EQ(valid_instances(chain_grid(10, 20), 10'000), std::optional<std::uint64_t>(20'030'010));
  // 2^64 and more is too much to say, 2^50 is not.
  Grid truths;
  for (int i = 0; i < 50; ++i) truths.properties.push_back(truth("p"));
  EXPECT_EQ(valid_instances(truths), std::optional<std::uint64_t>(1ULL << 50));
  for (int i = 0; i < 14; ++i) truths.properties.push_back(truth("p"));
  EXPECT_EQ(valid_instances(truths), std::nullopt);
}

}  // namespace
}  // namespace poise::shake
