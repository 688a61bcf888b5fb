#include "cli/io/progress.h"

#include <string>
#include <utility>

namespace poise::cli {

ProgressLine::ProgressLine(std::ostream* err, std::function<Clock::time_point()> now)
    : err_(err), now_(std::move(now)), next_(now_() + std::chrono::seconds(1)) {}

void ProgressLine::show(std::string_view text) {
  if (err_ == nullptr) return;
  const Clock::time_point now = now_();
  if (now < next_) return;
  next_ = now + std::chrono::milliseconds(200);
  clear();
  *err_ << text << std::flush;
  shown_ = text.size();
}

// Overwrites the line with blanks, which works on every terminal.
void ProgressLine::clear() {
  if (shown_ == 0) return;
  *err_ << '\r' << std::string(shown_, ' ') << '\r' << std::flush;
  shown_ = 0;
}

}  // namespace poise::cli
