#include "poise/base/watchdog.h"

#include <chrono>
#include <memory>

#include <gtest/gtest.h>

namespace poise {
namespace {

using std::chrono::milliseconds;

std::atomic<std::size_t> bytes_in_use = 0;

// Does nothing until it is interrupted: what a solver at work looks like from outside.
void work_until_interrupted(Watchdog& watchdog) {
  std::atomic<bool> interrupted = false;
  const Watchdog::Guard guard(&watchdog, [&] {
    interrupted = true;
    interrupted.notify_one();
  });
  interrupted.wait(false);
}

TEST(Watchdog, InterruptsWorkWhenTheTimeIsUp) {
  const auto start = std::chrono::steady_clock::now();
  Watchdog watchdog(Budget({.time = milliseconds(30)}));
  EXPECT_EQ(watchdog.exhausted(), Exhausted::No);
  work_until_interrupted(watchdog);
  EXPECT_GE(std::chrono::steady_clock::now() - start, milliseconds(30));
  EXPECT_EQ(watchdog.exhausted(), Exhausted::Time);
}

TEST(Watchdog, KnowsAtOnceThatThereIsNoTime) {
  const Watchdog watchdog(Budget({.time = milliseconds(0)}));
  EXPECT_EQ(watchdog.exhausted(), Exhausted::Time);
}

TEST(Watchdog, InterruptsWorkThatBeginsLater) {
  Watchdog watchdog(Budget({.time = milliseconds(1)}));
  for (int i = 0; i < 3; ++i) work_until_interrupted(watchdog);
}

TEST(Watchdog, InterruptsWorkThatTakesTooMuchMemory) {
  bytes_in_use = 2'000;
  Watchdog watchdog(
      Budget({.memory_bytes = 1'000, .memory_in_use = [] { return bytes_in_use.load(); }}));
  work_until_interrupted(watchdog);
  EXPECT_EQ(watchdog.exhausted(), Exhausted::Memory);
}

TEST(Watchdog, LeavesWorkAloneThatIsDone) {
  std::atomic<int> calls = 0;
  Watchdog watchdog(Budget({.time = milliseconds(1)}));
  {
    const Watchdog::Guard guard(&watchdog, [&] { ++calls; });
  }
  const int before = calls;
  work_until_interrupted(watchdog);
  EXPECT_EQ(calls, before);
}

TEST(Watchdog, TicksWhileOthersWork) {
  std::atomic<int> ticks = 0;
  const Watchdog watchdog(Budget(), [&] {
    ++ticks;
    ticks.notify_one();
  });
  ticks.wait(0);
  ticks.wait(1);
  EXPECT_GE(ticks, 2);
}

TEST(Watchdog, LeavesWorkThatDoesNotListen) {
  struct Work {
    std::atomic<bool> may_end = false;
    std::atomic<bool> ended = false;
  };
  const auto shared = std::make_shared<Work>();
  Watchdog watchdog(Budget({.time = milliseconds(1)}));
  const std::size_t before = threads_left;
  EXPECT_FALSE(done_in_time(
      &watchdog, [] {},
      [shared] {
        shared->may_end.wait(false);
        shared->ended = true;
        shared->ended.notify_one();
      }));
  EXPECT_EQ(threads_left, before + 1);
  shared->may_end = true;
  shared->may_end.notify_one();
  shared->ended.wait(false);
}

TEST(Watchdog, WaitsForWorkThatListens) {
  const auto interrupted = std::make_shared<std::atomic<bool>>(false);
  const auto interrupt = [&] {
    *interrupted = true;
    interrupted->notify_one();
  };
  Watchdog watchdog(Budget({.time = milliseconds(1)}));
  EXPECT_TRUE(done_in_time(&watchdog, interrupt, [interrupted] { interrupted->wait(false); }));
}

TEST(Watchdog, NeedNotBeThere) {
  const Watchdog::Guard guard(nullptr, [] { FAIL(); });
}

}  // namespace
}  // namespace poise
