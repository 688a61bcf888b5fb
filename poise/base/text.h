#pragma once

// Small helpers for texts that people read.

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace poise {

// A hash for tables of strings that are looked up by string views:
// std::unordered_map<std::string, T, TextHash, std::equal_to<>>.
struct TextHash {
  using is_transparent = void;  // NOLINT: the name that the library looks for
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>{}(text);
  }
};

// Of ASCII, whatever the locale.
[[nodiscard]] constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
[[nodiscard]] constexpr bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
[[nodiscard]] constexpr bool is_letter_or_digit(char c) { return is_letter(c) || is_digit(c); }

// "a, b, c"
[[nodiscard]] std::string joined(std::span<const std::string> parts, std::string_view separator);

// "1 rule", "2 rules"; an irregular plural is given: counted(2, "boundary", "boundaries").
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun,
                                  std::string_view plural = {});

// How many single-character edits (insert, delete, replace, swap of neighbours) turn one text into
// the other; gives up beyond `limit` and returns limit + 1.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t limit);

// The candidate a person most likely meant by a mistyped name, if one is close enough to say so.
// The first wins a tie.
[[nodiscard]] std::optional<std::string_view> closest(std::string_view name,
                                                      std::span<const std::string_view> candidates);

// Code points of a UTF-8 text: its width in a terminal, near enough for what we print.
[[nodiscard]] std::size_t display_width(std::string_view text);

}  // namespace poise
