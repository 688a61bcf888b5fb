#include "poise/chance/path_on_line.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/infinity.h"
#include "poise/chance/piecewise_cubic.h"

namespace poise::chance {
namespace {

struct Range {
  double low = -kInfinity;
  double high = kInfinity;
};

Range common(const Range& a, const Range& b) {
  return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// The kinks of the law of what the step adds to a position, ends included, ascending.
std::vector<double> move_kinks(const LineStep& step) {
  std::vector<double> kinks = step.moved.kinks();
  for (double& kink : kinks) kink = step.direction * (step.meant + kink);
  std::ranges::sort(kinks);
  return kinks;
}

Range move_range(const LineStep& step) {
  const std::vector<double> kinks = move_kinks(step);
  return {kinks.front(), kinks.back()};
}

// The probability that a step from the position ends in the target.
double lands(const LineStep& step, double position, const Range& target) {
  const double one = (target.low - position) / step.direction - step.meant;
  const double other = (target.high - position) / step.direction - step.meant;
  return step.moved.mass(std::min(one, other), std::max(one, other));
}

std::vector<double> ends(const std::vector<double>& numbers) {
  const auto [least, greatest] = std::ranges::minmax(numbers);
  return {least, greatest};
}

// Every sum (or difference) of one kink and one other. If there would be very many, as with long
// tables, only the outermost are combined: inner kinks are weak then, and the grid does without.
std::vector<double> combined(std::vector<double> kinks, std::vector<double> others, double sign) {
  constexpr std::size_t kMost = 64;
  if (std::min(kinks.size(), others.size()) > 1 && kinks.size() * others.size() > kMost) {
    kinks = ends(kinks);
    others = ends(others);
  }
  std::vector<double> sums;
  for (const double kink : kinks) {
    for (const double other : others) sums.push_back(kink + sign * other);
  }
  return sums;
}

std::vector<double> inside(const Range& range, const std::vector<double>& kinks) {
  std::vector<double> kept = {range.low, range.high};
  for (const double kink : kinks) {
    if (kink > range.low && kink < range.high) kept.push_back(kink);
  }
  return kept;
}

void append(std::vector<double>& to, const std::vector<double>& more) {
  to.insert(to.end(), more.begin(), more.end());
}

// Where the path can be before each step, by ranges alone. A little wider than that, because a grid
// needs an interval also where the position is known exactly; a wider grid does no harm.
std::vector<Range> reach(const Line& line) {
  std::vector<Range> ranges = {{line.start_from, line.start_to}};
  for (std::size_t i = 0; i + 1 < line.steps.size(); ++i) {
    const LineStep& step = line.steps[i];
    const Range from = common(ranges.back(), {step.taken.from, step.taken.to});
    const Range move = move_range(step);
    const Range to = {from.low + move.low, from.high + move.high};
    const double margin = 1e-6 * (1 + std::abs(to.low) + std::abs(to.high));
    ranges.push_back(common({to.low - margin, to.high + margin}, {step.safe_from, step.safe_to}));
  }
  return ranges;
}

// The function before a step is smoothed by the error of that step, so the narrowest error decides
// how fine the grids have to be.
double cell_width(const Line& line) {
  double finest = kInfinity;
  for (const LineStep& step : line.steps) {
    const Range move = move_range(step);
    if (move.low < move.high) finest = std::min(finest, move.high - move.low);
  }
  return finest / static_cast<double>(line.cells);
}

// The density after a step from a known position.
PiecewiseCubic spread(const LineStep& step, double position, double probability, double cell) {
  return PiecewiseCubic(combined({position}, move_kinks(step), 1), cell, [&](double x) {
    const double error = (x - position) / step.direction - step.meant;
    return probability * step.moved.density(error) / std::abs(step.direction);
  });
}

// The part of a density that is in the safe range and takes the step.
struct Passing {
  const PiecewiseCubic& density;
  const LineStep& step;
  std::vector<double> kinks;   // of the step's probability, and the ends; none if nothing passes
  std::vector<double> breaks;  // those kinks, and the breaks of the density

  template <class Factor>
  [[nodiscard]] PiecewiseCubic grid(double cell, const Factor& factor,
                                    const std::vector<double>& more_breaks) const {
    if (kinks.empty()) return PiecewiseCubic({}, cell, [](double) { return 0; });
    std::vector<double> all = breaks;
    const auto [low, high] = std::ranges::minmax(breaks);
    append(all, inside({low, high}, more_breaks));
    return PiecewiseCubic(all, cell,
                          [&](double d) { return density.at(d) * step.taken.at(d) * factor(d); });
  }
};

Passing passing_through(const PiecewiseCubic& density, const LineStep& step, const Range& safe) {
  Passing passing = {density, step, {}, {}};
  if (density.empty()) return passing;
  const Range range =
      common(common(safe, {step.taken.from, step.taken.to}), {density.low(), density.high()});
  if (!(range.low < range.high)) return passing;
  passing.kinks = inside(range, step.taken.kinks);
  passing.breaks = inside(range, density.breaks());
  append(passing.breaks, passing.kinks);
  return passing;
}

// The mass that the step takes into the failure.
double failing(const Passing& passing, const LineStep& step, const Range& fails, double cell) {
  std::vector<double> edges;
  for (const double end : {fails.low, fails.high}) {
    if (std::isfinite(end)) append(edges, combined({end}, move_kinks(step), -1));
  }
  return passing
      .grid(
          cell, [&](double d) { return lands(step, d, fails); }, edges)
      .integral();
}

// The density after the step: a convolution of the density before it with the law of the move.
PiecewiseCubic carried(const PiecewiseCubic& taken, const std::vector<double>& kinks,
                       const LineStep& step, double cell) {
  const std::vector<double> moves = move_kinks(step);
  if (taken.empty()) return taken;
  if (step.moved.is_point()) {
    return PiecewiseCubic(combined(taken.breaks(), moves, 1), cell,
                          [&](double x) { return taken.at(x - moves.front()); });
  }
  const Kernel kernel(step.moved);
  return PiecewiseCubic(combined(kinks, moves, 1), cell, [&](double x) {
    return taken.expected(kernel, {x, -step.direction, step.meant});
  });
}

}  // namespace

Backward::Backward(Line line) : line_(std::move(line)), grids_(line_.steps.size()) {
  POISE_CHECK(!line_.steps.empty());
  POISE_CHECK(std::isfinite(line_.start_from) && std::isfinite(line_.start_to));
  for (const LineStep& step : line_.steps) kernels_.push_back(std::make_shared<Kernel>(step.moved));
  worst_.position = line_.start_from;
  const double cell = cell_width(line_);
  const std::vector<Range> reached = reach(line_);
  Range target = {line_.fails_from, line_.fails_to};
  std::vector<double> kinks;  // of V after the step
  for (const double end : {target.low, target.high}) {
    if (std::isfinite(end)) kinks.push_back(end);
  }
  for (std::size_t i = line_.steps.size(); i-- > 0;) {
    const LineStep& step = line_.steps[i];
    const Range move = move_range(step);
    const Range needed = {target.low - move.high, target.high - move.low};
    target = common(common(reached[i], {step.taken.from, step.taken.to}), needed);
    if (!(target.low <= target.high)) return;  // the grids from here on stay empty
    std::vector<double> breaks = combined(kinks, move_kinks(step), -1);
    // A step with an error smooths V, so kinks of later steps are not handed on. An exact step
    // only shifts them.
    kinks = step.moved.is_point() ? inside(target, breaks) : inside(target, {});
    append(kinks, inside(target, step.taken.kinks));
    append(breaks, step.taken.kinks);
    grids_[i] = std::make_shared<const PiecewiseCubic>(inside(target, breaks), cell,
                                                       [&](double d) { return value(i, d); });
  }
  worst_ = found_worst();
}

double Backward::value(std::size_t step, double position) const {
  const LineStep& here = line_.steps[step];
  const double taken = here.taken.at(position);
  if (taken == 0) return 0;
  if (step + 1 == line_.steps.size()) {
    return taken * lands(here, position, {line_.fails_from, line_.fails_to});
  }
  if (grids_[step + 1] == nullptr) return 0;
  return taken *
         grids_[step + 1]->expected(*kernels_[step], {position, here.direction, here.meant});
}

double Backward::probability(double start) const {
  if (start < line_.start_from || start > line_.start_to) return 0;
  return std::clamp(value(0, start), 0.0, 1.0);
}

// The best grid point, and then a golden-section search between its neighbours.
Start Backward::found_worst() const {
  Start best = {line_.start_from, probability(line_.start_from)};
  const auto consider = [&](double position) {
    const double here = probability(position);
    if (here > best.probability) best = {position, here};
    return here;
  };
  consider(line_.start_to);
  if (grids_.front() == nullptr || grids_.front()->empty()) return best;
  const PiecewiseCubic::Peak peak = grids_.front()->peak();
  constexpr double kGolden = 0.6180339887498949;
  double low = peak.before;
  double high = peak.after;
  for (const double position : {low, peak.at, high}) consider(position);
  double left = high - kGolden * (high - low);
  double right = low + kGolden * (high - low);
  double at_left = consider(left);
  double at_right = consider(right);
  for (int round = 0; round < 40; ++round) {
    if (at_left >= at_right) {
      high = std::exchange(right, left);
      at_right = at_left;
      left = high - kGolden * (high - low);
      at_left = consider(left);
    } else {
      low = std::exchange(left, right);
      at_left = at_right;
      right = low + kGolden * (high - low);
      at_right = consider(right);
    }
  }
  return best;
}

Forward::Forward(const Line& line, double start) {
  POISE_CHECK(!line.steps.empty() && std::isfinite(start));
  const Range fails = {line.fails_from, line.fails_to};
  const double cell = cell_width(line);
  double position = start;
  bool known = true;  // the position, while nothing moved it by chance
  double probability = 1;
  std::shared_ptr<const PiecewiseCubic> density;  // of the position, once it is not known
  Range safe;
  for (const LineStep& step : line.steps) {
    if (known) {
      const bool goes_on = position >= safe.low && position <= safe.high;
      probability *= goes_on ? step.taken.at(position) : 0;
      failed_ = probability * lands(step, position, fails);
      density = std::make_shared<const PiecewiseCubic>(spread(step, position, probability, cell));
      known = step.moved.is_point();
      position += move_range(step).low;
    } else {
      const Passing passing = passing_through(*density, step, safe);
      const PiecewiseCubic taken = passing.grid(cell, [](double) { return 1; }, {});
      probability = taken.integral();
      failed_ = failing(passing, step, fails, cell);
      density = std::make_shared<const PiecewiseCubic>(carried(taken, passing.kinks, step, cell));
    }
    grids_.push_back(known ? nullptr : density);
    reached_.push_back(probability);
    safe = {step.safe_from, step.safe_to};
  }
}

double Forward::density(std::size_t step, double position) const {
  return grids_[step] == nullptr ? 0 : grids_[step]->at(position);
}

}  // namespace poise::chance
