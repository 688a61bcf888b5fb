#pragma once

// Holds work to a budget that cannot look at it by itself, such as a question to a solver: a thread
// looks at the limits every few milliseconds and, once one is reached, interrupts what is running.
//
//   Watchdog watchdog(budget);
//   {
//     const Watchdog::Guard guard(&watchdog, [&] { context.interrupt(); });
//     answer = solver.check();
//   }
//
// There is a thread only if there is something to watch for: a limit, or a `tick`.

#include <atomic>
#include <functional>
#include <list>
#include <mutex>
#include <optional>

#include "poise/base/budget.h"
#include "poise/base/parallel.h"

namespace poise {

class Watchdog {
 public:
  // Has the limits of the budget, and its deadline. `tick` is called about ten times a second, from
  // the thread that watches, until the watchdog is destroyed.
  explicit Watchdog(const Budget& budget, std::function<void()> tick = {});
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  // The limit that was reached, if one was: at the beginning, or when the thread looked last.
  [[nodiscard]] Exhausted exhausted() const { return exhausted_.load(); }

  [[nodiscard]] bool has_limits() const { return budget_.is_limited(); }

  // As long as it exists, and once a limit is reached, `interrupt` is called from the thread that
  // watches: again and again, because the work may be at a point where it does not listen. Without
  // a watchdog, nothing happens.
  class Guard {
   public:
    Guard(Watchdog* watchdog, std::function<void()> interrupt);
    ~Guard();
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

   private:
    Watchdog* watchdog_;
    std::list<std::function<void()>>::iterator at_;
  };

 private:
  void look();

  Budget budget_;  // a copy of its own, for the thread
  std::function<void()> tick_;
  unsigned looks_ = 0;
  std::atomic<Exhausted> exhausted_;
  std::mutex mutex_;
  std::list<std::function<void()>> interrupts_;  // of what is running
  std::optional<Repeated> thread_;               // last: it uses all of the above
};

// Does work that may not listen when it is interrupted: then it is left to itself (parallel.h) a
// moment after the limit, and the answer is false. The work has to own everything that it uses.
[[nodiscard]] bool done_in_time(Watchdog* watchdog, const std::function<void()>& interrupt,
                                std::function<void()> work);

}  // namespace poise
