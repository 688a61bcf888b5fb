#include "poise/verify/mission/line_maps.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "tests/support/size.h"

namespace poise::verify {
namespace {

using chance::Law;

std::vector<Law> some_laws() {
  return {Law::uniform(-2, 3),  Law::gauss(-4, 4, 1), Law::gauss(1, 5, 2),
          Law::triangle(-1, 3), Law::triangle(1, 4),  Law::table(-2, 2, {1, 4, 0, 2})};
}

Axis some_axis(Random& random) {
  std::vector<double> marks = {0, 10};
  std::vector<double> nodes;
  for (int i = 0; i < 8; ++i) {
    nodes.push_back(static_cast<double>(random.next() % 1400) / 100 - 2);
  }
  return real_axis(marks, nodes);
}

// A line with jumps, between 0 and 1.
std::vector<double> some_line(const Axis& axis, Random& random) {
  std::vector<double> line;
  for (const AxisCell& cell : axis.cells) {
    const double low = static_cast<double>(random.next() % 1000) / 1000;
    const double high = static_cast<double>(random.next() % 1000) / 1000;
    const bool one = cell.is_point() || !cell.is_bounded();
    line.insert(line.end(), {low, one ? low : high});
  }
  return line;
}

// The bounds of what the line says at a value: at a node that is no mark, two cells do.
std::pair<double, double> at(const Axis& axis, const std::vector<double>& line, double value) {
  double least = kInfinity;
  double most = -kInfinity;
  for (std::size_t i = 0; i < axis.cells.size(); ++i) {
    const AxisCell& cell = axis.cells[i];
    const bool inside = cell.is_point()
                            ? value == cell.low
                            : (cell.low_open ? value > cell.low : value >= cell.low) &&
                                  (cell.high_open ? value < cell.high : value <= cell.high);
    if (!inside) continue;
    const double share =
        cell.is_point() || !cell.is_bounded() ? 0 : (value - cell.low) / cell.width();
    const double here = (1 - share) * line[2 * i] + share * line[2 * i + 1];
    least = std::min(least, here);
    most = std::max(most, here);
  }
  return {least, most};
}

// Values everywhere, and at all nodes.
std::vector<double> some_values(const Axis& axis) {
  std::vector<double> values = nodes_of(axis);
  for (double value = -7; value <= 17; value += 0.137 * tests::kShare) values.push_back(value);
  return values;
}

TEST(Blur, IsABoundOfTheMeanAtEveryValue) {
  Random random(1);
  for (const Law& law : some_laws()) {
    for (const double factor : {1.0, -1.0, 0.5}) {
      const Axis to = some_axis(random);
      const Axis from = some_axis(random);
      const std::vector<double> line = some_line(to, random);
      const Blur blur(from, to, law, factor, 0.25);
      Moved moved(from.cells.size());
      std::vector<double> upper(2 * from.cells.size());
      std::vector<double> lower = upper;
      blur.apply(Side::Upper, line, upper, moved);
      blur.apply(Side::Lower, line, lower, moved);
      for (const double value : some_values(from)) {
        constexpr int kParts = 20'000;
        double mean = 0;
        for (int i = 0; i < kParts; ++i) {
          const double step = (law.high() - law.low()) / kParts;
          const double a = law.low() + step * i;
          mean +=
              law.mass(a, a + step) * at(to, line, value + 0.25 + factor * (a + step / 2)).second;
        }
        EXPECT_GE(at(from, upper, value).first, mean - 1e-3) << value;
        EXPECT_LE(at(from, lower, value).second, mean + 1e-3) << value;
      }
    }
  }
}

TEST(Factor, IsABoundOfTheProductAtEveryValue) {
  Random random(2);
  for (const Law& law : some_laws()) {
    for (const Factor::Reading& reading :
         {Factor::Reading{.low = 4}, Factor::Reading{.high = 6}, Factor::Reading{3, 5}}) {
      const Axis axis = some_axis(random);
      const std::vector<double> line = some_line(axis, random);
      const Factor factor(axis, law, reading);
      Moved moved(axis.cells.size());
      std::vector<double> upper = line;
      std::vector<double> lower = line;
      factor.multiply(Side::Upper, upper, moved);
      factor.multiply(Side::Lower, lower, moved);
      for (const double value : some_values(axis)) {
        const double mass = law.mass(reading.low - value, reading.high - value);
        const auto [least, most] = at(axis, line, value);
        EXPECT_GE(at(axis, upper, value).second, mass * most - 1e-12) << value;
        EXPECT_LE(at(axis, lower, value).first, mass * least + 1e-12) << value;
      }
    }
  }
}

// The greatest value of a line in a range: at its ends, or at an end of a cell.
double greatest_in(const Axis& axis, const std::vector<double>& line, double begin, double end) {
  double most = std::max(at(axis, line, begin).first, at(axis, line, end).first);
  for (std::size_t i = 0; i < axis.cells.size(); ++i) {
    const AxisCell& cell = axis.cells[i];
    const double low = std::max(begin, cell.low);
    const double high = std::min(end, cell.high);
    if (cell.is_point() ? low > high : low >= high) continue;
    for (const double value : {low, high}) {
      const bool flat = cell.is_point() || !cell.is_bounded();
      const double share = flat ? 0 : (value - cell.low) / cell.width();
      most = std::max(most, (1 - share) * line[2 * i] + share * line[2 * i + 1]);
    }
  }
  return most;
}

TEST(Reach, IsABoundOfTheGreatestValueInTheWindow) {
  Random random(3);
  for (const auto& [low, high] : {std::pair(-1.0, 1.0), std::pair(0.3, 0.3), std::pair(-0.1, 2.5),
                                  std::pair(-kInfinity, 0.5)}) {
    for (const double factor : {1.0, -1.0, 0.5}) {
      const Axis to = some_axis(random);
      const Axis from = some_axis(random);
      const std::vector<std::vector<double>> lines = {some_line(to, random)};
      const Reach reach(from, to, {.factor = factor, .low = low, .high = high});
      Moved moved(from.cells.size());
      std::vector<std::vector<double>> upper = {std::vector<double>(2 * from.cells.size())};
      std::vector<std::vector<double>> lower = upper;
      reach.apply(Side::Upper, lines, upper, moved);
      reach.apply(Side::Lower, lines, lower, moved);
      for (const double value : some_values(from)) {
        const double begin = std::max(factor * value + low, -20.0);
        const double end = factor * value + high;
        const double most = greatest_in(to, lines[0], begin, end);
        SCOPED_TRACE(fmt::format("{} .. {} * {}", low, high, factor));
        EXPECT_GE(at(from, upper[0], value).second, most - 1e-9) << value;
        // At a node that belongs to two cells, the bounds of both hold.
        const double either =
            std::max(at(to, lines[0], begin).second, at(to, lines[0], end).second);
        EXPECT_LE(at(from, lower[0], value).first, std::max(most, either) + 1e-9) << value;
      }
    }
  }
}

}  // namespace
}  // namespace poise::verify
