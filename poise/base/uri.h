#pragma once

// The path of a file as a URI reference (RFC 3986).

#include <string>
#include <string_view>

namespace poise {

// Relative paths stay relative, without segments that say nothing (`./a//b` is `a/b`); absolute
// ones become `file:///...`. Bytes that a URI cannot hold are percent-encoded, also those that are
// no UTF-8.
[[nodiscard]] std::string file_uri(std::string_view path);

}  // namespace poise
