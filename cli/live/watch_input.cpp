#include "cli/live/watch_input.h"

#include <utility>

#include <fmt/format.h>

namespace poise::cli {

Result<std::unique_ptr<WatchInput>> LogInput::open(const std::string& path, const Streams& streams,
                                                   AtTheEnd at_the_end) {
  const std::optional<int> descriptor = streams.environment.in_descriptor;
  Result<LineSource> source = at_the_end == AtTheEnd::Follow ? LineSource::open_growing(path)
                              : path != "-" || descriptor
                                  ? LineSource::open_live(path, descriptor.value_or(-1))
                                  : LineSource::open(path, streams.in);
  if (!source) return Failure(source.error());
  return std::make_unique<LogInput>(path, streams, *std::move(source));
}

Result<WatchInput::Taken> LogInput::next() {
  while (true) {
    const Result<LineSource::Taken> taken = source_.take();
    if (!taken) return Failure(taken.error());
    switch (taken->kind) {
      case LineSource::Taken::Kind::Line:
        if (!skip_to_) {
          return Taken{Taken::Kind::Line, source_.position().lines, taken->line, taken->finished};
        }
        if (source_.position().lines < skip_to_->position.lines) break;
        if (source_.mark() != *skip_to_) return another_log();
        skip_to_.reset();
        break;
      case LineSource::Taken::Kind::NotYet: return Taken{.kind = Taken::Kind::NotYet};
      case LineSource::Taken::Kind::Truncated:
        complain(streams_, fmt::format("`{}` was cut off; reading from its start", path_));
        break;
      case LineSource::Taken::Kind::Replaced:
        complain(streams_, fmt::format("`{}` was replaced; reading the new file", path_));
        break;
      case LineSource::Taken::Kind::End:
        if (skip_to_) return another_log();
        return Taken{};
    }
  }
}

Result<void> LogInput::go_on_from(const Mark& mark) {
  if (mark.position.lines == 0) return {};
  const Result<bool> there = source_.go_to(mark);
  if (!there) return Failure(there.error());
  if (!*there) {
    skip_to_ = mark;
    return {};
  }
  if (source_.mark() != mark) return another_log();
  return {};
}

Failure LogInput::another_log() const {
  return Failure(
      Error{fmt::format("{} is not the log that the state is about: what was read of "
                        "it is not there any more",
                        path_ == "-" ? "standard input" : fmt::format("`{}`", path_))});
}

void LogInput::add_to(WaitSet& waiting) const {
  // poll() does not tell when a regular file grows.
  constexpr std::chrono::milliseconds kLookAgain(100);
  if (source_.descriptor() >= 0) {
    waiting.read_from(source_.descriptor());
  } else {
    waiting.no_longer_than(kLookAgain);
  }
}

}  // namespace poise::cli
