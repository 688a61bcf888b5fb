#include "poise/base/source.h"

#include <algorithm>

namespace poise {
namespace {

constexpr std::size_t kBlock = 1024;

// Continuation bytes of UTF-8 (10xxxxxx) do not start a code point.
std::uint32_t code_points_in(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

Span join(Span first, Span second) {
  return {std::min(first.begin, second.begin), std::max(first.end, second.end)};
}

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0}, code_points_{0} {
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(i + 1);
  }
  for (std::size_t begin = 0; begin + kBlock <= text.size(); begin += kBlock) {
    code_points_.push_back(code_points_.back() + code_points_in(text.substr(begin, kBlock)));
  }
}

Position LineIndex::position(std::uint32_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::uint32_t start = *(after - 1);
  return {static_cast<std::uint32_t>(after - starts_.begin()),
          code_points_before(offset) - code_points_before(start) + 1};
}

std::uint32_t LineIndex::code_points_before(std::size_t offset) const {
  const std::size_t block = offset / kBlock;
  return code_points_[block] +
         code_points_in(text_.substr(block * kBlock, offset - block * kBlock));
}

std::string_view LineIndex::line(std::uint32_t number) const {
  if (number == 0 || number > starts_.size()) return {};
  const std::uint32_t start = starts_[number - 1];
  std::string_view line = text_.substr(start);
  line = line.substr(0, line.find('\n'));
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

}  // namespace poise
