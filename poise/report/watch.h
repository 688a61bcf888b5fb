#pragma once

// What `poise watch` prints, a line for each occurrence: as JSON Lines for programs, or for people.

#include <cstddef>
#include <optional>
#include <string>

#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/watch/result.h"

namespace poise::report {

// How long events took, in nanoseconds.
struct WatchTimes {
  double median = 0;
  double most = 0;  // of 99 in a hundred
  double longest = 0;
};

struct WatchSummary {
  watch::Summary monitor;
  std::size_t skipped = 0;          // lines that could not be read
  std::optional<std::size_t> late;  // lines, where some lateness is allowed
  std::size_t unknown = 0;          // names that the model does not know
  std::optional<WatchTimes> times;
};

[[nodiscard]] std::string watch_jsonl(const model::Model& model, const watch::Occurrence& what);
[[nodiscard]] std::string watch_jsonl(const WatchSummary& summary);

[[nodiscard]] std::string watch_text(const model::Model& model, const watch::Occurrence& what,
                                     diag::Color color);
[[nodiscard]] std::string watch_text(const model::Model& model, const WatchSummary& summary);

}  // namespace poise::report
