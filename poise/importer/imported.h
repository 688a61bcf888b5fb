#pragma once

// The result of importing a foreign file: a text in the language, which people can read and edit,
// or diagnostics. Nothing that changes the behaviour is dropped silently: what the language cannot
// express is a diagnostic (import-unsupported) at its place in the foreign file, or a comment in
// the text.

#include <cstddef>
#include <string>

#include "poise/diag/diagnostic.h"

namespace poise::importer {

inline constexpr std::size_t kMaxImportSize = std::size_t{16} << 20;  // bytes

struct Imported {
  std::string text;  // empty if there are diagnostics
  diag::Diagnostics diagnostics;
};

}  // namespace poise::importer
