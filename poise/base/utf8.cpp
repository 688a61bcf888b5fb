#include "poise/base/utf8.h"

#include <array>
#include <cstring>

#include "poise/base/check.h"

namespace poise {
namespace {

constexpr std::uint64_t kHighBits = 0x8080808080808080U;

// Texts are nearly all ASCII, so that is tested for eight bytes at a time.
std::size_t end_of_ascii(std::string_view text, std::size_t begin) {
  while (begin + sizeof(std::uint64_t) <= text.size()) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + begin, sizeof word);
    if ((word & kHighBits) != 0) break;
    begin += sizeof word;
  }
  while (begin < text.size() && static_cast<unsigned char>(text[begin]) < 0x80U) ++begin;
  return begin;
}

std::uint32_t length_from_lead(unsigned char lead) {
  if (lead < 0x80U) return 1;
  if (lead >= 0xC2U && lead <= 0xDFU) return 2;
  if (lead >= 0xE0U && lead <= 0xEFU) return 3;
  if (lead >= 0xF0U && lead <= 0xF4U) return 4;
  return 0;
}

}  // namespace

CodePoint first_code_point(std::string_view text) {
  POISE_CHECK(!text.empty());
  const auto lead = static_cast<unsigned char>(text[0]);
  const std::uint32_t length = length_from_lead(lead);
  if (length == 1) return {.value = lead, .length = 1, .valid = true};
  if (length == 0 || length > text.size()) return {};
  char32_t value = lead & (0x7FU >> length);
  for (std::uint32_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xC0U) != 0x80U) return {};
    value = (value << 6U) | (byte & 0x3FU);
  }
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
  if (value < kSmallest[length] || surrogate || value > 0x10FFFF) return {};
  return {.value = value, .length = length, .valid = true};
}

std::optional<std::size_t> first_invalid_byte(std::string_view text) {
  for (std::size_t i = end_of_ascii(text, 0); i < text.size(); i = end_of_ascii(text, i)) {
    const CodePoint point = first_code_point(text.substr(i));
    if (!point.valid) return i;
    i += point.length;
  }
  return std::nullopt;
}

}  // namespace poise
