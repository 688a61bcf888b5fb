#pragma once

// Lines of a log, or of a file of verdicts, that cannot be read: what is wrong with the first few.

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

  [[nodiscard]] Error at(std::size_t number, const Error& error) const;
  void add(std::size_t number, const Error& error);
  // Says how many more there were.
  void finish() const;
  [[nodiscard]] std::size_t count() const { return count_; }
  // Those of an earlier run, which has told of them.
  void go_on_from(std::size_t count) { count_ = count; }

 private:
  std::string path_;
  const Streams& streams_;
  std::size_t count_ = 0;
};

}  // namespace poise::cli
