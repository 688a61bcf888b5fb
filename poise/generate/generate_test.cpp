#include "poise/generate/generate.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/lang/format.h"
#include "poise/lang/lang.h"
#include "poise/model/model.h"

namespace poise::generate {
namespace {

using model::Model;
using model::RuleId;
using model::StateId;

std::string generated(const Options& options) {
  const Result<std::string> text = model_text(options);
  EXPECT_TRUE(text) << (text ? "" : text.error().message);
  return text.value_or("");
}

Model parsed(const std::string& text) {
  lang::Parsed result = lang::parse({.name = "random.poise", .text = text});
  EXPECT_TRUE(result.model) << text;
  return result.model.value_or(Model{});
}

std::string message(const Options& options) {
  const Result<std::string> text = model_text(options);
  return text ? "possible" : text.error().message;
}

// Options of every shape that is possible: sparse, full, few and many variables.
std::vector<Options> many_options() {
  std::vector<Options> all;
  for (const std::size_t states : {1U, 2U, 3U, 7U, 40U}) {
    for (const std::size_t per_state : {1U, 3U, 8U}) {
      const std::size_t rules = states * per_state;
      for (const std::size_t variables : {std::size_t{1}, states, rules, 5 * rules}) {
        for (const std::uint64_t seed : {0U, 1U, 2U, 12345U}) {
          Options options{.states = states, .rules = rules, .variables = variables, .seed = seed};
          all.push_back(options);
          options.priorities = Priorities::Tied;
          options.sensed = 1 + variables / 3;
          all.push_back(options);
        }
      }
    }
  }
  return all;
}

std::string shape(const Options& options) {
  return fmt::format("states {}, rules {}, variables {}, seed {}, {}", options.states,
                     options.rules, options.variables, options.seed,
                     options.sensed ? "sensed numbers" : "booleans");
}

// ---- The recipe ----

TEST(Generate, HasTheSizesThatWereAskedFor) {
  for (const Options& options : many_options()) {
    const Model model = parsed(generated(options));
    EXPECT_EQ(model.states.size(), options.states) << shape(options);
    EXPECT_EQ(model.rules.size(), options.rules) << shape(options);
    EXPECT_EQ(model::rule_count(model), options.rules) << shape(options);
    EXPECT_EQ(model.variables.size(), options.sensed.value_or(options.variables)) << shape(options);
    // The model holds only atoms that occur, and no two with the same text: every variable is used.
    EXPECT_EQ(model.atoms.size(), options.variables) << shape(options);
  }
}

TEST(Generate, MakesEveryStateButTheInitialOneADestination) {
  for (const Options& options : many_options()) {
    const Model model = parsed(generated(options));
    std::set<StateId> destinations = {model.initial};
    for (const model::Rule& rule : model.rules) destinations.insert(rule.to);
    EXPECT_EQ(destinations.size(), options.states) << shape(options);
  }
}

TEST(Generate, GivesEveryStateOneToEightRules) {
  for (const Options& options : many_options()) {
    for (const model::State& state : parsed(generated(options)).states) {
      EXPECT_GE(state.rules.size(), 1U) << shape(options);
      EXPECT_LE(state.rules.size(), 8U) << shape(options);
    }
  }
}

TEST(Generate, GivesTheRulesOfAStateDifferentPriorities) {
  for (const Options& options : many_options()) {
    if (options.priorities == Priorities::Tied) continue;
    const Model model = parsed(generated(options));
    for (const model::State& state : model.states) {
      std::set<std::int64_t> priorities;
      for (const RuleId rule : state.rules) priorities.insert(model.rules[rule].priority.value());
      EXPECT_EQ(priorities.size(), state.rules.size()) << shape(options);
    }
  }
}

TEST(Generate, UsesAtMostFiveDifferentVariablesInAPredicate) {
  for (const Options& options : many_options()) {
    const Model model = parsed(generated(options));
    for (const model::Rule& rule : model.rules) {
      const std::size_t count = model::atoms_of(model, {rule.guard}).size();
      EXPECT_GE(count, 1U) << shape(options);
      EXPECT_LE(count, 5U) << shape(options);
    }
  }
}

TEST(Generate, LeadsNoRuleBackToItsSourceUnlessThereIsNoOtherState) {
  for (const Options& options : many_options()) {
    for (const model::Rule& rule : parsed(generated(options)).rules) {
      ASSERT_EQ(rule.from.size(), 1U);
      EXPECT_EQ(rule.to == rule.from.front(), options.states == 1) << shape(options);
    }
  }
}

TEST(Generate, HonoursOtherMaxima) {
  const Options options{.states = 10,
                        .rules = 90,
                        .variables = 30,
                        .max_rules_per_state = 9,
                        .max_variables_per_rule = 2};
  const Model model = parsed(generated(options));
  for (const model::State& state : model.states) EXPECT_EQ(state.rules.size(), 9U);
  for (const model::Rule& rule : model.rules) {
    EXPECT_LE(model::atoms_of(model, {rule.guard}).size(), 2U);
  }
}

TEST(Generate, TiesPrioritiesOfThreeLevels) {
  const Model model = parsed(
      generated({.states = 50, .rules = 300, .variables = 50, .priorities = Priorities::Tied}));
  std::vector<int> counts(3);
  for (const model::Rule& rule : model.rules)
    ++counts.at(static_cast<std::size_t>(*rule.priority - 1));
  for (const int count : counts) EXPECT_NEAR(count, 100, 30);
}

// ---- Chance ----

std::size_t occurrences(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (auto at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Generate, NegatesAndJoinsWithEvenChances) {
  const std::string text = generated({.states = 1000, .rules = 5000, .variables = 1000});
  const std::size_t conjunctions = occurrences(text, " and ");
  const std::size_t disjunctions = occurrences(text, " or ");
  const std::size_t literals = 5000 + conjunctions + disjunctions;
  EXPECT_NEAR(static_cast<double>(conjunctions) / static_cast<double>(disjunctions), 1, 0.05);
  EXPECT_NEAR(static_cast<double>(occurrences(text, "not ")) / static_cast<double>(literals), 0.5,
              0.02);
  EXPECT_NEAR(static_cast<double>(literals) / 5000, 3, 0.1);
}

TEST(Generate, SpreadsDestinationsOverAllStates) {
  const Model model = parsed(
      generated({.states = 10, .rules = 5000, .variables = 10, .max_rules_per_state = 5000}));
  std::vector<int> counts(10);
  for (const model::Rule& rule : model.rules) ++counts.at(rule.to.index);
  for (const int count : counts) EXPECT_NEAR(count, 500, 100);
}

TEST(Generate, DrawsAnotherModelForAnotherSeed) {
  std::set<std::string> texts;
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    const std::string text = generated({.states = 3, .rules = 6, .variables = 4, .seed = seed});
    texts.insert(text.substr(text.find('\n')));
  }
  EXPECT_EQ(texts.size(), 50U);
}

TEST(Generate, ChangesOnlyThePrioritiesWhereTheyAreTied) {
  const auto without_priorities = [](const Options& options) {
    const Model model = parsed(generated(options));
    std::string text;
    for (const model::Rule& rule : model.rules) {
      text += fmt::format("{} {} {}\n", rule.from.front().index, rule.to.index,
                          model::to_text(model, rule.guard));
    }
    return text;
  };
  Options options{.states = 20, .rules = 60, .variables = 20};
  const std::string distinct = without_priorities(options);
  options.priorities = Priorities::Tied;
  EXPECT_EQ(without_priorities(options), distinct);
}

// ---- Layout ----

TEST(Generate, IsInCanonicalLayout) {
  for (const Options& options : many_options()) {
    const std::string text = generated(options);
    EXPECT_EQ(lang::format(text).value_or(""), text) << shape(options);
  }
}

TEST(Generate, NamesTheCallThatGivesTheModelAgain) {
  EXPECT_TRUE(generated({.states = 4,
                         .rules = 40,
                         .variables = 4,
                         .seed = 18446744073709551615U,
                         .max_rules_per_state = 10,
                         .max_variables_per_rule = 3,
                         .priorities = Priorities::Tied,
                         .sensed = 2})
                  .starts_with("# A random model: poise generate --states 4 --rules 40 --variables "
                               "4 --seed 18446744073709551615 --max-rules-per-state 10 "
                               "--max-variables-per-rule 3 --tied --sensed 2\n"));
}

// ---- Sensed numbers ----

TEST(Generate, ComparesEverySensedNumberAboutEquallyOften) {
  const Model model = parsed(generated({.states = 10, .rules = 40, .variables = 23, .sensed = 5}));
  ASSERT_EQ(model.variables.size(), 5U);
  std::vector<int> counts(5);
  for (const model::Atom& atom : model.atoms) {
    ASSERT_EQ(atom.slots.size(), 1U);
    ++counts.at(atom.slots.front().index);
  }
  EXPECT_EQ(counts, (std::vector<int>{5, 5, 5, 4, 4}));
  for (const model::Variable& variable : model.variables) {
    EXPECT_EQ(variable.type.kind, model::TypeKind::Int);
  }
}

// ---- What is impossible ----

TEST(Generate, SaysWhichConditionCannotBeMet) {
  const std::vector<std::pair<Options, std::string>> cases = {
      {{.states = 0, .rules = 1, .variables = 1}, "a model needs at least one state"},
      {{.states = 1, .rules = 0, .variables = 1}, "a model needs at least one rule"},
      {{.states = 1, .rules = 1, .variables = 0}, "a model needs at least one variable"},
      {{.states = 1, .rules = 1, .variables = 1, .max_rules_per_state = 0},
       "a model needs at least one rule in a state"},
      {{.states = 1, .rules = 1, .variables = 1, .max_variables_per_rule = 0},
       "a model needs at least one variable in a rule"},
      {{.states = 1, .rules = 1, .variables = 1, .sensed = 0},
       "a model needs at least one sensed number"},
      {{.states = 10, .rules = 9, .variables = 5},
       "every state has at least one rule: 10 states cannot do with 9 rules"},
      {{.states = 10, .rules = 90, .variables = 30},
       "a state has at most 8 rules: 10 states cannot have 90; a maximum of 9 would do"},
      {{.states = 2, .rules = 2, .variables = 11},
       "every variable is used, and a rule uses at most 5: 2 rules cannot use 11; a maximum of 6 "
       "would do"},
      {{.states = 2, .rules = 2, .variables = 3, .sensed = 4},
       "every sensed number is compared at least once: 3 variables cannot compare 4 numbers"},
      {{.states = 1'000'001, .rules = 1'000'001, .variables = 1},
       "a model has at most 1000000 states, rules and variables each"},
      {{.states = SIZE_MAX, .rules = SIZE_MAX, .variables = SIZE_MAX},
       "a model has at most 1000000 states, rules and variables each"},
      {{.states = 1,
        .rules = 100'000,
        .variables = 101,
        .max_rules_per_state = SIZE_MAX,
        .max_variables_per_rule = SIZE_MAX},
       "100000 rules of up to 101 variables are too many: their product is at most 10000000"},
  };
  for (const auto& [options, expected] : cases) EXPECT_EQ(message(options), expected);
}

TEST(Generate, MeetsEveryConditionAtItsLimit) {
  EXPECT_EQ(message({.states = 1, .rules = 1, .variables = 1}), "possible");
  EXPECT_EQ(message({.states = 10, .rules = 10, .variables = 50}), "possible");
  EXPECT_EQ(message({.states = 10, .rules = 80, .variables = 400, .sensed = 400}), "possible");
}

}  // namespace
}  // namespace poise::generate
