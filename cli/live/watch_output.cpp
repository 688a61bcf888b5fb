#include "cli/live/watch_output.h"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "poise/base/hash.h"
#include "poise/report/json/watch.h"
#include "poise/report/text/watch.h"

namespace poise::cli {

namespace {

constexpr std::size_t kMostPending = std::size_t{1} << 16;
// So many bytes are enough to recognise a file.
constexpr std::size_t kMarked = 4096;

}  // namespace

Failure WatchOutput::cannot(std::string_view why) const {
  return failure(fmt::format("cannot write `{}`{}", options_.file, why));
}

Result<void> WatchOutput::open_file(int flags) {
  constexpr mode_t kReadable = 0666;  // less what the user's mask takes away
  file_ = File(::open(options_.file.c_str(), flags | O_CLOEXEC, kReadable));
  if (!file_.is_open()) return cannot(reason(errno));
  return {};
}

Result<void> WatchOutput::open() {
  if (options_.file.empty()) return {};
  return open_file(O_WRONLY | O_CREAT | O_TRUNC);
}

bool WatchOutput::can_be_cut() const {
  struct stat status {};
  return file_.is_open() && ::fstat(file_.descriptor(), &status) == 0 && S_ISREG(status.st_mode);
}

Result<void> WatchOutput::go_on_from(const OutputMark& mark) {
  const Result<void> opened = open_file(O_RDWR | (mark.size == 0 ? O_CREAT : 0));
  if (!opened) return opened;
  const std::size_t tail_size = std::min<std::uint64_t>(mark.tail_size, kMarked);
  const std::optional<std::string> tail =
      mark.size < tail_size ? std::nullopt
                            : bytes_at(file_.descriptor(), mark.size - tail_size, tail_size);
  if (!tail || tail->size() != mark.tail_size || fnv1a(*tail) != mark.tail) {
    return failure(fmt::format(
        "`{}` is not the output that the state is about: what was written is not there any more",
        options_.file));
  }
  const auto end = static_cast<off_t>(mark.size);
  if (::ftruncate(file_.descriptor(), end) != 0 ||
      ::lseek(file_.descriptor(), end, SEEK_SET) != end) {
    return cannot(reason(errno));
  }
  size_ = mark.size;
  tail_ = *tail;
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
                      : readable(report::watch_text(model_, what, options_.color), options_.signs);
  }
  // The next flush() reports what went wrong.
  if (pending_.size() > kMostPending) std::ignore = flush();
}

void WatchOutput::write(const report::WatchSummary& summary) {
  pending_ += options_.format == WatchFormat::JsonLines
                  ? report::watch_jsonl(summary)
                  : readable(report::watch_text(model_, summary), options_.signs);
}

Result<void> WatchOutput::flush() {
  if (pending_.empty() || error_) {
    // Nothing to do, or nothing that would help.
  } else if (options_.file.empty()) {
    errno = 0;
    out_.write(pending_.data(), static_cast<std::streamsize>(pending_.size()));
    out_.flush();
    if (!out_) error_ = Error{fmt::format("cannot write the output{}", reason(errno))};
  } else {
    const Result<void> done = write_all(file_.descriptor(), pending_);
    if (!done) error_ = cannot(done.error().message).value();
    size_ += pending_.size();
    tail_ +=
        std::string_view(pending_).substr(pending_.size() - std::min(pending_.size(), kMarked));
    tail_.erase(0, tail_.size() - std::min(tail_.size(), kMarked));
  }
  pending_.clear();
  if (error_) return Failure(*error_);
  return {};
}

Result<OutputMark> WatchOutput::sync() {
  const Result<void> flushed = flush();
  if (!flushed) return Failure(flushed.error());
  Result<void> synced = cli::sync(file_.descriptor());
  if (synced && !std::exchange(named_, true)) synced = sync_name(options_.file);
  if (!synced) {
    error_ = cannot(synced.error().message).value();
    return Failure(*error_);
  }
  return OutputMark{.size = size_, .tail_size = tail_.size(), .tail = fnv1a(tail_)};
}

}  // namespace poise::cli
