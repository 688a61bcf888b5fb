#pragma once

// How much a run may cost. An analysis asks exhausted() every few thousand steps, stops when it is
// true and returns what it has, marked incomplete.

#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace poise {

struct Limits {
  std::optional<std::chrono::milliseconds> time;
  std::optional<std::size_t> memory_bytes;
  // Says how many bytes the process uses; must be there where memory is limited. Asking the system
  // is for whoever owns the process, not for a library.
  std::size_t (*memory_in_use)() = nullptr;
};

enum class Exhausted { No, Time, Memory };

// "the time limit was reached", "the memory limit was reached"; empty for No.
[[nodiscard]] std::string_view reason(Exhausted exhausted);

class Budget {
 public:
  explicit Budget(Limits limits = {});
  // Cheap: looks at the clock and the memory only on every 1,024th call, and stays exhausted.
  Exhausted exhausted();
  // Looks at once: before something large. At the memory again after a millisecond only, because to
  // ask for it takes longer than most steps do, and less than that makes no difference.
  Exhausted exhausted_now();
  // Nothing if time has no limit; else at least a millisecond, for solvers that take 0 for "none".
  [[nodiscard]] std::optional<std::chrono::milliseconds> time_left() const;

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point deadline_;
  std::chrono::steady_clock::time_point next_look_;  // at the memory
  unsigned calls_ = 0;
  Exhausted state_ = Exhausted::No;
};

}  // namespace poise
