#include "poise/shake/covering/feasible.h"

#include <algorithm>
#include <functional>
#include <utility>

#include <fmt/format.h>

#include "poise/base/check.h"

namespace poise::shake {

namespace {

constexpr double kMostTuples = 1e9;
// The tuples of an instance that was found are marked as feasible only if they are no more than
// this.
constexpr std::size_t kMostMarked = 50'000;

// The number of tuples: an elementary symmetric polynomial of the properties' numbers of values.
double tuple_count(const ConstraintSpace& space, unsigned strength) {
  std::vector<double> sums(strength + 1, 0);
  sums[0] = 1;
  for (std::size_t i = 0; i < space.properties(); ++i) {
    for (std::size_t s = strength; s > 0; --s) {
      sums[s] += sums[s - 1] * static_cast<double>(space.values(i));
    }
  }
  return sums[strength];
}

class Decider {
 public:
  Decider(const ConstraintSpace& space, std::uint64_t steps)
      : space_(space), search_(space, steps) {
    satisfiable_ = search_.possible();
    solved_.assign(space.components().size(), false);
    for (std::uint32_t c = 0; satisfiable_ && c < space.components().size(); ++c) {
      const SpaceSearch::Mark before = search_.mark();
      const SpaceSearch::Answer answer = search_.complete(c);
      satisfiable_ = answer != SpaceSearch::Answer::No;
      solved_[c] = answer == SpaceSearch::Answer::Yes;
      search_.undo(before);
    }
  }

  // Decides all tuples of a strength. All smaller strengths must have been decided before.
  void decide(unsigned strength) {
    levels_.push_back({.numbers = TupleNumbers(space_, strength), .feasible = {}});
    FeasibleTuples& level = levels_.back();
    level_ = &level;
    level.feasible.assign(level.numbers.size(), false);
    level.open.assign(level.numbers.size(), false);
    if (satisfiable_) {
      for_each_combination_of(space_.properties(), strength,
                              [&](std::size_t rank, std::span<const std::size_t> properties) {
                                decide(rank, properties);
                              });
    }
    // What ran out of steps may have been marked by a later search.
    for (std::size_t tuple = 0; tuple < level.open.size(); ++tuple) {
      if (level.feasible[tuple]) level.open[tuple] = false;
    }
  }

  // The last strength that was decided.
  FeasibleTuples take() {
    FeasibleTuples& level = levels_.back();
    // A component of which no instance is known may have none, and then nothing is feasible.
    if (satisfiable_ && !std::ranges::all_of(solved_, std::identity{})) {
      for (std::size_t tuple = 0; tuple < level.open.size(); ++tuple) {
        level.open[tuple] = level.open[tuple] || level.feasible[tuple];
      }
      level.feasible.assign(level.feasible.size(), false);
    }
    level.count = static_cast<std::size_t>(std::ranges::count(level.feasible, true));
    level.undecided = static_cast<std::size_t>(std::ranges::count(level.open, true));
    level.infeasible = level.numbers.size() - level.count - level.undecided;
    return std::move(level);
  }

 private:
  // The properties of a combination that lie in one component.
  struct Part {
    std::vector<std::size_t> places;      // in the combination
    std::vector<std::size_t> properties;  // at these places
    std::size_t offset = 0;               // its first tuple, among those of its strength
  };

  void decide(std::size_t rank, std::span<const std::size_t> properties) {
    std::vector<Part> parts;
    std::vector<std::uint32_t> components;
    for (std::size_t i = 0; i < properties.size(); ++i) {
      const std::uint32_t component = space_.component(properties[i]);
      const auto known = std::ranges::find(components, component) - components.begin();
      if (known == std::ssize(components)) {
        components.push_back(component);
        parts.emplace_back();
      }
      parts[static_cast<std::size_t>(known)].places.push_back(i);
      parts[static_cast<std::size_t>(known)].properties.push_back(properties[i]);
    }
    if (parts.size() > 1) {
      put_together(rank, properties, parts);
      return;
    }
    std::vector<std::size_t> values;
    search_for(properties, values, level_->numbers.offset(rank));
  }

  void put_together(std::size_t rank, std::span<const std::size_t> properties,
                    std::vector<Part>& parts) {
    for (Part& part : parts) {
      const TupleNumbers& numbers = levels_[part.places.size() - 1].numbers;
      part.offset = numbers.offset(numbers.rank(part.properties));
    }
    std::vector<std::size_t> values(properties.size(), 0);
    const std::size_t end = level_->numbers.offset(rank + 1);
    for (std::size_t tuple = level_->numbers.offset(rank); tuple < end; ++tuple) {
      bool all_feasible = true;
      bool none_infeasible = true;
      for (const Part& part : parts) {
        std::size_t at = 0;
        for (const std::size_t place : part.places) {
          at = at * space_.values(properties[place]) + values[place];
        }
        at += part.offset;
        const FeasibleTuples& level = levels_[part.places.size() - 1];
        all_feasible = all_feasible && level.feasible[at];
        none_infeasible = none_infeasible && (level.feasible[at] || level.open[at]);
      }
      level_->feasible[tuple] = all_feasible;
      level_->open[tuple] = none_infeasible && !all_feasible;
      for (std::size_t place = values.size(); place > 0;) {
        --place;
        if (++values[place] < space_.values(properties[place])) break;
        values[place] = 0;
      }
    }
  }

  // Decides the tuples of a combination that begin with `values`, which are assigned already.
  // `offset` is the number of the first of them. Recursion is as deep as the strength.
  void search_for(std::span<const std::size_t> properties, std::vector<std::size_t>& values,
                  std::size_t offset) {
    const std::size_t place = values.size();
    const std::size_t property = properties[place];
    std::size_t below = 1;
    for (std::size_t i = place + 1; i < properties.size(); ++i) {
      below *= space_.values(properties[i]);
    }
    for (std::size_t v = 0; v < space_.values(property); ++v) {
      const std::size_t first = offset + v * below;
      if (!search_.has(property, v) || (below == 1 && level_->feasible[first])) continue;
      const SpaceSearch::Mark before = search_.mark();
      if (search_.assign(property, v)) {
        values.push_back(v);
        if (values.size() < properties.size()) {
          search_for(properties, values, first);
        } else {
          find_instance(property, first);
        }
        values.pop_back();
      }
      search_.undo(before);
    }
  }

  void find_instance(std::size_t property, std::size_t tuple) {
    const std::uint32_t component = space_.component(property);
    switch (search_.complete(component, turn_++)) {
      case SpaceSearch::Answer::Yes:
        level_->feasible[tuple] = true;
        solved_[component] = true;
        mark(space_.components()[component]);
        break;
      case SpaceSearch::Answer::No: break;
      case SpaceSearch::Answer::OutOfSteps: level_->open[tuple] = true; break;
    }
  }

  // Marks all tuples, within a component, of the instance that was found as feasible.
  void mark(const std::vector<std::size_t>& component) {
    std::vector<std::size_t> present;
    for (const std::size_t property : component) {
      if (search_.first(property) < space_.values(property)) present.push_back(property);
    }
    const unsigned strength = level_->numbers.strength();
    std::size_t combinations = 1;
    for (std::size_t i = 0; i < strength; ++i) {
      if (present.size() <= i) return;
      combinations = combinations * (present.size() - i) / (i + 1);
      if (combinations > kMostMarked * 4) return;
    }
    if (combinations > kMostMarked) return;
    std::vector<std::size_t> properties(strength);
    for_each_combination_of(
        present.size(), strength, [&](std::size_t, std::span<const std::size_t> chosen) {
          std::size_t at = 0;
          for (std::size_t i = 0; i < strength; ++i) {
            properties[i] = present[chosen[i]];
            at = at * space_.values(properties[i]) + search_.first(properties[i]);
          }
          const TupleNumbers& numbers = level_->numbers;
          level_->feasible[numbers.offset(numbers.rank(properties)) + at] = true;
        });
  }

  const ConstraintSpace& space_;
  SpaceSearch search_;
  bool satisfiable_ = true;
  std::vector<FeasibleTuples> levels_;  // by strength - 1
  FeasibleTuples* level_ = nullptr;
  std::vector<bool> solved_;  // by component: an instance of it is known
  std::size_t turn_ = 0;      // searches so far: each prefers other values
};

}  // namespace

TupleNumbers::TupleNumbers(const ConstraintSpace& space, unsigned strength) : strength_(strength) {
  for (std::size_t i = 0; i < space.properties(); ++i) values_.push_back(space.values(i));
  std::vector<std::size_t> previous(values_.size() + 1, 1);  // C(n, 0)
  for (unsigned place = 0; place < strength; ++place) {
    std::vector<std::size_t> next(values_.size() + 1, 0);
    for (std::size_t n = 1; n < next.size(); ++n) next[n] = next[n - 1] + previous[n - 1];
    binomials_.push_back(next);
    previous = std::move(next);
  }
  offsets_.push_back(0);
  for_each_combination_of(values_.size(), strength,
                          [&](std::size_t, std::span<const std::size_t> properties) {
                            std::size_t size = 1;
                            for (const std::size_t property : properties) size *= values_[property];
                            offsets_.push_back(offsets_.back() + size);
                          });
}

std::vector<std::size_t> TupleNumbers::properties(std::size_t combination) const {
  std::vector<std::size_t> found(strength_);
  for (std::size_t place = strength_; place-- > 0;) {
    const std::vector<std::size_t>& row = binomials_[place];
    const auto above = std::ranges::upper_bound(row, combination) - row.begin();
    found[place] = static_cast<std::size_t>(above) - 1;
    combination -= row[found[place]];
  }
  return found;
}

TupleNumbers::Tuple TupleNumbers::tuple(std::size_t number) const {
  const auto above = std::ranges::upper_bound(offsets_, number) - offsets_.begin();
  const auto combination = static_cast<std::size_t>(above) - 1;
  Tuple tuple{.properties = properties(combination), .values = {}};
  std::size_t at = number - offsets_[combination];
  tuple.values.resize(strength_);
  for (std::size_t place = strength_; place-- > 0;) {
    const std::size_t count = values_[tuple.properties[place]];
    tuple.values[place] = at % count;
    at /= count;
  }
  return tuple;
}

Result<FeasibleTuples> feasible_tuples(const ConstraintSpace& space, unsigned strength,
                                       std::uint64_t steps) {
  POISE_CHECK(strength >= 1 && strength <= kMostStrength);
  const double count = tuple_count(space, strength);
  if (count > kMostTuples) {
    return failure(fmt::format("{:.3g} tuples of {} values are too many: at most {:.0g}", count,
                               strength, kMostTuples));
  }
  Decider decider(space, steps);
  for (unsigned s = 1; s <= strength; ++s) decider.decide(s);
  return decider.take();
}

}  // namespace poise::shake
