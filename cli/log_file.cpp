#include "cli/log_file.h"

#include <istream>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>
// So that what zlib only reads may be const.
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

#include "cli/files.h"
#include "poise/base/check.h"
#include "poise/log/entry.h"

namespace poise::cli {

class LineSource::Chunks {
 public:
  Chunks() = default;
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;
  virtual ~Chunks() = default;
  // Valid until the next call; empty at the end.
  [[nodiscard]] virtual Result<std::string_view> next() = 0;
};

namespace {

using Chunks = LineSource::Chunks;

constexpr std::size_t kChunkSize = std::size_t{1} << 16;

Failure failure(std::string message) { return Failure(Error{std::move(message)}); }

// For messages: as the user gave it.
std::string shown(const std::string& path) {
  return path == "-" ? "standard input" : fmt::format("`{}`", path);
}

Failure cut_off(const std::string& name) {
  return failure(fmt::format("{} is cut off: the archive ends before its time", name));
}

Failure damaged(const std::string& name, std::string_view why) {
  return failure(fmt::format("{} is damaged: {}", name, why));
}

class Plain : public Chunks {
 public:
  Plain(std::string name, std::istream& stream) : name_(std::move(name)), stream_(stream) {}
  Plain(std::string name, std::unique_ptr<std::istream> file)
      : name_(std::move(name)), file_(std::move(file)), stream_(*file_) {}

  Result<std::string_view> next() override {
    stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const auto count = static_cast<std::size_t>(stream_.gcount());
    if (count == 0 && stream_.bad()) return failure(fmt::format("cannot read {}", name_));
    return std::string_view(buffer_.data(), count);
  }
  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  std::string name_;
  std::unique_ptr<std::istream> file_;
  std::istream& stream_;
  std::vector<char> buffer_ = std::vector<char>(kChunkSize);
};

// What a step of unpacking did.
struct Step {
  std::size_t read = 0;
  std::size_t written = 0;
  bool inside = true;             // more belongs to what was begun
  const char* mistake = nullptr;  // after what was written
};

// An archive has one part or several, one after another, as `cat a.gz b.gz` makes them.
class Archive : public Chunks {
 public:
  // `first` is the first chunk of it.
  Archive(std::unique_ptr<Plain> packed, std::string_view first)
      : packed_(std::move(packed)), input_(first) {}

  Result<std::string_view> next() override {
    while (mistake_ == nullptr) {
      const bool waiting = full_ && inside_;  // what found no room the last time
      if (input_.empty() && !waiting) {
        const Result<std::string_view> more = packed_->next();
        if (!more) return more;
        if (more->empty() && inside_) return cut_off(packed_->name());
        if (more->empty()) return std::string_view();
        input_ = *more;
      }
      const Step step = unpack(input_, buffer_);
      input_.remove_prefix(step.read);
      inside_ = step.inside;
      full_ = step.written == buffer_.size();
      mistake_ = step.mistake;
      if (step.written > 0) return std::string_view(buffer_.data(), step.written);
    }
    return damaged(packed_->name(), mistake_);
  }

 protected:
  [[nodiscard]] bool inside() const { return inside_; }

 private:
  [[nodiscard]] virtual Step unpack(std::string_view input, std::span<char> room) = 0;

  std::unique_ptr<Plain> packed_;
  std::string_view input_;
  bool inside_ = false;
  bool full_ = false;
  const char* mistake_ = nullptr;
  std::vector<char> buffer_ = std::vector<char>(kChunkSize);
};

class Gzip : public Archive {
 public:
  Gzip(std::unique_ptr<Plain> packed, std::string_view first) : Archive(std::move(packed), first) {
    constexpr int kGzipOnly = 16;  // added to the size of the window
    POISE_CHECK(inflateInit2(&stream_, MAX_WBITS + kGzipOnly) == Z_OK);
  }
  Gzip(const Gzip&) = delete;
  Gzip& operator=(const Gzip&) = delete;
  ~Gzip() override { inflateEnd(&stream_); }

 private:
  Step unpack(std::string_view input, std::span<char> room) override {
    if (!inside()) POISE_CHECK(inflateReset(&stream_) == Z_OK);
    stream_.next_in = reinterpret_cast<const Bytef*>(input.data());
    stream_.avail_in = static_cast<uInt>(input.size());
    stream_.next_out = reinterpret_cast<Bytef*>(room.data());
    stream_.avail_out = static_cast<uInt>(room.size());
    const int status = inflate(&stream_, Z_NO_FLUSH);
    Step step{.read = input.size() - stream_.avail_in,
              .written = room.size() - stream_.avail_out,
              .inside = status != Z_STREAM_END};
    // Z_BUF_ERROR: there was nothing to do.
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      step.mistake = stream_.msg != nullptr ? stream_.msg : zError(status);
    }
    return step;
  }

  z_stream stream_{};
};

class Zstandard : public Archive {
 public:
  Zstandard(std::unique_ptr<Plain> packed, std::string_view first)
      : Archive(std::move(packed), first) {
    POISE_CHECK(stream_ != nullptr);
  }
  Zstandard(const Zstandard&) = delete;
  Zstandard& operator=(const Zstandard&) = delete;
  ~Zstandard() override { ZSTD_freeDStream(stream_); }

 private:
  Step unpack(std::string_view input, std::span<char> room) override {
    ZSTD_inBuffer in{input.data(), input.size(), 0};
    ZSTD_outBuffer out{room.data(), room.size(), 0};
    const std::size_t status = ZSTD_decompressStream(stream_, &out, &in);
    const bool wrong = ZSTD_isError(status) != 0U;
    return {.read = in.pos,
            .written = out.pos,
            .inside = status != 0,
            .mistake = wrong ? ZSTD_getErrorName(status) : nullptr};
  }

  ZSTD_DStream* stream_ = ZSTD_createDStream();
};

bool is_gzip(std::string_view bytes) { return bytes.starts_with("\x1F\x8B"); }
bool is_zstandard(std::string_view bytes) { return bytes.starts_with("\x28\xB5\x2F\xFD"); }

Result<std::unique_ptr<Plain>> open_plain(const std::string& path, std::istream& standard_input) {
  if (path == "-") return std::make_unique<Plain>(shown(path), standard_input);
  Result<std::unique_ptr<std::istream>> file = open_file(path);
  if (!file) return Failure(file.error());
  return std::make_unique<Plain>(shown(path), *std::move(file));
}

}  // namespace

LineSource::LineSource(std::unique_ptr<Chunks> chunks, std::string_view first)
    : chunks_(std::move(chunks)), chunk_(first) {}
LineSource::LineSource(LineSource&&) noexcept = default;
LineSource& LineSource::operator=(LineSource&&) noexcept = default;
LineSource::~LineSource() = default;

Result<LineSource> LineSource::open(const std::string& path, std::istream& standard_input) {
  Result<std::unique_ptr<Plain>> plain = open_plain(path, standard_input);
  if (!plain) return Failure(plain.error());
  const Result<std::string_view> first = (*plain)->next();
  if (!first) return Failure(first.error());
  if (is_gzip(*first)) return LineSource(std::make_unique<Gzip>(*std::move(plain), *first), {});
  if (is_zstandard(*first)) {
    return LineSource(std::make_unique<Zstandard>(*std::move(plain), *first), {});
  }
  return LineSource(*std::move(plain), *first);
}

Result<std::optional<std::string_view>> LineSource::next() {
  // What has no line breaks for so long has none at all: a device, or no log.
  constexpr std::size_t kEndless = std::size_t{1} << 28;
  if (std::exchange(handed_over_, false)) begun_.clear();
  std::size_t length = 0;
  while (true) {
    const std::size_t end = chunk_.find('\n');
    if (end != std::string_view::npos) {
      const std::string_view part = chunk_.substr(0, end);
      chunk_.remove_prefix(end + 1);
      if (begun_.empty()) return part;
      keep(part);
      handed_over_ = true;
      return begun_;
    }
    keep(chunk_);
    length += chunk_.size();
    chunk_ = {};
    if (!error_ && length > kEndless) error_ = Error{"a line is longer than 256 MB"};
    if (error_) return Failure(*error_);
    const Result<std::string_view> more = chunks_->next();
    if (!more) {
      error_ = more.error();
      return Failure(*error_);
    }
    if (more->empty()) {
      if (begun_.empty()) return std::nullopt;
      handed_over_ = true;
      return begun_;
    }
    chunk_ = *more;
  }
}

void LineSource::keep(std::string_view part) {
  const std::size_t room = log::kMaxLineSize + 1 - begun_.size();
  begun_ += part.substr(0, room);
}

}  // namespace poise::cli
