#pragma once

// What a program that watches waits for, all at once: descriptors that become ready, a moment, or a
// signal that asks it to end.
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
// Who waits is not told what became ready: it asks again, and must not be kept waiting there.

#include <chrono>
#include <optional>
#include <vector>

namespace poise::cli {

// While it lives, SIGINT and SIGTERM ask the program to end. The second of the same kind does what
// it always does.
class StopSignal {
 public:
  StopSignal();
  StopSignal(const StopSignal&) = delete;
  StopSignal& operator=(const StopSignal&) = delete;
  ~StopSignal();

  [[nodiscard]] bool requested() const;
  // There is something to read once it was requested.
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

  // Returns at once if it was requested already.
  void wait(const StopSignal& stop) const;
  // For who has something to finish although it was requested.
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
