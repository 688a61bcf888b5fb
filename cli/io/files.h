#pragma once

// Reading and writing of whole files. Error messages name a file as the user did.

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "poise/base/result.h"
#include "poise/base/source.h"

namespace poise::cli {

// The text of a file, or of standard input for `-`. Of a file that is larger than a model may be,
// one byte more than allowed is read, so that the parser reports it.
[[nodiscard]] Result<Source> read_source(const std::string& path, std::istream& standard_input);

// Opens a file to read, in binary mode.
[[nodiscard]] Result<std::unique_ptr<std::istream>> open_file(const std::string& path);

// Creates or overwrites the file.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view text);

// Replaces the text of a file atomically: a reader sees the old text or the new one, never a part,
// even after a crash. Permissions stay, and a symbolic link still points to the file.
[[nodiscard]] Result<void> replace_file(const std::string& path, std::string_view text);

// The destination of results. On a stream, they are written at once; a file is written as a whole,
// by finish().
class Output {
 public:
  explicit Output(std::ostream& out, std::string file = {}) : out_(out), file_(std::move(file)) {}
  void write(std::string_view text);
  // Fails if anything could not be written.
  [[nodiscard]] Result<void> finish();

 private:
  std::ostream& out_;
  std::string file_;  // empty: the stream
  std::string pending_;
  int error_ = 0;  // of the first write that failed
};

}  // namespace poise::cli
