#include "poise/chance/quasi_random.h"

#include <algorithm>
#include <cstdint>

#include "poise/chance/law.h"

namespace poise::chance {
namespace {

std::vector<std::uint32_t> first_primes(std::size_t count) {
  std::vector<std::uint32_t> primes;
  for (std::uint32_t candidate = 2; primes.size() < count; ++candidate) {
    const bool composite =
        std::ranges::any_of(primes, [&](std::uint32_t p) { return candidate % p == 0; });
    if (!composite) primes.push_back(candidate);
  }
  return primes;
}

}  // namespace

QuasiRandomPoints::QuasiRandomPoints(std::size_t dimensions, std::size_t shifts, Random random) {
  for (const std::uint32_t prime : first_primes(dimensions)) {
    const double root = std::sqrt(static_cast<double>(prime));
    steps_.push_back(root - std::floor(root));
  }
  const Law even = Law::uniform(0, 1);
  for (std::size_t i = 0; i < dimensions * shifts; ++i) shifts_.push_back(even.sample(random));
}

}  // namespace poise::chance
