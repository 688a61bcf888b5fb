#pragma once

// The score of a flow while a search changes it, one instance at a time: its earthquake profiles,
// and how much of the grid it covers that no flow before it did. A change costs time in proportion
// to the number of properties and the gap of a profile, not to the flow's length; trying one and
// not keeping it costs the same. (Evaluating whole flows instead takes 70 to 95 times as long.)
//
//   const Elements elements(grid);
//   Covered covered(elements);                 // by the flows so far
//   FlowScore score(space, elements, covered, flow);
//   const Score then = score.tried(tick, instance);
//   if (then.new_pairs > score.now().new_pairs) score.change(tick, instance);
//   covered.add(score.flow());
//
// How: for each pair and turn it is counted at how many places of the flow it occurs. Replacing an
// instance takes its pairs out and puts others in, and a pair is won or lost where its count leaves
// 0 or gets there. Profiles are counted again within a gap of the tick only.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "poise/shake/flows/metrics.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

// The elements that flows can cover, numbered.
//
// Pairs: of values of two properties; of a grid with one property, its values.
//
// Turns: steps from one cell of the grid to another or the same. A cell is a combination of labels,
// one for each property: its cell in the grid, such as the term that fits best; of a number whose
// values all have the same cell, the stretches between boundary values and each of these values.
// Where there are more than 600 cells, turns are those of each property by itself.
class Elements {
 public:
  explicit Elements(const Grid& grid);

  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  [[nodiscard]] std::size_t properties() const { return sizes_.size(); }
  [[nodiscard]] std::size_t pairs() const { return pairs_; }  // their numbers are below this
  [[nodiscard]] std::size_t turns() const { return turns_; }

  // An upper bound on the pairs that valid instances have: those that no constraint on the two
  // properties alone forbids. Shares for a search need no more; coverage.h counts exactly.
  [[nodiscard]] std::size_t feasible_pairs() const { return feasible_pairs_; }

  // The number of a pair of properties a < b, or of a value (a == b); kNone if one has no value.
  [[nodiscard]] std::uint32_t pair(std::size_t a, std::size_t b, Index i, Index j) const {
    if (i == kNoValue || j == kNoValue) return kNone;
    if (a == b) return i;
    return offsets_[a * sizes_.size() + b] + i * sizes_[b] + j;
  }
  [[nodiscard]] std::uint32_t label(std::size_t property, Index index) const {
    return index == kNoValue ? label_counts_[property] - 1 : labels_[property][index];
  }
  // Turns that a step makes: one between cells, or one for each property.
  [[nodiscard]] std::size_t turns_per_step() const { return joint_ ? 1 : sizes_.size(); }
  [[nodiscard]] std::uint32_t turn(std::size_t which, std::span<const Index> from,
                                   std::span<const Index> to) const;

 private:
  [[nodiscard]] std::uint32_t cell(std::span<const Index> instance) const;

  std::vector<std::uint32_t> sizes_;    // by property: values
  std::vector<std::uint32_t> offsets_;  // by two properties: their first pair
  std::size_t pairs_ = 0;
  std::size_t feasible_pairs_ = 0;
  std::vector<std::vector<std::uint32_t>> labels_;  // by property and value
  std::vector<std::uint32_t> label_counts_;         // by property; the last label is "no value"
  bool joint_ = true;                               // turns are between cells
  std::uint32_t cells_ = 1;
  std::vector<std::uint32_t> turn_offsets_;  // by property, unless joint
  std::size_t turns_ = 0;
};

// The elements that some flows cover.
class Covered {
 public:
  explicit Covered(const Elements& elements);

  struct Gain {
    std::size_t pairs = 0;
    std::size_t turns = 0;
  };
  Gain add(const Flow& flow);  // the gain that gain_of() would have told before
  [[nodiscard]] Gain gain_of(const Flow& flow) const;

  [[nodiscard]] bool has_pair(std::uint32_t pair) const { return pairs_[pair] != 0; }
  [[nodiscard]] bool has_turn(std::uint32_t turn) const { return turns_[turn] != 0; }
  [[nodiscard]] std::size_t pairs() const { return pair_count_; }
  [[nodiscard]] std::size_t turns() const { return turn_count_; }

 private:
  const Elements* elements_;
  std::vector<std::uint8_t> pairs_;
  std::vector<std::uint8_t> turns_;
  std::size_t pair_count_ = 0;
  std::size_t turn_count_ = 0;
};

struct Score {
  std::size_t profiles = 0;
  std::size_t new_pairs = 0;
  std::size_t new_turns = 0;
  friend bool operator==(const Score&, const Score&) = default;
};

// Keeps references to space, elements and covered, which must not change meanwhile. A flow is
// shorter than 65,535 ticks divided by one more than there are properties.
class FlowScore {
 public:
  enum class Turns { Count, Ignore };  // ignoring them saves time and memory
  FlowScore(const ContextSpace& space, const Elements& elements, const Covered& covered, Flow flow,
            Turns turns = Turns::Count);

  [[nodiscard]] const Flow& flow() const { return flow_; }
  [[nodiscard]] const Score& now() const { return score_; }
  [[nodiscard]] const std::vector<double>& lengths() const { return lengths_; }
  [[nodiscard]] const std::vector<StepKind>& kinds() const { return kinds_; }

  // The score with another instance at this tick. Not const: it changes counts and restores them.
  [[nodiscard]] Score tried(std::size_t tick, std::span<const Index> instance);
  void change(std::size_t tick, std::span<const Index> instance);

 private:
  struct Near {  // the lengths of the steps before and after a tick, with another instance there
    double before = 0;
    double after = 0;
  };
  [[nodiscard]] Near near(std::size_t tick, std::span<const Index> instance) const;
  [[nodiscard]] std::size_t profiles_with(std::size_t tick, const Near& near);
  [[nodiscard]] std::size_t profiles_between(std::size_t first, std::size_t last) const;
  template <class Visit>
  void for_each_swap(std::span<const Index> out, std::span<const Index> in, Visit visit) const;
  void move_turns(std::size_t tick, std::span<const Index> instance, int by);
  void add_pair(std::uint32_t pair, int by);
  void add_turn(std::uint32_t turn, int by);

  const ContextSpace* space_;
  const Elements* elements_;
  const Covered* covered_;
  bool with_turns_;
  Flow flow_;
  std::vector<double> lengths_;
  std::vector<StepKind> kinds_;
  std::vector<std::uint16_t> pair_counts_;  // by pair: how many ticks have it
  std::vector<std::uint16_t> turn_counts_;  // by turn: how many steps make it
  Score score_;
};

}  // namespace poise::shake
