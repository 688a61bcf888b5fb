#include "cli/live/loop.h"

#include <chrono>
#include <csignal>

#include <gtest/gtest.h>

namespace poise::cli {
namespace {

TEST(StopSignal, EndsWaitingEvenIfItCameBefore) {
  const StopSignal stop;
  EXPECT_FALSE(stop.requested());
  std::raise(SIGTERM);
  EXPECT_TRUE(stop.requested());
  // Between the question whether to go on and the wait, any signal may come: nothing else ends it.
  const WaitSet waiting;
  waiting.wait(stop);
  waiting.wait(stop);
}

TEST(StopSignal, IsForgottenByTheNext) {
  {
    const StopSignal first;
    std::raise(SIGINT);
    EXPECT_TRUE(first.requested());
  }
  const StopSignal second;
  EXPECT_FALSE(second.requested());
  WaitSet waiting;
  waiting.no_longer_than(std::chrono::milliseconds(1));
  const auto begin = WaitSet::Clock::now();
  waiting.wait(second);
  EXPECT_GE(WaitSet::Clock::now() - begin, std::chrono::milliseconds(1));
}

TEST(StopSignal, DoesNotDisturbWhoHasSomethingToFinish) {
  const StopSignal stop;
  std::raise(SIGINT);
  WaitSet waiting;
  waiting.no_longer_than(std::chrono::milliseconds(1));
  const auto begin = WaitSet::Clock::now();
  waiting.wait();
  EXPECT_GE(WaitSet::Clock::now() - begin, std::chrono::milliseconds(1));
}

}  // namespace
}  // namespace poise::cli
