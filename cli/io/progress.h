#pragma once

// A line on a terminal that shows the progress of a long run. It appears after a second, changes a
// few times a second, and disappears when the run ends.
//
//   ProgressLine line(streams.environment.err_is_terminal ? &streams.err : nullptr);
//   line.show("12000 octagons");

#include <chrono>
#include <cstddef>
#include <functional>
#include <ostream>
#include <string_view>

namespace poise::cli {

class ProgressLine {
 public:
  using Clock = std::chrono::steady_clock;

  // Without a stream it shows nothing. `now` is a clock; tests give their own.
  explicit ProgressLine(std::ostream* err, std::function<Clock::time_point()> now = Clock::now);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // `text` is ASCII: clear() takes a byte for a column. Cheap to call often.
  void show(std::string_view text);
  void clear();

 private:
  std::ostream* err_;
  std::function<Clock::time_point()> now_;
  Clock::time_point next_;
  std::size_t shown_ = 0;  // characters
};

}  // namespace poise::cli
