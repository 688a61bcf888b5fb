#include "poise/base/text.h"

#include <algorithm>
#include <cstdint>

namespace poise {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, {}, lower, lower);
}

// A slip of the finger changes a letter or two, however short the name is; a long name has room
// for more.
std::size_t tolerated_edits(std::size_t length) {
  if (length <= 4) return 1;
  return length <= 8 ? 2 : 3;
}

}  // namespace

std::string joined(std::span<const std::string> parts, std::string_view separator) {
  std::string text;
  for (const std::string& part : parts) {
    if (&part != parts.data()) text += separator;
    text += part;
  }
  return text;
}

std::string counted(std::size_t count, std::string_view noun, std::string_view plural) {
  std::string text = std::to_string(count) + " ";
  if (count == 1) return text.append(noun);
  return plural.empty() ? text.append(noun) + "s" : text.append(plural);
}

// The table of optimal string alignment, of which only three rows are alive and, of a row, only
// the band of cells that can still be within the limit.
std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  const std::size_t beyond = limit + 1;
  std::vector<std::size_t> before_last(b.size() + 1, beyond);
  std::vector<std::size_t> last(b.size() + 1, beyond);
  std::vector<std::size_t> row(b.size() + 1, beyond);
  for (std::size_t j = 0; j <= std::min(limit, b.size()); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    const std::size_t first = i > limit ? i - limit : 0;
    const std::size_t end = std::min(b.size(), i + limit);
    std::size_t least = beyond;
    if (first > 0) row[first - 1] = beyond;
    for (std::size_t j = first; j <= end; ++j) {
      std::size_t best = j == 0 ? i : beyond;
      if (j > 0) {
        best = std::min(last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1), row[j - 1] + 1);
        best = std::min(best, last[j] + 1);
        if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
          best = std::min(best, before_last[j - 2] + 1);
        }
      }
      row[j] = std::min(best, beyond);
      least = std::min(least, row[j]);
    }
    if (end < b.size()) row[end + 1] = beyond;
    if (least > limit) return beyond;
    before_last.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

std::optional<std::string_view> closest(std::string_view name,
                                        std::span<const std::string_view> candidates) {
  std::optional<std::string_view> best;
  std::size_t limit = tolerated_edits(name.size());
  for (const std::string_view candidate : candidates) {
    if (equal_ignoring_case(name, candidate)) return candidate;
    // `a` is no misspelling of `b`: some of the shorter name must be left.
    const std::size_t kept = std::min(name.size(), candidate.size());
    if (limit == 0 || kept <= 1) continue;
    const std::size_t distance = edit_distance(name, candidate, std::min(limit, kept - 1));
    if (distance > std::min(limit, kept - 1)) continue;
    best = candidate;
    limit = distance - 1;
  }
  return best;
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace poise
