#include "cli/watch_output.h"

#include <cerrno>
#include <system_error>

#include <fmt/format.h>

namespace poise::cli {

namespace {

std::string reason(int error) {
  return error == 0 ? "" : fmt::format(": {}", std::generic_category().message(error));
}

constexpr std::size_t kMostPending = std::size_t{1} << 16;

}  // namespace

Result<void> WatchOutput::open() {
  if (options_.file.empty()) return {};
  errno = 0;
  file_.open(options_.file, std::ios::binary | std::ios::trunc);
  if (!file_) {
    return Failure(Error{fmt::format("cannot write `{}`{}", options_.file, reason(errno))});
  }
  return {};
}

void WatchOutput::write(std::span<const watch::Occurrence> said) {
  if (publish_) {
    for (const watch::Occurrence& what : said) {
      std::string line = report::watch_jsonl(model_, what);
      line.pop_back();
      publish_(std::move(line));
    }
  }
  const bool lines = options_.format == WatchFormat::JsonLines;
  if (options_.summary_only && !lines) return;
  for (const watch::Occurrence& what : said) {
    pending_ += lines ? report::watch_jsonl(model_, what)
                      : report::watch_text(model_, what, options_.color);
  }
  // What goes wrong is seen by the next flush.
  if (pending_.size() > kMostPending) std::ignore = flush();
}

void WatchOutput::write(const report::WatchSummary& summary) {
  pending_ += options_.format == WatchFormat::JsonLines ? report::watch_jsonl(summary)
                                                        : report::watch_text(model_, summary);
}

Result<void> WatchOutput::flush() {
  std::ostream& out = options_.file.empty() ? out_ : file_;
  if (!pending_.empty() && !error_) {
    errno = 0;
    out.write(pending_.data(), static_cast<std::streamsize>(pending_.size()));
    out.flush();
    if (!out) {
      const std::string what =
          options_.file.empty() ? "the output" : fmt::format("`{}`", options_.file);
      error_ = Error{fmt::format("cannot write {}{}", what, reason(errno))};
    }
  }
  pending_.clear();
  if (error_) return Failure(*error_);
  return {};
}

}  // namespace poise::cli
