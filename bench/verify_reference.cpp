// Odds against brute force, an oracle that shares no code with the library but the paths. It
// handles walkers along a line: one unknown distance is all that a simple program can go through.
//
// How: the distance ahead is a grid. Backwards along a path, P(d), the probability that the rest of
// the path happens if the distance is d, is: the probability that what is sensed at d lets the rule
// fire, times the sum over all lengths s of a step of the density of s times P(d - s) of the rest.
// The greatest P at the start is the supremum over all environments. Laws are worked out from their
// definitions, by sums.

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/verify.h"
#include "poise/base/check.h"

namespace poise::bench {

namespace {

constexpr double kStep = 0.02;     // of the grid, in centimetres
constexpr double kFarthest = 120;  // centimetres: more than four of the longest steps
constexpr double kNoLimit = 1'000'000;
constexpr std::size_t kBound = 4;

// A normal law around 0, cut at its range and normalized to mass 1.
struct Gauss {
  double range;
  double deviation;
};
struct Rule {
  std::string name;
  double least;   // fires if at least this is sensed,
  double below;   // and less than this
  double length;  // of a step
  Gauss error;    // of a step
};
struct Walker {
  std::string name;
  Gauss sensor;
  std::vector<Rule> rules;
};

std::string text_of(const Walker& walker) {
  std::string text =
      fmt::format("model Walker\n\nsense front : real 0..400 error -{0}..{0} gauss {1}\n",
                  walker.sensor.range, walker.sensor.deviation);
  std::string failure = "failure bump: ";
  for (const Rule& rule : walker.rules) {
    text += fmt::format("var {0}_unit : real = {1} error -{2}..{2} gauss {3}\n", rule.name,
                        rule.length, rule.error.range, rule.error.deviation);
    failure +=
        fmt::format("{}front <= 0 after {}_step", failure.back() == ' ' ? "" : ", ", rule.name);
  }
  for (const Rule& rule : walker.rules) {
    text += fmt::format("action {0}_step: front' == front - {0}_unit\n", rule.name);
  }
  text += failure + "\nstate Ahead initial\n";
  for (const Rule& rule : walker.rules) {
    text += fmt::format("rule {0}: Ahead -> Ahead\n  when front >= {1}{2}\n  do {0}_step\n",
                        rule.name, rule.least,
                        rule.below == kNoLimit ? "" : fmt::format(" and front < {}", rule.below));
  }
  return text;
}

double density(const Gauss& law, double error) {
  return std::abs(error) > law.range
             ? 0
             : std::exp(-error * error / (2 * law.deviation * law.deviation));
}

// The mass of each cell of the range, at its middle; together 1.
std::vector<double> masses(const Gauss& law) {
  std::vector<double> all;
  double sum = 0;
  for (double at = -law.range + kStep / 2; at < law.range; at += kStep) {
    all.push_back(density(law, at));
    sum += all.back();
  }
  for (double& one : all) one /= sum;
  return all;
}

// The middle of a cell, of a distance or of a length.
double middle(std::size_t cell) { return (static_cast<double>(cell) + 0.5) * kStep; }

using ByDistance = std::vector<double>;

class BruteForce {
 public:
  explicit BruteForce(const Walker& walker) : walker_(walker) {
    for (const Rule& rule : walker.rules) fires_.push_back(fires(rule));
  }

  // By distance: the probability that these rules fire in turn and only the last of them fails.
  const ByDistance& probability(const std::vector<std::size_t>& path) {
    const auto known = known_.find(path);
    if (known != known_.end()) return known->second;
    const Rule& rule = walker_.rules[path.front()];
    const std::vector<double> lengths = masses(rule.error);
    const bool last = path.size() == 1;
    const ByDistance* after = last ? nullptr : &probability({path.begin() + 1, path.end()});
    const double shortest = rule.length - rule.error.range;
    ByDistance all(static_cast<std::size_t>(kFarthest / kStep));
    for (std::size_t i = 0; i < all.size(); ++i) {
      const double fires = fires_[path.front()][i];
      if (fires == 0) continue;
      double sum = 0;
      for (std::size_t j = 0; j < lengths.size(); ++j) {
        // Both are middles of cells, so their difference is on an edge: half of each side counts.
        const double left = middle(i) - (shortest + middle(j));
        sum += lengths[j] * (last ? failed(left) : there(*after, left));
      }
      all[i] = fires * sum;
    }
    return known_.emplace(path, std::move(all)).first->second;
  }

 private:
  [[nodiscard]] ByDistance fires(const Rule& rule) const {
    const std::vector<double> errors = masses(walker_.sensor);
    ByDistance all(static_cast<std::size_t>(kFarthest / kStep));
    for (std::size_t i = 0; i < all.size(); ++i) {
      for (std::size_t j = 0; j < errors.size(); ++j) {
        const double sensed = middle(i) + middle(j) - walker_.sensor.range;
        const double at_least = step_up(sensed - rule.least);
        all[i] += errors[j] * at_least * (1 - step_up(sensed - rule.below));
      }
    }
    return all;
  }

  // Whether a value is above 0; half of it is if it lies on an edge between two cells.
  static double step_up(double value) {
    if (std::abs(value) < kStep / 4) return 0.5;
    return value > 0 ? 1 : 0;
  }
  static double failed(double left) { return 1 - step_up(left); }
  static double there(const ByDistance& values, double left) {
    if (left <= kStep) return 0;
    const auto above = static_cast<std::size_t>(std::lround(left / kStep));
    return (values[above - 1] + values[above]) / 2;
  }

  const Walker& walker_;
  std::vector<ByDistance> fires_;
  std::map<std::vector<std::size_t>, ByDistance> known_;
};

const Walker kWalkers[] = {
    {"walker", {6, 2}, {{"go", 20, kNoLimit, 10, {5, 2.5}}}},
    {"two gears", {6, 2}, {{"creep", 12, 20, 5, {3, 1.5}}, {"walk", 20, kNoLimit, 10, {5, 2.5}}}},
    {"three gears",
     {6, 3},
     {{"creep", 8, 18, 4, {2, 1}},
      {"walk", 18, 36, 9, {5, 2}},
      {"stride", 36, kNoLimit, 20, {9, 5}}}},
};

double off(double found, double reference) { return std::abs(found / reference - 1); }

struct Compared {
  std::size_t paths = 0;
  double worst = 0;  // relative
  double most = 0;   // the supremum by brute force
  std::vector<std::size_t> likeliest;
};

std::string named(const Walker& walker, const std::vector<std::size_t>& path) {
  std::string text;
  for (const std::size_t rule : path) text += (text.empty() ? "" : " ") + walker.rules[rule].name;
  return text;
}

}  // namespace

bool print_reference(const VerifyBench&) {
  fmt::print(
      "## Reference\n\n"
      "Walkers along a line, with all failing paths of at most {} steps: the greatest probability "
      "of each path, over all distances at the start, as `verify` finds it and by brute force on a "
      "grid of {} cm. *Farthest off* is the path with the largest relative difference among those "
      "above 1e-12.\n\n",
      kBound, kStep);
  Table table({"walker", "paths", "farthest off", "likeliest path", "supremum, brute force",
               "verify", "off", "≤ 1 %"});
  for (const Walker& walker : kWalkers) {
    say(walker.name);
    const model::Model model = model_of(walker.name, text_of(walker));
    const verify::Report report = verify::run(model, {.bound = kBound, .paths = 1000});
    POISE_CHECK(report.extent.complete);
    BruteForce brute(walker);
    Compared compared;
    for (const verify::Counterexample& example : report.counterexamples) {
      std::vector<std::size_t> path;
      for (const model::RuleId rule : example.path) path.push_back(rule.index);
      const double reference = std::ranges::max(brute.probability(path));
      ++compared.paths;
      if (reference > compared.most) {
        compared.most = reference;
        compared.likeliest = path;
      }
      if (reference < 1e-12) continue;
      POISE_CHECK(example.probability.has_value());
      compared.worst = std::max(compared.worst, off(example.probability->value, reference));
    }
    const verify::Counterexample& first = report.counterexamples.front();
    std::vector<std::size_t> path;
    for (const model::RuleId rule : first.path) path.push_back(rule.index);
    const double difference = off(first.probability->value, compared.most);
    const bool same = path == compared.likeliest;
    table.add(
        {walker.name, std::to_string(compared.paths), fmt::format("{:.2f} %", compared.worst * 100),
         same ? named(walker, path)
              : named(walker, path) + " (brute force: " + named(walker, compared.likeliest) + ")",
         fmt::format("{:.4g}", compared.most), fmt::format("{:.4g}", first.probability->value),
         fmt::format("{:.2f} %", difference * 100),
         std::string(verdict(same && difference <= 0.01 && compared.worst <= 0.01))});
  }
  table.print();
  return true;
}

}  // namespace poise::bench
