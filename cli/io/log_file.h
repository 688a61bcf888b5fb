#pragma once

// The lines of a log, one after another. The file is read in chunks, so its size does not matter.
// An archive (gzip or Zstandard, told by its first bytes, whatever the file is called) is unpacked
// on the way.
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

// How far a log was taken: behind the last line.
struct Position {
  std::uint64_t bytes = 0;  // of the text, unpacked
  std::size_t lines = 0;
  friend bool operator==(const Position&, const Position&) = default;
};

// How far a log was taken, and by what it is known again: how it begins and how its last line does.
struct Mark {
  Position position;
  std::uint64_t head_size = 0;  // of the beginning, which is hashed
  std::uint64_t head = 0;
  std::uint64_t line_start = 0;
  std::uint64_t line_size = 0;  // of the beginning of the last line
  std::uint64_t line = 0;
  friend bool operator==(const Mark&, const Mark&) = default;
};

class LineSource {
 public:
  // A file, or standard input for `-`, which must then outlive this object. There is always more,
  // or the end.
  [[nodiscard]] static Result<LineSource> open(const std::string& path,
                                               std::istream& standard_input);
  // The same without ever waiting: what can be read is asked for first. Standard input is its
  // descriptor, which stays open.
  [[nodiscard]] static Result<LineSource> open_live(const std::string& path, int standard_input);
  // A file that grows: at its end, more is not yet there. A file that becomes shorter, or another
  // one of the same name, is read from its start.
  [[nodiscard]] static Result<LineSource> open_growing(const std::string& path);
  LineSource(LineSource&&) noexcept;
  LineSource& operator=(LineSource&&) noexcept;
  ~LineSource();

  struct Taken {
    enum class Kind {
      Line,
      NotYet,     // but later, perhaps
      Truncated,  // the next line is the first; what was there of an unfinished one is left out
      Replaced,   // the same; an unfinished line was handed over as it was
      End,
    };
    Kind kind = Kind::End;
    std::string_view line;  // without its line feed, valid until the next call
    bool finished = true;   // by a line feed; else it may have been written only in part
  };
  // Of a line that is longer than a log may have, one byte more than allowed, so that its reader
  // can tell. An error comes after all whole lines before it, and stays.
  [[nodiscard]] Result<Taken> take();
  // The next line of a source that always has more; nothing at the end.
  [[nodiscard]] Result<std::optional<std::string_view>> next();

  [[nodiscard]] const Position& position() const { return position_; }
  // Behind the last line that is finished: the rest of another one may still come.
  [[nodiscard]] Mark mark() const;
  // To be called before the first line is taken: goes to where another run was. False if it is not
  // possible to go there without taking all lines before. Whether it is the same log is for the
  // caller to find out, by its mark.
  [[nodiscard]] Result<bool> go_to(const Mark& mark);
  // What to wait for when there is nothing yet; -1 if only time can tell.
  [[nodiscard]] int descriptor() const;

  // Bytes, a chunk at a time; defined by the source file.
  class Chunks;

 private:
  explicit LineSource(std::unique_ptr<Chunks> chunks);
  void keep(std::string_view part);
  [[nodiscard]] Taken unfinished();
  [[nodiscard]] Taken taken(std::string_view line, std::uint64_t bytes);
  void start_again();
  // So that what was read may go.
  void remember_line();

  std::unique_ptr<Chunks> chunks_;
  std::string_view chunk_;    // what is left of it
  std::string begun_;         // the part of a line that was in earlier chunks
  std::uint64_t length_ = 0;  // of that part, all of it
  bool handed_over_ = false;  // what begun_ holds
  bool replaced_ = false;     // which is still to be said
  Position position_;
  std::string head_;                       // the first bytes of all lines that were taken
  std::uint64_t line_start_ = 0;           // the last line: where it begins
  std::string_view line_;                  // its first bytes, in what was read
  std::optional<std::string> remembered_;  // the same, once that is gone
  std::optional<Mark> before_unfinished_;
  std::optional<Error> error_;
};

}  // namespace poise::cli
