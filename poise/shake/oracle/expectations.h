#pragma once

// Oracles that need no reference: does what a subject did in a flow satisfy the expectations of the
// model? And does every field of its variant stay in its range?
//
//   const Expectations expectations(model, grid, subject.fields());
//   const Judgement judgement = expectations.judgement(id, flow, trace);
//   if (judgement.violation) { … }
//
// An expectation that was not broken need not have been kept: perhaps it was never *judged*. Below
// stands for each kind what counts as once.
//
// Time: tick t is at t * tick seconds, and a context that is the same at ticks s to t has been held
// for (t - s) * tick seconds. Exactly:
//   Stable D         while a context is held, the variants from D on are all the same. Judged at
//                    each tick that is compared with the one before it.
//   Changes k in D   no k + 1 changes happen at ticks less than D apart. The change from the
//                    initial variant to that of the first tick counts. Judged at each tick that has
//                    the whole of D behind it.
//   Base D           while the context is the origin of the grid, the variant is from D on the
//                    initial one. Judged at each tick from D on.
//   Rises, Falls     of two holds that differ in one property only, the one with the greater value
//                    of it ends with no less (no more) of a field. A hold counts if it took at
//                    least D, and at least two ticks, and the field was the same at its last two.
//                    Judged whenever a tick of one hold is compared with another hold.
//   Holds            a condition is true after every tick. Sensed variables and the variant have
//                    values in it; what a policy only remembers (`var`) cannot be seen from
//                    outside, and has none. `a implies b` is judged at the ticks at which a holds,
//                    any other condition at all ticks, once there is as much of a past as it asks
//                    for. Of `(a implies b) and (c implies d)` each part is judged by itself.
// A violation counts as once, too, even where it comes before that.
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

struct Judgement {
  std::optional<Violation> violation = {};  // the first
  // How often it was judged up to the violation, or in the whole flow: each part of it.
  std::vector<std::size_t> judged = {0};
};

// How long an expectation waits before it can be judged, in ticks: the longest of its windows,
// holds and delays. A flow of as many ticks is too short to judge it.
[[nodiscard]] std::size_t wait_of(const model::Policy& policy,
                                  const model::Expectation& expectation);

// Keeps references to the model and the grid.
class Expectations {
 public:
  Expectations(const model::Model& model, const Grid& grid, std::vector<Field> fields);

  [[nodiscard]] Judgement judgement(model::ExpectationId expectation, const Flow& flow,
                                    const Trace& trace) const;
  // The first tick at which a field is out of its range.
  [[nodiscard]] std::optional<Violation> out_of_range(const Trace& trace) const;

 private:
  struct Hold {  // a run of ticks with the same context
    std::size_t first;
    std::size_t last;  // included
  };
  struct Part {  // of a condition: where all premises hold, so must the conclusion
    std::vector<model::PolicyExprId> premises;
    model::PolicyExprId conclusion;
    std::size_t past;  // how many ticks its windows look back
  };
  [[nodiscard]] Judgement stable(const model::Expectation& expectation, const Flow& flow,
                                 const Trace& trace) const;
  [[nodiscard]] Judgement changes(const model::Expectation& expectation, const Trace& trace) const;
  [[nodiscard]] Judgement base(const model::Expectation& expectation, const Flow& flow,
                               const Trace& trace) const;
  [[nodiscard]] Judgement monotone(const model::Expectation& expectation, const Flow& flow,
                                   const Trace& trace) const;
  [[nodiscard]] Judgement holds(const model::Expectation& expectation, const Flow& flow,
                                const Trace& trace) const;
  [[nodiscard]] std::vector<Part> parts_of(model::PolicyExprId condition) const;

  [[nodiscard]] std::optional<std::size_t> changed(const model::Expectation& expectation,
                                                   std::span<const double> a,
                                                   std::span<const double> b) const;
  [[nodiscard]] std::string change_text(std::size_t field, double from, double to) const;
  [[nodiscard]] static std::vector<Hold> holds_of(const Flow& flow, std::size_t ticks);
  [[nodiscard]] std::string seconds_in(std::size_t ticks) const;

  const model::Model& model_;
  const Grid& grid_;
  std::vector<Field> fields_;
  Evaluator evaluator_;
  std::vector<model::SlotId> variant_slots_;
  std::optional<Instance> origin_;
};

}  // namespace poise::shake
