#pragma once

// The lines of a log, one after another. The file is read in chunks, so memory does not depend on
// its size. A compressed log (gzip or Zstandard, recognised by its first bytes, whatever its name)
// is unpacked on the way.
//
// A later run can continue where an earlier one stopped: mark() says how far the log was read, and
// go_to() goes there. A mark has hashes of the beginning of the log and of its last line, so that a
// log that was replaced in the meantime is noticed.
//
//   Result<LineSource> source = LineSource::open(path, standard_input);
//   while (true) {
//     const auto line = source->next();
//     if (!line) ... the rest cannot be read ...
//     if (!*line) break;  // the end
//   }

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "poise/base/result.h"

namespace poise::cli {

// How far a log was read: the end of the last line.
struct Position {
  std::uint64_t bytes = 0;  // of the uncompressed text
  std::size_t lines = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

// How far a log was read, and hashes (FNV-1a) by which it can be recognised.
struct Mark {
  Position position;
  std::uint64_t head_size = 0;   // how many of its first bytes are hashed
  std::uint64_t head = 0;        // their hash
  std::uint64_t line_start = 0;  // where the last line begins
  std::uint64_t line_size = 0;   // how many of its first bytes are hashed
  std::uint64_t line = 0;        // their hash
  friend bool operator==(const Mark&, const Mark&) = default;
};

class LineSource {
 public:
  // A file, or standard input for `-`, which must then outlive this object. take() blocks until
  // there is a line or the end; it is never NotYet.
  [[nodiscard]] static Result<LineSource> open(const std::string& path,
                                               std::istream& standard_input);
  // The same, but take() never blocks. Standard input is given by its descriptor, which stays open.
  [[nodiscard]] static Result<LineSource> open_live(const std::string& path, int standard_input);
  // A file that grows, like `tail -F`: at its end, take() is NotYet, never End. If the file becomes
  // shorter, or another file gets its name, that is read from its start.
  [[nodiscard]] static Result<LineSource> open_growing(const std::string& path);
  LineSource(LineSource&&) noexcept;
  LineSource& operator=(LineSource&&) noexcept;
  ~LineSource();

  struct Taken {
    enum class Kind {
      Line,
      NotYet,     // nothing now; perhaps later
      Truncated,  // the file became shorter: starts again; an unfinished line was dropped
      Replaced,   // another file has its name: starts there; an unfinished line came before
      End,
    };
    Kind kind = Kind::End;
    std::string_view line;  // without its line feed, valid until the next call
    bool finished = true;   // ends with a line feed; else it may be written only in part yet
  };
  // A line that is too long for a log is cut to one byte more than allowed, so that the reader of
  // the line reports it. After an error, which comes after all whole lines before it, every call
  // fails.
  [[nodiscard]] Result<Taken> take();
  // For sources of open(): the next line, or nothing at the end.
  [[nodiscard]] Result<std::optional<std::string_view>> next();

  [[nodiscard]] const Position& position() const { return position_; }
  // The end of the last finished line: the rest of an unfinished one may still come.
  [[nodiscard]] Mark mark() const;
  // Goes to where an earlier run stopped; call it before the first line is taken. False if the
  // source cannot seek (a pipe, an archive): then the caller has to take all lines before. The
  // caller also finds out whether it is the same log, by comparing mark() with the old mark.
  [[nodiscard]] Result<bool> go_to(const Mark& mark);
  // The descriptor to poll while there is nothing yet; -1 if the file can only be tried again
  // later.
  [[nodiscard]] int descriptor() const;

  // A source of bytes, a chunk at a time; defined in the .cpp file.
  class Chunks;

 private:
  explicit LineSource(std::unique_ptr<Chunks> chunks);
  void keep(std::string_view part);
  [[nodiscard]] Taken unfinished();
  [[nodiscard]] Taken taken(std::string_view line, std::uint64_t bytes);
  void start_again();
  // Copies the beginning of the last line, before the chunk that it lies in is overwritten.
  void remember_line();

  std::unique_ptr<Chunks> chunks_;
  std::string_view chunk_;    // the rest of the current chunk
  std::string begun_;         // the part of a line that was in earlier chunks
  std::uint64_t length_ = 0;  // of that part, even if begun_ was cut
  bool handed_over_ = false;  // begun_ was returned as a line and can be cleared
  bool replaced_ = false;     // the next take() says so
  Position position_;
  std::string head_;                       // the first bytes of the log, as far as it was taken
  std::uint64_t line_start_ = 0;           // where the last line begins
  std::string_view line_;                  // its first bytes, in the chunk or in begun_
  std::optional<std::string> remembered_;  // a copy of them, once the chunk may be gone
  std::optional<Mark> before_unfinished_;  // the mark, if the last line was not finished
  std::optional<Error> error_;
};

}  // namespace poise::cli
