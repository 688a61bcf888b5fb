// Times: of the paper's simulations, of generating flows, of covering arrays, of deciding which
// mutants are equivalent.

#include <cmath>

#include <fmt/format.h>

#include "bench/common/measure.h"
#include "bench/common/table.h"
#include "bench/shake.h"
#include "poise/shake/covering/coverage.h"
#include "poise/shake/covering/tuples.h"

namespace poise::bench {

namespace {

constexpr double kPaperBar = 500;  // milliseconds
constexpr double kFlowsBar = 500;
constexpr double kEquivalenceBar = 1000;

std::string bar(const Measured& measured, double ms) {
  return measured.stopped.empty()
             ? fmt::format("{} ({})", milliseconds(ms), verdict(median(measured) <= ms))
             : fmt::format("{} (over)", milliseconds(ms));
}

void add(Table& table, const std::string& what, const Measured& measured, std::string bar_text) {
  table.add(
      {what, measured.said, table.clock_cell(measured), table.cell(measured), std::move(bar_text)});
}

// ---- Grids for tuples ----

shake::Property numbers(std::string name, std::vector<double> values) {
  shake::Property property{.name = std::move(name),
                           .low = values.front(),
                           .high = values.back(),
                           .values = std::move(values),
                           .texts = {}};
  for (const double value : property.values) {
    property.texts.push_back(fmt::format("{}", value));
    property.cells.push_back(0);
  }
  property.cell_names = {"any"};
  return property;
}

std::vector<double> ratios(std::size_t count) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i) {
    values.push_back(std::pow(1000, static_cast<double>(i) / static_cast<double>(count - 1)));
  }
  return values;
}

// The constraint that a property is at most the one before it.
shake::GridConstraint ordered(std::size_t before) {
  return {.scope = {before, before + 1},
          .allows = [](std::span<const double> values) { return values[1] <= values[0]; },
          .text = {}};
}

shake::Grid web_grid(std::size_t values) {
  std::vector<double> shares;
  for (std::size_t i = 0; i < values; ++i) {
    shares.push_back(static_cast<double>(i) / static_cast<double>(values - 1));
  }
  return {.properties = {numbers("density", ratios(values)), numbers("files", ratios(values)),
                         numbers("dispersion", shares)},
          .constraints = {ordered(0)}};
}

shake::Grid chain_grid(std::size_t properties, std::size_t values) {
  shake::Grid grid;
  for (std::size_t i = 0; i < properties; ++i) {
    grid.properties.push_back(numbers(fmt::format("p{}", i), ratios(values)));
    if (i > 0) grid.constraints.push_back(ordered(i - 1));
  }
  return grid;
}

shake::Grid free_grid(std::size_t properties, std::size_t values) {
  shake::Grid grid = chain_grid(properties, values);
  grid.constraints.clear();
  return grid;
}

}  // namespace

bool print_tuples(const std::string&) {
  say("tuples");
  fmt::print(
      "## Tuples\n\nInstances that have every pair (or triple, …) of values that a valid instance "
      "can "
      "have; one thread. Complete as an independent checker says.\n\n");
  struct Row {
    std::string what;
    shake::Grid grid;
    unsigned strength;
    double bar;  // milliseconds; 0 for none
  };
  const std::vector<Row> rows = {
      {"3 properties x 20 values, files <= density", web_grid(20), 2, 10},
      {"the same, triples", web_grid(20), 3, 0},
      {"ordering chain, 10 properties x 20 values", chain_grid(10, 20), 2, 2000},
      {"ordering chain, 5 properties x 20 values", chain_grid(5, 20), 2, 0},
      {"no constraint, 10 properties x 20 values", free_grid(10, 20), 2, 0},
      {"no constraint, 13 properties x 3 values", free_grid(13, 3), 2, 0},
      {"no constraint, 10 properties x 4 values, strength 4", free_grid(10, 4), 4, 0},
  };
  Table table({"what", "tuples", "impossible", "rows", "complete", "time", "processor", "bar"});
  bool fine = true;
  for (const Row& row : rows) {
    const Result<shake::Covering> made = shake::covering(row.grid, {.strength = row.strength});
    const bool complete =
        made && made->complete() &&
        shake::coverage(row.grid, made->rows, row.strength, {.steps = 50'000'000}).complete();
    fine = fine && complete;
    const Measured measured = work([&] {
      const Result<shake::Covering> again = shake::covering(row.grid, {.strength = row.strength});
      return Done{.said = std::to_string(again->rows.size()), .stopped = {}};
    });
    table.add({row.what, grouped(made->feasible), grouped(made->infeasible), measured.said,
               complete ? "yes" : "no", table.clock_cell(measured), table.cell(measured),
               row.bar > 0 ? bar(measured, row.bar) : ""});
  }
  table.print();
  return fine;
}

bool print_equivalence(const std::string& examples) {
  say("equivalence");
  fmt::print(
      "## Equivalence\n\nBy going through all states that both can be in, {} threads. *One step*, "
      "*two*, *more*: ticks of the shortest flow that kills. Not decided: there were more states "
      "than "
      "20 million steps reach.\n\n",
      kCores);
  Table table({"policy", "mutants", "equivalent", "one step", "two", "more", "not decided", "time",
               "processor", "bar"});
  bool fine = true;
  for (const Shaken& shaken : all_shaken(examples)) {
    say(shaken.name);
    const std::vector<shake::Verdict> verdicts = verdicts_of(shaken);
    std::size_t steps[3] = {};
    for (const shake::Verdict& one : verdicts) {
      if (one.kind != shake::Verdict::Kind::Killable) continue;
      ++steps[std::min<std::size_t>(one.flow.size(), 3) - 1];
      const shake::Mutant& mutant = shaken.mutants[static_cast<std::size_t>(&one - &verdicts[0])];
      // Checks the verdict: the flow kills the mutant at its last tick and not before.
      const auto machine = machine_of(shaken, &mutant);
      const auto original = machine_of(shaken, nullptr);
      const auto tick = shake::first_difference(trace_of(*original, shaken.grid, one.flow),
                                                trace_of(*machine, shaken.grid, one.flow));
      fine = fine && tick == one.flow.size() - 1;
    }
    const Measured measured = work([&] {
      const std::vector<shake::Verdict> again = verdicts_of(shaken);
      return Done{.said = std::to_string(count(again, shake::Verdict::Kind::Equivalent)),
                  .stopped = {}};
    });
    const bool is_paper = shaken.mutants.size() == 90;
    table.add({shaken.name, std::to_string(shaken.mutants.size()), measured.said,
               std::to_string(steps[0]), std::to_string(steps[1]), std::to_string(steps[2]),
               std::to_string(count(verdicts, shake::Verdict::Kind::Undecided)),
               table.clock_cell(measured), table.cell(measured),
               is_paper ? bar(measured, kEquivalenceBar) : ""});
  }
  table.print();
  return fine;
}

bool print_speed(const std::string& examples) {
  say("speed");
  const Shaken web = papers(examples);
  fmt::print(
      "## Speed\n\nThe web server with the paper's 90 mutants, {} threads: time by the clock, and "
      "processor time of both. The paper's simulations took 55 minutes on 90 machines.\n\n",
      kCores);
  Table table({"what", "result", "time", "processor", "bar"});
  const std::vector<shake::Flow> flows =
      flows_by(web, shake::Generator::Paper, 300, kFirstSeed).flows;
  add(table, "27,300 simulations of 60 ticks, until the first difference", work([&] {
        const shake::KillMatrix matrix = matrix_of(web, flows);
        std::size_t killed = 0;
        for (const std::size_t flow : first_kills(matrix)) {
          killed += std::size_t{flow < flows.size()};
        }
        return Done{.said = fmt::format("{} killed", killed), .stopped = {}};
      }),
      "");
  const Measured whole = work([&] {
    std::size_t changes = 0;
    for (std::size_t i = 0; i <= web.mutants.size(); ++i) {
      const auto machine = machine_of(web, i == 0 ? nullptr : &web.mutants[i - 1]);
      for (const shake::Flow& flow : flows) {
        const shake::Trace trace = trace_of(*machine, web.grid, flow);
        changes += std::size_t{trace[kTicks - 1][0] != trace.initial[0]};
      }
    }
    return Done{.said = fmt::format("{} end with a cache", changes), .stopped = {}};
  });
  add(table, "27,300 simulations, all to their end, one thread", whole, bar(whole, kPaperBar));
  for (const shake::Generator generator : shake::kGenerators) {
    const Measured measured = work([&] {
      return Done{
          .said = fmt::format("{} flows", flows_by(web, generator, 100, kFirstSeed).flows.size()),
          .stopped = {}};
    });
    add(table, fmt::format("100 flows, {}", shake::name_of(generator)), measured,
        bar(measured, kFlowsBar));
  }
  const Measured measured = work([&] {
    const std::size_t equivalent = count(verdicts_of(web), shake::Verdict::Kind::Equivalent);
    return Done{.said = fmt::format("{} equivalent", equivalent), .stopped = {}};
  });
  add(table, "equivalence of 90 mutants", measured, bar(measured, kEquivalenceBar));
  table.print();
  return true;
}

}  // namespace poise::bench
