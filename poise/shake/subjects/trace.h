#pragma once

// A trace is what a subject did in a flow: its variant after every tick (the paper's *variant
// flow*). Two subjects are told apart by comparing their traces of the same flow.
//
//   const Contexts contexts = contexts_of(grid, flow);     // once per flow
//   const Trace expected = trace_of(policy, contexts);
//   const Trace actual = trace_of(mutant, contexts);
//   if (const auto tick = first_difference(expected, actual)) { … killed at *tick … }
//
// A trace costs a number per tick and field, and no allocation per tick.

#include <cmath>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

// A row of numbers for every tick.
struct Rows {
  std::size_t width = 0;
  std::size_t count = 0;
  std::vector<double> values;  // width * count

  [[nodiscard]] std::span<const double> operator[](std::size_t row) const {
    return {values.data() + row * width, width};
  }
};

// The values of the properties at every tick of a flow: what a subject is shown.
using Contexts = Rows;
[[nodiscard]] Contexts contexts_of(const Grid& grid, const Flow& flow);

struct Trace {
  Variant initial;             // before the first tick
  Rows variants;               // after each tick, up to a failure
  std::optional<Error> ended;  // the failure, if any, at tick variants.count

  [[nodiscard]] std::size_t ticks() const { return variants.count; }
  [[nodiscard]] std::span<const double> operator[](std::size_t tick) const {
    return variants[tick];
  }
};

// Resets the subject and shows it the flow, to its end or until the subject fails.
[[nodiscard]] Trace trace_of(Subject& subject, const Contexts& contexts);
[[nodiscard]] Trace trace_of(Subject& subject, const Grid& grid, const Flow& flow);

// Real numbers that differ by no more than this count as the same: two subjects may calculate in
// different orders. Booleans, symbols and whole numbers are never that near unless equal.
inline constexpr double kSameNumber = 1e-9;

[[nodiscard]] inline bool same(double a, double b) {
  return a == b || std::abs(a - b) <= kSameNumber || (std::isnan(a) && std::isnan(b));
}
[[nodiscard]] bool same(std::span<const double> a, std::span<const double> b);

// The first tick after which the variants differ. If one subject failed and the other did not, or
// failed later, that is a difference, too.
[[nodiscard]] std::optional<std::size_t> first_difference(const Trace& a, const Trace& b);
// The same, for a subject that is run up to the first difference only. Nothing is allocated.
[[nodiscard]] std::optional<std::size_t> first_difference(Subject& subject,
                                                          const Contexts& contexts,
                                                          const Trace& expected);

}  // namespace poise::shake
