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

#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "poise/base/result.h"

namespace poise::cli {

class LineSource {
 public:
  // A file, or standard input for `-`, which must then outlive this object.
  [[nodiscard]] static Result<LineSource> open(const std::string& path,
                                               std::istream& standard_input);
  LineSource(LineSource&&) noexcept;
  LineSource& operator=(LineSource&&) noexcept;
  ~LineSource();

  // The next line without its line feed, valid until the next call; nothing at the end. Of a line
  // that is longer than a log may have, one byte more than allowed, so that its reader can tell.
  // An error comes after all whole lines before it, and stays.
  [[nodiscard]] Result<std::optional<std::string_view>> next();

  // Bytes, a chunk at a time; defined by the source file.
  class Chunks;

 private:
  explicit LineSource(std::unique_ptr<Chunks> chunks, std::string_view first);
  void keep(std::string_view part);

  std::unique_ptr<Chunks> chunks_;
  std::string_view chunk_;    // what is left of it
  std::string begun_;         // the part of a line that was in earlier chunks
  bool handed_over_ = false;  // what begun_ holds
  std::optional<Error> error_;
};

}  // namespace poise::cli
