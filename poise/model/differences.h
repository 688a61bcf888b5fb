#pragma once

// Which comparisons of differences (comparison.h) can hold together, decided without trying values.
//
// The tests are grouped by what they compare: all that look at a - b are one *form*. The cuts of
// its tests divide the values of a form into segments, and choosing a segment puts an upper bound
// on a - b and one on b - a. Bounds on differences are closed by shortest paths: what follows from
// a - b <= 3 and b - c < 2 is a - c < 5, and a difference from a slot to itself that must be below
// 0 says that nothing fits. Differences of whole numbers are rounded to whole numbers. (Difference
// bound matrices; for whole numbers the closure is exact because such systems are unimodular.)
//
// Forms are decided one after another. The *state* of a search are the closed bounds between the
// slots that later forms still read: a slot is projected out as soon as nothing reads it, so that
// very different beginnings end in the same state. The order of forms keeps few slots open at a
// time, as in elimination by minimum degree; a chain of comparisons needs two.
//
// A slot behind a guard has a value only while the guard holds; guards are decided just before the
// first form that needs them, and tests that read a slot without a value are false.
//
// A whole number beside a real stays open until the real is gone: which whole numbers lie between
// two reals is no difference.
//
//   const auto differences = Differences::of(model, slots, tests);
//   for (const auto& branch : differences->branches(0, differences->start())) ...

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/model/comparison.h"
#include "poise/model/model.h"

namespace poise::model {

class Differences {
 public:
  // The closed bounds between the open slots, as upper bounds of differences, row by row; the first
  // slot is the number 0.
  using State = std::vector<std::int64_t>;
  struct Hash {
    std::size_t operator()(const State& state) const;
  };
  // The segment of a form, counted from below; or kAbsent, if it reads a slot without a value.
  using Segment = std::uint32_t;
  static constexpr Segment kAbsent = UINT32_MAX;

  // None if some test is no comparison of a difference, or if numbers are too large for machine
  // words. Guards of slots count if they are among the slots.
  static std::optional<Differences> of(const Model& model, std::span<const SlotId> slots,
                                       const std::vector<const Atom*>& tests);

  // One for each form, in the order in which they are decided.
  [[nodiscard]] std::size_t steps() const { return steps_.size(); }
  // The tests on the form, by index, those that change lowest first.
  [[nodiscard]] const std::vector<std::uint32_t>& tests(std::size_t step) const {
    return steps_[step].tests;
  }
  [[nodiscard]] bool answer(std::uint32_t test, Segment segment) const;
  // The segments above which the answer changes, from below.
  [[nodiscard]] const std::vector<Segment>& changes(std::uint32_t test) const {
    return tests_[test].changes;
  }

  [[nodiscard]] static State start() { return {kZero}; }
  struct Branch {
    Segment segment;
    State state;  // after the step
  };
  // The segments that are possible, from below, or kAbsent alone. Of states that were reached in
  // this way there is always one.
  [[nodiscard]] std::vector<Branch> branches(std::size_t step, const State& state) const;

  // Values in these segments, by step: one for each slot, as simple as may be. There must be some.
  [[nodiscard]] std::vector<Value> point(const std::vector<Segment>& segments) const;
  // Values for which the tests have these answers; none if there are none.
  [[nodiscard]] std::optional<std::vector<Value>> point(const std::vector<bool>& answers) const;

 private:
  // An upper bound of a difference is 2 * number + 1, or 2 * number if the difference is below the
  // number itself; numbers are multiplied by scale_.
  static constexpr std::int64_t kZero = 1;

  struct Slot {
    SlotId id;
    bool whole = true;
    std::int64_t above = 0;  // upper bound of the value
    std::int64_t below = 0;  // upper bound of its negative
    std::optional<std::uint32_t> guard;
  };
  struct Test {
    bool lowest = false;
    std::vector<Segment> changes;  // the segments that end where the truth changes; sorted
  };
  // The bounds that a cut puts on a difference below it, and on its negative above it.
  struct Sides {
    std::int64_t below;
    std::int64_t above;
  };
  struct Step {
    std::optional<std::uint32_t> first;   // slots, by index; none where coefficients cancel out
    std::optional<std::uint32_t> second;  // none: the number 0
    std::vector<std::uint32_t> reads;     // all slots that the tests read
    std::vector<std::uint32_t> tests;
    std::vector<Sides> cuts;
    std::vector<bool> missing;  // by segment, for enumerations: no value lies there
    bool guards = false;        // the form is a guard: without a value it does not hold

    // In places of the state: 0 is the number 0, then come the open slots.
    std::vector<std::uint32_t> entering;  // slots, by index, that take the places at the end
    std::uint32_t first_place = 0;
    std::uint32_t second_place = 0;
    std::vector<std::uint32_t> guard_places;  // guards of what it reads
    std::vector<std::uint32_t> open;          // slots, by index, before those that leave are gone
    std::vector<std::uint32_t> kept;          // places after the step
  };
  class Builder;
  class Matrix;
  class Chooser;
  class Search;

  void enter(const Step& step, State& state) const;
  [[nodiscard]] State bounds_in(const std::vector<Segment>& segments) const;

  std::vector<Slot> slots_;
  std::vector<Test> tests_;
  std::vector<Step> steps_;
  std::int64_t scale_ = 1;
  bool mixed_ = false;  // some slots are whole, and some are not
};

}  // namespace poise::model
