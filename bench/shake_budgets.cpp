// How many mutants each generator kills with how many flows; and whether it helps the portfolio to
// know how long a policy waits (dwells), what it does (behaviour), and how it could deviate.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/shake.h"
#include "poise/shake/flows/hints.h"

namespace poise::bench {

namespace {

constexpr std::size_t kBudgets[] = {5, 20, 100};

struct Way {
  std::string name;
  shake::Generator generator;
  bool dwells = false;
  bool behaviour = false;
  // The mutants that the portfolio knows and looks for. EveryOther shows whether that helps it to
  // find the others.
  enum class Changes { None, EveryOther, All } changes = Changes::None;
};
using enum Way::Changes;

shake::SearchOptions options_of(const Shaken& shaken, const Way& way, std::uint64_t seed) {
  shake::SearchOptions options{
      .generator = way.generator, .length = kTicks, .seed = seed, .jobs = kCores};
  if (way.dwells) options.dwells = shake::dwells_of(shaken.model.policy);
  return options;
}

// How many mutants are killed, by budget and seed.
std::vector<std::vector<double>> killed(const Shaken& shaken, const Way& way) {
  const std::unique_ptr<shake::PolicyMachine> machine = machine_of(shaken, nullptr);
  std::vector<std::vector<double>> counts(std::size(kBudgets));
  for (std::uint64_t seed = first_seed(kFirstSeed); seed < first_seed(kFirstSeed) + kSeeds;
       ++seed) {
    shake::SearchOptions options = options_of(shaken, way, seed);
    if (way.behaviour) options.behaviour = shake::behaviour_of(*machine, shaken.grid);
    shake::Deviations deviations;
    if (way.changes != None) {
      std::size_t number = 0;
      deviations.add(shaken.model, shaken.grid,
                     [&](const shake::Mutant&) { return way.changes == All || number++ % 2 == 0; });
      options.deviations = &deviations;
    }
    std::optional<std::vector<std::size_t>> first;
    for (std::size_t i = std::size(kBudgets); i-- > 0;) {
      // A larger budget begins with the flows of a smaller one, except with this generator.
      if (!first || way.generator == shake::Generator::Paper) {
        options.flows = kBudgets[i];
        first = first_kills(matrix_of(shaken, shake::flows_of(shaken.grid, options).flows));
      }
      counts[i].push_back(static_cast<double>(
          std::ranges::count_if(*first, [&](std::size_t flow) { return flow < kBudgets[i]; })));
    }
  }
  return counts;
}

std::string heading(const Shaken& shaken, std::span<const shake::Verdict> verdicts) {
  const std::size_t equivalent = count(verdicts, shake::Verdict::Kind::Equivalent);
  const std::size_t undecided = count(verdicts, shake::Verdict::Kind::Undecided);
  std::string text = fmt::format("{}: {} mutants, {} of them equivalent", shaken.name,
                                 shaken.mutants.size(), equivalent);
  if (undecided > 0) text += fmt::format(", {} not decided", undecided);
  return text;
}

void print_ways(const Shaken& shaken, const std::vector<Way>& ways, std::string_view against) {
  say(shaken.name);
  fmt::print("{}\n\n", heading(shaken, verdicts_of(shaken)));
  Table table({"generator", "5 flows", "20 flows", "100 flows"});
  std::vector<std::vector<Spread>> spreads;
  for (const Way& way : ways) {
    std::vector<std::string> row = {way.name};
    spreads.emplace_back();
    for (const std::vector<double>& counts : killed(shaken, way)) {
      spreads.back().push_back(spread_of(counts));
      row.push_back(to_text(spreads.back().back()));
    }
    table.add(std::move(row));
  }
  if (!against.empty()) {
    const auto place = std::ranges::find(ways, against, &Way::name) - ways.begin();
    for (std::size_t i = 0; i < ways.size(); ++i) {
      if (ways[i].generator != shake::Generator::Portfolio) continue;
      std::vector<std::string> row = {fmt::format("{} not behind {}", ways[i].name, against)};
      for (std::size_t b = 0; b < std::size(kBudgets); ++b) {
        row.emplace_back(
            verdict(spreads[i][b].mean >= spreads[static_cast<std::size_t>(place)][b].mean - 1e-9));
      }
      table.add(std::move(row));
    }
  }
  table.print();
}

}  // namespace

bool print_budgets(const std::string& examples) {
  fmt::print(
      "## Budgets\n\nMutants that are killed: mean and standard deviation over {} seeds ({} to "
      "{}), flows of {} ticks. The portfolio prefers flows that show small changes of the policy; "
      "but for the paper's 90 these are among the mutants that are counted. So there is a second "
      "row, for which it was told of every other one only.\n\n",
      kSeeds, first_seed(kFirstSeed), first_seed(kFirstSeed) + kSeeds - 1, kTicks);
  std::vector<Way> ways = {
      {"portfolio", shake::Generator::Portfolio, true, true, All},
      {"portfolio, half of the changes", shake::Generator::Portfolio, true, true, EveryOther}};
  for (const shake::Generator generator : shake::kGenerators) {
    if (generator == shake::Generator::Portfolio) continue;
    ways.push_back({std::string(shake::name_of(generator)), generator});
  }
  for (const Shaken& shaken : all_shaken(examples)) print_ways(shaken, ways, "random");
  return true;
}

bool print_hints(const std::string& examples) {
  fmt::print(
      "## Hints\n\nThe portfolio with and without knowing how long a policy waits, what it does, "
      "and how it could be changed; killed as above.\n\n");
  const std::vector<Way> ways = {
      {"nothing", shake::Generator::Portfolio},
      {"dwells", shake::Generator::Portfolio, true},
      {"behaviour", shake::Generator::Portfolio, false, true},
      {"both", shake::Generator::Portfolio, true, true},
      {"both, and every other change", shake::Generator::Portfolio, true, true, EveryOther},
      {"both, and all changes (`shake`)", shake::Generator::Portfolio, true, true, All},
      {"random", shake::Generator::Random},
  };
  for (const Shaken& shaken : all_shaken(examples)) print_ways(shaken, ways, "");
  return true;
}

}  // namespace poise::bench
