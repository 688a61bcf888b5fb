// Table 3 of M. Sama et al., "Context-Aware Adaptive Applications: Fault Patterns and Their
// Automated Identification" (2010), and the same sizes here. Its machine: Intel i7 920, 4 GB of
// heap, OpenJDK 6, at most 30 minutes. Its models are not known, only their sizes and the recipe.

#include <numeric>
#include <optional>

#include <fmt/format.h>

#include "bench/common/bench.h"
#include "bench/common/table.h"

namespace poise::bench {

namespace {

using check::Engine;

// Milliseconds for: generating the model, nondeterminism, dead rules, races and cycles, unreachable
// states. Nothing where the paper has none.
using Five = std::vector<double>;

struct Row {
  std::optional<Size> size;  // none: PhoneAdapter
  Five enumerative;
  Five symbolic;
  Five hybrid;
  const char* without = "out of memory";  // what the paper prints where it has no figures
};

std::vector<Row> table3() {
  return {
      {{}, {82, 3, 1, 207, 2}, {16.9, 5.9, 0.9, 10.5, 1.3}, {13.1, 0.2, 0.8, 8.9, 0.8}},
      {{{10, 40, 10}},
       {12, 6.5, 4, 13085, 8.3},
       {24.3, 19.3, 1.4, 26.4, 5.5},
       {13.45, 0.15, 0.6, 10.55, 0.5}},
      {{{10, 40, 15}},
       {327.3, 49.1, 39.5, 127442, 131.8},
       {130.4, 109.6, 9.5, 240.4, 37.1},
       {18.6, 0.4, 1.3, 17.2, 0.7}},
      {{{10, 40, 20}}, {}, {955.2, 1033.0, 158.0, 2654.5, 369.4}, {24.8, 0.7, 2.0, 11.0, 1.0}},
      {{{10, 40, 25}}, {}, {13522.0, 19179.9, 2384.8, 48032, 6939.3}, {25.1, 0.5, 1.2, 13.0, 0.9}},
      {{{10, 40, 30}}, {}, {}, {26.7, 0.3, 1.5, 10.7, 0.9}},
      {{{10, 40, 35}}, {}, {}, {28.0, 1.6, 2.8, 9.9, 1.8}},
      {{{10, 40, 40}}, {}, {}, {35.3, 0.6, 5.3, 15.7, 2.6}},
      {{{10, 45, 15}},
       {},
       {157.2, 130.0, 14.5, 314.6, 61.0},
       {22.4, 0.4, 2.0, 12.6, 1.1},
       "more than 30 min"},
      {{{10, 60, 20}}, {}, {4343.4, 2616.7, 492.4, 12099, 1366.1}, {51.7, 0.9, 3.9, 19.8, 1.6}},
      {{{10, 75, 25}}, {}, {}, {54.4, 2.2, 16.6, 29.5, 2.6}},
      // Nine rules in every state: the paper says at most eight.
      {{{10, 90, 30, {"--max-rules-per-state", "9"}}}, {}, {}, {71.2, 2.0, 43.9, 73.7, 4.3}},
      {{{10, 30, 10}},
       {11.0, 5.4, 2.7, 349.5, 4.6},
       {18.2, 15.9, 1.8, 22.3, 3.7},
       {15.7, 0.3, 0.6, 6.2, 0.8}},
      {{{15, 45, 15}},
       {204.1, 41.6, 23.6, 46718, 39.6},
       {223.0, 153.6, 13.5, 336.6, 54.0},
       {20.6, 1.1, 0.9, 14.9, 1.1}},
      {{{20, 60, 20}}, {}, {7737.4, 4607.9, 374.0, 11207, 1469.2}, {33.5, 0.2, 1.0, 6.7, 1.7}},
      {{{25, 75, 25}}, {}, {}, {34.3, 1.3, 3.1, 11.4, 5.5}},
      {{{30, 90, 30}}, {}, {}, {35.7, 0.6, 3.6, 11.4, 6.3}},
      {{{35, 105, 35}}, {}, {}, {39.7, 0.7, 3.4, 10.8, 8.4}},
      {{{40, 120, 40}}, {}, {}, {47.6, 4.1, 4.9, 11.3, 17.2}},
      {{{45, 135, 45}}, {}, {}, {66.3, 0.9, 2.8, 15.5, 8.6}},
      {{{100, 300, 100}}, {}, {}, {169.7, 1.5, 6.3, 18.9, 33.3}},
      {{{200, 600, 200}}, {}, {}, {1024.6, 2.6, 16.8, 43.9, 191.8}},
  };
}

std::string name(const Row& row) { return row.size ? name(*row.size) : "PhoneAdapter"; }

std::string file(const Bench& bench, const Row& row) {
  return row.size ? bench.file(*row.size) : bench.phone_adapter();
}

double total(const Five& five) { return std::accumulate(five.begin(), five.end(), 0.0); }

std::string printed(const Row& row, const Five& five) {
  return five.empty() ? row.without : milliseconds(total(five));
}

// As in the paper, the atoms of a model are independent of each other except for its constraints:
// such models `poise generate` makes.
Measured measured(const Bench& bench, const Row& row, Engine engine,
                  std::optional<std::size_t> paths) {
  say(fmt::format("{} {}, {}", name(row), check::name(engine), paths ? "no paths" : "all paths"));
  return analysis(file(bench, row), {.engine = engine, .paths = paths, .jobs = 1});
}

std::string times_faster(const Measured& slow, const Measured& fast) {
  if (!slow.stopped.empty() || !fast.stopped.empty()) return "";
  return ratio(cpu_median(slow) / cpu_median(fast));
}

}  // namespace

void print_paper(const Bench& bench) {
  fmt::print(
      "## Table 3 of the A-FSM paper\n\n"
      "The analysis alone, without lists of paths, one thread. The paper's figures are sums of its "
      "five columns and come from another machine (Intel i7 920, Java 6, 4 GB) and other models of "
      "the same sizes. The paper's enumerative algorithm lists all paths; the table below this one "
      "has that. The ratio is that of our engines, here and now.\n\n");
  Table table({"(states, rules, variables)", "paper: enumerative", "symbolic", "hybrid",
               "here: enumerative", "symbolic", "hybrid", "symbolic / hybrid",
               "whole process, hybrid"});
  for (const Row& row : table3()) {
    const Measured enumerative = measured(bench, row, Engine::Enumerative, 0);
    const Measured symbolic = measured(bench, row, Engine::Symbolic, 0);
    const Measured hybrid = measured(bench, row, Engine::Hybrid, 0);
    const Measured whole = bench.check(file(bench, row), {"--paths", "none", "--jobs", "1"});
    table.add({name(row), printed(row, row.enumerative), printed(row, row.symbolic),
               printed(row, row.hybrid), table.cell(enumerative), table.cell(symbolic),
               table.cell(hybrid), times_faster(symbolic, hybrid), table.cell(whole)});
  }
  table.print();

  fmt::print("Beyond the paper's sizes:\n\n");
  Table large({"(states, rules, variables)", "here: enumerative", "symbolic", "hybrid",
               "symbolic / hybrid", "whole process, hybrid"});
  for (const Size& size : {Size{400, 3000, 400}, Size{1000, 3000, 1000}, Size{1000, 7000, 1000}}) {
    const Row row = {.size = size};
    const Measured enumerative = measured(bench, row, Engine::Enumerative, 0);
    const Measured symbolic = measured(bench, row, Engine::Symbolic, 0);
    const Measured hybrid = measured(bench, row, Engine::Hybrid, 0);
    const Measured whole = bench.check(bench.file(size), {"--paths", "none", "--jobs", "1"});
    large.add({name(size), large.cell(enumerative), large.cell(symbolic), large.cell(hybrid),
               times_faster(symbolic, hybrid), large.cell(whole)});
  }
  large.print();
}

void print_listing(const Bench& bench) {
  fmt::print(
      "## All races and cycles, path by path\n\n"
      "What the paper's enumerative algorithm does: the analysis with every distinct path, one "
      "thread. Beyond these sizes the number of paths explodes.\n\n");
  Table table({"(states, rules, variables)", "paper: enumerative", "here: enumerative", "symbolic",
               "hybrid", "races", "cycles"});
  for (const Row& row : table3()) {
    constexpr std::size_t kSmall = 20;
    if (row.size && (row.size->variables > kSmall || row.size->rules > 60)) continue;
    const Measured enumerative = measured(bench, row, Engine::Enumerative, std::nullopt);
    const Measured symbolic = measured(bench, row, Engine::Symbolic, std::nullopt);
    const Measured hybrid = measured(bench, row, Engine::Hybrid, std::nullopt);
    const bool known = hybrid.stopped.empty();
    table.add({name(row), printed(row, row.enumerative), table.cell(enumerative),
               table.cell(symbolic), table.cell(hybrid), known ? grouped(hybrid.races) : "",
               known ? grouped(hybrid.cycles) : ""});
  }
  table.print();
}

}  // namespace poise::bench
