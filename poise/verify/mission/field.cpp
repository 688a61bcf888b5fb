#include "poise/verify/mission/field.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "poise/base/check.h"

namespace poise::verify {

namespace {

std::size_t corners_of(const Workshop& shop, std::size_t axis) {
  return 2 * shop.axis(axis).cells.size();
}

constexpr std::size_t kCostOfCorner = 8;  // it is copied there and back

// Whether a field with these axes may be made.
bool has_room(Workshop& shop, std::span<const std::size_t> axes) {
  std::size_t count = 1;
  bool fits = true;
  for (const std::size_t axis : axes) {
    count *= corners_of(shop, axis);
    fits = fits && count <= shop.most_corners;
  }
  fits = fits && shop.work <= shop.most_work && !shop.is_over();
  if (!fits) shop.gave_up = true;
  if (fits) shop.work += kCostOfCorner * count;
  return fits;
}

Field anything() { return {.axes = {}, .upper = {1}, .lower = {0}}; }

// Where the corners of a field are.
class Layout {
 public:
  Layout(const Workshop& shop, std::vector<std::size_t> axes) : axes_(std::move(axes)) {
    strides_.resize(axes_.size());
    for (std::size_t i = axes_.size(); i-- > 0;) {
      strides_[i] = size_;
      sizes_.insert(sizes_.begin(), corners_of(shop, axes_[i]));
      size_ *= sizes_.front();
    }
  }

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] std::size_t stride(std::size_t place) const { return strides_[place]; }
  [[nodiscard]] std::size_t length(std::size_t place) const { return sizes_[place]; }

  // Calls back for each cell of all axes but the one at `without`: with the number of the cell on
  // each axis, and where its corners are.
  template <class Function>
  void for_each_cell(std::optional<std::size_t> without, const Function& function) const {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
      if (i != without) places.push_back(i);
    }
    std::vector<std::size_t> cell(axes_.size());
    std::vector<std::size_t> corners(std::size_t{1} << places.size());
    while (true) {
      for (std::size_t corner = 0; corner < corners.size(); ++corner) {
        corners[corner] = 0;
        for (std::size_t j = 0; j < places.size(); ++j) {
          const std::size_t at = 2 * cell[places[j]] + ((corner >> j) & 1U);
          corners[corner] += at * strides_[places[j]];
        }
      }
      function(cell, corners);
      std::size_t j = 0;
      while (j < places.size() && 2 * ++cell[places[j]] == sizes_[places[j]]) cell[places[j++]] = 0;
      if (j == places.size()) return;
    }
  }

 private:
  std::vector<std::size_t> axes_;
  std::vector<std::size_t> sizes_;
  std::vector<std::size_t> strides_;
  std::size_t size_ = 1;
};

std::vector<std::size_t> together(std::vector<std::size_t> axes,
                                  std::span<const std::size_t> others) {
  for (const std::size_t axis : others) {
    if (std::ranges::find(axes, axis) == axes.end()) axes.push_back(axis);
  }
  return axes;
}

std::size_t place_of(const Field& field, std::size_t axis) {
  const auto found = std::ranges::find(field.axes, axis);
  POISE_CHECK(found != field.axes.end());
  return static_cast<std::size_t>(found - field.axes.begin());
}

const std::vector<double>& bound_of(const Field& field, Side side) {
  return side == Side::Upper ? field.upper : field.lower;
}
std::vector<double>& bound_of(Field& field, Side side) {
  return side == Side::Upper ? field.upper : field.lower;
}

// Puts results of `apply` in the place of lines along an axis.
template <class Apply>
Field with_lines(Workshop& shop, const Field& field, std::size_t place, std::size_t from,
                 const Apply& apply) {
  Field made = field;
  made.axes[place] = from;
  if (!has_room(shop, made.axes)) return anything();
  const Layout before(shop, field.axes);
  const Layout after(shop, made.axes);
  std::vector<std::vector<std::size_t>> sources;
  before.for_each_cell(place, [&](const auto&, const std::vector<std::size_t>& corners) {
    sources.push_back(corners);
  });
  for (const Side side : {Side::Upper, Side::Lower}) {
    const std::vector<double>& in = bound_of(field, side);
    std::vector<double>& out = bound_of(made, side);
    out.assign(after.size(), 0);
    std::vector<std::vector<double>> lines;
    std::vector<std::vector<double>> results;
    std::size_t group = 0;
    after.for_each_cell(place, [&](const auto&, const std::vector<std::size_t>& corners) {
      const std::vector<std::size_t>& from_corners = sources[group++];
      lines.assign(corners.size(), std::vector<double>(before.length(place)));
      results.assign(corners.size(), std::vector<double>(after.length(place)));
      for (std::size_t corner = 0; corner < corners.size(); ++corner) {
        for (std::size_t i = 0; i < before.length(place); ++i) {
          lines[corner][i] = in[from_corners[corner] + i * before.stride(place)];
        }
      }
      apply(side, lines, results, shop.moved[from]);
      for (std::size_t corner = 0; corner < corners.size(); ++corner) {
        for (std::size_t i = 0; i < after.length(place); ++i) {
          out[corners[corner] + i * after.stride(place)] = results[corner][i];
        }
      }
    });
  }
  return made;
}

}  // namespace

Field constant_field(double value) { return {.axes = {}, .upper = {value}, .lower = {value}}; }

bool is_zero(const Field& field) {
  return std::ranges::all_of(field.upper, [](double value) { return value == 0; });
}

bool depends_on(const Field& field, std::size_t axis) {
  return std::ranges::find(field.axes, axis) != field.axes.end();
}

Field spread(Workshop& shop, const Field& field, std::span<const std::size_t> axes) {
  if (std::ranges::equal(field.axes, axes)) return field;
  if (!has_room(shop, axes)) return anything();
  const Layout before(shop, field.axes);
  const Layout after(shop, {axes.begin(), axes.end()});
  std::vector<std::size_t> strides;  // by axis: of the field, 0 if it does not depend on it
  for (const std::size_t axis : axes) {
    strides.push_back(depends_on(field, axis) ? before.stride(place_of(field, axis)) : 0);
  }
  Field made{.axes = {axes.begin(), axes.end()}, .upper = {}, .lower = {}};
  made.upper.resize(after.size());
  made.lower.resize(after.size());
  std::vector<std::size_t> at(axes.size());
  for (std::size_t i = 0; i < after.size(); ++i) {
    std::size_t from = 0;
    for (std::size_t j = 0; j < axes.size(); ++j) from += at[j] * strides[j];
    made.upper[i] = field.upper[from];
    made.lower[i] = field.lower[from];
    for (std::size_t j = axes.size(); j-- > 0;) {
      if (++at[j] < after.length(j)) break;
      at[j] = 0;
    }
  }
  return made;
}

Field sum(Workshop& shop, const Field& a, const Field& b) {
  const std::vector<std::size_t> axes = together(a.axes, b.axes);
  Field made = spread(shop, a, axes);
  const Field other = spread(shop, b, axes);
  if (made.upper.size() != other.upper.size()) return anything();
  for (std::size_t i = 0; i < made.upper.size(); ++i) {
    made.upper[i] += other.upper[i];
    made.lower[i] += other.lower[i];
  }
  return made;
}

Field scaled(Field field, double factor) {
  for (double& value : field.upper) value *= factor;
  for (double& value : field.lower) value *= factor;
  return field;
}

// From above, the greatest at each corner. From below one of them in each cell, since the greatest
// of several may be less inside of a cell than its corners say.
Field greatest(Workshop& shop, const std::vector<Field>& fields) {
  if (fields.size() == 1) return fields.front();
  std::vector<std::size_t> axes;
  for (const Field& field : fields) axes = together(axes, field.axes);
  Field made = spread(shop, fields.front(), axes);
  if (made.axes != axes) return anything();
  const Layout layout(shop, axes);
  for (std::size_t i = 1; i < fields.size(); ++i) {
    const Field other = spread(shop, fields[i], axes);
    if (other.axes != axes) return anything();
    for (std::size_t j = 0; j < made.upper.size(); ++j) {
      made.upper[j] = std::max(made.upper[j], other.upper[j]);
    }
    layout.for_each_cell({}, [&](const auto&, const std::vector<std::size_t>& corners) {
      double gain = 0;
      for (const std::size_t corner : corners) gain += other.lower[corner] - made.lower[corner];
      if (gain <= 0) return;
      for (const std::size_t corner : corners) made.lower[corner] = other.lower[corner];
    });
  }
  return made;
}

Field product(Workshop& shop, const Field& field, std::size_t axis, const Factor& factor) {
  const std::array<std::size_t, 1> read = {axis};
  const Field wide = spread(shop, field, together(field.axes, read));
  if (!depends_on(wide, axis)) return anything();
  return with_lines(shop, wide, place_of(wide, axis), axis,
                    [&](Side side, const auto& lines, auto& results, Moved& moved) {
                      for (std::size_t i = 0; i < lines.size(); ++i) {
                        results[i] = lines[i];
                        factor.multiply(side, results[i], moved);
                      }
                    });
}

Field mapped(Workshop& shop, const Field& field, std::size_t place, std::size_t from,
             const Blur& blur) {
  if (place >= field.axes.size()) return field;  // it is "between 0 and 1" by now
  shop.work += blur.size() * (field.upper.size() / corners_of(shop, field.axes[place]));
  return with_lines(shop, field, place, from,
                    [&](Side side, const auto& lines, auto& results, Moved& moved) {
                      for (std::size_t i = 0; i < lines.size(); ++i) {
                        blur.apply(side, lines[i], results[i], moved);
                      }
                    });
}

Field mapped(Workshop& shop, const Field& field, std::size_t place, std::size_t from,
             const Reach& reach) {
  if (place >= field.axes.size()) return field;
  shop.work += reach.size() * (field.upper.size() / corners_of(shop, field.axes[place]));
  return with_lines(shop, field, place, from,
                    [&](Side side, const auto& lines, auto& results, Moved& moved) {
                      reach.apply(side, lines, results, moved);
                    });
}

Field at_best(Workshop& shop, const Field& field, std::size_t place, double low, double high) {
  if (place >= field.axes.size()) return field;
  // A window that does not move is the same from everywhere: it is looked at from one value, and
  // what comes out is a line on a point.
  Field made = field;
  made.axes.erase(made.axes.begin() + static_cast<std::ptrdiff_t>(place));
  const Axis origin{.whole = false, .cells = {{0, 0, false, false}}};
  const Reach reach(origin, shop.axis(field.axes[place]), {.factor = 1, .low = low, .high = high});
  const Layout before(shop, field.axes);
  const Layout after(shop, made.axes);
  std::vector<std::vector<std::size_t>> sources;
  before.for_each_cell(place, [&](const auto&, const std::vector<std::size_t>& corners) {
    sources.push_back(corners);
  });
  shop.work += field.upper.size();
  Moved unmoved(1);
  for (const Side side : {Side::Upper, Side::Lower}) {
    const std::vector<double>& in = bound_of(field, side);
    std::vector<double>& out = bound_of(made, side);
    out.assign(after.size(), 0);
    std::size_t group = 0;
    after.for_each_cell({}, [&](const auto&, const std::vector<std::size_t>& corners) {
      const std::vector<std::size_t>& from = sources[group++];
      std::vector<std::vector<double>> lines(corners.size(),
                                             std::vector<double>(before.length(place)));
      std::vector<std::vector<double>> results(corners.size(), std::vector<double>(2));
      for (std::size_t corner = 0; corner < corners.size(); ++corner) {
        for (std::size_t i = 0; i < before.length(place); ++i) {
          lines[corner][i] = in[from[corner] + i * before.stride(place)];
        }
      }
      reach.apply(side, lines, results, unmoved);
      for (std::size_t corner = 0; corner < corners.size(); ++corner) {
        out[corners[corner]] = results[corner].front();
      }
    });
  }
  return made;
}

// On the diagonal of a cell a bilinear function is a parabola through two corners, which differs
// from its chord by at most a quarter of the mixed difference.
Field merged(Workshop& shop, const Field& field) {
  for (std::size_t i = 0; i < field.axes.size(); ++i) {
    for (std::size_t j = i + 1; j < field.axes.size(); ++j) {
      if (field.axes[i] != field.axes[j]) continue;
      Field made = field;
      made.axes.erase(made.axes.begin() + static_cast<std::ptrdiff_t>(j));
      const Layout before(shop, field.axes);
      const Layout after(shop, made.axes);
      for (const Side side : {Side::Upper, Side::Lower}) {
        const std::vector<double>& in = bound_of(field, side);
        std::vector<double>& out = bound_of(made, side);
        out.assign(after.size(), 0);
        after.for_each_cell(
            i, [&](const std::vector<std::size_t>& cell, const std::vector<std::size_t>& corners) {
              for (std::size_t corner = 0; corner < corners.size(); ++corner) {
                std::size_t from = 0;
                std::size_t bit = 0;
                for (std::size_t place = 0; place < field.axes.size(); ++place) {
                  if (place == i || place == j) continue;
                  const std::size_t own = place > j ? place - 1 : place;
                  from += (2 * cell[own] + ((corner >> bit++) & 1U)) * before.stride(place);
                }
                for (std::size_t k = 0; k < after.length(i); k += 2) {
                  const auto at = [&](std::size_t a, std::size_t b) {
                    return in[from + (k + a) * before.stride(i) + (k + b) * before.stride(j)];
                  };
                  const double mixed = (at(0, 1) + at(1, 0) - at(0, 0) - at(1, 1)) / 4;
                  double low = at(0, 0);
                  double high = at(1, 1);
                  const double by = std::max(0.0, side == Side::Upper ? mixed : -mixed);
                  move_ends(side, by, low, high, shop.moved[field.axes[i]][k / 2]);
                  out[corners[corner] + k * after.stride(i)] = low;
                  out[corners[corner] + (k + 1) * after.stride(i)] = high;
                }
              }
            });
      }
      return merged(shop, made);
    }
  }
  return field;
}

Field judged(Workshop& shop, const Field& field, std::span<const std::size_t> axes,
             const std::function<Verdicts(const Box&)>& judge) {
  Field made = spread(shop, field, together(field.axes, axes));
  if (std::ranges::any_of(axes, [&](std::size_t axis) { return !depends_on(made, axis); })) {
    return anything();
  }
  Box box(shop.grid->size());
  const Layout layout(shop, made.axes);
  layout.for_each_cell(
      {}, [&](const std::vector<std::size_t>& cell, const std::vector<std::size_t>& corners) {
        for (std::size_t i = 0; i < cell.size(); ++i) box[made.axes[i]] = cell[i];
        const Verdicts may = judge(box);
        for (const std::size_t corner : corners) {
          double upper = 0;
          double lower = 1;
          const auto take = [&](double above, double below) {
            upper = std::max(upper, above);
            lower = std::min(lower, below);
          };
          if (may.may_go_on) take(made.upper[corner], made.lower[corner]);
          if (may.may_fail) take(1, 1);
          if (may.may_end) take(0, 0);
          made.upper[corner] = upper;
          made.lower[corner] = lower;
        }
      });
  return made;
}

Field restricted(Workshop& shop, const Field& field, std::span<const std::size_t> axes,
                 const std::function<Truth(const Box&)>& condition) {
  return judged(shop, field, axes, [&](const Box& box) {
    const Truth truth = condition(box);
    return Verdicts{
        .may_fail = false, .may_end = truth != Truth::True, .may_go_on = truth != Truth::False};
  });
}

Span greatest_value(Workshop& shop, const Field& field, std::span<const std::size_t> axes,
                    const std::function<Truth(const Box&)>& condition) {
  const Field wide = spread(shop, field, together(field.axes, axes));
  if (std::ranges::any_of(axes, [&](std::size_t axis) { return !depends_on(wide, axis); })) {
    return {0, 1};
  }
  Span found;
  Box box(shop.grid->size());
  const Layout layout(shop, wide.axes);
  layout.for_each_cell(
      {}, [&](const std::vector<std::size_t>& cell, const std::vector<std::size_t>& corners) {
        for (std::size_t i = 0; i < cell.size(); ++i) box[wide.axes[i]] = cell[i];
        const Truth truth = condition(box);
        for (const std::size_t corner : corners) {
          if (truth != Truth::False) found.high = std::max(found.high, wide.upper[corner]);
          if (truth == Truth::True) found.low = std::max(found.low, wide.lower[corner]);
        }
      });
  return found;
}

}  // namespace poise::verify
