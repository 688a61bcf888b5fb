// Any bytes either are a model or have diagnostics, never both. A model has a canonical layout,
// which parses again, and laying that out again changes nothing.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "poise/base/check.h"
#include "poise/lang/format.h"
#include "poise/lang/lang.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const poise::lang::Parsed parsed = poise::lang::parse({.name = "fuzz.poise", .text = text});
  POISE_CHECK(parsed.model.has_value() == parsed.diagnostics.empty());
  for (const poise::diag::Diagnostic& diagnostic : parsed.diagnostics) {
    POISE_CHECK(diagnostic.span.begin <= diagnostic.span.end);
    POISE_CHECK(diagnostic.span.end <= text.size());
    POISE_CHECK(!diagnostic.message.empty());
  }
  if (!parsed.model) return 0;

  const std::optional<std::string> once = poise::lang::format(text);
  POISE_CHECK(once.has_value());
  const std::optional<std::string> twice = poise::lang::format(*once);
  POISE_CHECK(twice == once);
  POISE_CHECK(poise::lang::parse({.name = "fuzz.poise", .text = *once}).model.has_value());
  return 0;
}
