#pragma once

// Reproducible random numbers: the same seed gives the same draws with every compiler and on every
// platform, which the distributions of the standard library do not promise. The generator is
// SplitMix64 (Steele, Lea and Flood, 2014); it is not cryptographic.
//
//   Random random(seed);
//   const std::uint64_t die = 1 + random.below(6);

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "poise/base/check.h"

namespace poise {

class Random {
 public:
  // Different streams of one seed are independent of each other: what one part of a program draws
  // does not change what another part gets.
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0)
      : state_(mixed(mixed(seed) + stream)) {}

  // The whole state, to be stored: it determines everything that is drawn from here on.
  [[nodiscard]] std::uint64_t state() const { return state_; }
  void go_on_from(std::uint64_t state) { state_ = state; }

  std::uint64_t next() { return mixed(state_ += 0x9e3779b97f4a7c15); }

  // Each of 0 .. bound - 1 with the same probability. The bound is not 0.
  std::uint64_t below(std::uint64_t bound) {
    POISE_CHECK(bound > 0);
    // The smallest 2^64 mod bound numbers are drawn again: they would make some remainders
    // likelier.
    const std::uint64_t uneven = (0 - bound) % bound;
    std::uint64_t drawn = next();
    while (drawn < uneven) drawn = next();
    return drawn % bound;
  }

  bool coin() { return below(2) == 1; }

  template <class T>
  void shuffle(std::span<T> items) {
    for (std::size_t left = items.size(); left > 1; --left) {
      std::swap(items[left - 1], items[below(left)]);
    }
  }

 private:
  static std::uint64_t mixed(std::uint64_t bits) {
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
    return bits ^ (bits >> 31);
  }

  std::uint64_t state_;
};

}  // namespace poise
