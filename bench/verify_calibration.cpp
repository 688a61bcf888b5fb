// Figure 5 of the paper: predicted probabilities against frequencies in simulation, for the ten
// likeliest counterexamples of each car.

#include <chrono>
#include <cmath>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/verify.h"
#include "poise/verify/simulate/simulate.h"

namespace poise::bench {

namespace {

constexpr std::size_t kTop = 10;

struct Calibrated {
  std::size_t examples = 0;
  double error = 0;  // sum of |predicted - seen|
  std::size_t inside = 0;
  std::size_t seen = 0;  // counterexamples that happened at least once
};

Calibrated calibrated(const verify::Report& report, const verify::Simulation& simulation) {
  Calibrated made;
  for (std::size_t i = 0; i < report.counterexamples.size(); ++i) {
    const auto& probability = report.counterexamples[i].probability;
    if (!probability) continue;
    const verify::Observed& observed = simulation.replays[i];
    const double rate = static_cast<double>(observed.hits) / static_cast<double>(simulation.runs);
    ++made.examples;
    made.error += std::abs(probability->value - rate);
    // The prediction itself is known only within an error.
    const bool inside = observed.low <= probability->value + probability->error &&
                        probability->value - probability->error <= observed.high;
    made.inside += static_cast<std::size_t>(inside);
    made.seen += static_cast<std::size_t>(observed.hits > 0);
  }
  return made;
}

void add(Calibrated& sum, const Calibrated& one) {
  sum.examples += one.examples;
  sum.error += one.error;
  sum.inside += one.inside;
  sum.seen += one.seen;
}

// The number of misses that 99 in 100 such experiments do not exceed, if each confidence interval
// misses with a probability of 1 %: a quantile of the binomial distribution.
std::size_t most_outside(std::size_t examples) {
  double probability = std::pow(0.99, static_cast<double>(examples));
  double sum = probability;
  std::size_t outside = 0;
  while (sum < 0.99 && outside < examples) {
    probability *= static_cast<double>(examples - outside) / static_cast<double>(outside + 1);
    probability *= 0.01 / 0.99;
    ++outside;
    sum += probability;
  }
  return outside;
}

// The ten likeliest of the 200 shortest counterexamples.
verify::Report top(const Car& car) {
  constexpr std::size_t kListed = 200;
  verify::Options options;
  options.bound = car.sparse ? kPaperBound : kPaperBound / 3;
  options.paths = kListed;
  options.limits.time = std::chrono::seconds(120);
  verify::Report report = verify::run(car.model, options);
  if (report.counterexamples.size() > kTop) report.counterexamples.resize(kTop);
  return report;
}

std::vector<std::string> cells(const Calibrated& one) {
  return {fmt::format("{:.2g}", one.error / static_cast<double>(one.examples)),
          std::to_string(one.seen), fmt::format("{} of {}", one.inside, one.examples)};
}

}  // namespace

bool print_calibration(const VerifyBench& bench) {
  constexpr std::uint64_t kRuns[] = {1'000, 100'000};
  fmt::print(
      "## Calibration\n\n"
      "The ten likeliest counterexamples of each car that has any, of the 200 shortest with at "
      "most {} steps (dense cars: {}), each run in its environment, 1,000 times as in the paper "
      "and "
      "100,000 times: mean absolute error of the predicted probability, how many happened at all, "
      "and how many predictions lie in the 99 % interval of what was seen.\n\n",
      kPaperBound, kPaperBound / 3);
  Table table({"car", "predicted", "error", "happened", "inside", "error", "happened", "inside"});
  Calibrated all[2];
  for (const Car& car : cars(bench)) {
    if (car.name.substr(0, 2) == "02") continue;  // safe as far as anyone looked, and slow
    say(car.name);
    verify::Report report = top(car);
    if (report.counterexamples.empty()) continue;
    const auto probability = [](const verify::Counterexample& example) {
      return example.probability ? fmt::format("{:.2g}", example.probability->value) : "–";
    };
    std::vector<std::string> row = {
        car.name, fmt::format("{} to {}", probability(report.counterexamples.back()),
                              probability(report.counterexamples.front()))};
    for (std::size_t i = 0; i < 2; ++i) {
      report.simulation = verify::simulate(car.model, report, {.runs = kRuns[i], .bound = 1});
      const Calibrated one = calibrated(report, *report.simulation);
      add(all[i], one);
      const std::vector<std::string> made = cells(one);
      row.insert(row.end(), made.begin(), made.end());
    }
    table.add(row);
  }
  std::vector<std::string> row = {"all", ""};
  for (const Calibrated& one : all) {
    const std::vector<std::string> made = cells(one);
    row.insert(row.end(), made.begin(), made.end());
  }
  table.add(row);
  table.print();
  Table bars({"bar", "outside at most", "outside", ""});
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t outside = all[i].examples - all[i].inside;
    const std::size_t most = most_outside(all[i].examples);
    bars.add({fmt::format("predicted and simulated agree, {} runs", grouped(kRuns[i])),
              fmt::format("{} of {}", most, all[i].examples), std::to_string(outside),
              std::string(verdict(outside <= most))});
  }
  bars.print();
  return true;
}

}  // namespace poise::bench
