#pragma once

// Oracles that need no reference: does what a subject did in a flow satisfy the expectations of the
// model? And does every field of its variant stay in its range?
//
//   const Expectations expectations(model, grid, subject.fields());
//   for (const Violation& violation : expectations.violations(flow, trace)) { … }
//
// Time: tick t is at t * tick seconds, and a context that is the same at ticks s to t has been held
// for (t - s) * tick seconds. Exactly:
//   Stable D         while a context is held, the variants from D on are all the same.
//   Changes k in D   no k + 1 changes happen at ticks less than D apart. The change from the
//                    initial variant to that of the first tick counts.
//   Base D           while the context is the origin of the grid, the variant is from D on the
//                    initial one.
//   Rises, Falls     of two holds that differ in one property only, the one with the greater value
//                    of it ends with no less (no more) of a field. A hold counts if it took at
//                    least D, and at least two ticks, and the field was the same at its last two.
//   Holds            a condition is true after every tick. Sensed variables and the variant have
//                    values in it; what a policy only remembers (`var`) cannot be seen from
//                    outside, and has none.
// One pass over the flow for each, and for Rises and Falls a comparison of all holds with each
// other; Holds costs as much as looking back takes (eval.h).

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/eval.h"
#include "poise/shake/subjects/subject.h"
#include "poise/shake/subjects/trace.h"

namespace poise::shake {

struct Violation {
  std::optional<model::ExpectationId> expectation;  // none: a field is out of its range
  std::size_t tick = 0;                             // after which it is known
  std::string text;                                 // what happened, in a few words
};

// Keeps references to the model and the grid.
class Expectations {
 public:
  Expectations(const model::Model& model, const Grid& grid, std::vector<Field> fields);

  // The first violation of each expectation, as declared, and then the first of a range.
  [[nodiscard]] std::vector<Violation> violations(const Flow& flow, const Trace& trace) const;
  // The first violation of one expectation; of a range if none is given.
  [[nodiscard]] std::optional<Violation> violation(std::optional<model::ExpectationId> expectation,
                                                   const Flow& flow, const Trace& trace) const;

 private:
  using Found = std::optional<Violation>;
  struct Hold {  // a run of ticks with the same context
    std::size_t first;
    std::size_t last;  // included
  };
  [[nodiscard]] Found unstable(const model::Expectation& expectation, const Flow& flow,
                               const Trace& trace) const;
  [[nodiscard]] Found restless(const model::Expectation& expectation, const Trace& trace) const;
  [[nodiscard]] Found away_from_base(const model::Expectation& expectation, const Flow& flow,
                                     const Trace& trace) const;
  [[nodiscard]] Found not_monotone(const model::Expectation& expectation, const Flow& flow,
                                   const Trace& trace) const;
  [[nodiscard]] Found untrue(const model::Expectation& expectation, const Flow& flow,
                             const Trace& trace) const;
  [[nodiscard]] Found out_of_range(const Trace& trace) const;

  [[nodiscard]] std::optional<std::size_t> changed(const model::Expectation& expectation,
                                                   std::span<const double> a,
                                                   std::span<const double> b) const;
  [[nodiscard]] std::string change_text(std::size_t field, double from, double to) const;
  [[nodiscard]] static std::vector<Hold> holds_of(const Flow& flow, std::size_t ticks);

  const model::Model& model_;
  const Grid& grid_;
  std::vector<Field> fields_;
  Evaluator evaluator_;
  std::vector<model::SlotId> variant_slots_;
  std::optional<Instance> origin_;
};

}  // namespace poise::shake
