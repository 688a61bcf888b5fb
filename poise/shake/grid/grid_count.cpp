// Counts the valid instances by elimination (Dechter, 1999): a constraint is a table of
// ones and zeros over its scope; to eliminate a property, the tables that have it are multiplied
// and summed over its values, which leaves a table of counts over its neighbours. The property with
// the smallest such table goes first, so chains and trees of constraints cost next to nothing,
// however many instances they have.

#include <algorithm>
#include <limits>
#include <utility>

#include "poise/shake/grid/constraint_space.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

namespace {

struct Factor {
  std::vector<std::size_t> scope;
  std::vector<std::uint64_t> counts;  // by combination of values, the last property fastest
};

class Counter {
 public:
  Counter(const ConstraintSpace& space, const SpaceSearch& search, std::uint64_t most)
      : space_(space), left_(space.properties()), most_(most) {
    for (std::size_t i = 0; i < space.properties(); ++i) {
      for (std::size_t v = 0; v < space.values_and_none(i); ++v) {
        if (search.has(i, v)) left_[i].push_back(v);
      }
    }
  }

  std::optional<std::uint64_t> count() {
    if (!add_constraints()) return std::nullopt;
    std::vector<std::size_t> open(left_.size());
    for (std::size_t i = 0; i < open.size(); ++i) open[i] = i;
    while (!open.empty()) {
      const auto next =
          std::ranges::min_element(open, {}, [&](std::size_t i) { return combinations(scope(i)); });
      const std::size_t property = *next;
      open.erase(next);
      if (!eliminate(property)) return std::nullopt;
    }
    std::uint64_t product = 1;
    for (const Factor& factor : factors_) {
      if (__builtin_mul_overflow(product, factor.counts.front(), &product)) return std::nullopt;
    }
    return product;
  }

 private:
  // Saturates instead of overflowing.
  std::uint64_t combinations(const std::vector<std::size_t>& scope) const {
    std::uint64_t product = 1;
    for (const std::size_t property : scope) {
      if (__builtin_mul_overflow(product, left_[property].size(), &product)) return UINT64_MAX;
    }
    return product;
  }

  bool may_look_at(std::uint64_t count) {
    if (count > most_) return false;
    most_ -= count;
    return true;
  }

  bool add_constraints() {
    for (const ConstraintSpace::Link& link : space_.links()) {
      if (link.from > link.to) continue;  // the reverse of another link
      Factor factor{.scope = {link.from, link.to}, .counts = {}};
      if (!may_look_at(combinations(factor.scope))) return false;
      for (const std::size_t a : left_[link.from]) {
        for (const std::size_t b : left_[link.to]) {
          const std::uint64_t word = link.rows[a * space_.words(link.to) + b / 64];
          factor.counts.push_back((word >> (b % 64)) & 1);
        }
      }
      factors_.push_back(std::move(factor));
    }
    for (const ConstraintSpace::Wide& wide : space_.wides()) {
      Factor factor{.scope = wide.scope, .counts = {}};
      if (!may_look_at(combinations(factor.scope))) return false;
      std::vector<std::size_t> values(wide.scope.size());
      for_each(wide.scope, [&](std::span<const std::size_t> places) {
        for (std::size_t i = 0; i < values.size(); ++i) {
          values[i] = left_[wide.scope[i]][places[i]];
        }
        factor.counts.push_back(space_.allows(wide, values) ? 1 : 0);
        return true;
      });
      factors_.push_back(std::move(factor));
    }
    return true;
  }

  // All properties of the tables that have this property; the property itself last.
  std::vector<std::size_t> scope(std::size_t property) const {
    std::vector<std::size_t> all;
    for (const Factor& factor : factors_) {
      if (std::ranges::find(factor.scope, property) == factor.scope.end()) continue;
      all.insert(all.end(), factor.scope.begin(), factor.scope.end());
    }
    std::ranges::sort(all);
    all.erase(std::unique(all.begin(), all.end()), all.end());
    std::erase(all, property);
    all.push_back(property);
    return all;
  }

  template <class Visit>
  bool for_each(const std::vector<std::size_t>& scope, const Visit& visit) const {
    std::vector<std::size_t> places(scope.size(), 0);
    for (const std::size_t property : scope) {
      if (left_[property].empty()) return true;
    }
    for (;;) {
      if (!visit(std::span<const std::size_t>(places))) return false;
      std::size_t place = scope.size();
      while (place > 0 && ++places[place - 1] == left_[scope[place - 1]].size()) {
        places[--place] = 0;
      }
      if (place == 0) return true;
    }
  }

  bool eliminate(std::size_t property) {
    const std::vector<std::size_t> all = scope(property);
    if (!may_look_at(combinations(all))) return false;
    std::vector<Factor> used;
    for (std::size_t i = 0; i < factors_.size();) {
      if (std::ranges::find(factors_[i].scope, property) == factors_[i].scope.end()) {
        ++i;
        continue;
      }
      used.push_back(std::move(factors_[i]));
      factors_.erase(factors_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    // By used table and place in `all`: the distance in the table to the next value.
    std::vector<std::vector<std::size_t>> strides;
    for (const Factor& factor : used) {
      std::vector<std::size_t> stride(all.size(), 0);
      std::size_t size = 1;
      for (std::size_t i = factor.scope.size(); i-- > 0;) {
        const auto place = std::ranges::find(all, factor.scope[i]) - all.begin();
        stride[static_cast<std::size_t>(place)] = size;
        size *= left_[factor.scope[i]].size();
      }
      strides.push_back(std::move(stride));
    }
    Factor result{.scope = {all.begin(), all.end() - 1}, .counts = {}};
    std::uint64_t sum = 0;
    const bool fits = for_each(all, [&](std::span<const std::size_t> places) {
      std::uint64_t product = 1;
      for (std::size_t f = 0; f < used.size() && product > 0; ++f) {
        std::size_t at = 0;
        for (std::size_t i = 0; i < places.size(); ++i) at += strides[f][i] * places[i];
        if (__builtin_mul_overflow(product, used[f].counts[at], &product)) return false;
      }
      if (__builtin_add_overflow(sum, product, &sum)) return false;
      if (places.back() + 1 == left_[property].size()) {
        result.counts.push_back(std::exchange(sum, 0));
      }
      return true;
    });
    factors_.push_back(std::move(result));
    return fits;
  }

  const ConstraintSpace& space_;
  std::vector<std::vector<std::size_t>> left_;  // by property: its values
  std::uint64_t most_;
  std::vector<Factor> factors_;
};

}  // namespace

std::optional<std::uint64_t> valid_instances(const Grid& grid, std::uint64_t most) {
  const ConstraintSpace space(grid);
  const SpaceSearch search(space);
  if (!search.possible()) return 0;
  return Counter(space, search, most).count();
}

}  // namespace poise::shake
