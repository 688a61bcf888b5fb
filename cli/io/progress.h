#pragma once

// A line on a terminal that says how far a long run is. It comes after a second, changes some times
// a second, and is gone when the run ends.
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

  // Without a stream it shows nothing.
  explicit ProgressLine(std::ostream* err, std::function<Clock::time_point()> now = Clock::now);
  ~ProgressLine() { clear(); }
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // Characters that take one column each.
  void show(std::string_view text);
  void clear();

 private:
  std::ostream* err_;
  std::function<Clock::time_point()> now_;
  Clock::time_point next_;
  std::size_t shown_ = 0;  // characters
};

}  // namespace poise::cli
