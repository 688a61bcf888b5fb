#include "poise/shake/flows/score.h"

#include <algorithm>
#include <cmath>

#include "poise/base/check.h"

namespace poise::shake {

namespace {

// Turns between joint cells are counted in a table of up to this many cells squared.
constexpr std::uint32_t kMostCells = 600;
// Constraints are evaluated for up to this many pairs of two properties; of more, all are taken for
// feasible.
constexpr std::size_t kMostAsked = 250'000;

std::vector<std::uint32_t> labels_of(const Property& property) {
  const std::size_t count = property.values.size();
  std::vector<std::uint32_t> labels(count);
  if (property.kind != Property::Kind::Number) {
    for (std::size_t i = 0; i < count; ++i) labels[i] = static_cast<std::uint32_t>(i);
  } else if (std::ranges::any_of(property.cells, [&](std::uint32_t cell) {
               return cell != property.cells.front();
             })) {
    labels = property.cells;
  } else if (property.boundary.size() == count) {
    for (std::size_t i = 1; i < count; ++i) {
      labels[i] = labels[i - 1] + (property.boundary[i] || property.boundary[i - 1] ? 1 : 0);
    }
  }
  return labels;
}

std::size_t feasible_of(const Grid& grid, std::size_t a, std::size_t b) {
  const Property& first = grid.properties[a];
  const Property& second = grid.properties[b];
  const std::size_t all = first.values.size() * second.values.size();
  std::vector<const GridConstraint*> constraints;
  for (const GridConstraint& constraint : grid.constraints) {
    if (std::ranges::all_of(constraint.scope, [&](std::size_t k) { return k == a || k == b; })) {
      constraints.push_back(&constraint);
    }
  }
  const bool guarded = second.guard == a;
  if ((constraints.empty() && !guarded) || all > kMostAsked) return all;
  std::size_t feasible = 0;
  std::vector<double> values;
  for (const double x : first.values) {
    if (guarded && x == 0) continue;
    for (const double y : second.values) {
      const auto allows = [&](const GridConstraint* constraint) {
        values.clear();
        for (const std::size_t k : constraint->scope) values.push_back(k == a ? x : y);
        return constraint->allows(values);
      };
      if (std::ranges::all_of(constraints, allows)) ++feasible;
    }
  }
  return feasible;
}

template <class Visit>
void for_each_pair(const Elements& elements, std::span<const Index> instance, Visit visit) {
  const std::size_t count = elements.properties();
  if (count == 1) visit(elements.pair(0, 0, instance[0], instance[0]));
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      visit(elements.pair(a, b, instance[a], instance[b]));
    }
  }
}

}  // namespace

Elements::Elements(const Grid& grid) {
  const std::size_t count = grid.properties.size();
  for (const Property& property : grid.properties) {
    sizes_.push_back(static_cast<std::uint32_t>(property.values.size()));
    labels_.push_back(labels_of(property));
    std::uint32_t labels = 0;
    for (const std::uint32_t label : labels_.back()) labels = std::max(labels, label + 1);
    label_counts_.push_back(labels + 1);
    if (joint_) {
      cells_ *= label_counts_.back();
      joint_ = cells_ <= kMostCells;
    }
  }
  offsets_.resize(count * count);
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) {
      offsets_[a * count + b] = static_cast<std::uint32_t>(pairs_);
      pairs_ += std::size_t{sizes_[a]} * sizes_[b];
      feasible_pairs_ += feasible_of(grid, a, b);
    }
  }
  if (count == 1) pairs_ = feasible_pairs_ = sizes_[0];
  POISE_CHECK(pairs_ < kNone);
  if (joint_) {
    turns_ = std::size_t{cells_} * cells_;
  } else {
    for (const std::uint32_t labels : label_counts_) {
      turn_offsets_.push_back(static_cast<std::uint32_t>(turns_));
      turns_ += std::size_t{labels} * labels;
    }
  }
}

std::uint32_t Elements::cell(std::span<const Index> instance) const {
  std::uint32_t cell = 0;
  for (std::size_t k = 0; k < instance.size(); ++k) {
    cell = cell * label_counts_[k] + label(k, instance[k]);
  }
  return cell;
}

std::uint32_t Elements::turn(std::size_t which, std::span<const Index> from,
                             std::span<const Index> to) const {
  if (joint_) return cell(from) * cells_ + cell(to);
  return turn_offsets_[which] + label(which, from[which]) * label_counts_[which] +
         label(which, to[which]);
}

Covered::Covered(const Elements& elements)
    : elements_(&elements), pairs_(elements.pairs()), turns_(elements.turns()) {}

Covered::Gain Covered::add(const Flow& flow) {
  const std::size_t pairs = pair_count_;
  const std::size_t turns = turn_count_;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    for_each_pair(*elements_, flow[i], [&](std::uint32_t pair) {
      if (pair == Elements::kNone || pairs_[pair] != 0) return;
      pairs_[pair] = 1;
      ++pair_count_;
    });
    for (std::size_t which = 0; i > 0 && which < elements_->turns_per_step(); ++which) {
      const std::uint32_t turn = elements_->turn(which, flow[i - 1], flow[i]);
      if (turns_[turn] == 0) ++turn_count_;
      turns_[turn] = 1;
    }
  }
  return {.pairs = pair_count_ - pairs, .turns = turn_count_ - turns};
}

Covered::Gain Covered::gain_of(const Flow& flow) const {
  std::vector<std::uint32_t> pairs;
  std::vector<std::uint32_t> turns;
  for (std::size_t i = 0; i < flow.size(); ++i) {
    for_each_pair(*elements_, flow[i], [&](std::uint32_t pair) {
      if (pair != Elements::kNone && !has_pair(pair)) pairs.push_back(pair);
    });
    for (std::size_t which = 0; i > 0 && which < elements_->turns_per_step(); ++which) {
      const std::uint32_t turn = elements_->turn(which, flow[i - 1], flow[i]);
      if (!has_turn(turn)) turns.push_back(turn);
    }
  }
  const auto distinct = [](std::vector<std::uint32_t>& numbers) {
    std::ranges::sort(numbers);
    return static_cast<std::size_t>(std::unique(numbers.begin(), numbers.end()) - numbers.begin());
  };
  return {.pairs = distinct(pairs), .turns = distinct(turns)};
}

FlowScore::FlowScore(const ContextSpace& space, const Elements& elements, const Covered& covered,
                     Flow flow, Turns turns)
    : space_(&space),
      elements_(&elements),
      covered_(&covered),
      with_turns_(turns == Turns::Count),
      flow_(std::move(flow)),
      lengths_(step_lengths(space, flow_)),
      kinds_(step_kinds(space, flow_)),
      pair_counts_(elements.pairs()),
      turn_counts_(with_turns_ ? elements.turns() : 0) {
  POISE_CHECK(flow_.size() < std::numeric_limits<std::uint16_t>::max() / (1 + space.size()));
  score_.profiles = earthquake_profiles(kinds_, space.thresholds().gap);
  for (std::size_t i = 0; i < flow_.size(); ++i) {
    for_each_pair(elements, flow_[i], [&](std::uint32_t pair) { add_pair(pair, 1); });
    for (std::size_t which = 0; with_turns_ && i > 0 && which < elements.turns_per_step();
         ++which) {
      add_turn(elements.turn(which, flow_[i - 1], flow_[i]), 1);
    }
  }
}

void FlowScore::add_pair(std::uint32_t pair, int by) {
  if (pair == Elements::kNone) return;
  std::uint16_t& count = pair_counts_[pair];
  const bool was = count != 0;
  count = static_cast<std::uint16_t>(count + by);
  if (was != (count != 0) && !covered_->has_pair(pair)) {
    score_.new_pairs = was ? score_.new_pairs - 1 : score_.new_pairs + 1;
  }
}

void FlowScore::add_turn(std::uint32_t turn, int by) {
  std::uint16_t& count = turn_counts_[turn];
  const bool was = count != 0;
  count = static_cast<std::uint16_t>(count + by);
  if (was != (count != 0) && !covered_->has_turn(turn)) {
    score_.new_turns = was ? score_.new_turns - 1 : score_.new_turns + 1;
  }
}

// Calls visit(pair of `out`, pair of `in`) for each two properties of which one has another value.
template <class Visit>
void FlowScore::for_each_swap(std::span<const Index> out, std::span<const Index> in,
                              Visit visit) const {
  const std::size_t count = elements_->properties();
  if (count == 1 && out[0] != in[0]) {
    visit(elements_->pair(0, 0, out[0], out[0]), elements_->pair(0, 0, in[0], in[0]));
  }
  // Most changes are of one property: the pairs of the others are left alone.
  for (std::size_t k = 0; k < count; ++k) {
    if (out[k] == in[k]) continue;
    for (std::size_t other = 0; other < count; ++other) {
      if (other == k || (other < k && out[other] != in[other])) continue;
      const std::size_t a = std::min(k, other);
      const std::size_t b = std::max(k, other);
      visit(elements_->pair(a, b, out[a], out[b]), elements_->pair(a, b, in[a], in[b]));
    }
  }
}

void FlowScore::move_turns(std::size_t tick, std::span<const Index> instance, int by) {
  if (!with_turns_) return;
  for (std::size_t which = 0; which < elements_->turns_per_step(); ++which) {
    if (tick > 0) add_turn(elements_->turn(which, flow_[tick - 1], instance), by);
    if (tick + 1 < flow_.size()) add_turn(elements_->turn(which, instance, flow_[tick + 1]), by);
  }
}

FlowScore::Near FlowScore::near(std::size_t tick, std::span<const Index> instance) const {
  return {.before = tick > 0 ? space_->distance(flow_[tick - 1], instance) : 0,
          .after = tick + 1 < flow_.size() ? space_->distance(instance, flow_[tick + 1]) : 0};
}

std::size_t FlowScore::profiles_between(std::size_t first, std::size_t last) const {
  return earthquake_profiles(std::span(kinds_).subspan(first, last - first),
                             space_->thresholds().gap);
}

std::size_t FlowScore::profiles_with(std::size_t tick, const Near& near) {
  // A profile that a changed step takes part in, or that it comes between, lies within a gap of it.
  const std::size_t gap = space_->thresholds().gap;
  const std::size_t first_step = tick > 0 ? tick - 1 : 0;
  std::size_t first = first_step > gap ? first_step - gap : 0;
  const std::size_t last = std::min(kinds_.size(), tick + 1 + gap);
  const std::size_t old = profiles_between(first, last);
  const auto put = [&](StepKind before, StepKind after) {
    if (tick > 0) kinds_[tick - 1] = before;
    if (tick < kinds_.size()) kinds_[tick] = after;
  };
  const StepKind was_before = tick > 0 ? kinds_[tick - 1] : StepKind::Moderate;
  const StepKind was_after = tick < kinds_.size() ? kinds_[tick] : StepKind::Moderate;
  put(space_->kind_of(near.before), space_->kind_of(near.after));
  const std::size_t fresh = profiles_between(first, last);
  put(was_before, was_after);
  return score_.profiles + fresh - old;
}

Score FlowScore::tried(std::size_t tick, std::span<const Index> instance) {
  const Instance& old = flow_[tick];
  Score result = score_;
  for_each_swap(old, instance, [&](std::uint32_t out, std::uint32_t in) {
    if (out != Elements::kNone && pair_counts_[out] == 1 && !covered_->has_pair(out)) {
      --result.new_pairs;
    }
    if (in != Elements::kNone && pair_counts_[in] == 0 && !covered_->has_pair(in)) {
      ++result.new_pairs;
    }
  });
  if (with_turns_) {
    // The steps before and after the tick may make the same turn, so counting without changing
    // anything is intricate. It is simplest to change the counts, look, and change them back.
    const std::size_t before = score_.new_turns;
    move_turns(tick, old, -1);
    move_turns(tick, instance, 1);
    result.new_turns = score_.new_turns;
    move_turns(tick, instance, -1);
    move_turns(tick, old, 1);
    POISE_CHECK(score_.new_turns == before);
  }
  result.profiles = profiles_with(tick, near(tick, instance));
  return result;
}

void FlowScore::change(std::size_t tick, std::span<const Index> instance) {
  const Near steps = near(tick, instance);
  const std::size_t profiles = profiles_with(tick, steps);
  for_each_swap(flow_[tick], instance, [&](std::uint32_t out, std::uint32_t in) {
    add_pair(out, -1);
    add_pair(in, 1);
  });
  move_turns(tick, flow_[tick], -1);
  move_turns(tick, instance, 1);
  score_.profiles = profiles;
  if (tick > 0) {
    lengths_[tick - 1] = steps.before;
    kinds_[tick - 1] = space_->kind_of(steps.before);
  }
  if (tick < kinds_.size()) {
    lengths_[tick] = steps.after;
    kinds_[tick] = space_->kind_of(steps.after);
  }
  flow_[tick].assign(instance.begin(), instance.end());
}

}  // namespace poise::shake
