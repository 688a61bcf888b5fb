#include "poise/base/uri.h"

#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise {

namespace {

// RFC 3986 allows more in a segment, but a colon in the first one would make it a scheme, and
// readers differ on the rest.
bool is_unreserved(char c) {
  constexpr std::string_view kMarks = "-._~";
  return is_letter_or_digit(c) || kMarks.find(c) != std::string_view::npos;
}

std::string encoded(std::string_view segment) {
  std::string text;
  for (const char c : segment) {
    text += is_unreserved(c) ? std::string(1, c)
                             : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return text;
}

}  // namespace

std::string file_uri(std::string_view path) {
  const bool absolute = path.starts_with('/');
  std::vector<std::string> segments;
  while (!path.empty()) {
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(segment.size() < path.size() ? segment.size() + 1 : segment.size());
    if (!segment.empty() && segment != ".") segments.push_back(encoded(segment));
  }
  return (absolute ? "file:///" : "") + joined(segments, "/");
}

}  // namespace poise
