#include "cli/io/log_file.h"

#include <algorithm>
#include <cerrno>
#include <istream>
#include <span>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>
// Makes zlib declare its input as const.
#define ZLIB_CONST
#include <zlib.h>
#include <zstd.h>

#include "cli/io/file.h"
#include "cli/io/files.h"
#include "poise/base/check.h"
#include "poise/base/hash.h"
#include "poise/log/entry.h"

namespace poise::cli {

class LineSource::Chunks {
 public:
  struct Chunk {
    Taken::Kind kind = Taken::Kind::End;  // Line stands for bytes
    std::string_view bytes;               // valid until the next call
  };
  Chunks() = default;
  Chunks(const Chunks&) = delete;
  Chunks& operator=(const Chunks&) = delete;
  virtual ~Chunks() = default;
  [[nodiscard]] virtual Result<Chunk> next() = 0;
  [[nodiscard]] virtual int descriptor() const { return -1; }
  // Random access, for uncompressed regular files only: bytes at an offset, fewer at the end, and
  // going on from an offset. Other sources give nothing and false.
  [[nodiscard]] virtual std::optional<std::string> peek(std::uint64_t /*at*/,
                                                        std::size_t /*size*/) const {
    return std::nullopt;
  }
  [[nodiscard]] virtual bool go_to(std::uint64_t /*at*/) { return false; }
};

namespace {

using Chunks = LineSource::Chunks;
using Chunk = Chunks::Chunk;
using Kind = LineSource::Taken::Kind;

constexpr std::size_t kChunkSize = std::size_t{1} << 16;
// How many bytes of the beginning of a log, and of a line, are hashed to recognise them.
constexpr std::uint64_t kMarked = 4096;

// Magic numbers.
constexpr std::string_view kGzip = "\x1F\x8B";
constexpr std::string_view kZstandard = "\x28\xB5\x2F\xFD";

std::string shown_path(const std::string& path) {
  return path == "-" ? "standard input" : fmt::format("`{}`", path);
}

Failure cannot_read(const std::string& name, int error) {
  return failure(fmt::format("cannot read {}: {}", name, words_for(error)));
}

Failure cut_off(const std::string& name) {
  return failure(fmt::format("{} is cut off: the archive ends before its time", name));
}

Failure damaged(const std::string& name, std::string_view why) {
  return failure(fmt::format("{} is damaged: {}", name, why));
}

class Stream : public Chunks {
 public:
  Stream(std::string name, std::istream& stream) : name_(std::move(name)), stream_(stream) {}
  Stream(std::string name, std::unique_ptr<std::istream> file)
      : name_(std::move(name)), file_(std::move(file)), stream_(*file_) {}

  Result<Chunk> next() override {
    stream_.read(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
    const auto count = static_cast<std::size_t>(stream_.gcount());
    if (count == 0 && stream_.bad()) return failure(fmt::format("cannot read {}", name_));
    if (count == 0) return Chunk{};
    return Chunk{Kind::Line, {buffer_.data(), count}};
  }

 private:
  std::string name_;
  std::unique_ptr<std::istream> file_;
  std::istream& stream_;
  std::vector<char> buffer_ = std::vector<char>(kChunkSize);
};

// Without O_NONBLOCK, opening a named pipe that has no writer would block, and signals to stop
// would have no effect.
Result<File> open_to_read(const std::string& path) {
  File file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.descriptor() < 0) return cannot_read(shown_path(path), errno);
  struct stat status {};
  if (::fstat(file.descriptor(), &status) == 0 && S_ISDIR(status.st_mode)) {
    return failure(fmt::format("cannot read `{}`: it is a directory", path));
  }
  return file;
}

class Live : public Chunks {
 public:
  Live(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  Live(std::string name, File file)
      : name_(std::move(name)), file_(std::move(file)), descriptor_(file_.descriptor()) {}

  Result<Chunk> next() override {
    pollfd ready{.fd = descriptor_, .events = POLLIN, .revents = 0};
    if (::poll(&ready, 1, 0) <= 0) return Chunk{.kind = Kind::NotYet};
    const ssize_t count = ::read(descriptor_, buffer_.data(), buffer_.size());
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Chunk{.kind = Kind::NotYet};
    if (count < 0) return cannot_read(name_, errno);
    if (count == 0) return Chunk{};
    return Chunk{Kind::Line, {buffer_.data(), static_cast<std::size_t>(count)}};
  }
  [[nodiscard]] int descriptor() const override { return descriptor_; }
  // Standard input may be a file, too, but its offset at the start is not known.
  [[nodiscard]] std::optional<std::string> peek(std::uint64_t at, std::size_t size) const override {
    if (!file_.is_open()) return std::nullopt;
    return bytes_at(descriptor_, at, size);
  }
  [[nodiscard]] bool go_to(std::uint64_t at) override {
    return ::lseek(descriptor_, static_cast<off_t>(at), SEEK_SET) >= 0;
  }

 private:
  std::string name_;
  File file_;
  int descriptor_;
  std::vector<char> buffer_ = std::vector<char>(kChunkSize);
};

class Growing : public Chunks {
 public:
  Growing(std::string path, File file) : path_(std::move(path)), file_(std::move(file)) {}

  Result<Chunk> next() override {
    const ssize_t count = ::read(file_.descriptor(), buffer_.data(), buffer_.size());
    if (count < 0 && errno != EAGAIN && errno != EINTR)
      return cannot_read(shown_path(path_), errno);
    if (count < 0) return Chunk{.kind = Kind::NotYet};
    if (count == 0) return at_the_end();
    const std::string_view bytes(buffer_.data(), static_cast<std::size_t>(count));
    if (read_ == 0 && (bytes.starts_with(kGzip) || bytes.starts_with(kZstandard))) {
      return failure(fmt::format("cannot follow {}: it is an archive", shown_path(path_)));
    }
    read_ += count;
    return Chunk{Kind::Line, bytes};
  }
  [[nodiscard]] std::optional<std::string> peek(std::uint64_t at, std::size_t size) const override {
    return bytes_at(file_.descriptor(), at, size);
  }
  [[nodiscard]] bool go_to(std::uint64_t at) override {
    read_ = ::lseek(file_.descriptor(), static_cast<off_t>(at), SEEK_SET);
    return read_ >= 0;
  }

 private:
  // Finds out why there are no more bytes. While a file is being replaced there may be none of that
  // name for a moment. A new one is opened only when the old one has been read to its end.
  Result<Chunk> at_the_end() {
    struct stat ours {};
    if (::fstat(file_.descriptor(), &ours) != 0) return cannot_read(shown_path(path_), errno);
    if (ours.st_size < read_) {
      if (::lseek(file_.descriptor(), 0, SEEK_SET) < 0)
        return cannot_read(shown_path(path_), errno);
      read_ = 0;
      return Chunk{.kind = Kind::Truncated};
    }
    struct stat named {};
    if (::stat(path_.c_str(), &named) != 0) return Chunk{.kind = Kind::NotYet};
    if (named.st_dev == ours.st_dev && named.st_ino == ours.st_ino) {
      return Chunk{.kind = Kind::NotYet};
    }
    Result<File> other = open_to_read(path_);
    if (!other) return Chunk{.kind = Kind::NotYet};
    file_ = *std::move(other);
    read_ = 0;
    return Chunk{.kind = Kind::Replaced};
  }

  std::string path_;
  File file_;
  off_t read_ = 0;
  std::vector<char> buffer_ = std::vector<char>(kChunkSize);
};

// The result of one call of a decompressor.
struct Step {
  std::size_t read = 0;
  std::size_t written = 0;
  bool inside = true;             // in the middle of a member (gzip) or frame (Zstandard)
  const char* mistake = nullptr;  // what is wrong with the bytes after those that were written
};

// An archive of one or more members, one after another, as `cat a.gz b.gz` makes them.
class Archive : public Chunks {
 public:
  // `first` has the bytes at its beginning, which were read already.
  Archive(std::string name, std::unique_ptr<Chunks> packed, std::string first)
      : name_(std::move(name)),
        packed_(std::move(packed)),
        first_(std::move(first)),
        input_(first_) {}

  Result<Chunk> next() override {
    while (mistake_ == nullptr) {
      const bool waiting = full_ && inside_;  // there is output that found no room last time
      if (input_.empty() && !waiting) {
        const Result<Chunk> more = packed_->next();
        if (!more) return more;
        if (more->kind == Kind::End && inside_) return cut_off(name_);
        if (more->kind != Kind::Line) return more;
        input_ = more->bytes;
      }
      const Step step = unpack(input_, buffer_);
      input_.remove_prefix(step.read);
      inside_ = step.inside;
      full_ = step.written == buffer_.size();
      mistake_ = step.mistake;
      if (step.written > 0) return Chunk{Kind::Line, {buffer_.data(), step.written}};
    }
    return damaged(name_, mistake_);
  }
  [[nodiscard]] int descriptor() const override { return packed_->descriptor(); }

 protected:
  [[nodiscard]] bool inside() const { return inside_; }

 private:
  [[nodiscard]] virtual Step unpack(std::string_view input, std::span<char> room) = 0;

  std::string name_;
  std::unique_ptr<Chunks> packed_;
  std::string first_;
  std::string_view input_;
  bool inside_ = false;
  bool full_ = false;
  const char* mistake_ = nullptr;
  std::vector<char> buffer_ = std::vector<char>(kChunkSize);
};

class Gzip : public Archive {
 public:
  Gzip(std::string name, std::unique_ptr<Chunks> packed, std::string first)
      : Archive(std::move(name), std::move(packed), std::move(first)) {
    constexpr int kGzipOnly = 16;  // added to the window size: accept gzip, not zlib
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
    // Z_BUF_ERROR is harmless: there was nothing to do.
    if (status != Z_OK && status != Z_STREAM_END && status != Z_BUF_ERROR) {
      step.mistake = stream_.msg != nullptr ? stream_.msg : zError(status);
    }
    return step;
  }

  z_stream stream_{};
};

class Zstandard : public Archive {
 public:
  Zstandard(std::string name, std::unique_ptr<Chunks> packed, std::string first)
      : Archive(std::move(name), std::move(packed), std::move(first)) {
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

// Decides by the first bytes whether the source is an archive; if so, unpacks it. The bytes may
// come in chunks smaller than a magic number.
class Told : public Chunks {
 public:
  Told(std::string name, std::unique_ptr<Chunks> raw)
      : name_(std::move(name)), chunks_(std::move(raw)) {}

  Result<Chunk> next() override {
    if (told_) return chunks_->next();
    const Result<Chunk> chunk = chunks_->next();
    if (!chunk || (chunk->kind != Kind::Line && chunk->kind != Kind::End)) return chunk;
    first_ += chunk->bytes;
    if (chunk->kind == Kind::Line && may_become(kGzip)) return next();
    if (chunk->kind == Kind::Line && may_become(kZstandard)) return next();
    told_ = true;
    if (first_.starts_with(kGzip)) {
      chunks_ = std::make_unique<Gzip>(name_, std::move(chunks_), std::move(first_));
    } else if (first_.starts_with(kZstandard)) {
      chunks_ = std::make_unique<Zstandard>(name_, std::move(chunks_), std::move(first_));
    } else {
      return first_.empty() ? Chunk{} : Chunk{Kind::Line, first_};
    }
    return chunks_->next();
  }
  [[nodiscard]] int descriptor() const override { return chunks_->descriptor(); }
  [[nodiscard]] std::optional<std::string> peek(std::uint64_t at, std::size_t size) const override {
    const std::optional<std::string> magic = chunks_->peek(0, kZstandard.size());
    if (!magic || magic->starts_with(kGzip) || magic->starts_with(kZstandard)) return std::nullopt;
    return chunks_->peek(at, size);
  }
  [[nodiscard]] bool go_to(std::uint64_t at) override {
    told_ = true;
    return chunks_->go_to(at);
  }

 private:
  [[nodiscard]] bool may_become(std::string_view magic) const {
    return first_.size() < magic.size() && magic.starts_with(first_);
  }

  std::string name_;
  std::unique_ptr<Chunks> chunks_;
  bool told_ = false;
  std::string first_;
};

}  // namespace

LineSource::LineSource(std::unique_ptr<Chunks> chunks) : chunks_(std::move(chunks)) {}
LineSource::LineSource(LineSource&&) noexcept = default;
LineSource& LineSource::operator=(LineSource&&) noexcept = default;
LineSource::~LineSource() = default;

Result<LineSource> LineSource::open(const std::string& path, std::istream& standard_input) {
  std::unique_ptr<Chunks> raw;
  if (path == "-") {
    raw = std::make_unique<Stream>(shown_path(path), standard_input);
  } else {
    Result<std::unique_ptr<std::istream>> file = open_file(path);
    if (!file) return Failure(file.error());
    raw = std::make_unique<Stream>(shown_path(path), *std::move(file));
  }
  return LineSource(std::make_unique<Told>(shown_path(path), std::move(raw)));
}

Result<LineSource> LineSource::open_live(const std::string& path, int standard_input) {
  std::unique_ptr<Chunks> raw;
  if (path == "-") {
    raw = std::make_unique<Live>(shown_path(path), standard_input);
  } else {
    Result<File> file = open_to_read(path);
    if (!file) return Failure(file.error());
    raw = std::make_unique<Live>(shown_path(path), *std::move(file));
  }
  return LineSource(std::make_unique<Told>(shown_path(path), std::move(raw)));
}

Result<LineSource> LineSource::open_growing(const std::string& path) {
  Result<File> file = open_to_read(path);
  if (!file) return Failure(file.error());
  struct stat status {};
  if (::fstat(file->descriptor(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return failure(fmt::format("cannot follow `{}`: it is not a file", path));
  }
  return LineSource(std::make_unique<Growing>(path, *std::move(file)));
}

int LineSource::descriptor() const { return chunks_->descriptor(); }

Result<std::optional<std::string_view>> LineSource::next() {
  const Result<Taken> taken = take();
  if (!taken) return Failure(taken.error());
  if (taken->kind != Taken::Kind::Line) return std::nullopt;
  return taken->line;
}

Result<LineSource::Taken> LineSource::take() {
  // A source without a line break for 256 MB is no log, but perhaps a device like /dev/zero.
  constexpr std::uint64_t kEndless = std::uint64_t{1} << 28;
  if (std::exchange(handed_over_, false)) {
    remember_line();
    begun_.clear();
  }
  if (std::exchange(replaced_, false)) {
    start_again();
    return Taken{.kind = Taken::Kind::Replaced};
  }
  while (true) {
    const std::size_t end = chunk_.find('\n');
    if (end != std::string_view::npos) {
      const std::string_view part = chunk_.substr(0, end);
      chunk_.remove_prefix(end + 1);
      const std::uint64_t bytes = std::exchange(length_, 0) + end + 1;
      if (begun_.empty()) return taken(part, bytes);
      keep(part);
      handed_over_ = true;
      return taken(begun_, bytes);
    }
    remember_line();
    keep(chunk_);
    length_ += chunk_.size();
    chunk_ = {};
    if (!error_ && length_ > kEndless) error_ = Error{"a line is longer than 256 MB"};
    if (error_) return Failure(*error_);
    const Result<Chunks::Chunk> more = chunks_->next();
    if (!more) {
      error_ = more.error();
      return Failure(*error_);
    }
    switch (more->kind) {
      case Taken::Kind::Line: chunk_ = more->bytes; break;
      case Taken::Kind::NotYet: return Taken{.kind = Taken::Kind::NotYet};
      case Taken::Kind::Truncated:
        begun_.clear();
        length_ = 0;
        start_again();
        return Taken{.kind = Taken::Kind::Truncated};
      case Taken::Kind::Replaced:
        if (length_ > 0) {
          replaced_ = true;
          return unfinished();
        }
        start_again();
        return Taken{.kind = Taken::Kind::Replaced};
      case Taken::Kind::End: return length_ > 0 ? unfinished() : Taken{};
    }
  }
}

LineSource::Taken LineSource::unfinished() {
  handed_over_ = true;
  before_unfinished_ = mark();
  Taken line = taken(begun_, std::exchange(length_, 0));
  line.finished = false;
  return line;
}

// On the fast path of every line, so it copies nothing: remember_line() copies the beginning of the
// line only before its bytes are overwritten.
LineSource::Taken LineSource::taken(std::string_view line, std::uint64_t bytes) {
  if (head_.size() < kMarked) {
    head_ += line.substr(0, kMarked - head_.size());
    if (head_.size() < kMarked) head_ += '\n';
  }
  line_start_ = position_.bytes;
  line_ = line.substr(0, kMarked);
  remembered_.reset();
  position_.bytes += bytes;
  ++position_.lines;
  return {.kind = Taken::Kind::Line, .line = line};
}

void LineSource::remember_line() {
  if (!remembered_) remembered_ = std::string(line_);
}

void LineSource::start_again() {
  position_ = {};
  head_.clear();
  line_start_ = 0;
  remembered_ = "";
  before_unfinished_.reset();
}

Mark LineSource::mark() const {
  if (before_unfinished_) return *before_unfinished_;
  const std::string_view line = remembered_ ? std::string_view(*remembered_) : line_;
  return {.position = position_,
          .head_size = head_.size(),
          .head = fnv1a(head_),
          .line_start = line_start_,
          .line_size = line.size(),
          .line = fnv1a(line)};
}

Result<bool> LineSource::go_to(const Mark& mark) {
  const std::optional<std::string> head = chunks_->peek(0, std::min(mark.head_size, kMarked));
  const std::optional<std::string> line =
      chunks_->peek(mark.line_start, std::min(mark.line_size, kMarked));
  if (!head || !line) return false;
  // If no line ends at the mark, this is another log. Then stay at the start: the caller will see
  // that the marks differ.
  const std::uint64_t end = mark.position.bytes;
  if (end == 0 || chunks_->peek(end - 1, 1) != "\n") return true;
  if (!chunks_->go_to(end)) return failure("cannot go to where the log was left");
  head_ = *head;
  line_start_ = mark.line_start;
  remembered_ = *line;
  position_ = mark.position;
  return true;
}

void LineSource::keep(std::string_view part) {
  const std::size_t room = log::kMaxLineSize + 1 - begun_.size();
  begun_ += part.substr(0, room);
}

}  // namespace poise::cli
