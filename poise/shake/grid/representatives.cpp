#include "poise/shake/grid/representatives.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "poise/base/check.h"

namespace poise::shake {

namespace {

using model::Shape;

// Why a value is taken; the smaller, the more important.
enum class Reason { End, Constant, Neighbour, Crossing, Corner };
using Forced = std::map<Rational, Reason>;

Integer rounded(double number) {
  if (std::abs(number) < 9e18) return std::llround(number);
  const Integer digits = Integer::from_digits(fmt::format("{:.0f}", std::abs(number)));
  return number < 0 ? -digits : digits;
}

// The places for values: low + k * step. A number without a step gets one: a thousandth of its
// range; on a logarithmic scale, a thousandth of the power of ten below the value.
class Steps {
 public:
  explicit Steps(const model::Variable& variable, std::size_t most)
      : low_(variable.type.low),
        high_(variable.type.high),
        whole_(variable.type.kind == model::TypeKind::Int || variable.step.has_value()),
        log_(variable.log_scale && low_.sign() > 0) {
    const Rational range = high_ - low_;
    step_ = variable.step.value_or(whole_ ? Rational(1)
                                          : range / Rational(most > 500 ? 1'000'000 : 1000));
    if (step_.sign() <= 0) step_ = 1;
    if (whole_) high_ = low_ + Rational(((high_ - low_) / step_).floor()) * step_;
  }

  [[nodiscard]] const Rational& low() const { return low_; }
  [[nodiscard]] const Rational& high() const { return high_; }
  [[nodiscard]] bool log() const { return log_; }

  [[nodiscard]] bool may_be(const Rational& x) const {
    if (x < low_ || x > high_) return false;
    return whole_ ? ((x - low_) / step_).is_integer() : x.is_decimal();
  }
  [[nodiscard]] Rational step_at(const Rational& x) const { return step_at(to_double(x)); }
  [[nodiscard]] Rational step_at(double x) const {
    if (whole_ || !log_) return step_;
    const auto power = static_cast<std::int64_t>(std::floor(std::log10(x))) - 2;
    const Integer ten = Integer::power(10, static_cast<std::uint32_t>(std::abs(power)));
    return power < 0 ? Rational(1, ten) : Rational(ten);
  }
  // The last place up to x, and the first one from x on, not necessarily within the range.
  [[nodiscard]] Rational before(const Rational& x) const {
    const Rational step = step_at(x);
    return low_ + Rational(((x - low_) / step).floor()) * step;
  }
  [[nodiscard]] Rational behind(const Rational& x) const {
    const Rational step = step_at(x);
    return low_ + Rational(((x - low_) / step).ceil()) * step;
  }
  [[nodiscard]] Rational nearest(const Rational& x) const {
    const Rational left = before(x);
    const Rational right = behind(x);
    return x - left <= right - x ? left : right;
  }

  [[nodiscard]] double on_scale(const Rational& x) const {
    return log_ ? std::log(to_double(x)) : to_double(x);
  }

  // `count` places strictly between two, as evenly as the steps allow; fewer if there are fewer.
  [[nodiscard]] std::vector<Rational> between(const Rational& from, const Rational& to,
                                              std::size_t count) const {
    const double begin = on_scale(from);
    const double width = on_scale(to) - begin;
    std::vector<Rational> values;
    for (std::size_t i = 1; i <= count; ++i) {
      const double at = begin + width * static_cast<double>(i) / static_cast<double>(count + 1);
      const double x = log_ ? std::exp(at) : at;
      const Rational previous = values.empty() ? from : values.back();
      const Rational step = step_at(x);
      const Rational origin = whole_ || !log_ ? low_ : Rational(0);  // there, round numbers
      Rational value = origin + Rational(rounded((x - to_double(origin)) / to_double(step))) * step;
      // Leaves room for the values that follow, and is at least a step from the one before.
      const Rational last = to - Rational(static_cast<std::int64_t>(count - i + 1)) * step;
      if (value > last && whole_) value = last;
      if (value <= previous) value = whole_ ? previous + step : behind_strictly(previous);
      if (value > previous && value < to) values.push_back(value);
    }
    return values;
  }
  // How many places there are strictly between two.
  [[nodiscard]] std::size_t room(const Rational& from, const Rational& to) const {
    if (!whole_) return kMostValues;
    const Integer first = ((from - low_) / step_).floor();
    const Integer last = ((to - low_) / step_).ceil();
    const Integer count = last - first - Integer(1);
    if (count.sign() <= 0) return 0;
    if (!count.fits_int64()) return kMostValues;
    return std::min(kMostValues, static_cast<std::size_t>(count.to_int64()));
  }

 private:
  [[nodiscard]] Rational behind_strictly(const Rational& x) const {
    const Rational behind = this->behind(x);
    return behind > x ? behind : behind + step_at(x);
  }

  Rational low_;
  Rational high_;
  bool whole_;
  bool log_;
  Rational step_;
};

std::vector<Rational> corners(const Shape& shape) {
  if (shape.kind != Shape::Kind::Table) return shape.points;
  std::vector<Rational> xs;
  for (std::size_t i = 0; i < shape.points.size(); i += 2) xs.push_back(shape.points[i]);
  return xs;
}

// Where two terms fit equally well, with a degree above 0. Between corners both are straight lines.
std::vector<Rational> crossings(const Shape& a, const Shape& b) {
  std::vector<Rational> breaks = corners(a);
  for (const Rational& x : corners(b)) breaks.push_back(x);
  std::ranges::sort(breaks);
  std::vector<Rational> found;
  for (std::size_t i = 0; i + 1 < breaks.size(); ++i) {
    const Rational width = breaks[i + 1] - breaks[i];
    if (width.sign() <= 0) continue;
    const Rational left = breaks[i] + width / 3;
    const Rational right = breaks[i + 1] - width / 3;
    const Rational at_left = degree(a, left) - degree(b, left);
    const Rational at_right = degree(a, right) - degree(b, right);
    if (at_left == at_right) continue;
    const Rational x = left - at_left * (right - left) / (at_right - at_left);
    if (x < breaks[i] || x > breaks[i + 1]) continue;
    const Rational slope = (degree(a, right) - degree(a, left)) / (right - left);
    if ((degree(a, left) + slope * (x - left)).sign() > 0) found.push_back(x);
  }
  return found;
}

// Terms in the order of their middles: a number that moves goes from one to a neighbour.
std::vector<const model::Term*> in_order(const std::vector<model::Term>& terms) {
  std::vector<std::pair<Rational, const model::Term*>> middles;
  for (const model::Term& term : terms) {
    const std::vector<Rational> xs = corners(term.shape);
    if (xs.empty()) continue;
    Rational sum = 0;
    for (const Rational& x : xs) sum = sum + x;
    middles.emplace_back(sum / Rational(static_cast<std::int64_t>(xs.size())), &term);
  }
  std::ranges::stable_sort(middles, {}, [](const auto& middle) { return middle.first; });
  std::vector<const model::Term*> order;
  for (const auto& [middle, term] : middles) order.push_back(term);
  return order;
}

Forced forced_values(const model::Variable& variable, const Constants& constants,
                     const Steps& steps) {
  Forced forced;
  const auto add = [&](const Rational& x, Reason reason) {
    if (steps.may_be(x)) {
      const auto [place, fresh] = forced.emplace(x, reason);
      if (!fresh) place->second = std::min(place->second, reason);
    }
  };
  // A number that lies between two places is represented by both.
  const auto add_around = [&](const Rational& x, Reason reason) {
    if (x < steps.low() || x > steps.high()) return;
    if (steps.may_be(x)) {
      add(x, reason);
    } else {
      add(steps.before(x), reason);
      add(steps.behind(x), reason);
    }
  };
  forced[steps.low()] = Reason::End;
  forced[steps.high()] = Reason::End;
  for (const auto& [constant, cut] : constants) {
    add_around(constant, Reason::Constant);
    if (constant < steps.low() || constant > steps.high() || !steps.may_be(constant)) continue;
    add(constant - steps.step_at(constant), Reason::Neighbour);
    add(constant + steps.step_at(constant), Reason::Neighbour);
  }
  const std::vector<const model::Term*> order = in_order(variable.terms);
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (const Rational& x : corners(order[i]->shape)) {
      if (x < steps.low() || x > steps.high()) continue;
      add(steps.may_be(x) ? x : steps.nearest(x), Reason::Corner);
    }
    if (i + 1 == order.size()) break;
    for (const Rational& x : crossings(order[i]->shape, order[i + 1]->shape)) {
      add_around(x, Reason::Crossing);
    }
  }
  return forced;
}

void thin_out(Forced& forced) {
  std::size_t room = kMostForced;
  for (const Reason reason :
       {Reason::End, Reason::Constant, Reason::Neighbour, Reason::Crossing, Reason::Corner}) {
    std::vector<Rational> values;
    for (const auto& [value, why] : forced) {
      if (why == reason) values.push_back(value);
    }
    const std::size_t kept = std::min(room, values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      // `kept` of them stay, evenly: the i-th does if i * kept / size reaches the next whole
      // number.
      const bool stays = (i + 1) * kept / values.size() > i * kept / values.size();
      if (!stays) forced.erase(values[i]);
    }
    room -= kept;
  }
}

std::vector<Rational> filled(const Forced& forced, const Steps& steps, std::size_t most) {
  std::vector<Rational> values;
  for (const auto& [value, reason] : forced) values.push_back(value);
  if (values.size() >= most || values.size() < 2) return values;
  struct Gap {
    double width;
    std::size_t room;
    std::size_t taken = 0;
    [[nodiscard]] double left() const {
      return taken < room ? width / static_cast<double>(taken + 1) : -1;
    }
  };
  std::vector<Gap> gaps;
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    gaps.push_back({.width = steps.on_scale(values[i + 1]) - steps.on_scale(values[i]),
                    .room = steps.room(values[i], values[i + 1])});
  }
  // The next value goes where the distance between neighbours is greatest.
  for (std::size_t left = most - values.size(); left > 0; --left) {
    Gap& widest = *std::ranges::max_element(gaps, {}, &Gap::left);
    if (widest.left() < 0) break;
    ++widest.taken;
  }
  std::vector<Rational> all;
  for (std::size_t i = 0; i < values.size(); ++i) {
    all.push_back(values[i]);
    if (i == gaps.size()) break;
    for (Rational& value : steps.between(values[i], values[i + 1], gaps[i].taken)) {
      all.push_back(std::move(value));
    }
  }
  return all;
}

// ---- Cells ----

void add_term_cells(const model::Variable& variable, Representatives& result) {
  for (const model::Term& term : variable.terms) result.cell_names.push_back(term.name);
  result.cell_names.emplace_back("no term");
  for (const Rational& value : result.values) {
    std::size_t best = variable.terms.size();
    Rational most = 0;
    for (std::size_t i = 0; i < variable.terms.size(); ++i) {
      const Rational fit = degree(variable.terms[i].shape, value);
      if (fit > most) {
        most = fit;
        best = i;
      }
    }
    result.cells.push_back(static_cast<std::uint32_t>(best));
  }
}

// A place at which the range is cut: below a constant, or above it.
struct Edge {
  Rational at;
  bool above;
  [[nodiscard]] bool is_before(const Rational& x) const { return above ? at < x : at <= x; }
};

std::string cell_name(const Edge* from, const Edge* to) {
  if (from == nullptr && to == nullptr) return "any";
  if (from != nullptr && to != nullptr && from->at == to->at) return "= " + from->at.to_string();
  std::string name;
  if (from != nullptr) name = (from->above ? "> " : ">= ") + from->at.to_string();
  if (from != nullptr && to != nullptr) name += ", ";
  if (to != nullptr) name += (to->above ? "<= " : "< ") + to->at.to_string();
  return name;
}

void add_cut_cells(const Constants& constants, Representatives& result) {
  std::vector<Edge> edges;
  for (const auto& [constant, cut] : constants) {
    // A cut in front of all values, or behind them, makes no cell.
    for (const bool above : {false, true}) {
      const Edge edge{.at = constant, .above = above};
      if (!(above ? cut.above : cut.below)) continue;
      if (edge.is_before(result.values.front()) || !edge.is_before(result.values.back())) continue;
      edges.push_back(edge);
    }
  }
  for (std::size_t i = 0; i <= edges.size(); ++i) {
    result.cell_names.push_back(
        cell_name(i > 0 ? &edges[i - 1] : nullptr, i < edges.size() ? &edges[i] : nullptr));
  }
  std::uint32_t cell = 0;
  for (const Rational& value : result.values) {
    while (cell < edges.size() && edges[cell].is_before(value)) ++cell;
    result.cells.push_back(cell);
  }
}

}  // namespace

Rational degree(const Shape& shape, const Rational& x) {
  const std::vector<Rational>& p = shape.points;
  const auto trapezoid = [&](const Rational& a, const Rational& b, const Rational& c,
                             const Rational& d) -> Rational {
    if (x < a || x > d) return 0;
    if (x < b) return (x - a) / (b - a);
    return x <= c ? Rational(1) : (d - x) / (d - c);
  };
  switch (shape.kind) {
    case Shape::Kind::Trapezoid: return trapezoid(p[0], p[1], p[2], p[3]);
    case Shape::Kind::Triangle: return trapezoid(p[0], p[1], p[1], p[2]);
    case Shape::Kind::Ramp:
      if (p[0] <= p[1]) return x >= p[1] ? 1 : x <= p[0] ? 0 : (x - p[0]) / (p[1] - p[0]);
      return x <= p[1] ? 1 : x >= p[0] ? 0 : (p[0] - x) / (p[0] - p[1]);
    case Shape::Kind::Singleton: return x == p[0] ? 1 : 0;
    case Shape::Kind::Table: {
      std::size_t i = 0;
      while (i < p.size() && p[i] <= x) i += 2;
      if (i == 0) return p[1];
      if (i >= p.size()) return p.back();
      return p[i - 1] + (p[i + 1] - p[i - 1]) * (x - p[i - 2]) / (p[i] - p[i - 2]);
    }
  }
  return 0;
}

Representatives representatives(const model::Variable& variable, const Constants& constants,
                                std::size_t most) {
  most = std::clamp<std::size_t>(most, 2, kMostValues);
  const Steps steps(variable, most);
  Forced forced = forced_values(variable, constants, steps);
  if (forced.size() > kMostForced) thin_out(forced);
  Representatives result;
  result.values = filled(forced, steps, most);
  for (const Rational& value : result.values) {
    const auto found = forced.find(value);
    result.boundary.push_back(found != forced.end() && found->second != Reason::Corner);
  }
  if (variable.terms.empty()) {
    add_cut_cells(constants, result);
  } else {
    add_term_cells(variable, result);
  }
  return result;
}

}  // namespace poise::shake
