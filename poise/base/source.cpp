#include "poise/base/source.h"

#include <algorithm>

namespace poise {

Span join(Span first, Span second) {
  return {std::min(first.begin, second.begin), std::max(first.end, second.end)};
}

LineIndex::LineIndex(std::string_view text) : text_(text), starts_{0} {
  for (std::uint32_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\n') starts_.push_back(i + 1);
  }
}

Position LineIndex::position(std::uint32_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const std::uint32_t start = *(after - 1);
  const std::string_view before = text_.substr(start, offset - start);
  // Continuation bytes of UTF-8 (10xxxxxx) do not start a code point.
  const auto columns = std::ranges::count_if(
      before, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return {static_cast<std::uint32_t>(after - starts_.begin()),
          static_cast<std::uint32_t>(columns + 1)};
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
