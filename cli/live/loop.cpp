#include "cli/live/loop.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "poise/base/check.h"

namespace poise::cli {

namespace {

// A signal handler can reach only globals. The pipe wakes up poll(): a flag alone could be set
// between looking at it and waiting. It is never closed, so that a late signal finds it.
volatile std::sig_atomic_t stop_requested = 0;
std::array<int, 2> wake_up = {-1, -1};
constexpr std::array<int, 2> kSignals = {SIGINT, SIGTERM};
std::array<struct sigaction, kSignals.size()> actions_before;

extern "C" void poise_request_stop(int /*signal*/) {
  const int error = errno;
  stop_requested = 1;
  // If the pipe is full, poll() wakes up anyway.
  [[maybe_unused]] const ssize_t written = ::write(wake_up[1], "!", 1);
  errno = error;
}

}  // namespace

StopSignal::StopSignal() {
  if (wake_up[0] < 0) POISE_CHECK(::pipe2(wake_up.data(), O_NONBLOCK | O_CLOEXEC) == 0);
  std::array<char, 64> old{};
  while (::read(wake_up[0], old.data(), old.size()) > 0) {
  }
  stop_requested = 0;
  struct sigaction action {};
  action.sa_handler = poise_request_stop;
  // SA_RESTART: a write that was interrupted goes on (poll() never does). SA_RESETHAND: the second
  // signal ends the program at once.
  action.sa_flags = static_cast<int>(SA_RESTART | SA_RESETHAND);
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &actions_before[i]);
    // A shell makes its background jobs ignore SIGINT; that stays so.
    if (actions_before[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
  }
}

StopSignal::~StopSignal() {
  for (std::size_t i = 0; i < kSignals.size(); ++i)
    ::sigaction(kSignals[i], &actions_before[i], nullptr);
}

bool StopSignal::requested() const { return stop_requested != 0; }

int StopSignal::descriptor() const { return wake_up[0]; }

void WaitSet::wait(const StopSignal& stop) const { wait_also_for(stop.descriptor()); }

void WaitSet::wait_also_for(int other) const {
  std::vector<pollfd> polled = {{.fd = other, .events = POLLIN, .revents = 0}};
  for (const Descriptor& descriptor : descriptors_) {
    const auto events = static_cast<short>(descriptor.write ? POLLOUT : POLLIN);
    polled.push_back({.fd = descriptor.number, .events = events, .revents = 0});
  }
  int milliseconds = -1;
  if (until_) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until_ - Clock::now()).count();
    milliseconds = static_cast<int>(std::clamp<std::int64_t>(left, 0, 3'600'000));
  }
  ::poll(polled.data(), polled.size(), milliseconds);
}

}  // namespace poise::cli
