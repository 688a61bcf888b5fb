#pragma once

// The same work for many things, on several threads: the only file that starts threads. Results go
// to places of their own, so that nothing depends on who did what.

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

// How many workers are worth their while for so many pieces of work, of which each should have a
// few.
[[nodiscard]] inline std::size_t worker_count(std::size_t jobs, std::size_t pieces,
                                              std::size_t few = 8) {
  constexpr std::size_t kMost = 64;
  return std::clamp<std::size_t>(std::min(jobs, pieces / few), 1, kMost);
}

// Calls worker(i) for every i from `first` up to `last`, on one thread for each of the workers,
// which may have scratch space of their own. A worker takes `block` pieces at a time: many where a
// piece is little work, few where pieces differ.
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

// The same, in small blocks: for many pieces, each little work, that differ somewhat.
template <class Worker>
void for_each_index(std::size_t first, std::size_t last, std::vector<Worker>& workers) {
  for_each_index(first, last, workers,
                 std::clamp<std::size_t>((last - first) / workers.size() / 16, 1, 64));
}

// Calls work(i) for every i below `count`, on up to `jobs` threads: for few pieces, each much work.
template <class Work>
void for_each_index(std::size_t count, std::size_t jobs, const Work& work) {
  std::vector<std::reference_wrapper<const Work>> workers(worker_count(jobs, count, 1),
                                                          std::cref(work));
  for_each_index(0, count, workers, 1);
}

}  // namespace poise
