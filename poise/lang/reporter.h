#pragma once

// The resolver's mistakes, put into words: what is there, and a guess at what was meant.

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"
#include "poise/lang/scope.h"

namespace poise::lang {

// As a message shows it: in backticks, and cut if it is very long.
[[nodiscard]] std::string quoted(std::string_view text);

// Collects diagnostics. Guesses cost a look at every candidate, so only the first mistakes get one.
class Reporter {
 public:
  explicit Reporter(std::string_view source) : source_(source) {}
  void report(diag::Diagnostic diagnostic) { diagnostics_.push_back(std::move(diagnostic)); }
  // A name that is not declared, with a guess at what is meant.
  void report_unknown(std::string_view what, std::string_view name, Span span, const Scope& scope);
  // Whether a guess among so many candidates would still be made: ask before collecting them.
  [[nodiscard]] bool guesses_among(std::size_t candidates) const;
  // The candidate that is spelt most like the name, if any comes close.
  [[nodiscard]] std::optional<std::string_view> guess(std::string_view name,
                                                      std::span<const std::string_view> candidates);
  // The same as a hint.
  [[nodiscard]] std::string hint(std::string_view name,
                                 std::span<const std::string_view> candidates);
  [[nodiscard]] bool empty() const { return diagnostics_.empty(); }
  [[nodiscard]] diag::Diagnostics take() { return std::move(diagnostics_); }

 private:
  // Whether the name is a part of `front-door`, of which no part is declared. That is one mistake.
  [[nodiscard]] bool is_in_dashed_name(Span span, const Scope& scope);

  std::string_view source_;
  diag::Diagnostics diagnostics_;
  int guesses_ = 0;
};

}  // namespace poise::lang
