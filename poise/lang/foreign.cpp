#include "poise/lang/foreign.h"

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/lang/token.h"

namespace poise::lang {
namespace {

bool is_of_word(char c) { return is_letter_or_digit(c) || c == '_'; }

char at_offset(std::string_view text, std::size_t offset) {
  return offset < text.size() ? text[offset] : '\0';
}

std::size_t digits_at(std::string_view text, std::size_t offset) {
  std::size_t end = offset;
  while (poise::is_digit(at_offset(text, end))) ++end;
  return end - offset;
}

// The last word before the end of the text, or nothing if something else stands there.
std::string_view last_word(std::string_view text) {
  while (text.ends_with(' ')) text.remove_suffix(1);
  std::size_t begin = text.size();
  while (begin > 0 && is_of_word(text[begin - 1])) --begin;
  return text.substr(begin);
}

std::string_view first_word(std::string_view text) {
  const auto* const end = std::ranges::find_if_not(text, is_of_word);
  return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

std::string_view without_indent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

std::string_view line_at(std::string_view text, std::size_t begin) {
  std::string_view line = text.substr(begin, text.find('\n', begin) - begin);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

// `alias` of `- alias: x` and of `alias:`.
std::string_view yaml_key(std::string_view line) {
  line = without_indent(line);
  while (line.starts_with("- ")) line = without_indent(line.substr(2));
  const std::string_view key = first_word(line);
  const std::string_view behind = line.substr(key.size());
  const bool is_key = behind == ":" || behind.starts_with(": ");
  return is_key ? key : std::string_view();
}

bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

// Words that hardly anybody but Home Assistant puts before a colon.
bool has_its_key(std::string_view line) {
  constexpr std::array<std::string_view, 10> kKeys = {
      "homeassistant", "automation", "alias",         "platform",      "entity_id",
      "blueprint",     "service",    "binary_sensor", "input_boolean", "default_config"};
  return is_one_of(yaml_key(line), kKeys);
}

// Words that may stand before the first of those. What means something in a model, such as
// `action`, only goes on with what another one has started.
bool may_start_yaml(std::string_view line) {
  constexpr std::array<std::string_view, 11> kKeys = {
      "id",       "trigger", "triggers", "condition",   "conditions", "actions",
      "sequence", "script",  "sensor",   "description", "mode"};
  return without_indent(line) == "---" || has_its_key(line) || is_one_of(yaml_key(line), kKeys);
}

bool goes_on_with_yaml(std::string_view line) {
  const std::string_view text = without_indent(line);
  if (text.empty() || text.starts_with('#') || text.starts_with('-')) return true;
  if (!yaml_key(line).empty()) return true;
  const bool declares = is_declaration_keyword(word_kind(first_word(text)));
  return text.size() < line.size() && !declares;
}

}  // namespace

std::size_t time_length(std::string_view text) {
  std::size_t end = digits_at(text, 0);
  if (end == 0 || at_offset(text, end) != ':' || digits_at(text, end + 1) == 0) return 0;
  while (at_offset(text, end) == ':' && digits_at(text, end + 1) > 0) {
    end += 1 + digits_at(text, end + 1);
  }
  return end + first_word(text.substr(end)).size();
}

std::string time_hint(std::string_view time, std::string_view before) {
  constexpr std::array<std::string_view, 8> kBeforeDurations = {
      "last", "next", "held", "over", "cooldown", "within", "for", "tick"};
  const bool duration = is_one_of(last_word(before), kBeforeDurations);
  constexpr std::string_view kNumber =
      "a number is decimal digits, and perhaps a point and more digits";
  if (duration) return "a duration is written `90s`, `5m` or `2h`";
  std::vector<int> parts;
  std::string_view rest = time;
  while (!rest.empty()) {
    const std::size_t length = digits_at(rest, 0);
    const bool sixty = parts.empty() || (length == 2 && rest[0] < '6');
    if (length == 0 || length > 2 || !sixty || parts.size() == 3) return std::string(kNumber);
    parts.push_back(length == 1 ? rest[0] - '0' : 10 * (rest[0] - '0') + rest[1] - '0');
    rest.remove_prefix(length + (length < rest.size() ? 1 : 0));
  }
  constexpr int kHours = 24;
  if (parts[0] >= kHours) return std::string(kNumber);
  const int minutes = 60 * parts[0] + parts[1];
  if (parts.size() == 2) {
    return fmt::format("count minutes from midnight: {} is `{}`", time, minutes);
  }
  return fmt::format("count seconds from midnight: {} is `{}`", time, 60 * minutes + parts[2]);
}

// `20%` and `20 %` before the end of a value, but not `20 % x` and `20%3`.
std::optional<std::string_view> percentage(std::string_view text, std::uint32_t at) {
  std::string_view before = text.substr(0, at);
  while (before.ends_with(' ')) before.remove_suffix(1);
  std::size_t begin = before.size();
  while (begin > 0 && (poise::is_digit(before[begin - 1]) || before[begin - 1] == '.')) --begin;
  const bool in_word = begin > 0 && is_of_word(before[begin - 1]);
  std::string_view number = before.substr(begin);
  if (const std::size_t range = number.rfind(".."); range != std::string_view::npos) {
    number.remove_prefix(range + 2);
  }
  constexpr std::size_t kLongest = 40;
  const bool is_number = !in_word && !number.empty() && poise::is_digit(number[0]) &&
                         number.size() <= kLongest && number.find('.') == number.rfind('.');
  const std::string_view behind = text.substr(at + 1);
  const auto is_operand = [](char c) { return is_of_word(c) || c == '('; };
  if (!is_number || is_operand(at_offset(behind, 0))) return std::nullopt;
  const std::string_view next = without_indent(behind);
  const bool apart = before.size() < at;
  if (apart && is_operand(at_offset(next, 0)) && word_kind(first_word(next)) == TokenKind::Name) {
    return std::nullopt;
  }
  return number;
}

std::optional<std::uint32_t> odd_name_end(std::string_view text, std::uint32_t begin) {
  // Nobody writes a longer one, and a hostile text is not read again at each of its dashes.
  constexpr std::size_t kLongest = 100;
  std::size_t end = begin;
  bool dash = false;
  bool letter = false;
  while (end - begin <= kLongest) {
    const char c = at_offset(text, end);
    const bool joins =
        (c == '.' || c == '-') && end > begin && is_of_word(at_offset(text, end + 1));
    if (!is_of_word(c) && !joins) break;
    dash = dash || c == '-';
    letter = letter || (is_of_word(c) && !poise::is_digit(c));
    ++end;
  }
  const bool starts_with_digit = poise::is_digit(at_offset(text, begin));
  const bool odd = letter && (dash || starts_with_digit) && end - begin <= kLongest;
  return odd ? std::optional(static_cast<std::uint32_t>(end)) : std::nullopt;
}

std::optional<Span> dashed_name(std::string_view text, Span name) {
  constexpr std::uint32_t kLongest = 100;
  std::uint32_t begin = name.begin;
  while (begin > 0 && name.begin - begin < kLongest) {
    const char c = text[begin - 1];
    const bool joins = (c == '.' || c == '-') && begin > 1 && is_of_word(text[begin - 2]);
    if (!is_of_word(c) && !joins) break;
    --begin;
  }
  const std::optional<std::uint32_t> end = odd_name_end(text, begin);
  if (!end || poise::is_digit(text[begin])) return std::nullopt;
  for (std::uint32_t i = begin; i < *end; ++i) {
    if (text[i] == '-' && poise::is_digit(text[i + 1])) return std::nullopt;
  }
  return Span{begin, *end};
}

std::string proper_name(std::string_view odd_name) {
  std::string name(odd_name);
  std::ranges::replace(name, '-', '_');
  return poise::is_digit(name[0]) ? "_" + name : name;
}

std::optional<char> conflict_mark(std::string_view text, std::uint32_t at) {
  constexpr std::size_t kLength = 7;
  const bool starts_line = at == 0 || text[at - 1] == '\n';
  const std::string_view line = starts_line ? line_at(text, at) : std::string_view();
  const char sign = at_offset(line, 0);
  if (line.size() < kLength || std::string_view("<|=>").find(sign) == std::string_view::npos) {
    return std::nullopt;
  }
  const bool repeated = line.find_first_not_of(sign) >= kLength;
  const bool ends = line.size() == kLength || line[kLength] == ' ';
  return repeated && ends ? std::optional(sign) : std::nullopt;
}

std::optional<std::uint32_t> yaml_end(std::string_view text, std::uint32_t begin) {
  constexpr int kLinesToItsKey = 20;
  if (!may_start_yaml(line_at(text, begin))) return std::nullopt;
  bool found = false;
  std::size_t end = begin;
  for (int lines = 0; found || lines < kLinesToItsKey; ++lines) {
    const std::string_view line = line_at(text, end);
    if (end != begin && !goes_on_with_yaml(line)) break;
    found = found || has_its_key(line);
    end = std::min(text.find('\n', end), text.size());
    if (end == text.size()) break;
    ++end;
  }
  return found ? std::optional(static_cast<std::uint32_t>(end)) : std::nullopt;
}

}  // namespace poise::lang
