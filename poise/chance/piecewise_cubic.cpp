#include "poise/chance/piecewise_cubic.h"

#include <algorithm>
#include <cmath>

#include "poise/base/check.h"

namespace poise::chance {
namespace {

constexpr double kMostCells = 10'000;

// Ascending; of breaks that differ only by rounding, the first.
std::vector<double> tidy(std::vector<double> breaks) {
  std::ranges::sort(breaks);
  if (breaks.empty()) return breaks;
  const double close = 1e-9 * (breaks.back() - breaks.front());
  std::vector<double> kept = {breaks.front()};
  for (const double at : breaks) {
    if (at - kept.back() > close) kept.push_back(at);
  }
  return kept;
}

}  // namespace

PiecewiseCubic::PiecewiseCubic(std::vector<double> breaks, double cell,
                               const std::function<double(double)>& function) {
  breaks = tidy(std::move(breaks));
  for (std::size_t i = 1; i < breaks.size(); ++i) {
    const double low = breaks[i - 1];
    const double high = breaks[i];
    POISE_CHECK(std::isfinite(low) && std::isfinite(high));
    const double width = std::max(cell, (breaks.back() - breaks.front()) / kMostCells);
    const auto here = static_cast<std::size_t>(std::max(std::ceil((high - low) / width), 12.0));
    Piece piece = {low, high, (high - low) / static_cast<double>(here), {}};
    const double beside = 1e-9 * (high - low);
    for (std::size_t point = 0; point <= here; ++point) {
      const double x = low + static_cast<double>(point) * piece.step;
      piece.values.push_back(function(std::clamp(x, low + beside, high - beside)));
    }
    pieces_.push_back(std::move(piece));
  }
}

std::vector<double> PiecewiseCubic::breaks() const {
  std::vector<double> all;
  for (const Piece& piece : pieces_) all.push_back(piece.low);
  if (!pieces_.empty()) all.push_back(pieces_.back().high);
  return all;
}

// Lagrange's cubic through the four grid points around x, or the outermost four.
double PiecewiseCubic::Piece::at(double x) const {
  const double place = (x - low) / step;
  const double last_first = static_cast<double>(values.size() - 4);
  const double first = std::clamp(std::floor(place) - 1, 0.0, last_first);
  const double* const v = &values[static_cast<std::size_t>(first)];
  const double a = place - first;
  const double b = a - 1;
  const double c = a - 2;
  const double d = a - 3;
  return -v[0] * b * c * d / 6 + v[1] * a * c * d / 2 - v[2] * a * b * d / 2 + v[3] * a * b * c / 6;
}

double PiecewiseCubic::at(double x) const {
  if (pieces_.empty() || !(x >= low() && x <= high())) return 0;
  const auto piece = std::ranges::upper_bound(pieces_, x, {}, &Piece::low) - 1;
  return piece->at(x);
}

double PiecewiseCubic::integral() const {
  double sum = 0;
  for (const Piece& piece : pieces_) {
    // There is another cubic in each cell.
    const GaussLegendre exact_for_cubics(2);
    for (std::size_t cell = 0; cell + 1 < piece.values.size(); ++cell) {
      const double from = piece.low + static_cast<double>(cell) * piece.step;
      sum +=
          exact_for_cubics.integral([&](double x) { return piece.at(x); }, from, from + piece.step);
    }
  }
  return sum;
}

double PiecewiseCubic::expected(const Kernel& kernel, const Move& move) const {
  const auto error = [&](double x) { return (x - move.origin) / move.direction - move.meant; };
  const auto position = [&](double e) { return move.origin + move.direction * (move.meant + e); };
  if (pieces_.empty()) return 0;
  if (kernel.law.is_point()) return at(position(kernel.law.low()));
  double sum = 0;
  for (const Piece& piece : pieces_) {
    const auto product = [&](double x) { return piece.at(x) * kernel.law.density(error(x)); };
    for (std::size_t i = 1; i < kernel.panels.size(); ++i) {
      const double one = position(kernel.panels[i - 1]);
      const double other = position(kernel.panels[i]);
      const double from = std::max(piece.low, std::min(one, other));
      const double to = std::min(piece.high, std::max(one, other));
      if (from < to) sum += rule_.integral(product, from, to);
    }
  }
  return sum / std::abs(move.direction);
}

PiecewiseCubic::Peak PiecewiseCubic::peak() const {
  POISE_CHECK(!pieces_.empty());
  Peak peak = {low(), low(), low()};
  double most = -1;
  for (const Piece& piece : pieces_) {
    for (std::size_t point = 0; point < piece.values.size(); ++point) {
      if (piece.values[point] <= most) continue;
      most = piece.values[point];
      const double x = std::min(piece.low + static_cast<double>(point) * piece.step, piece.high);
      peak = {std::max(piece.low, x - piece.step), x, std::min(piece.high, x + piece.step)};
    }
  }
  return peak;
}

}  // namespace poise::chance
