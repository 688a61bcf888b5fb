#pragma once

// Wording that all reports of `poise shake` share, whatever their format.

#include <cstddef>
#include <string>

#include "poise/model/model.h"
#include "poise/shake/result.h"

namespace poise::report {

// How many expectations were never judged.
[[nodiscard]] std::size_t not_judged(const shake::Report& report);

// Why one was never judged: "it waits for 480 ticks, and the flows have 60".
[[nodiscard]] std::string why_not_judged(const model::Model& model, const shake::Report& report,
                                         const shake::Judging& judging);

}  // namespace poise::report
