#pragma once

// Hands the lines of a log to a monitor.

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "poise/base/result.h"
#include "poise/log/json_lines.h"
#include "poise/watch/input/scanner.h"
#include "poise/watch/monitor.h"

namespace poise::watch {

// Seconds, as a log writes them, in nanoseconds; what is finer is left out. Nothing if there are
// more than can be counted.
[[nodiscard]] std::optional<Time> time_from(std::string_view seconds);

class Feed {
 public:
  // Plain: every line by the reader that knows all of JSON. Fast: usual lines by the scanner. The
  // result is the same.
  enum class Reading { Fast, Plain };

  // Both must outlive it.
  Feed(const model::Model& model, Monitor& monitor, Reading reading = Reading::Fast)
      : reading_(reading),
        scanner_(model, monitor),
        lines_(model, log::JsonLines::Times::Unchecked),
        monitor_(monitor) {}

  // What the monitor says of a line. A line with an error changes nothing.
  [[nodiscard]] Result<std::span<const Occurrence>> read(std::size_t number, std::string_view line);

  [[nodiscard]] const log::JsonLines& lines() const { return lines_; }
  [[nodiscard]] log::JsonLines& lines() { return lines_; }

 private:
  [[nodiscard]] Result<std::span<const Occurrence>> handed_over(AppId app, const Event& event);

  Reading reading_;
  Scanner scanner_;
  log::JsonLines lines_;
  Monitor& monitor_;
  std::vector<Assignment> assignments_;
  std::vector<Cell> element_;
};

}  // namespace poise::watch
