#pragma once

// Binary files of our own. A number is a varint: seven bits per byte, low bits first. A text is
// preceded by its length. A *sealed* file begins with the name of its format and ends with a
// checksum, so that one that was cut off or damaged is recognised.
//
//   ByteWriter writer;
//   writer.number(7);
//   writer.text("forklift");
//   const std::string file = sealed("my format 1\n", writer.bytes());
//
//   const Result<std::string_view> bytes = unsealed("my format 1\n", file);
//   ByteReader reader(*bytes);
//   const std::uint64_t number = reader.number();
//   const std::string_view text = reader.text();
//   if (!reader.is_done()) ...
//
// A reader never reads beyond the end. If something is missing it returns 0 or an empty text, and
// has failed from then on. So it is enough to ask once, at the end.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "poise/base/result.h"

namespace poise {

class ByteWriter {
 public:
  void number(std::uint64_t number) {
    while (number >= 0x80) {
      bytes_.push_back(static_cast<char>(number | 0x80));
      number >>= 7U;
    }
    bytes_.push_back(static_cast<char>(number));
  }
  // Numbers near 0 are short, negative ones too (zigzag).
  void whole(std::int64_t number);
  void text(std::string_view text);
  void raw(std::string_view bytes) { bytes_ += bytes; }

  [[nodiscard]] const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : rest_(bytes) {}

  [[nodiscard]] std::uint64_t number();
  [[nodiscard]] std::int64_t whole();
  [[nodiscard]] std::string_view text();
  // A number of items that follow, each of which takes at least one byte. Fails if it is larger
  // than the number of bytes left; so a damaged file cannot make the caller reserve too much
  // memory.
  [[nodiscard]] std::size_t count();

  // For callers that find that a value which was read is impossible.
  void fail() {
    failed_ = true;
    rest_ = {};
  }
  [[nodiscard]] bool failed() const { return failed_; }
  // Everything was there and nothing is left over.
  [[nodiscard]] bool is_done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

[[nodiscard]] std::string sealed(std::string_view what, std::string_view bytes);
// The bytes inside; a view of `file`. The error says what is wrong: another format, or damage.
[[nodiscard]] Result<std::string_view> unsealed(std::string_view what, std::string_view file);

}  // namespace poise
