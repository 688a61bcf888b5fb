#pragma once

// Files, as far as the program touches them. A message names the file as the user did.

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "poise/base/result.h"
#include "poise/base/source.h"

namespace poise::cli {

// The text of a file, or of standard input for `-`. A file that is larger than a model may be is
// read only so far that the parser can tell.
[[nodiscard]] Result<Source> read_source(const std::string& path, std::istream& standard_input);

// A file to read from, byte by byte as it is.
[[nodiscard]] Result<std::unique_ptr<std::istream>> open_file(const std::string& path);

// Creates or overwrites the file.
[[nodiscard]] Result<void> write_file(const std::string& path, std::string_view text);

// Puts a new file in the place of an old one in one step, so that a reader sees the old text or the
// new one, whatever happens in between. Permissions stay; a symbolic link still points to the file.
[[nodiscard]] Result<void> replace_file(const std::string& path, std::string_view text);

// Where results go: the stream, as they come, or a file, when all are there.
class Output {
 public:
  explicit Output(std::ostream& out, std::string file = {}) : out_(out), file_(std::move(file)) {}
  void write(std::string_view text);
  // Whether everything could be written.
  [[nodiscard]] Result<void> finish();

 private:
  std::ostream& out_;
  std::string file_;  // empty: the stream
  std::string pending_;
  int error_ = 0;  // of the first write that failed
};

}  // namespace poise::cli
