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
  // Returns how many bytes the process uses; required if memory is limited. The program provides
  // it, because a library should not question the operating system about its process.
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
  // Looks at once; to be called before something large. Asking for the memory takes longer than
  // most steps do, so that is repeated only after a millisecond.
  Exhausted exhausted_now();
  // Whether there is memory for so many bytes more; to be asked before a large copy. If not, the
  // budget is exhausted.
  bool allows(std::size_t bytes);
  // What was seen at the last look.
  [[nodiscard]] Exhausted seen() const { return state_; }
  // Nothing if time has no limit. Else at least a millisecond, because solvers take 0 for "no
  // limit".
  [[nodiscard]] std::optional<std::chrono::milliseconds> time_left() const;
  [[nodiscard]] bool is_limited() const { return limits_.time || limits_.memory_bytes; }

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point deadline_;
  std::chrono::steady_clock::time_point next_look_;  // at the memory
  unsigned calls_ = 0;
  Exhausted state_ = Exhausted::No;
};

}  // namespace poise
