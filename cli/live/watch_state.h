#pragma once

// How far a run of `poise watch` has come: all it takes to go on from there, as `--state` keeps it.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cli/io/log_file.h"
#include "cli/live/durations.h"
#include "cli/live/state_folder.h"
#include "cli/live/watch_output.h"
#include "poise/base/result.h"
#include "poise/log/entry.h"
#include "poise/watch/input/reorder.h"

namespace poise::cli {

struct WatchState {
  // What the run is. Another one cannot go on from here.
  std::uint64_t model = 0;  // the hash of its text
  std::string options;      // those that make a difference, as one writes them

  Mark input;
  OutputMark output;  // without the summary
  std::size_t wrong_lines = 0;
  std::size_t late_lines = 0;
  std::size_t unknown_names = 0;
  std::optional<log::UnknownName> first_unknown;
  Durations durations;
  std::vector<watch::HeldLine> held_back;  // lines that were taken, but not handed over
  std::string monitor;                     // its snapshot
};

[[nodiscard]] std::string bytes_of(const WatchState& state);
// Any bytes may be given; the error says what is wrong with them.
[[nodiscard]] Result<WatchState> watch_state_from(std::string_view bytes);

// Where the state of a run is kept, and when.
class Keeping {
 public:
  using Clock = std::chrono::steady_clock;

  // Of a run with this model and these options.
  Keeping(StateFolder folder, std::uint64_t model, std::string options, Clock::duration every)
      : folder_(std::move(folder)),
        model_(model),
        options_(std::move(options)),
        every_(every),
        next_(Clock::now() + every) {}

  // Of the last run, if there was one. The error: it was another one.
  [[nodiscard]] Result<std::optional<WatchState>> kept() const;
  // `begun`: when the work for it was.
  [[nodiscard]] Result<void> keep(WatchState state, Clock::time_point begun);
  // When it should be kept again: not too often, and the less often the longer it takes.
  [[nodiscard]] Clock::time_point next() const { return next_; }

  [[nodiscard]] Failure cannot_go_on(std::string_view why) const;

 private:
  StateFolder folder_;
  std::uint64_t model_;
  std::string options_;
  Clock::duration every_;
  Clock::time_point next_;
};

}  // namespace poise::cli
