#pragma once

// The event loop of `poise watch`, which has one thread: it waits at once for descriptors that
// become ready, for a point in time, and for a signal that asks it to end.
//
//   StopSignal stop;
//   while (!stop.requested()) {
//     ... do what can be done without waiting ...
//     WaitSet waiting;
//     waiting.read_from(socket);
//     waiting.no_longer_than(std::chrono::milliseconds(100));
//     waiting.wait(stop);
//   }
//
// wait() does not say what became ready. After it, every part of the program is asked again whether
// it has something to do, and none of them may block.

#include <chrono>
#include <optional>
#include <vector>

namespace poise::cli {

// While it lives, SIGINT and SIGTERM ask the program to end. A second signal of the same kind has
// its usual effect, so a program that hangs can still be ended. There is at most one at a time.
class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  [[nodiscard]] bool requested() const;
  // Becomes readable when the end is requested.
  [[nodiscard]] int descriptor() const;
};

class WaitSet {
 public:
  using Clock = std::chrono::steady_clock;

  void read_from(int descriptor) { descriptors_.push_back({descriptor, false}); }
  void write_to(int descriptor) { descriptors_.push_back({descriptor, true}); }
  void no_longer_than(Clock::duration time) { not_after(Clock::now() + time); }
  void not_after(Clock::time_point time) {
    if (!until_ || time < *until_) until_ = time;
  }

  // Returns at once if the end was requested already.
  void wait(const StopSignal& stop) const;
  // To finish something although the end was requested.
  void wait() const { wait_also_for(-1); }

 private:
  void wait_also_for(int other) const;

  struct Descriptor {
    int number;
    bool write;
  };
  std::vector<Descriptor> descriptors_;
  std::optional<Clock::time_point> until_;
};

}  // namespace poise::cli
