#pragma once

// The result of importing a foreign file: a text in the language, which people can read and edit,
// or diagnostics. Nothing that changes the behaviour is dropped silently: what the language cannot
// express is a diagnostic (import-unsupported) at its place in the foreign file, or a remark.

#include <cstddef>
#include <string>
#include <vector>

#include "poise/diag/diagnostic.h"

namespace poise::importer {

inline constexpr std::size_t kMaxImportSize = std::size_t{16} << 20;  // bytes

// Something that the text does otherwise than the file: also a comment at the top of the text.
struct ImportRemark {
  Span at;
  std::string message;
};

struct Imported {
  std::string text;  // empty if there are diagnostics
  diag::Diagnostics diagnostics;
  std::vector<ImportRemark> remarks = {};  // in the order of the file
};

}  // namespace poise::importer
