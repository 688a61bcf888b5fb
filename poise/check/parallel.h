#pragma once

// The same work for many states, on several threads. Each worker has its own scratch space, results
// go to places of their own, so that nothing depends on who did what.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace poise::check {

// How many workers are worth their while for so many pieces of work, of which each should have a
// few.
inline std::size_t worker_count(std::size_t jobs, std::size_t pieces, std::size_t few = 8) {
  constexpr std::size_t kMost = 64;
  return std::clamp<std::size_t>(std::min(jobs, pieces / few), 1, kMost);
}

// Calls worker(i) for every i from `first` up to `last`, on the threads of `workers`. Work is
// handed out in small blocks, because states differ.
template <class Worker>
void for_each_index(std::size_t first, std::size_t last, std::vector<Worker>& workers) {
  // Blocks, because one state is little work; small ones, because states differ.
  const std::size_t block = std::clamp<std::size_t>((last - first) / workers.size() / 16, 1, 64);
  if (workers.size() == 1) {
    for (std::size_t i = first; i < last; ++i) workers.front()(i);
    return;
  }
  std::atomic<std::size_t> next = first;
  const auto work = [&](Worker& worker) {
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

}  // namespace poise::check
