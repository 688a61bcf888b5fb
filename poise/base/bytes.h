#pragma once

// Files of our own, as bytes: numbers, seven bits a byte, and texts with their lengths in front. A
// *sealed* text begins with what it is and ends with a checksum, so that a file that was cut off,
// or damaged, is told from a whole one.
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
// A reader never reads beyond the end. Where something is not there it gives 0 or an empty text,
// and has failed from then on: it is enough to ask in the end.

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
  // Those near 0 are short, on both sides of it.
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
  // How many things follow, each of which takes at least a byte: so there cannot be more than
  // bytes, and one may make room for them.
  [[nodiscard]] std::size_t count();

  // Of whoever finds that what was read cannot be.
  void fail() {
    failed_ = true;
    rest_ = {};
  }
  [[nodiscard]] bool failed() const { return failed_; }
  // Everything was there, and nothing else.
  [[nodiscard]] bool is_done() const { return !failed_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool failed_ = false;
};

[[nodiscard]] std::string sealed(std::string_view what, std::string_view bytes);
// The bytes inside. The error says what is wrong: another format, or damage.
[[nodiscard]] Result<std::string_view> unsealed(std::string_view what, std::string_view file);

}  // namespace poise
