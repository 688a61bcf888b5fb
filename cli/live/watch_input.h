#pragma once

// Where the lines come from that `poise watch` reads, one after another, without ever waiting:
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
      Wrong,   // something that is no line; the text says why
      NotYet,  // but later, perhaps
      End,
    };
    Kind kind = Kind::End;
    std::size_t number = 0;  // of the line, from 1 on
    std::string_view text;   // valid until the next call
    bool finished = true;    // else, at the end of a log, it may have been written only in part
  };

  WatchInput() = default;
  WatchInput(const WatchInput&) = delete;
  WatchInput& operator=(const WatchInput&) = delete;
  virtual ~WatchInput() = default;

  [[nodiscard]] virtual Result<Taken> next() = 0;
  // What to wait for when there is nothing yet.
  virtual void add_to(WaitSet& waiting) const = 0;
  // Behind the last line that was taken, if it is finished, else before it.
  [[nodiscard]] virtual Mark mark() const { return {}; }
  // Before the first line is taken: goes on behind the last line of an earlier run. The error, now
  // or when that line should have come: this is another log.
  [[nodiscard]] virtual Result<void> go_on_from(const Mark& /*mark*/) {
    return failure("its lines do not come again");
  }
  // For messages: where the lines are, and what stands before the text about the last one.
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
  std::optional<Mark> skip_to_;  // lines until there were taken before
};

}  // namespace poise::cli
