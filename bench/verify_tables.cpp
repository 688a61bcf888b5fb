// The tables of the paper, on twelve cars of our own.

#include <algorithm>
#include <chrono>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/verify.h"
#include "cli/options/resident_memory.h"
#include "poise/base/check.h"
#include "poise/verify/solver/solver_paths.h"

namespace poise::bench {

namespace {

using verify::Mode;
using Listed = std::set<std::tuple<std::vector<model::RuleId>, std::size_t, model::FailureId>>;

constexpr std::chrono::seconds kLimit{60};

// The failing paths up to a bound.
struct Failing {
  Integer count = 0;
  Listed listed;           // all of them; only of sparse cars
  std::size_t bound = 0;   // less than the paper's if paths are followed one by one
  std::string stopped;     // why not even this bound was reached; empty if it was
  bool by_solver = false;  // because zones do not fit the car
};

Failing failing_by_zones(const verify::System& system, const verify::ZoneSystem& zones, bool list) {
  constexpr std::size_t kAll = 1'000'000;
  Budget budget(
      {.time = kLimit, .memory_bytes = kLimitBytes, .memory_in_use = cli::resident_memory});
  const verify::Effort effort(budget, {}, kLimitBytes);
  const verify::Paths paths =
      verify::paths_by_zones(system, zones, kPaperBound, list ? kAll : 0, effort);
  Failing failing{.count = sum(paths.failing), .bound = kPaperBound, .stopped = paths.stopped};
  for (const verify::FailingPath& one : paths.listed) {
    failing.listed.insert({one.path, one.act, one.failure});
  }
  return failing;
}

// A few steps only: the solver follows paths one by one.
Failing failing_by_solver(const verify::System& system) {
  constexpr std::size_t kFew = 5;
  Budget budget(
      {.time = kLimit, .memory_bytes = kLimitBytes, .memory_in_use = cli::resident_memory});
  const verify::Paths paths = verify::paths_by_solver(system, kFew, 0, budget);
  return {.count = sum(paths.failing), .bound = kFew, .stopped = paths.stopped, .by_solver = true};
}

Failing failing(const Car& car, Mode mode) {
  say(car.name);
  const verify::System system = verify::system_of(car.model, mode);
  const auto made = verify::ZoneSystem::of(system);
  const auto* zones = std::get_if<verify::ZoneSystem>(&made);
  return zones != nullptr ? failing_by_zones(system, *zones, car.sparse)
                          : failing_by_solver(system);
}

std::string cell(const Failing& failing) {
  if (!failing.stopped.empty()) return fmt::format("> {} s", kLimit.count());
  const std::string count = in_short(failing.count);
  return failing.by_solver ? fmt::format("{} ({} steps)", count, failing.bound) : count;
}

std::string share(const Integer& part, const Integer& whole) {
  if (whole == Integer(0)) return "–";
  // In per mille, rounded down, so that two large integers can be divided.
  const Integer share = floor_divide(part * Integer(1000), whole);
  return fmt::format("{:.1f} %", static_cast<double>(share.to_int64()) / 10);
}

std::size_t not_in(const Listed& some, const Listed& others) {
  return static_cast<std::size_t>(
      std::ranges::count_if(some, [&](const auto& one) { return !others.contains(one); }));
}

bool are_known(const Failing& a, const Failing& b) {
  return a.stopped.empty() && b.stopped.empty();
}

}  // namespace

bool print_table1(const VerifyBench& bench) {
  fmt::print(
      "## Table 1: without environmental constraints\n\n"
      "Counterexamples of at most {} steps that the naive mode reports; those that violate "
      "environmental constraints, that is, that the ideal mode does not report; and, of the sparse "
      "cars, where they can be listed, those that cannot happen with errors either.\n\n",
      kPaperBound);
  Table table({"car", "naive", "violate constraints", "rate", "cannot happen", "rate"});
  bool fine = true;
  for (const Car& car : cars(bench)) {
    const Failing naive = failing(car, Mode::Naive);
    const Failing ideal = failing(car, Mode::Ideal);
    std::vector<std::string> row = {car.name, cell(naive), "–", "–", "–", "–"};
    // Every ideal counterexample is a naive one, too: it satisfies more conditions.
    if (are_known(naive, ideal)) {
      const Integer false_ones = naive.count - ideal.count;
      row[2] = in_short(false_ones);
      row[3] = share(false_ones, naive.count);
    }
    if (car.sparse) {
      fine = fine && not_in(ideal.listed, naive.listed) == 0;
      const auto never =
          static_cast<std::int64_t>(not_in(naive.listed, failing(car, Mode::Actual).listed));
      row[4] = in_short(never);
      row[5] = share(never, naive.count);
    }
    table.add(row);
  }
  table.print();
  fmt::print(
      "Paper, App1 to App12: 45 to 120 counterexamples, of which 70 % to 85 % are false.\n\n");
  if (!fine) fmt::print("NOT ALL that is ideal is naive.\n\n");
  return fine;
}

bool print_table2(const VerifyBench& bench) {
  fmt::print(
      "## Table 2: actual against ideal\n\n"
      "Counterexamples of at most {} steps, with errors and without.\n\n",
      kPaperBound);
  Table table({"car", "actual", "ideal", "more", "improvement", "all ideal ones are actual"});
  bool fine = true;
  for (const Car& car : cars(bench)) {
    const Failing actual = failing(car, Mode::Actual);
    const Failing ideal = failing(car, Mode::Ideal);
    std::vector<std::string> row = {car.name, cell(actual), cell(ideal), "–", "–", "–"};
    if (are_known(actual, ideal)) {
      const Integer more = actual.count - ideal.count;
      row[3] = in_short(more);
      row[4] = share(more, ideal.count);
    }
    if (car.sparse) {
      const bool all = not_in(ideal.listed, actual.listed) == 0;
      row[5] = all ? "yes" : "NO";
      fine = fine && all;
    }
    table.add(row);
  }
  table.print();
  fmt::print("Paper, App1 to App12: 65 to 124 actual, 10 to 34 ideal, 200 % to 660 % more.\n\n");
  return fine;
}

bool print_table3(const VerifyBench& bench) {
  constexpr double kMostMb = 200;
  fmt::print(
      "## Table 3: time and memory by bound\n\n"
      "`poise verify --bound K --no-odds --paths none`, the whole process: processor time, and the "
      "peak of the resident set. All paths are counted and all hazards found, with the "
      "shortest path to each; counterexamples are not listed one by one.\n\n");
  std::vector<std::string> head = {"car"};
  for (std::size_t bound = 5; bound <= 50; bound += 5) head.push_back(std::to_string(bound));
  Table table(head);
  double most_mb = 0;
  std::string where;
  for (const Car& car : cars(bench)) {
    std::vector<std::string> row = {car.name};
    bool stopped = false;
    for (std::size_t bound = 5; bound <= 50; bound += 5) {
      say(fmt::format("{}, bound {}", car.name, bound));
      if (stopped) {
        row.emplace_back("–");
        continue;
      }
      const Measured one =
          program({bench.poise, "verify", "--bound", std::to_string(bound), "--no-odds", "--paths",
                   "none", "--time-limit", fmt::format("{}s", kLimitSeconds), car.file},
                  {.runs = 3});
      stopped = !one.stopped.empty();
      row.push_back(fmt::format("{}, {:.0f} MB", table.cell(one), one.peak_mb));
      if (one.peak_mb <= most_mb) continue;
      most_mb = one.peak_mb;
      where = fmt::format("{}, bound {}", car.name, bound);
    }
    table.add(row);
  }
  table.print();
  Table bars({"bar", "at most", "measured", ""});
  bars.add({"memory, " + where, fmt::format("{:.0f} MB", kMostMb),
            fmt::format("{:.0f} MB", most_mb), std::string(verdict(most_mb < kMostMb))});
  bars.print();
  fmt::print(
      "Paper: 2.3 s to 5.8 s at bound 5, 491 s to 1,027 s and 113 to 264 MB at bound 50.\n\n");
  return true;
}

}  // namespace poise::bench
