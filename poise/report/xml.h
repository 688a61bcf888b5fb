#pragma once

// Escaping of text in XML: for SVG and for the HTML-like labels of Graphviz.

#include <string>
#include <string_view>

namespace poise::report {

// Text for an element, or for an attribute in double quotes. Bytes that are not UTF-8 and control
// characters other than line feeds become U+FFFD, since most of them are not allowed in XML.
[[nodiscard]] std::string xml_escaped(std::string_view text);

}  // namespace poise::report
