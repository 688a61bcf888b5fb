#pragma once

// The same work for many things, on several threads. Results go to places of their own, so nothing
// depends on who did what.

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace poise::shake {

// Calls work(i) for every i below `count`, on up to `jobs` threads.
template <class Work>
void for_each_index(std::size_t count, std::size_t jobs, const Work& work) {
  constexpr std::size_t kMost = 64;
  const std::size_t workers = std::clamp<std::size_t>(std::min(jobs, count), 1, kMost);
  std::atomic<std::size_t> next = 0;
  const auto loop = [&] {
    for (std::size_t i = next.fetch_add(1); i < count; i = next.fetch_add(1)) work(i);
  };
  std::vector<std::jthread> threads;
  for (std::size_t i = 1; i < workers; ++i) threads.emplace_back(loop);
  loop();
}

}  // namespace poise::shake
