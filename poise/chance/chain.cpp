#include "poise/chance/chain.h"

#include <algorithm>
#include <cmath>

#include "poise/base/check.h"
#include "poise/base/infinity.h"

namespace poise::chance {
namespace {

enum class Side { Low, High };

constexpr double kBoundRounding = 1e-9;   // of a probability
constexpr double kRowRounding = 1e-14;    // of the largest number in a row
constexpr double kLeastTrusted = 1e-290;  // below, logarithms are not trusted

struct Stretch {
  double from = -kInfinity;
  double to = kInfinity;
  [[nodiscard]] bool is_empty() const { return !(from <= to); }
};
Stretch both(const Stretch& a, const Stretch& b) {
  return {std::max(a.from, b.from), std::min(a.to, b.to)};
}
Stretch moved_by(const Stretch& range, const Chain::Move& move, double sign) {
  const double one = sign * move.factor * move.law.low();
  const double other = sign * move.factor * move.law.high();
  return {range.from + std::min(one, other), range.to + std::max(one, other)};
}

// Where constant + slope * position <= 0.
Stretch at_most_zero(double constant, double slope) {
  if (slope > 0) return {-kInfinity, -constant / slope};
  if (slope < 0) return {-constant / slope, kInfinity};
  return constant <= 0 ? Stretch{} : Stretch{1, 0};
}

// A function that is exponential between two positions.
struct Piece {
  double from;
  double to;
  double log_from;  // the logarithms of its values at both
  double log_to;
};

struct Node {
  double at;
  double log_value;
};

// One bound of V before each move, backward.
class OneBound {
 public:
  OneBound(const Chain& chain, Side side) : chain_(chain), side_(side), rows_(chain.rows) {
    find_ranges();
  }

  double probability() {
    const bool impossible = std::ranges::any_of(ranges_, &Stretch::is_empty);
    if (impossible) return 0;
    const bool chosen = std::ranges::any_of(chain_.moves, &Chain::Move::chosen);
    if (chosen && side_ == Side::Low) return 0;
    for (const Stretch& range : ranges_) {
      if (std::isinf(range.from) || std::isinf(range.to)) return side_ == Side::Low ? 0 : 1;
    }
    std::vector<Piece> later;
    for (std::size_t position = chain_.moves.size(); position > 0; --position) {
      const std::vector<Node> nodes = values_at(position, later);
      later = side_ == Side::Low ? pieces_below(nodes) : pieces_above(nodes);
      if (later.empty()) return 0;
    }
    return std::min(1.0, value(0, 0, later));
  }

 private:
  // ---- Where something can happen ----

  // The rounding of a row's numbers must not turn a bound around, so rows are moved out for the
  // upper bound and in for the lower one.
  void find_ranges() {
    std::vector<Stretch> reach = {{0, 0}};
    for (const Chain::Move& move : chain_.moves) reach.push_back(moved_by(reach.back(), move, 1));
    for (Chain::Row& row : rows_) {
      const Stretch& at = reach[row.position];
      double size = std::abs(row.constant) +
                    std::abs(row.slope) * std::max(std::abs(at.from), std::abs(at.to));
      if (row.error) {
        const Law& law = chain_.errors[*row.error];
        size += std::abs(row.factor) * std::max(std::abs(law.low()), std::abs(law.high()));
      }
      row.constant += (side_ == Side::High ? -kRowRounding : kRowRounding) * size;
    }
    ranges_.assign(chain_.moves.size() + 1, {});
    for (std::size_t i = 0; i < ranges_.size(); ++i) ranges_[i] = allowed_at(i);
    ranges_[0] = both(ranges_[0], {0, 0});
    for (std::size_t i = 1; i < ranges_.size(); ++i) {
      ranges_[i] = both(ranges_[i], moved_by(ranges_[i - 1], chain_.moves[i - 1], 1));
    }
    for (std::size_t i = ranges_.size() - 1; i > 0; --i) {
      ranges_[i - 1] = both(ranges_[i - 1], moved_by(ranges_[i], chain_.moves[i - 1], -1));
    }
  }

  // The positions for which the conditions can hold: an interval, with a probability above 0
  // inside.
  [[nodiscard]] Stretch allowed_at(std::size_t position) const {
    Stretch allowed;
    for (const Chain::Row& row : rows_) {
      if (row.position != position) continue;
      double least = row.constant;
      if (row.error) {
        const Law& law = chain_.errors[*row.error];
        least += std::min(row.factor * law.low(), row.factor * law.high());
      }
      allowed = both(allowed, at_most_zero(least, row.slope));
      if (!row.error || row.factor > 0) continue;
      // What this row demands of the error at least, another allows at most.
      for (const Chain::Row& other : rows_) {
        if (other.error != row.error || other.factor <= 0) continue;
        allowed =
            both(allowed, at_most_zero(other.constant / other.factor - row.constant / row.factor,
                                       other.slope / other.factor - row.slope / row.factor));
      }
    }
    return allowed;
  }

  // ---- Values ----

  // The probability that the conditions at this position hold. Those without an error are taken
  // into account by the ranges.
  [[nodiscard]] double gates(std::size_t position, double at) const {
    double product = 1;
    for (std::size_t error = 0; error < chain_.errors.size(); ++error) {
      Stretch allowed;
      bool here = false;
      for (const Chain::Row& row : rows_) {
        if (row.error != error || row.position != position) continue;
        here = true;
        allowed = both(allowed, at_most_zero(row.constant + row.slope * at, row.factor));
      }
      if (here) product *= chain_.errors[error].mass(allowed.from, allowed.to);
    }
    return product;
  }

  [[nodiscard]] double value(std::size_t position, double at,
                             const std::vector<Piece>& later) const {
    const double now = gates(position, at);
    if (now == 0 || position == chain_.moves.size()) return now;
    const Chain::Move& move = chain_.moves[position];
    const Stretch reach = moved_by({at, at}, move, 1);
    if (move.chosen) return now * greatest(later, reach);
    double sum = 0;
    for (const Piece& piece : later) {
      const double from = std::max(piece.from, reach.from);
      const double to = std::min(piece.to, reach.to);
      if (!(from < to)) continue;
      const double slope = slope_of(piece);
      const double middle = (from + to) / 2;
      const double one = (from - at) / move.factor;
      const double other = (to - at) / move.factor;
      const double tilted =
          move.law.tilted_mass(std::min(one, other), std::max(one, other), slope * move.factor);
      if (tilted > 0) {
        sum += std::exp(piece.log_from + slope * (middle - piece.from) + std::log(tilted));
      }
    }
    return now * sum;
  }

  [[nodiscard]] static double slope_of(const Piece& piece) {
    return (piece.log_to - piece.log_from) / (piece.to - piece.from);
  }

  [[nodiscard]] static double greatest(const std::vector<Piece>& pieces, const Stretch& within) {
    double most = 0;
    for (const Piece& piece : pieces) {
      const Stretch part = both({piece.from, piece.to}, within);
      if (part.is_empty()) continue;
      const double slope = slope_of(piece);
      const double top = slope > 0 ? part.to : part.from;
      most = std::max(most, std::exp(piece.log_from + slope * (top - piece.from)));
    }
    return most;
  }

  [[nodiscard]] std::vector<Node> values_at(std::size_t position,
                                            const std::vector<Piece>& later) const {
    const Stretch& range = ranges_[position];
    const std::size_t cells = cells_at(position);
    std::vector<Node> nodes;
    for (std::size_t i = 0; i <= cells; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(cells);
      const double at = range.from + share * (range.to - range.from);
      const double here = value(position, at, later);
      nodes.push_back({at, here > kLeastTrusted ? std::log(here) : -kInfinity});
    }
    return nodes;
  }

  // Cells of about a fifth of the narrowest law around.
  [[nodiscard]] std::size_t cells_at(std::size_t position) const {
    constexpr double kCells = 5;
    constexpr double kFewest = 32;
    constexpr double kMost = 240;
    double narrowest = kInfinity;
    const auto consider = [&](const Law& law, double factor) {
      double spread = (law.high() - law.low()) / 4;
      if (law.kind() == Law::Kind::Gauss) spread = std::min(spread, law.deviation());
      narrowest = std::min(narrowest, std::abs(factor) * spread);
    };
    for (const Chain::Move& move : chain_.moves) {
      if (!move.chosen) consider(move.law, move.factor);
    }
    for (const Chain::Row& row : rows_) {
      const bool here = row.position == position && row.error && row.slope != 0;
      if (here) consider(chain_.errors[*row.error], row.factor / row.slope);
    }
    const double width = ranges_[position].to - ranges_[position].from;
    if (!(narrowest < kInfinity)) return static_cast<std::size_t>(kFewest);
    return static_cast<std::size_t>(std::clamp(kCells * width / narrowest, kFewest, kMost));
  }

  // ---- Bounds between the nodes ----

  static std::vector<Piece> pieces_below(const std::vector<Node>& nodes) { return through(nodes); }

  // Below the exponentials through the neighbours: in each cell a peak, where that of the left
  // meets that of the right. The concave hull of nodes and peaks is the least log-concave function
  // above all of them, so that what is made of it at the next position is log-concave again.
  static std::vector<Piece> pieces_above(const std::vector<Node>& nodes) {
    std::vector<Node> hull;
    for (std::size_t i = 0; i + 1 < nodes.size(); ++i) {
      if (i == 0 || nodes[i].log_value > -kInfinity) add_to_hull(nodes[i], hull);
      for (const Node& peak : peaks_in(nodes, i)) add_to_hull(peak, hull);
    }
    add_to_hull(nodes.back(), hull);
    return through(hull);
  }

  // Upper bounds in the cell after nodes[i]: the points where they bend.
  static std::vector<Node> peaks_in(const std::vector<Node>& nodes, std::size_t i) {
    const Node& left = nodes[i];
    const Node& right = nodes[i + 1];
    const double width = right.at - left.at;
    const auto slope = [](const Node& a, const Node& b) {
      return (b.log_value - a.log_value) / (b.at - a.at);
    };
    const auto known = [&](std::size_t j) {
      return j < nodes.size() && nodes[j].log_value > -kInfinity;
    };
    const bool from_left = i > 0 && known(i - 1) && known(i);
    const bool from_right = known(i + 1) && known(i + 2);
    const double up = from_left ? slope(nodes[i - 1], left) : 0;
    const double down = from_right ? slope(right, nodes[i + 2]) : 0;
    if (from_left && from_right) {
      const double bend = up - down;
      if (bend * width < 1e-12) return {};
      const double to_peak = (right.log_value - left.log_value - down * width) / bend;
      const double reach = std::clamp(to_peak, 0.0, width);
      return {{left.at + reach,
               std::max(left.log_value + up * reach, right.log_value - down * (width - reach))}};
    }
    if (from_left) return {{right.at, left.log_value + up * width}};
    if (from_right) return {{left.at, right.log_value - down * width}};
    // So far out that no logarithm is trusted: a constant that is surely above.
    const double top = std::log(kLeastTrusted) + 1;
    const double most = std::max({left.log_value, right.log_value, top});
    return {{left.at, most}, {right.at, most}};
  }

  static void add_to_hull(const Node& node, std::vector<Node>& hull) {
    if (node.log_value == -kInfinity && !hull.empty()) return;
    while (!hull.empty()) {
      const Node& last = hull.back();
      if (last.at == node.at || last.log_value == -kInfinity) {
        if (last.log_value >= node.log_value && last.at == node.at) return;
        hull.pop_back();
        continue;
      }
      if (hull.size() < 2) break;
      const Node& before = hull[hull.size() - 2];
      const double rise = (last.log_value - before.log_value) * (node.at - before.at);
      const double needed = (node.log_value - before.log_value) * (last.at - before.at);
      if (rise >= needed) break;
      hull.pop_back();
    }
    hull.push_back(node);
  }

  static std::vector<Piece> through(const std::vector<Node>& nodes) {
    std::vector<Piece> pieces;
    for (std::size_t i = 1; i < nodes.size(); ++i) {
      const Node& a = nodes[i - 1];
      const Node& b = nodes[i];
      if (a.log_value == -kInfinity || b.log_value == -kInfinity || !(a.at < b.at)) continue;
      pieces.push_back({a.at, b.at, a.log_value, b.log_value});
    }
    return pieces;
  }

  const Chain& chain_;
  Side side_;
  std::vector<Chain::Row> rows_;
  std::vector<Stretch> ranges_;  // by position: where it can be if all conditions are to hold
};

}  // namespace

Interval bounds(const Chain& chain) {
  for (const Chain::Move& move : chain.moves) {
    POISE_CHECK(move.law.is_log_concave() && move.factor != 0);
    POISE_CHECK(move.chosen || !move.law.is_point());
  }
  const double low = OneBound(chain, Side::Low).probability();
  const double high = OneBound(chain, Side::High).probability();
  return {low * (1 - kBoundRounding), std::min(1.0, high * (1 + kBoundRounding))};
}

}  // namespace poise::chance
