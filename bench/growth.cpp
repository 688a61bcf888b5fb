// How time and memory grow: with the model, with the number of listed paths, with the number of
// variables in the enumerative engine; and what a second thread saves.

#include <optional>

#include <fmt/format.h>

#include "bench/common/bench.h"
#include "bench/common/table.h"

namespace poise::bench {

namespace {

using check::Engine;

// A figure per state, and in brackets its ratio to that of the row before.
class PerState {
 public:
  std::string of(double figure_per_state, const std::string& unit) {
    std::string text = fmt::format("{} {}", figure(figure_per_state), unit);
    if (before_ > 0) text += fmt::format(" ({})", ratio(figure_per_state / before_));
    before_ = figure_per_state;
    return text;
  }

 private:
  double before_ = 0;
};

void print_growth_with(const Bench& bench, const std::string& head,
                       const std::vector<Size>& sizes) {
  Table table({head, "whole process", "per state", "peak", "per state", "analysis alone",
               "per state", "peak", "per state"});
  PerState whole_time;
  PerState whole_memory;
  PerState alone_time;
  PerState alone_memory;
  for (const Size& size : sizes) {
    say(name(size));
    const auto states = static_cast<double>(size.states);
    const std::string file = bench.file(size);
    const Measured whole = bench.check(file, {"--paths", "none", "--jobs", "1"});
    const Measured alone = analysis(file, {.paths = 0, .jobs = 1});
    std::vector<std::string> row = {name(size), table.cell(whole)};
    const auto add = [&](const Measured& measured, PerState& time, PerState& memory) {
      const bool known = measured.stopped.empty();
      row.push_back(known ? time.of(cpu_median(measured) * 1000 / states, "µs") : "");
      row.push_back(figure(measured.peak_mb) + " MB");
      row.push_back(memory.of(measured.peak_mb * 1024 / states, "KB"));
    };
    add(whole, whole_time, whole_memory);
    row.push_back(table.cell(alone));
    add(alone, alone_time, alone_memory);
    table.add(std::move(row));
  }
  table.print();
}

}  // namespace

void print_growth(const Bench& bench) {
  fmt::print(
      "## Growth\n\n"
      "Three rules per state, no lists of paths, one thread, the hybrid engine. In brackets: the "
      "figure per state against that of the row above; × 1.00 is linear growth. The memory of the "
      "whole process includes the program itself (some 7 MB); that of the analysis is what it "
      "needs beside the model.\n\n");
  std::vector<Size> few;
  std::vector<Size> many;
  for (const std::size_t states : {100U, 1'000U, 10'000U, 100'000U}) {
    few.push_back({states, 3 * states, 100});
    many.push_back({states, 3 * states, states});
  }
  print_growth_with(bench, "100 variables", few);
  print_growth_with(bench, "as many variables as states", many);
}

void print_paths(const Bench& bench) {
  const Size size = {200, 600, 200};
  fmt::print(
      "## Listing paths\n\n"
      "The analysis of {}, one thread, the hybrid engine. It has more races and cycles than anyone "
      "could list. \"Beyond\" is the time that listing adds.\n\n",
      name(size));
  Table table({"--paths", "analysis", "beyond no paths", "per listed path", "races", "cycles"});
  const Measured none = analysis(bench.file(size), {.paths = 0, .jobs = 1});
  table.add({"none", table.cell(none), "", "", "", ""});
  for (const std::size_t paths : {10U, 100U, 1'000U, 10'000U}) {
    say(fmt::format("{} paths", paths));
    const Measured measured = analysis(bench.file(size), {.paths = paths, .jobs = 1});
    const bool known = measured.stopped.empty();
    const double beyond = known ? cpu_median(measured) - cpu_median(none) : 0;
    const auto listed = static_cast<double>(measured.races + measured.cycles);
    table.add({grouped(paths), table.cell(measured), known ? milliseconds(beyond) : "",
               known ? fmt::format("{} µs", figure(beyond * 1000 / listed)) : "",
               grouped(measured.races), grouped(measured.cycles)});
  }
  table.print();
}

void print_enumerative(const Bench& bench) {
  fmt::print(
      "## The enumerative engine\n\n"
      "The analysis alone, one thread, as variables are added. Without lists of paths it needs a "
      "row for each combination of the variables that one state's rules read; with them, of all "
      "variables. The paper's own ran out of 4 GB at 20 variables.\n\n");
  Table table({"(states, rules, variables)", "no paths: enumerative", "peak", "hybrid", "peak",
               "all paths: enumerative", "peak", "hybrid", "peak"});
  for (const std::size_t variables : {10U, 15U, 20U, 25U}) {
    const Size size = {10, 40, variables};
    std::vector<std::string> row = {name(size)};
    for (const std::optional<std::size_t> paths : {std::optional<std::size_t>(0), {}}) {
      for (const Engine engine : {Engine::Enumerative, Engine::Hybrid}) {
        say(fmt::format("{} {}", name(size), check::name(engine)));
        const Measured measured =
            analysis(bench.file(size), {.engine = engine, .paths = paths, .jobs = 1});
        row.push_back(table.cell(measured));
        row.push_back(measured.stopped.empty() ? figure(measured.peak_mb) + " MB" : "");
      }
    }
    table.add(std::move(row));
  }
  table.print();
}

void print_jobs(const Bench& bench) {
  fmt::print(
      "## Threads\n\n"
      "The analysis alone by the clock, the hybrid engine. At most × 2 can be had; small models "
      "are not worth a "
      "second thread.\n\n");
  Table table({"model", "--paths", "--jobs 1", "--jobs 2", "gain"});
  const auto add = [&](const Size& size, std::optional<std::size_t> paths) {
    say(name(size) + " threads");
    const Measured one = analysis(bench.file(size), {.paths = paths, .jobs = 1});
    const Measured two = analysis(bench.file(size), {.paths = paths, .jobs = 2});
    const bool known = one.stopped.empty() && two.stopped.empty();
    table.add({name(size), !paths ? "all" : (*paths == 0 ? "none" : grouped(*paths)),
               table.clock_cell(one), table.clock_cell(two),
               known ? ratio(median(one) / median(two)) : ""});
  };
  add({200, 600, 200}, 0);
  add({400, 3000, 400}, 0);
  add({1000, 7000, 1000}, 0);
  add({10'000, 30'000, 10'000}, 0);
  add({200, 600, 200}, 1'000);
  add({20, 60, 20}, std::nullopt);
  add({30, 90, 30}, std::nullopt);
  table.print();
}

}  // namespace poise::bench
