#include "poise/verify/mission/line_maps.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "poise/base/check.h"
#include "poise/chance/quadrature.h"

namespace poise::verify {

using chance::Law;

namespace {

// The least and the greatest density of a law between two values. It is monotonous between its
// kinks and 0, and may jump at kinks.
std::pair<double, double> densities(const Law& law, double low, double high) {
  double least = kInfinity;
  double most = 0;
  const auto look = [&](double at) {
    const double density = law.density(at);
    least = std::min(least, density);
    most = std::max(most, density);
  };
  look(std::nextafter(low, high));
  look(std::nextafter(high, low));
  const auto look_around = [&](double kink) {
    if (!(kink > low && kink < high)) return;
    look(std::nextafter(kink, -kInfinity));
    look(kink);
    look(std::nextafter(kink, kInfinity));
  };
  for (const double kink : law.kinks()) look_around(kink);
  look_around(0);
  return {least, most};
}

// How far P(error < t) may be from a straight line while t goes from low to high. A function with
// slopes between m and M is nowhere farther than width * (M - m) / 4 from its chord, and one that
// only rises is nowhere farther than it rises.
double bend_of_mass(const Law& law, double low, double high) {
  const double mass = law.mass(low, high);
  if (mass == 0) return 0;
  const auto [least, most] = densities(law, low, high);
  return std::min(mass, (high - low) * (most - least) / 4);
}

// The mean of an error that is between two values.
double mean_between(const Law& law, const std::vector<double>& panels, double low, double high) {
  static const chance::GaussLegendre rule(6);
  double mass = 0;
  double moment = 0;
  const auto add = [&](double from, double to) {
    mass += rule.integral([&](double at) { return law.density(at); }, from, to);
    moment += rule.integral([&](double at) { return law.density(at) * (at - low); }, from, to);
  };
  double from = low;
  for (auto panel = std::ranges::upper_bound(panels, low); panel != panels.end(); ++panel) {
    if (*panel >= high) break;
    add(from, *panel);
    from = *panel;
  }
  add(from, high);
  return mass > 0 ? std::clamp(low + moment / mass, low, high) : (low + high) / 2;
}

}  // namespace

// A lower bound must not be negative anywhere, and there is no straight line with an end below 0
// that could be kept in part.
void move_ends(Side side, double by, double& low, double& high, double& moved) {
  if (by > 0) moved = std::max(moved, by);
  if (side == Side::Upper) {
    low += by;
    high += by;
    if (low > 1 && high > 1) low = high = 1;
    return;
  }
  low -= by;
  high -= by;
  if (low >= 0 && high >= 0) return;
  moved = std::max({moved, low, high});
  low = high = 0;
}

// ---- Factor ----

Factor::Factor(const Axis& axis, const Law& error, const Reading& reading) {
  for (const AxisCell& cell : axis.cells) {
    if (!cell.is_bounded()) {
      add_beyond(cell, error, reading);
      continue;
    }
    const double low = error.mass(reading.low - cell.low, reading.high - cell.low);
    const double high = error.mass(reading.low - cell.high, reading.high - cell.high);
    double bend = 0;
    if (!cell.is_point()) {
      for (const double end : {reading.low, reading.high}) {
        if (std::isfinite(end)) bend += bend_of_mass(error, end - cell.high, end - cell.low);
      }
    }
    moved_.push_back(0);
    for (const Side side : {Side::Upper, Side::Lower}) {
      double at_low = low;
      double at_high = high;
      move_ends(side, bend, at_low, at_high, moved_.back());
      std::vector<double>& line = side == Side::Upper ? upper_ : lower_;
      line.insert(line.end(), {at_low, at_high});
    }
  }
}

// Towards infinity, a reading without a far end only gets likelier, and one with it gets out of
// reach.
void Factor::add_beyond(const AxisCell& cell, const Law& error, const Reading& reading) {
  const bool above = std::isfinite(cell.low);
  const double border = above ? cell.low : cell.high;
  const bool no_far_end = above ? reading.high == kInfinity : reading.low == -kInfinity;
  const bool out_of_reach =
      above ? border + error.low() > reading.high : border + error.high() < reading.low;
  const double upper = out_of_reach ? 0 : 1;
  const double lower = no_far_end ? error.mass(reading.low - border, reading.high - border) : 0;
  upper_.insert(upper_.end(), {upper, upper});
  lower_.insert(lower_.end(), {lower, lower});
  moved_.push_back(0);
}

// The product of two straight lines is above or below its chord by at most a quarter of the product
// of what they rise.
void Factor::multiply(Side side, std::span<double> line, Moved& moved) const {
  const std::vector<double>& factor = side == Side::Upper ? upper_ : lower_;
  for (std::size_t i = 0; i < factor.size(); i += 2) {
    const double bend = (factor[i + 1] - factor[i]) * (line[i + 1] - line[i]) / 4;
    moved[i / 2] = std::max(moved[i / 2], moved_[i / 2] * std::max(line[i], line[i + 1]));
    line[i] *= factor[i];
    line[i + 1] *= factor[i + 1];
    move_ends(side, std::max(0.0, side == Side::Upper ? -bend : bend), line[i], line[i + 1],
              moved[i / 2]);
  }
}

// ---- Blur ----

Blur::Blur(const Axis& from, const Axis& to, const Law& law, double factor, double shift)
    : from_(from.cells), to_(to.cells), nodes_(nodes_of(to)) {
  POISE_CHECK(factor != 0 && !law.is_point());
  std::size_t interval = 0;
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    ends_at_.push_back(interval);
    interval += to_[interval + 1].is_point() ? std::size_t{2} : std::size_t{1};
    begins_at_.push_back(interval);
  }
  const std::vector<double> panels = law.panels();
  const std::vector<double> rows = nodes_of(from);
  for (const double at : rows) {
    rows_.push_back(weights_.size());
    add_weights(law, panels, factor, at + shift);
  }
  rows_.push_back(weights_.size());
  const double least = std::min(factor * law.low(), factor * law.high()) + shift;
  const double most = std::max(factor * law.low(), factor * law.high()) + shift;
  std::size_t row = 0;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const AxisCell& cell = from_[i];
    bend_rows_.push_back(bends_.size());
    while (row + 1 < rows.size() && rows[row + 1] <= cell.low) ++row;
    low_row_.push_back(row);
    high_row_.push_back(cell.is_point() || i == 0 ? row : std::min(row + 1, rows.size() - 1));
    if (!cell.is_bounded()) {
      Beyond beyond{.cell = i, .first = 0, .last = to_.size() - 1};
      while (to_[beyond.first].high < cell.low + least) ++beyond.first;
      while (to_[beyond.last].low > cell.high + most) --beyond.last;
      beyond_.push_back(beyond);
    } else if (!cell.is_point()) {
      add_bends(law, factor, shift, cell);
    }
  }
  bend_rows_.push_back(bends_.size());
}

// The part of the mass that comes to each cell counts for its two ends as its mean divides them.
void Blur::add_weights(const Law& law, const std::vector<double>& panels, double factor,
                       double middle) {
  const double least = middle + std::min(factor * law.low(), factor * law.high());
  const double most = middle + std::max(factor * law.low(), factor * law.high());
  const auto first = std::ranges::lower_bound(to_, least, {}, &AxisCell::high);
  for (auto i = static_cast<std::size_t>(first - to_.begin()); i < to_.size(); ++i) {
    const AxisCell& cell = to_[i];
    if (cell.low > most) break;
    if (cell.is_point()) continue;
    double low = (cell.low - middle) / factor;
    double high = (cell.high - middle) / factor;
    if (low > high) std::swap(low, high);
    low = std::max(low, law.low());
    high = std::min(high, law.high());
    if (!(low < high)) continue;
    const double mass = law.mass(low, high);
    if (mass == 0) continue;
    double share = 0;
    if (cell.is_bounded()) {
      const double mean = middle + factor * mean_between(law, panels, low, high);
      share = std::clamp((mean - cell.low) / cell.width(), 0.0, 1.0);
    }
    weights_.push_back({2 * i, mass * (1 - share)});
    weights_.push_back({2 * i + 1, mass * share});
  }
}

// A jump by J at a node adds J P(z > node), whose slope is the density there; a change of the slope
// by s adds s E max(0, z - node), whose slope is s P(z > node).
void Blur::add_bends(const Law& law, double factor, double shift, const AxisCell& cell) {
  const double least = cell.low + shift + std::min(factor * law.low(), factor * law.high());
  const double most = cell.high + shift + std::max(factor * law.low(), factor * law.high());
  const auto first = std::ranges::lower_bound(nodes_, least);
  for (auto node = static_cast<std::size_t>(first - nodes_.begin()); node < nodes_.size(); ++node) {
    if (nodes_[node] > most) break;
    double low = (nodes_[node] - shift - cell.low) / factor;
    double high = (nodes_[node] - shift - cell.high) / factor;
    if (low > high) std::swap(low, high);
    const double mass = law.mass(low, high);
    if (mass == 0) continue;
    bends_.push_back({node, bend_of_mass(law, low, high), cell.width() * mass / 4});
  }
}

void Blur::apply(Side side, std::span<const double> line, std::span<double> result,
                 Moved& moved) const {
  std::vector<double> values(rows_.size() - 1);
  for (std::size_t row = 0; row + 1 < rows_.size(); ++row) {
    for (std::size_t i = rows_[row]; i < rows_[row + 1]; ++i) {
      values[row] += weights_[i].weight * line[weights_[i].at];
    }
  }
  const auto slope = [&](std::size_t cell) {
    if (!to_[cell].is_bounded()) return 0.0;
    return (line[2 * cell + 1] - line[2 * cell]) / to_[cell].width();
  };
  std::vector<double> jumps(nodes_.size());
  std::vector<double> slopes(nodes_.size());
  for (std::size_t node = 0; node < nodes_.size(); ++node) {
    jumps[node] = std::abs(line[2 * begins_at_[node]] - line[2 * ends_at_[node] + 1]);
    // Where it bends down, the result is above its chord, and else below.
    const double change = slope(begins_at_[node]) - slope(ends_at_[node]);
    slopes[node] = std::max(0.0, side == Side::Upper ? -change : change);
  }
  for (std::size_t i = 0; i < from_.size(); ++i) {
    result[2 * i] = values[low_row_[i]];
    result[2 * i + 1] = values[high_row_[i]];
    double bend = 0;
    for (std::size_t j = bend_rows_[i]; j < bend_rows_[i + 1]; ++j) {
      bend +=
          bends_[j].of_jump * jumps[bends_[j].node] + bends_[j].of_slope * slopes[bends_[j].node];
    }
    move_ends(side, bend, result[2 * i], result[2 * i + 1], moved[i]);
  }
  for (const Beyond& beyond : beyond_) {
    const std::span<const double> reached =
        line.subspan(2 * beyond.first, 2 * (beyond.last - beyond.first + 1));
    const double value =
        side == Side::Upper ? std::ranges::max(reached) : std::ranges::min(reached);
    result[2 * beyond.cell] = result[2 * beyond.cell + 1] = value;
  }
}

// ---- Reach ----

Reach::Reach(const Axis& from, const Axis& to, Window window, Chooser chooser)
    : from_(from.cells), to_(to), nodes_(nodes_of(to)), window_(window), chooser_(chooser) {
  POISE_CHECK(window.factor != 0);
  // Of whole numbers, those beyond an open end are half a step away from it.
  if (to.whole && window.low_open) window_.low += 0.5;
  if (to.whole && window.high_open) window_.high -= 0.5;
  for (const AxisCell& cell : from_) pieces_.push_back(pieces_of(cell));
}

std::size_t Reach::size() const {
  std::size_t size = 0;
  for (const std::vector<Piece>& pieces : pieces_) {
    for (const Piece& piece : pieces) {
      size += 4 + (piece.last > piece.first ? piece.last - piece.first : 0);
    }
  }
  return size;
}

std::vector<Reach::Piece> Reach::pieces_of(const AxisCell& cell) const {
  if (!cell.is_bounded()) return {beyond_piece(cell)};
  if (cell.is_point()) return {exact_piece(cell.low, 0)};
  std::vector<double> breaks = {cell.low};
  for (const double end : {window_.low, window_.high}) {
    if (!std::isfinite(end)) continue;
    for (const double node : nodes_) {
      const double at = (node - end) / window_.factor;
      if (at > cell.low && at < cell.high && !is_same(at, cell.low) && !is_same(at, cell.high)) {
        breaks.push_back(at);
      }
    }
  }
  breaks.push_back(cell.high);
  std::ranges::sort(breaks);
  breaks.erase(std::unique(breaks.begin(), breaks.end(), is_same), breaks.end());
  std::vector<Piece> pieces;
  for (std::size_t i = 0; i < breaks.size(); ++i) {
    const bool out = (i == 0 && cell.low_open) || (i + 1 == breaks.size() && cell.high_open);
    if (!out) pieces.push_back(exact_piece(breaks[i], (breaks[i] - cell.low) / cell.width()));
    if (i + 1 < breaks.size()) pieces.push_back(open_piece(cell, breaks[i], breaks[i + 1]));
  }
  return pieces;
}

// The node that the value stands for, or the value.
double Reach::snapped(double value) const {
  const auto next = std::ranges::lower_bound(nodes_, value);
  if (next != nodes_.end() && is_same(*next, value)) return *next;
  if (next != nodes_.begin() && is_same(*std::prev(next), value)) return *std::prev(next);
  return value;
}

std::optional<std::size_t> Reach::cell_with(double value) const {
  auto cell = std::ranges::upper_bound(to_.cells, value, {}, &AxisCell::low);
  // The last cell that begins at the value or below it; a single value comes before the interval
  // that begins with it.
  for (int tries = 0; tries < 3 && cell != to_.cells.begin(); ++tries) {
    --cell;
    const bool inside = value > cell->low && value < cell->high;
    const bool at_low = value == cell->low && (cell->is_point() || !cell->low_open);
    const bool at_high = value == cell->high && !cell->high_open;
    if (inside || at_low || at_high) return static_cast<std::size_t>(cell - to_.cells.begin());
  }
  return std::nullopt;
}

// From the high end of the cell in which the window begins to the low end of that in which it ends.
void Reach::set_between(Piece& piece, double low, double high) const {
  const auto& cells = to_.cells;
  if (piece.low && piece.high && piece.low->cell == piece.high->cell) return;
  if (piece.low) {
    piece.first = 2 * piece.low->cell + 1;
  } else {
    const auto first = std::ranges::lower_bound(cells, low, {}, &AxisCell::low);
    piece.first = 2 * static_cast<std::size_t>(first - cells.begin());
  }
  if (piece.high) {
    piece.last = 2 * piece.high->cell + 1;
  } else {
    const auto last = std::ranges::upper_bound(cells, high, {}, &AxisCell::high);
    piece.last = 2 * static_cast<std::size_t>(last - cells.begin());
  }
}

Reach::Piece Reach::exact_piece(double x, double where) const {
  Piece piece{.begin = where, .end = where, .low = {}, .high = {}};
  const auto at = [&](double value) -> std::optional<At> {
    if (!std::isfinite(value)) return std::nullopt;
    const std::optional<std::size_t> cell = cell_with(value);
    if (!cell) return std::nullopt;
    const double place = place_in(to_.cells[*cell], value);
    return At{*cell, place, place};
  };
  const double low = snapped(window_.factor * x + window_.low);
  const double high = snapped(window_.factor * x + window_.high);
  piece.low = at(low);
  piece.high = at(high);
  set_between(piece, low, high);
  return piece;
}

Reach::Piece Reach::open_piece(const AxisCell& cell, double begin, double end) const {
  Piece piece{.begin = (begin - cell.low) / cell.width(),
              .end = (end - cell.low) / cell.width(),
              .low = {},
              .high = {}};
  const double middle = window_.factor * ((begin + end) / 2);
  const auto at = [&](double offset) -> std::optional<At> {
    if (!std::isfinite(offset)) return std::nullopt;
    const std::optional<std::size_t> found = cell_with(middle + offset);
    if (!found) return std::nullopt;
    return At{*found, place_in(to_.cells[*found], window_.factor * begin + offset),
              place_in(to_.cells[*found], window_.factor * end + offset)};
  };
  piece.low = at(window_.low);
  piece.high = at(window_.high);
  set_between(piece, middle + window_.low, middle + window_.high);
  return piece;
}

// All that may be reached from anywhere in a cell without an end.
Reach::Piece Reach::beyond_piece(const AxisCell& cell) const {
  const double a = window_.factor * cell.low;
  const double b = window_.factor * cell.high;
  const double low = std::min(a, b) + window_.low;
  const double high = std::max(a, b) + window_.high;
  Piece piece;
  std::size_t first = 0;
  std::size_t last = to_.cells.size();
  while (to_.cells[first].high < low) ++first;
  while (to_.cells[last - 1].low > high) --last;
  piece.first = 2 * first;
  piece.last = 2 * last;
  return piece;
}

double Reach::place_in(const AxisCell& cell, double value) {
  if (cell.is_point() || !cell.is_bounded()) return 0;
  return std::clamp((value - cell.low) / cell.width(), 0.0, 1.0);
}

namespace {

double value_at(std::span<const double> line, std::size_t cell, double where) {
  return (1 - where) * line[2 * cell] + where * line[2 * cell + 1];
}

// A value in a cell of a result, and where it is.
struct Sample {
  double where;
  double value;
};

// The straight line from the first to the last of the open pieces, moved until all are on one side.
// Across a jump that would be far beyond all values; there, the greatest or least of them is
// better.
void set_cell(Side side, std::span<const Sample> samples, double first, double last, double& low,
              double& high, double& moved) {
  low = first;
  high = last;
  double by = 0;
  for (const Sample& sample : samples) {
    const double off = sample.value - ((1 - sample.where) * first + sample.where * last);
    by = std::max(by, side == Side::Upper ? off : -off);
  }
  if (by > std::abs(last - first) / 4) {
    const auto [least, most] = std::ranges::minmax(samples, {}, &Sample::value);
    low = high = side == Side::Upper ? most.value : least.value;
    moved = std::max(moved, by);
    return;
  }
  move_ends(side, by, low, high, moved);
}

}  // namespace

// Between two neighbouring breaks, the greatest value is the greatest of three straight lines: the
// values at both ends of the window, and the greatest value between them. That is convex, so the
// chord is above it. The least value is likewise concave.
void Reach::apply_extreme(Side side, std::span<const double> line, std::span<double> result,
                          Moved& moved) const {
  const auto further = [&](double a, double b) {
    return side == Side::Upper ? std::max(a, b) : std::min(a, b);
  };
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    samples.clear();
    std::optional<double> first;
    double last = 0;
    for (const Piece& piece : pieces_[i]) {
      std::optional<std::pair<double, double>> found;
      const auto consider = [&](double begin, double end) {
        if (!found) found = {begin, end};
        found = {further(found->first, begin), further(found->second, end)};
      };
      for (const std::optional<At>& at : {piece.low, piece.high}) {
        if (!at) continue;
        consider(value_at(line, at->cell, at->begin), value_at(line, at->cell, at->end));
      }
      for (std::size_t site = piece.first; site < piece.last; ++site) {
        consider(line[site], line[site]);
      }
      const auto [begin, end] = found.value_or(std::pair(0.0, 0.0));
      samples.push_back({piece.begin, begin});
      samples.push_back({piece.end, end});
      if (piece.begin < piece.end || pieces_[i].size() == 1) {
        if (!first) first = begin;
        last = end;
      }
    }
    set_cell(side, samples, *first, last, result[2 * i], result[2 * i + 1], moved[i]);
  }
}

// For the sum of all lines: the end of the window, or the value between its ends, that is best in
// the middle of the piece.
Reach::Choice Reach::best(const Piece& piece, std::span<const double> sums) const {
  Choice choice;
  double most = -kInfinity;
  const auto consider = [&](const std::optional<At>& at, bool open) {
    if (!at || (open && to_.cells[at->cell].is_point())) return;
    const double value = value_at(sums, at->cell, at->begin) + value_at(sums, at->cell, at->end);
    if (value <= most) return;
    most = value;
    choice.at = &*at;
  };
  consider(piece.low, window_.low_open && window_.low != window_.high);
  consider(piece.high, window_.high_open && window_.low != window_.high);
  for (std::size_t site = piece.first; site < piece.last; ++site) {
    if (2 * sums[site] <= most) continue;
    most = 2 * sums[site];
    choice.at = nullptr;
    choice.site = site;
  }
  return choice;
}

void Reach::apply_lower(std::span<const std::vector<double>> lines,
                        std::span<std::vector<double>> results, Moved& moved) const {
  std::vector<double> sums(lines.front().size());
  for (const std::vector<double>& line : lines) {
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += line[i];
  }
  std::vector<Choice> choices;
  std::vector<Sample> samples;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    if (!from_[i].is_bounded()) continue;
    choices.clear();
    for (const Piece& piece : pieces_[i]) choices.push_back(best(piece, sums));
    for (std::size_t which = 0; which < lines.size(); ++which) {
      const std::vector<double>& line = lines[which];
      samples.clear();
      std::optional<double> first;
      double last = 0;
      for (std::size_t j = 0; j < choices.size(); ++j) {
        const Piece& piece = pieces_[i][j];
        double begin = 0;
        double end = 0;
        if (const At* at = choices[j].at) {
          begin = value_at(line, at->cell, at->begin);
          end = value_at(line, at->cell, at->end);
        } else if (choices[j].site) {
          begin = end = line[*choices[j].site];
        }
        samples.push_back({piece.begin, begin});
        samples.push_back({piece.end, end});
        if (piece.begin < piece.end || choices.size() == 1) {
          if (!first) first = begin;
          last = end;
        }
      }
      set_cell(Side::Lower, samples, *first, last, results[which][2 * i], results[which][2 * i + 1],
               moved[i]);
    }
  }
}

// At least what is least where one may come to. Whole numbers between which a window may lie are
// not looked at.
void Reach::set_least_beyond(std::span<const std::vector<double>> lines,
                             std::span<std::vector<double>> results) const {
  for (std::size_t i = 0; i < from_.size(); ++i) {
    if (from_[i].is_bounded()) continue;
    const Piece& piece = pieces_[i].front();
    for (std::size_t which = 0; which < lines.size(); ++which) {
      const std::span<const double> reached =
          std::span(lines[which]).subspan(piece.first, piece.last - piece.first);
      const double least = to_.whole || reached.empty() ? 0 : std::ranges::min(reached);
      results[which][2 * i] = results[which][2 * i + 1] = least;
    }
  }
}

void Reach::apply(Side side, std::span<const std::vector<double>> lines,
                  std::span<std::vector<double>> results, Moved& moved) const {
  if (side == Side::Lower && chooser_ == Chooser::Adversary) {
    apply_lower(lines, results, moved);
    return set_least_beyond(lines, results);
  }
  for (std::size_t i = 0; i < lines.size(); ++i) apply_extreme(side, lines[i], results[i], moved);
}

}  // namespace poise::verify
