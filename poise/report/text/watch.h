#pragma once

// The output of `poise watch` for people: a line for each occurrence, and a summary at the end.

#include <string>

#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/report/watch_summary.h"
#include "poise/watch/result.h"

namespace poise::report {

[[nodiscard]] std::string watch_text(const model::Model& model, const watch::Occurrence& what,
                                     diag::Color color);
[[nodiscard]] std::string watch_text(const model::Model& model, const WatchSummary& summary);

}  // namespace poise::report
