#pragma once

// The source of the lines that `poise watch` reads, one after another. It never blocks:
//
//   const auto taken = input->next();
//   if (!taken) ... the rest cannot be read ...
//   switch (taken->kind) ... a line, nothing yet, or the end ...

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "cli/io/log_file.h"
#include "cli/io/streams.h"
#include "cli/live/loop.h"
#include "poise/base/result.h"

namespace poise::cli {

class WatchInput {
 public:
  struct Taken {
    enum class Kind {
      Line,
      Wrong,   // something came that is no line; the text says why
      NotYet,  // there may be more later
      End,
    };
    Kind kind = Kind::End;
    std::size_t number = 0;  // of the line, from 1 on
    std::string_view text;   // valid until the next call
    bool finished = true;    // by a line feed; else only a part may have been written yet
  };

  WatchInput() = default;
  WatchInput(const WatchInput&) = delete;
  WatchInput& operator=(const WatchInput&) = delete;
  virtual ~WatchInput() = default;

  [[nodiscard]] virtual Result<Taken> next() = 0;
  // What to wait for when there is nothing yet.
  virtual void add_to(WaitSet& waiting) const = 0;
  // The place behind the last line that was taken if that is finished, else the place before it.
  [[nodiscard]] virtual Mark mark() const { return {}; }
  // Must be called before the first line is taken: goes on behind the last line of an earlier run.
  // If this is another log, there is an error now, or from next() when that line should have come.
  [[nodiscard]] virtual Result<void> go_on_from(const Mark& /*mark*/) {
    return failure("its lines do not come again");
  }
  // For messages: the name of the source, and what comes before a message about the last line.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::string subject() const { return ""; }
};

// A log. It may be followed as it grows.
class LogInput : public WatchInput {
 public:
  enum class AtTheEnd { Stop, Follow };
  // The streams and the path must outlive it.
  [[nodiscard]] static Result<std::unique_ptr<WatchInput>> open(const std::string& path,
                                                                const Streams& streams,
                                                                AtTheEnd at_the_end);

  LogInput(const std::string& path, const Streams& streams, LineSource source)
      : path_(path), streams_(streams), source_(std::move(source)) {}
  [[nodiscard]] Result<Taken> next() override;
  void add_to(WaitSet& waiting) const override;
  [[nodiscard]] Mark mark() const override { return skip_to_ ? *skip_to_ : source_.mark(); }
  [[nodiscard]] Result<void> go_on_from(const Mark& mark) override;
  [[nodiscard]] std::string name() const override { return path_; }

 private:
  [[nodiscard]] Failure another_log() const;

  const std::string& path_;
  const Streams& streams_;
  LineSource source_;
  std::optional<Mark> skip_to_;  // an earlier run has taken the lines up to here
};

}  // namespace poise::cli
