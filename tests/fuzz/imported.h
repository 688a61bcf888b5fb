#pragma once

// The properties of an import, whatever the text was: there is a model or diagnostics, and
// diagnostics lie in the text.

#include <cstddef>
#include <cstdint>
#include <string>

#include "poise/base/check.h"
#include "poise/importer/imported.h"
#include "poise/lang/lang.h"

namespace poise {

inline void check_diagnostics(const std::string& text, const diag::Diagnostics& diagnostics) {
  for (const diag::Diagnostic& diagnostic : diagnostics) {
    POISE_CHECK(diagnostic.span.begin <= diagnostic.span.end);
    POISE_CHECK(diagnostic.span.end <= text.size());
    POISE_CHECK(!diagnostic.message.empty());
    POISE_CHECK(diagnostic.message.find('\n') == std::string::npos);
  }
}

inline void check_imported(const std::string& text, const importer::Imported& imported) {
  POISE_CHECK(imported.text.empty() == !imported.diagnostics.empty());
  check_diagnostics(text, imported.diagnostics);
  if (imported.text.empty()) return;
  const lang::Parsed parsed = lang::parse({.name = "fuzz.poise", .text = imported.text});
  POISE_CHECK(parsed.model.has_value() == parsed.diagnostics.empty());
  check_diagnostics(imported.text, parsed.diagnostics);
}

}  // namespace poise
