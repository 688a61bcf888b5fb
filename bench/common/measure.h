#pragma once

// Measures how long something takes and how much memory it needs. Everything is measured in a
// process of its own, so that nothing is warm from before, a limit ends one measurement and not
// all, and the memory is that of one model.

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "poise/check/check.h"

namespace poise::bench {

inline constexpr int kLimitSeconds = 20;
inline constexpr std::size_t kLimitBytes = std::size_t{2} << 30;

struct Measured {
  std::vector<double> ms;      // of each run by the clock, the shortest first; empty if stopped
  std::vector<double> cpu_ms;  // the same in processor time, of all threads together
  double peak_mb = 0;          // the largest of all runs
  std::string stopped;         // why there are no times; empty if there are
  std::string said;            // Done::said, of work()
  std::size_t races = 0;
  std::size_t cycles = 0;
};

// median() and minimum() are of the times by the clock, cpu_median() of processor time.
[[nodiscard]] double median(const Measured& measured);
[[nodiscard]] double minimum(const Measured& measured);
[[nodiscard]] double cpu_median(const Measured& measured);

// So many runs, or fewer if they have taken five seconds together.
struct Repeat {
  std::size_t runs = 9;
};

// Prepared::of() and the engine, on a model that was read before. The peak is what they need beside
// the model.
[[nodiscard]] Measured analysis(const std::string& file, check::Options options,
                                Repeat repeat = {});

// Anything, again and again. The peak is what the first run needs beside what was there before.
struct Done {
  std::string said;     // a line about the result; the same with every run
  std::string stopped;  // why it did not get to its end; empty if it did
};
[[nodiscard]] Measured work(const std::function<Done()>& done, Repeat repeat = {},
                            int limit_seconds = kLimitSeconds);

// The program from its start to its end: words[0] is its path. What it prints is thrown away.
[[nodiscard]] Measured program(const std::vector<std::string>& words, Repeat repeat = {});

}  // namespace poise::bench
