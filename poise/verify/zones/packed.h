#pragma once

// Numbers in few bytes: seven bits in each, the lowest ones first, and one bit that says whether
// there are more (LEB128). Small numbers are short, and equal numbers are equal bytes.

#include <cstdint>
#include <string>

namespace poise::verify {

class PackedWriter {
 public:
  void add(std::uint64_t number) {
    for (; number >= 0x80; number >>= 7U) bytes_.push_back(static_cast<char>(number | 0x80U));
    bytes_.push_back(static_cast<char>(number));
  }
  void clear() { bytes_.clear(); }
  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

// Reads what a PackedWriter has written, in the same order.
class PackedReader {
 public:
  explicit PackedReader(const char* at) : at_(at) {}

  std::uint64_t next() {
    std::uint64_t number = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto byte = static_cast<unsigned char>(*at_++);
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80) return number;
    }
  }

 private:
  const char* at_;
};

}  // namespace poise::verify
