#pragma once

// Lines that come out of order, put back into it. A line is held back until one of the same
// instance has come whose time is later by the lateness; then every line that should have been
// before it is there. Lines of equal times stay in the order in which they came. A line before one
// that has been handed over already is late: there is no place for it any more.
//
//   Reorder held(model, 5'000'000'000);
//   const auto taken = held.take(number, line);  // held, late, or wrong
//   while (const auto line = held.next()) ... feed.read(line->number, line->text) ...
//   held.finish();                               // and once more the same: all that is left
//
// Lines are read when they come, so that a wrong one holds up nothing and moves no time, and kept
// as they are: about 100 bytes and the text for each.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poise/base/result.h"
#include "poise/base/text.h"
#include "poise/log/json_lines.h"
#include "poise/watch/result.h"

namespace poise::watch {

struct HeldLine {
  std::size_t number = 0;
  std::string text;
};

class Reorder {
 public:
  // The model must outlive it.
  Reorder(const model::Model& model, Time lateness)
      : lateness_(lateness), lines_(model, log::JsonLines::Times::Unchecked) {}

  // The time of a line that is late, and that of the line which was handed over last.
  struct Late {
    Time time = 0;
    Time after = 0;
  };
  // Nothing for a line that is held, or blank. An error if it cannot be read.
  [[nodiscard]] Result<std::optional<Late>> take(std::size_t number, std::string_view line);
  // The next line whose time has come.
  [[nodiscard]] std::optional<HeldLine> next();
  // No more lines are taken; next() hands out all that are left, the earliest first.
  void finish();

  // Before any line of an instance is taken: it has come to this time in an earlier run.
  void start(std::string_view app, Time now);
  // The lines that are held, in the order in which they came.
  [[nodiscard]] std::vector<HeldLine> held() const;

 private:
  struct Waiting {
    Time time = 0;
    std::uint64_t arrival = 0;
    HeldLine line;
  };
  // Makes heaps with the earliest line in front.
  struct Later {
    bool operator()(const Waiting& a, const Waiting& b) const {
      return a.time != b.time ? a.time > b.time : a.arrival > b.arrival;
    }
  };
  struct Instance {
    std::optional<Time> newest;
    std::optional<Time> handed_over;
    std::vector<Waiting> rows;
  };
  using Instances = std::unordered_map<std::string, Instance, TextHash, std::equal_to<>>;

  [[nodiscard]] Instance& instance(std::string_view app);

  Time lateness_;
  log::JsonLines lines_;
  Instances instances_;
  Instance* last_ = nullptr;  // of the last line; only its lines can have become due
  std::uint64_t arrivals_ = 0;
  std::optional<std::vector<Waiting>> rest_;  // after finish()
};

}  // namespace poise::watch
