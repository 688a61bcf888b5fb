#pragma once

// Text inside of XML, for SVG, HTML-like labels and HTML.

#include <string>
#include <string_view>

namespace poise::report {

// For an element or an attribute in double quotes. What is not UTF-8, and control characters but
// line breaks, which XML cannot hold, become U+FFFD.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace poise::report
