#pragma once

// The same work for many pieces, on several threads. This is the only file that starts threads.
// Each piece writes its result to a place of its own, so that results do not depend on which thread
// did which piece.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>
#include <vector>

namespace poise {

// How many threads the machine runs at once.
[[nodiscard]] inline std::size_t hardware_threads() {
  return std::max(1U, std::thread::hardware_concurrency());
}

// How many workers are worth their cost: at most `jobs`, and so few that each has at least `few`
// pieces.
[[nodiscard]] inline std::size_t worker_count(std::size_t jobs, std::size_t pieces,
                                              std::size_t few = 8) {
  constexpr std::size_t kMost = 64;
  return std::clamp<std::size_t>(std::min(jobs, pieces / few), 1, kMost);
}

// Calls worker(i) for every i from `first` to `last - 1`, on one thread for each worker. Workers
// may have scratch space of their own. Each takes `block` pieces at a time: choose many if pieces
// are little work, few if they differ. Returns when all are done.
template <class Worker>
void for_each_index(std::size_t first, std::size_t last, std::vector<Worker>& workers,
                    std::size_t block) {
  std::atomic<std::size_t> next = first;
  const auto work = [&next, last, block](Worker& worker) {
    for (std::size_t begin = next.fetch_add(block); begin < last; begin = next.fetch_add(block)) {
      for (std::size_t i = begin; i < std::min(begin + block, last); ++i) worker(i);
    }
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < workers.size(); ++i) {
    threads.emplace_back([&work, &worker = workers[i]] { work(worker); });
  }
  work(workers.front());
}

// The same with blocks of a sixteenth of a worker's share, at most 64: for many small pieces.
template <class Worker>
void for_each_index(std::size_t first, std::size_t last, std::vector<Worker>& workers) {
  for_each_index(first, last, workers,
                 std::clamp<std::size_t>((last - first) / workers.size() / 16, 1, 64));
}

// Calls work(i) for every i below `count`, on up to `jobs` threads, one piece at a time: for few
// large pieces.
template <class Work>
void for_each_index(std::size_t count, std::size_t jobs, const Work& work) {
  std::vector<std::reference_wrapper<const Work>> workers(worker_count(jobs, count, 1),
                                                          std::cref(work));
  for_each_index(0, count, workers, 1);
}

// How many threads were left to themselves. While there are any, the process should end without
// destroying what they may use: std::_Exit.
inline std::atomic<std::size_t> threads_left = 0;

// Does the work on a thread of its own, and waits for it. Some work cannot be stopped, so give_up()
// is asked from time to time; once it says so, the thread is left to itself, and the answer is
// false. The work has to own everything that it uses.
inline bool done_or_left(std::function<void()> work, const std::function<bool()>& give_up) {
  struct Shared {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
  };
  const auto shared = std::make_shared<Shared>();
  std::thread thread([shared, work = std::move(work)]() mutable {
    work();
    work = nullptr;  // lets go of what it owns before anybody knows that it is done
    const std::lock_guard lock(shared->mutex);
    shared->done = true;
    shared->changed.notify_one();
  });
  constexpr std::chrono::milliseconds kPause(10);
  std::unique_lock lock(shared->mutex);
  while (!shared->changed.wait_for(lock, kPause, [&] { return shared->done; })) {
    if (!give_up()) continue;
    ++threads_left;
    thread.detach();
    return false;
  }
  lock.unlock();
  thread.join();
  return true;
}

// Calls look() again and again, with a pause before each call, on a thread of its own, until it is
// destroyed.
class Repeated {
 public:
  Repeated(std::chrono::milliseconds pause, std::function<void()> look)
      : thread_([this, pause, look = std::move(look)](const std::stop_token& stop) {
          std::unique_lock lock(mutex_);
          while (!wake_.wait_for(lock, stop, pause, [&] { return stop.stop_requested(); })) look();
        }) {}
  Repeated(const Repeated&) = delete;
  Repeated& operator=(const Repeated&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable_any wake_;
  std::jthread thread_;  // last: it uses the others
};

}  // namespace poise
