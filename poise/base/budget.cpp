#include "poise/base/budget.h"

#include <algorithm>

#include "poise/base/check.h"

namespace poise {
namespace {

constexpr unsigned kCallsPerLook = 1024;

// A limit of centuries must not overflow the clock.
std::chrono::steady_clock::time_point deadline(const Limits& limits) {
  using Clock = std::chrono::steady_clock;
  if (!limits.time) return Clock::time_point::max();
  const Clock::time_point now = Clock::now();
  const auto left =
      std::chrono::duration_cast<std::chrono::milliseconds>(Clock::time_point::max() - now);
  return *limits.time >= left ? Clock::time_point::max() : now + *limits.time;
}

}  // namespace

std::string_view reason(Exhausted exhausted) {
  switch (exhausted) {
    case Exhausted::No: return "";
    case Exhausted::Time: return "the time limit was reached";
    case Exhausted::Memory: return "the memory limit was reached";
  }
  return "";
}

Budget::Budget(Limits limits) : limits_(limits), deadline_(deadline(limits)) {
  POISE_CHECK(!limits.memory_bytes || limits.memory_in_use != nullptr);
}

Exhausted Budget::exhausted() {
  if (state_ != Exhausted::No || calls_++ % kCallsPerLook != 0) return state_;
  return exhausted_now();
}

Exhausted Budget::exhausted_now() {
  if (state_ != Exhausted::No) return state_;
  if (!limits_.time && !limits_.memory_bytes) return state_;
  const auto now = std::chrono::steady_clock::now();
  if (limits_.time && now >= deadline_) return state_ = Exhausted::Time;
  if (limits_.memory_bytes && now >= next_look_) {
    if (limits_.memory_in_use() > *limits_.memory_bytes) state_ = Exhausted::Memory;
    next_look_ = now + std::chrono::milliseconds(1);
  }
  return state_;
}

bool Budget::allows(std::size_t bytes) {
  if (limits_.memory_bytes && limits_.memory_in_use() + bytes > *limits_.memory_bytes) {
    state_ = Exhausted::Memory;
  }
  return state_ != Exhausted::Memory;
}

std::optional<std::chrono::milliseconds> Budget::time_left() const {
  if (!limits_.time) return std::nullopt;
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline_ - std::chrono::steady_clock::now());
  return std::max(left, std::chrono::milliseconds(1));
}

}  // namespace poise
