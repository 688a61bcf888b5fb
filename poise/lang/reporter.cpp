#include "poise/lang/reporter.h"

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::lang {

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 60;
  if (text.size() <= kShown) return fmt::format("`{}`", text);
  return fmt::format("`{}…`", text.substr(0, kShown));
}

void Reporter::report_unknown(std::string_view what, std::string_view name, Span span,
                              const Scope& scope) {
  diag::Diagnostic diagnostic{.code = diag::Code::UnknownName,
                              .span = span,
                              .message = fmt::format("unknown {} {}", what, quoted(name))};
  const auto member = scope.members.find(name);
  if (scope.states.contains(name)) {
    diagnostic.hint = fmt::format("{} is a state", quoted(name));
  } else if (scope.actions.contains(name)) {
    diagnostic.hint = fmt::format("{} is an action", quoted(name));
  } else if (member != scope.members.end()) {
    diagnostic.hint = fmt::format("{} is a member of {}", quoted(name), quoted(member->second));
  } else if (const auto meant = guess(name, scope.in_order)) {
    diagnostic.hint = fmt::format("did you mean {}?", quoted(*meant));
    diagnostic.related = {{scope.find(*meant)->span, "declared here"}};
  }
  report(std::move(diagnostic));
}

bool Reporter::guesses_among(std::size_t candidates) const {
  constexpr int kMaxGuesses = 100;
  constexpr std::size_t kMaxCandidates = 20'000;
  return guesses_ < kMaxGuesses && candidates <= kMaxCandidates;
}

std::optional<std::string_view> Reporter::guess(std::string_view name,
                                                std::span<const std::string_view> candidates) {
  if (!guesses_among(candidates.size())) return std::nullopt;
  ++guesses_;
  return closest(name, candidates);
}

std::string Reporter::hint(std::string_view name, std::span<const std::string_view> candidates) {
  const std::optional<std::string_view> meant = guess(name, candidates);
  return meant ? fmt::format("did you mean {}?", quoted(*meant)) : std::string();
}

}  // namespace poise::lang
