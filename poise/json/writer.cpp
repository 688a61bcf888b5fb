// Why not a library: a witness holds numbers of any size and precision, which must appear digit for
// digit, and the libraries at hand store a number as 64 bits or a double. Writing is the small half
// of JSON.

#include "poise/json/writer.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/base/utf8.h"

namespace poise::json {

namespace {

std::string escaped(char32_t control) {
  switch (control) {
    case '"': return "\\\"";
    case '\\': return "\\\\";
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    default: return fmt::format("\\u{:04x}", static_cast<unsigned>(control));
  }
}

bool is_printable(char c) { return c >= 0x20 && c < 0x7F && c != '"' && c != '\\'; }

}  // namespace

std::string quoted(std::string_view text) {
  std::string json;
  append_quoted(json, text);
  return json;
}

void append_quoted(std::string& json, std::string_view text) {
  json += '"';
  while (!text.empty()) {
    // Nearly all text is plain: whole runs of it are taken at once.
    const auto plain = std::ranges::find_if_not(text, is_printable) - text.begin();
    json += text.substr(0, static_cast<std::size_t>(plain));
    text.remove_prefix(static_cast<std::size_t>(plain));
    if (text.empty()) break;
    const CodePoint point = first_code_point(text);
    if (!point.valid) {
      json += "\uFFFD";
    } else if (point.value < 0x20 || point.value == '"' || point.value == '\\' ||
               point.value == 0x7F) {
      json += escaped(point.value);
    } else {
      json += text.substr(0, point.length);
    }
    text.remove_prefix(point.length);
  }
  json += '"';
}

std::string_view boolean(bool value) { return value ? "true" : "false"; }

std::string figure(double value) { return fmt::format("{:.6g}", value); }

std::string list(std::span<const std::string> items) { return "[" + joined(items, ", ") + "]"; }

std::string lines(std::span<const std::string> items, std::size_t indent) {
  if (items.empty()) return "[]";
  const std::string margin = "\n" + std::string(indent, ' ');
  return "[" + margin + joined(items, "," + margin) + margin.substr(0, margin.size() - 2) + "]";
}

std::string& Object::value_of(std::string_view key) {
  if (text_.size() > 1) text_ += ", ";
  text_ += '"';
  text_ += key;
  text_ += "\": ";
  return text_;
}

void Object::add(std::string_view key, std::string_view json) { value_of(key) += json; }

void Object::add_text(std::string_view key, std::string_view value) {
  append_quoted(value_of(key), value);
}

void Object::add_number(std::string_view key, std::size_t value) {
  add(key, std::to_string(value));
}

void Object::add_figure(std::string_view key, const Integer& value) {
  add_text(key, value.to_string());
}

}  // namespace poise::json
