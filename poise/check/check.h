#pragma once

// Static faults of a model: nondeterminism, dead rules and states, unreachable states, races and
// cycles (docs/findings.md; the fault patterns of the A-FSM paper).
//
//   const check::Report report = check::run(model, {.count = check::Count::All});

#include "poise/check/options.h"
#include "poise/check/result.h"
#include "poise/model/model.h"

namespace poise::check {

// Every engine gives the same faults in the same order with the same figures. Every witness
// replays: a run from it, executed by model/step.h, shows the fault. If a limit ended the run, the
// report says so.
[[nodiscard]] Report run(const model::Model& model, const Options& options = {});

}  // namespace poise::check
