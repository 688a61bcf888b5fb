#include "poise/base/watchdog.h"

#include <utility>

namespace poise {
namespace {

// A solver may take a gigabyte in a second: ten megabytes between two looks.
constexpr std::chrono::milliseconds kPause(10);
constexpr unsigned kLooksPerTick = 10;
// How long work may take to notice that it is interrupted.
constexpr std::chrono::milliseconds kPatience(300);

}  // namespace

Watchdog::Watchdog(const Budget& budget, std::function<void()> tick)
    : budget_(budget), tick_(std::move(tick)), exhausted_(budget_.exhausted_now()) {
  if (budget.is_limited() || tick_) thread_.emplace(kPause, [this] { look(); });
}

void Watchdog::look() {
  if (tick_ && ++looks_ % kLooksPerTick == 0) tick_();
  const Exhausted exhausted = budget_.exhausted_now();
  if (exhausted == Exhausted::No) return;
  exhausted_.store(exhausted);
  const std::lock_guard lock(mutex_);
  for (const std::function<void()>& interrupt : interrupts_) interrupt();
}

Watchdog::Guard::Guard(Watchdog* watchdog, std::function<void()> interrupt) : watchdog_(watchdog) {
  if (watchdog_ == nullptr) return;
  const std::lock_guard lock(watchdog_->mutex_);
  at_ = watchdog_->interrupts_.insert(watchdog_->interrupts_.end(), std::move(interrupt));
}

Watchdog::Guard::~Guard() {
  if (watchdog_ == nullptr) return;
  const std::lock_guard lock(watchdog_->mutex_);
  watchdog_->interrupts_.erase(at_);
}

bool done_in_time(Watchdog* watchdog, const std::function<void()>& interrupt,
                  std::function<void()> work) {
  if (watchdog == nullptr || !watchdog->has_limits()) {
    work();
    return true;
  }
  const Watchdog::Guard guard(watchdog, interrupt);
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> since;
  return done_or_left(std::move(work), [&] {
    if (watchdog->exhausted() == Exhausted::No) return false;
    if (!since) since = Clock::now();
    return Clock::now() - *since > kPatience;
  });
}

}  // namespace poise
