#include "poise/lang/reporter.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/lang/foreign.h"

namespace poise::lang {

std::string quoted(std::string_view text) {
  constexpr std::size_t kShown = 60;
  if (text.size() <= kShown) return fmt::format("`{}`", text);
  return fmt::format("`{}…`", text.substr(0, kShown));
}

bool Reporter::is_in_dashed_name(Span span, const Scope& scope) {
  const std::optional<Span> whole = dashed_name(source_, span);
  if (!whole) return false;
  const std::string_view name = source_.substr(whole->begin, whole->end - whole->begin);
  for (std::size_t begin = 0; begin <= name.size();) {
    const std::size_t end = std::min(name.find('-', begin), name.size());
    const std::string_view part = name.substr(begin, end - begin);
    if (scope.find(part) != nullptr || scope.broken.contains(part)) return false;
    begin = end + 1;
  }
  const bool reported = !diagnostics_.empty() && diagnostics_.back().span.begin == whole->begin;
  if (!reported) {
    report({.code = diag::Code::MalformedName,
            .span = *whole,
            .message = fmt::format("the name {} has a dash in it", quoted(name)),
            .hint = fmt::format("did you mean {}?", quoted(proper_name(name)))});
  }
  return true;
}

void Reporter::report_unknown(std::string_view what, std::string_view name, Span span,
                              const Scope& scope) {
  if (is_in_dashed_name(span, scope)) return;
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
