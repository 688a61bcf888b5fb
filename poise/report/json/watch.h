#pragma once

// The output of `poise watch` for programs: JSON Lines, one for each occurrence and one for the
// summary at the end. docs/watch.md describes the keys.

#include <string>

#include "poise/model/model.h"
#include "poise/report/watch_summary.h"
#include "poise/watch/result.h"

namespace poise::report {

[[nodiscard]] std::string watch_jsonl(const model::Model& model, const watch::Occurrence& what);
[[nodiscard]] std::string watch_jsonl(const WatchSummary& summary);

}  // namespace poise::report
