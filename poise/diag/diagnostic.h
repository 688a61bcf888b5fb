#pragma once

// What is wrong with the text of an input, said so that its author can mend it at once: the
// smallest wrong span, what is there, a guess at what was meant, and related places.
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

// By place in the text; of several that start at one place only the first stays, so that one
// mistake is not reported twice.
[[nodiscard]] Diagnostics in_source_order(Diagnostics diagnostics);

}  // namespace poise::diag
