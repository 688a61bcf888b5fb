#pragma once

// The state of a run of `poise watch`, as `--state` keeps it: all that the next run needs to go on
// as if there had been no break. docs/watch.md ("Through crashes") says what users may rely on.
//
// Input, output and monitor are kept at the same line. After a crash the next run reads the lines
// behind that one again and cuts off what was written about them, so every fault is in the output
// exactly once.

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
  // Only a run with the same model and options can go on from here.
  std::uint64_t model = 0;  // the hash of its text
  std::string options;      // those that make a difference to the output, as on the command line

  Mark input;
  OutputMark output;  // without the summary
  std::size_t wrong_lines = 0;
  std::size_t late_lines = 0;
  std::size_t unknown_names = 0;
  std::optional<log::UnknownName> first_unknown;
  Durations durations;
  std::vector<watch::HeldLine> held_back;  // lines that wait for later ones (--lateness)
  std::string monitor;                     // its snapshot
};

[[nodiscard]] std::string bytes_of(const WatchState& state);
// Any bytes may be given; an error says what is wrong with them.
[[nodiscard]] Result<WatchState> watch_state_from(std::string_view bytes);

// Keeps the state of a run in a folder from time to time.
class Keeping {
 public:
  using Clock = std::chrono::steady_clock;

  // `model` and `options` as in WatchState. `every`: the shortest time between two keepings.
  Keeping(StateFolder folder, std::uint64_t model, std::string options, Clock::duration every)
      : folder_(std::move(folder)),
        model_(model),
        options_(std::move(options)),
        every_(every),
        next_(Clock::now() + every) {}

  // The state of the last run, if there was one. An error if that had another model or options.
  [[nodiscard]] Result<std::optional<WatchState>> kept() const;
  // `begun`: when the work for making the state began, so that its cost is known.
  [[nodiscard]] Result<void> keep(WatchState state, Clock::time_point begun);
  // When the state should be kept again: the later, the longer the last time took.
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
