#pragma once

// The same work for many pieces, on several threads. This is the only file that starts threads.
// Each piece writes its result to a place of its own, so that results do not depend on which thread
// did which piece.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <functional>
#include <thread>
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

}  // namespace poise
