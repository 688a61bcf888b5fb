#pragma once

// Diagnostics: mistakes in the text of an input, described so that its author can mend them at
// once. Each has the smallest wrong span, says what is there, guesses what was meant, and points to
// related places.
//
// Every code is stable, explained in docs/diagnostics.md and shown by at least one golden case.
// Messages start in lower case, have no full stop and put code in backticks.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/source.h"

namespace poise::diag {

enum class Code {
#define POISE_DIAGNOSTIC(name, code, summary) name,
#include "poise/diag/codes.def"
#undef POISE_DIAGNOSTIC
};

struct CodeInfo {
  std::string_view code;     // "unknown-name"
  std::string_view summary;  // one line for lists
};

[[nodiscard]] std::span<const CodeInfo> all_codes();
[[nodiscard]] CodeInfo info(Code code);

struct Related {
  Span span;
  std::string label;  // "declared here"
};

struct Diagnostic {
  Code code;
  Span span;
  std::string message;
  std::string hint = {};  // shown behind the caret: "did you mean `temperature`?"
  std::vector<Related> related = {};
};

using Diagnostics = std::vector<Diagnostic>;

// Sorted by place in the text. Of several that start at the same place only the first is kept, so
// that one mistake is not reported twice.
[[nodiscard]] Diagnostics in_source_order(Diagnostics diagnostics);

}  // namespace poise::diag
