#pragma once

// SHA-256 (FIPS 180-4), for files that must name a text beyond doubt: `sha256sum` says the same.

#include <string>
#include <string_view>

namespace poise {

// 64 hexadecimal digits, in lower case.
[[nodiscard]] std::string sha256(std::string_view text);

}  // namespace poise
