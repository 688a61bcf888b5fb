#include "poise/verify/mission/axis.h"

#include <algorithm>
#include <cmath>

#include "poise/base/check.h"

namespace poise::verify {

namespace {

constexpr double kSame = 1e-11;

void sort_apart(std::vector<double>& numbers) {
  std::ranges::sort(numbers);
  numbers.erase(std::unique(numbers.begin(), numbers.end(), is_same), numbers.end());
}

bool is_among(const std::vector<double>& sorted, double number) {
  const auto next = std::ranges::lower_bound(sorted, number);
  return (next != sorted.end() && is_same(*next, number)) ||
         (next != sorted.begin() && is_same(*std::prev(next), number));
}

}  // namespace

bool is_same(double a, double b) {
  if (!std::isfinite(a) || !std::isfinite(b)) return a == b;
  return std::abs(a - b) <= kSame * std::max({1.0, std::abs(a), std::abs(b)});
}

Axis real_axis(std::vector<double> marks, std::vector<double> nodes) {
  sort_apart(marks);
  std::erase_if(nodes, [&](double node) { return is_among(marks, node); });
  nodes.insert(nodes.end(), marks.begin(), marks.end());
  sort_apart(nodes);
  POISE_CHECK(!nodes.empty());
  Axis axis;
  AxisCell next;
  for (const double node : nodes) {
    const bool mark = is_among(marks, node);
    next.high = node;
    next.high_open = mark;
    axis.cells.push_back(next);
    if (mark) axis.cells.push_back({node, node, false, false});
    next = {.low = node, .high = kInfinity, .low_open = mark, .high_open = true};
  }
  axis.cells.push_back(next);
  return axis;
}

Axis whole_axis(double low, double high) {
  Axis axis{.whole = true, .cells = {{.high = low}}};
  for (double at = low; at <= high; at += 1) axis.cells.push_back({at, at, false, false});
  axis.cells.push_back({.low = high});
  return axis;
}

std::vector<double> nodes_of(const Axis& axis) {
  std::vector<double> nodes;
  for (const AxisCell& cell : axis.cells) {
    for (const double end : {cell.low, cell.high}) {
      if (std::isfinite(end) && (nodes.empty() || nodes.back() != end)) nodes.push_back(end);
    }
  }
  return nodes;
}

Axis cut(const Axis& axis, const std::vector<bool>& cells) {
  constexpr double kNarrowest = 1e-8;
  Axis made{.whole = axis.whole, .cells = {}};
  for (std::size_t i = 0; i < axis.cells.size(); ++i) {
    const AxisCell& cell = axis.cells[i];
    const double middle = cell.low + cell.width() / 2;
    const bool narrow = cell.width() <= kNarrowest * std::max(1.0, std::abs(middle));
    if (!cells[i] || cell.is_point() || !cell.is_bounded() || narrow) {
      made.cells.push_back(cell);
      continue;
    }
    made.cells.push_back({cell.low, middle, cell.low_open, false});
    made.cells.push_back({middle, cell.high, false, cell.high_open});
  }
  return made;
}

}  // namespace poise::verify
