#include "poise/shake/covering/plain_search.h"

#include <algorithm>
#include <utility>

namespace poise::shake {

PlainSearch::PlainSearch(const Grid& grid, std::uint64_t steps)
    : grid_(&grid), constrained_(grid.properties.size(), false), steps_(steps) {
  for (const Property& property : grid.properties) {
    std::vector<Index> values;
    for (std::size_t v = 0; v < property.values.size(); ++v) {
      values.push_back(static_cast<Index>(v));
    }
    if (property.guard) values.push_back(kNoValue);
    everything_.push_back(std::move(values));
  }
  const auto add = [&](std::size_t first, std::size_t second, const auto& allows) {
    Both both{.first = first, .second = second, .allowed = {}};
    for (const Index a : everything_[first]) {
      std::vector<bool> row;
      for (const Index b : everything_[second]) {
        row.push_back(
            allows(value_of(grid.properties[first], a), value_of(grid.properties[second], b)));
      }
      both.allowed.push_back(std::move(row));
    }
    both_.push_back(std::move(both));
    constrained_[first] = constrained_[second] = true;
  };
  for (std::size_t i = 0; i < grid.properties.size(); ++i) {
    if (const std::optional<std::size_t> guard = grid.properties[i].guard) {
      add(*guard, i, [](double held, double value) { return (held == 1) == (value == value); });
    }
  }
  for (const GridConstraint& constraint : grid.constraints) {
    if (constraint.scope.size() == 2) {
      add(constraint.scope[0], constraint.scope[1], [&](double a, double b) {
        const double values[] = {a, b};
        return constraint.allows(values);
      });
    } else {
      others_.push_back(&constraint);
      for (const std::size_t property : constraint.scope) constrained_[property] = true;
    }
  }
}

std::size_t PlainSearch::place(std::size_t property, Index value) const {
  return std::min<std::size_t>(value, grid_->properties[property].values.size());
}

bool PlainSearch::narrow(Choices& choices) const {
  if (std::ranges::any_of(choices, [](const auto& values) { return values.empty(); })) return false;
  const auto size = [&] {
    std::size_t sum = 0;
    for (const std::vector<Index>& values : choices) sum += values.size();
    return sum;
  };
  for (std::size_t before = size() + 1; before > size();) {
    before = size();
    for (const Both& both : both_) {
      std::vector<Index>& as = choices[both.first];
      std::vector<Index>& bs = choices[both.second];
      const auto go_together = [&](Index a, Index b) -> bool {
        return both.allowed[place(both.first, a)][place(both.second, b)];
      };
      std::erase_if(as, [&](Index a) {
        return std::ranges::none_of(bs, [&](Index b) { return go_together(a, b); });
      });
      std::erase_if(bs, [&](Index b) {
        return std::ranges::none_of(as, [&](Index a) { return go_together(a, b); });
      });
      if (as.empty() || bs.empty()) return false;
    }
    for (const GridConstraint* constraint : others_) {
      if (!narrow_one(*constraint, choices)) return false;
    }
  }
  return true;
}

// Evaluates a constraint if at most one property of its scope has more than one value left.
bool PlainSearch::narrow_one(const GridConstraint& constraint, Choices& choices) const {
  std::vector<double> values;
  std::optional<std::size_t> open;  // a place in the scope
  for (const std::size_t property : constraint.scope) {
    if (choices[property].size() > 1) {
      if (open) return true;
      open = values.size();
    }
    values.push_back(value_of(grid_->properties[property], choices[property].front()));
  }
  if (!open) return constraint.allows(values);
  const std::size_t property = constraint.scope[*open];
  std::erase_if(choices[property], [&](Index value) {
    values[*open] = value_of(grid_->properties[property], value);
    return !constraint.allows(values);
  });
  return !choices[property].empty();
}

std::optional<Instance> PlainSearch::instance(Choices choices) {
  gave_up_ = false;
  ++turn_;
  std::vector<Choices> open{std::move(choices)};
  while (!open.empty()) {
    if (steps_ == 0) {
      gave_up_ = true;
      return std::nullopt;
    }
    --steps_;
    Choices now = std::move(open.back());
    open.pop_back();
    if (!narrow(now)) continue;
    std::optional<std::size_t> next;
    for (std::size_t i = 0; i < now.size(); ++i) {
      if (now[i].size() == 1) continue;
      if (!constrained_[i]) {
        now[i] = {now[i][(turn_ + i) % now[i].size()]};
      } else if (!next || now[i].size() < now[*next].size()) {
        next = i;
      }
    }
    if (!next) {
      Instance found;
      for (const std::vector<Index>& values : now) found.push_back(values.front());
      return found;
    }
    // Branches: one value first, then all the others. The last on the stack comes first.
    std::vector<Index>& values = now[*next];
    const auto chosen = values.begin() + static_cast<std::ptrdiff_t>(turn_ % values.size());
    const Index value = *chosen;
    values.erase(chosen);
    open.push_back(now);
    now[*next] = {value};
    open.push_back(std::move(now));
  }
  return std::nullopt;
}

}  // namespace poise::shake
