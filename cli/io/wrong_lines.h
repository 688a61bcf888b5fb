#pragma once

// Complaints about lines of a log, or of a file of verdicts, that cannot be read. Only the first
// few are printed, so that a file of another kind does not flood the terminal; the rest are
// counted.

#include <cstddef>
#include <string>
#include <utility>

#include "cli/io/streams.h"
#include "poise/base/result.h"

namespace poise::cli {

class WrongLines {
 public:
  WrongLines(std::string path, const Streams& streams)
      : path_(std::move(path)), streams_(streams) {}

  // The error with its place in front: "home.log:12: ...".
  [[nodiscard]] Error at(std::size_t number, const Error& error) const;
  // Counts the line, and complains about it if it is one of the first.
  void add(std::size_t number, const Error& error);
  // Says how many more there were, if any.
  void finish() const;
  [[nodiscard]] std::size_t count() const { return count_; }
  // Continues the count of an earlier run, which has complained about its own lines.
  void go_on_from(std::size_t count) { count_ = count; }

 private:
  std::string path_;
  const Streams& streams_;
  std::size_t count_ = 0;
};

}  // namespace poise::cli
