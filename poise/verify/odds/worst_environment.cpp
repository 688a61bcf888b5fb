#include "poise/verify/odds/worst_environment.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "poise/verify/odds/along_line.h"

namespace poise::verify {

namespace {

using Environment = std::vector<double>;

constexpr double kImpossible = -1e12;
constexpr std::size_t kMostEvaluations = 2000;

// Hill climbing with a limited number of evaluations; keeps the best environment.
class Climb {
 public:
  Climb(const IndependentPart& part, PartProbability& joint, std::size_t most, Budget& budget)
      : part_(part), joint_(joint), left_(most), budget_(budget), scales_(joint.scales()) {
    for (std::size_t i = 0; i < part.environment.size(); ++i) {
      if (!(scales_[i] > 0)) continue;
      std::vector<double> along(part.environment.size());
      along[i] = 1;
      directions_.push_back(along);
      // A step of half a unit would be rounded to none in one direction.
      const bool whole = part.environment[i].whole;
      steps_.push_back(whole ? std::max(1.0, std::round(scales_[i] / 2)) : scales_[i] / 2);
    }
    for (const std::vector<double>& direction : joint.directions()) {
      double step = std::numeric_limits<double>::infinity();
      for (std::size_t i = 0; i < direction.size(); ++i) {
        if (direction[i] != 0) step = std::min(step, scales_[i] / std::abs(direction[i]) / 2);
      }
      if (!(step > 0)) continue;
      directions_.push_back(direction);
      steps_.push_back(step);
    }
  }

  void from(const Environment& start) {
    best_ = start;
    joint_.aim(start);
    best_score_ = score(start);
    const std::vector<double> first_steps = steps_;
    constexpr int kRounds = 12;
    for (int round = 0; round < kRounds && left_ > 0; ++round) {
      const Environment before = best_;
      const double score_before = best_score_;
      for (std::size_t i = 0; i < directions_.size() && left_ > 0; ++i) go_along(i);
      go_on(before);
      const double gained = best_score_ - score_before;
      bool fine = true;
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        fine = fine && steps_[i] <= first_steps[i] / 8;
      }
      if (gained < 1e-3 && fine) break;
      if (round == 0 && joint_.is_drawn()) {
        joint_.aim(best_);
        best_score_ = score(best_);
      }
    }
    steps_ = first_steps;
  }

  [[nodiscard]] const Environment& best() const { return best_; }
  [[nodiscard]] double best_score() const { return best_score_; }

  double score(const Environment& at) {
    if (left_ > 0) --left_;
    if (budget_.exhausted_now() != Exhausted::No) {
      left_ = 0;
      return kImpossible;
    }
    for (std::size_t i = 0; i < at.size(); ++i) {
      const IndependentPart::Environment& number = part_.environment[i];
      const bool gap = number.whole && std::ranges::find(number.gaps, at[i]) != number.gaps.end();
      if (gap) return kImpossible;
    }
    return joint_.score(at);
  }

 private:
  // The best environment moved along a direction, as far as the ranges allow.
  [[nodiscard]] Environment moved(const std::vector<double>& direction, double by) const {
    Environment result = best_;
    double share = 1;
    for (std::size_t i = 0; i < result.size(); ++i) {
      const double way = by * direction[i];
      if (way == 0) continue;
      const IndependentPart::Environment& number = part_.environment[i];
      const double room = way > 0 ? number.high - best_[i] : number.low - best_[i];
      share = std::min(share, std::max(0.0, room / way));
    }
    for (std::size_t i = 0; i < result.size(); ++i) {
      if (direction[i] == 0) continue;
      const IndependentPart::Environment& number = part_.environment[i];
      result[i] += share * by * direction[i];
      if (number.whole) result[i] = std::round(result[i]);
      result[i] = std::clamp(result[i], number.low, number.high);
    }
    return result;
  }

  bool consider(const Environment& at) {
    const double here = score(at);
    if (here <= best_score_) return false;
    best_ = at;
    best_score_ = here;
    return true;
  }

  void go_along(std::size_t index) {
    const std::vector<double> direction = directions_[index];
    const Environment origin = best_;
    const double at_origin = best_score_;
    double step = steps_[index];
    const Environment ahead = moved(direction, step);
    if (ahead == origin) {
      if (!climb(direction, -step)) steps_[index] /= 3;
      return;
    }
    const double at_ahead = score(ahead);
    if (at_ahead > best_score_) {
      best_ = ahead;
      best_score_ = at_ahead;
      climb(direction, 2 * step);
      return;
    }
    const Environment behind = moved(direction, -step);
    if (behind != origin) {
      const double at_behind = score(behind);
      if (at_behind > best_score_) {
        best_ = behind;
        best_score_ = at_behind;
        climb(direction, -2 * step);
        return;
      }
      // Both neighbours are lower: try the top of the parabola through the three.
      const double bend = at_ahead - 2 * at_origin + at_behind;
      if (bend < 0 && at_ahead > -1000 && at_behind > -1000) {
        const double top = step * (at_behind - at_ahead) / (2 * bend);
        const Environment there = moved(direction, top);
        if (std::abs(top) > step / 50 && there != origin) consider(there);
      }
    }
    steps_[index] /= 3;
  }

  // Steps that double, while they go up. Whether any did.
  bool climb(const std::vector<double>& direction, double step) {
    bool any = false;
    while (left_ > 0) {
      const Environment next = moved(direction, step);
      if (next == best_ || !consider(next)) break;
      any = true;
      step *= 2;
    }
    return any;
  }

  // Goes on in the direction in which the whole round went.
  void go_on(const Environment& before) {
    std::vector<double> direction(best_.size());
    for (std::size_t i = 0; i < best_.size(); ++i) direction[i] = best_[i] - before[i];
    if (best_.size() > 1 && best_ != before) climb(direction, 1);
  }

  const IndependentPart& part_;
  PartProbability& joint_;
  std::size_t left_;
  Budget& budget_;
  std::vector<double> scales_;
  std::vector<std::vector<double>> directions_;
  std::vector<double> steps_;
  Environment best_;
  double best_score_ = kImpossible;
};

double rounded_to(double value, int decimals) {
  const double scale = std::pow(10, decimals);
  return std::round(value * scale) / scale;
}

// With as few decimals as make little difference.
Environment rounded(const Environment& worst, const IndependentPart& part,
                    const std::function<double(const Environment&)>& score) {
  constexpr double kLittle = 0.002;  // of the probability
  const double least = score(worst) - kLittle;
  for (int decimals = 0; decimals < 7; ++decimals) {
    Environment made = worst;
    bool inside = true;
    for (std::size_t i = 0; i < made.size(); ++i) {
      if (!part.environment[i].whole) made[i] = rounded_to(made[i], decimals);
      inside = inside && made[i] >= part.environment[i].low && made[i] <= part.environment[i].high;
    }
    if (inside && score(made) >= least) return made;
  }
  return worst;
}

double logarithm(double value) { return value > 0 ? std::log(value) : kImpossible; }

std::optional<WorstEnvironment> finished(const Environment& environment,
                                         const IndependentPart& part, PartProbability& joint,
                                         Climb& climb, const chance::Precision& precision,
                                         Budget& budget) {
  const auto score = [&](const Environment& at) { return climb.score(at); };
  WorstEnvironment worst{environment, rounded(environment, part, score), {}};
  // The climb may end next to an equation that only round numbers satisfy.
  if (score(worst.rounded) > score(worst.environment)) worst.environment = worst.rounded;
  if (budget.seen() != Exhausted::No) return std::nullopt;
  worst.probability = joint.precise(worst.environment, precision);
  return worst;
}

}  // namespace

std::optional<WorstEnvironment> worst_of(const IndependentPart& part, PartProbability& joint,
                                         const chance::Precision& precision, Budget& budget) {
  WorstEnvironment worst;
  if (joint.is_drawn()) {
    if (const std::optional<chance::Line> line = line_of(part)) {
      const chance::Backward backward(*line);
      const chance::Start start = backward.worst();
      worst.environment = {start.position};
      worst.probability = {start.probability, 1e-4 * start.probability, "line"};
      worst.rounded = rounded(worst.environment, part, [&](const Environment& at) {
        return logarithm(backward.probability(at.front()));
      });
      return worst;
    }
  }
  constexpr std::size_t kClimbed = 3;
  Climb climb(part, joint, joint.is_drawn() ? 200 : kMostEvaluations, budget);
  struct Begin {
    Environment at;
    double score;
  };
  std::vector<Begin> begins;
  for (const Environment& start : joint.starts()) {
    const bool known = std::ranges::find(begins, start, &Begin::at) != begins.end();
    if (!known) begins.push_back({start, climb.score(start)});
  }
  std::ranges::stable_sort(begins, std::greater<>(), &Begin::score);
  double best = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < std::min(begins.size(), kClimbed); ++i) {
    climb.from(begins[i].at);
    if (climb.best_score() <= best) continue;
    best = climb.best_score();
    worst.environment = climb.best();
  }
  return finished(worst.environment, part, joint, climb, precision, budget);
}

std::optional<WorstEnvironment> worst_near(const IndependentPart& part, PartProbability& joint,
                                           const std::vector<double>& begin,
                                           const chance::Precision& precision, Budget& budget) {
  Climb climb(part, joint, kMostEvaluations, budget);
  climb.from(begin);
  return finished(climb.best(), part, joint, climb, precision, budget);
}

}  // namespace poise::verify
