#include "poise/diag/diagnostic.h"

#include <algorithm>
#include <array>

#include "poise/base/check.h"

namespace poise::diag {
namespace {

constexpr std::array kCodes = {
#define POISE_DIAGNOSTIC(name, code, summary) CodeInfo{code, summary},
#include "poise/diag/codes.def"
#undef POISE_DIAGNOSTIC
};

}  // namespace

std::span<const CodeInfo> all_codes() { return kCodes; }

CodeInfo info(Code code) {
  const auto row = static_cast<std::size_t>(code);
  POISE_CHECK(row < kCodes.size());
  return kCodes[row];
}

Diagnostics in_source_order(Diagnostics diagnostics) {
  const auto start = [](const Diagnostic& diagnostic) { return diagnostic.span.begin; };
  std::ranges::stable_sort(diagnostics, {}, start);
  // std::ranges::unique returns a subrange, which clang 14 cannot compile.
  const auto repeated =
      std::unique(diagnostics.begin(), diagnostics.end(),
                  [&](const auto& a, const auto& b) { return start(a) == start(b); });
  diagnostics.erase(repeated, diagnostics.end());
  return diagnostics;
}

}  // namespace poise::diag
