#pragma once

// UTF-8, strictly: no overlong forms, no surrogates, nothing beyond U+10FFFF.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace poise {

// What some editors put in front of a text.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

struct CodePoint {
  char32_t value = 0;
  std::uint32_t length = 1;  // in bytes
  bool valid = false;        // a byte that starts no code point is invalid and 1 long
};

// The code point a text starts with. The text is not empty.
[[nodiscard]] CodePoint first_code_point(std::string_view text);

// The offset of the first byte that does not belong to a code point.
[[nodiscard]] std::optional<std::size_t> first_invalid_byte(std::string_view text);

}  // namespace poise
