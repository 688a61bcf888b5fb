#pragma once

// FNV-1a, 64 bits: the same on every machine and in every version, so it may be written to files.
// It detects damage and tells texts apart; it is not cryptographic.

#include <cstdint>
#include <string_view>

namespace poise {

[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3;
  }
  return hash;
}

}  // namespace poise
