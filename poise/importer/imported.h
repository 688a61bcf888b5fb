#pragma once

// What becomes of a foreign file: a text in the language, to be read and edited by people, or what
// stands in the way. Nothing that a file says is dropped in silence: what the language cannot say
// is a diagnostic (import-unsupported), at its place in the foreign file.

#include <cstddef>
#include <string>

#include "poise/diag/diagnostic.h"

namespace poise::importer {

inline constexpr std::size_t kMaxImportSize = std::size_t{16} << 20;

struct Imported {
  std::string text;  // empty if there are diagnostics
  diag::Diagnostics diagnostics;
};

}  // namespace poise::importer
