#include "poise/lang/lang.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "poise/lang/parser.h"
#include "poise/lang/resolver.h"

namespace poise::lang {

Parsed parse(const Source& source) {
  if (source.text.size() > kMaxFileSize) {
    return {std::nullopt,
            {{.code = diag::Code::FileTooLarge,
              .span = {},
              .message = fmt::format("the file has {} bytes, more than {}", source.text.size(),
                                     kMaxFileSize)}}};
  }
  ParsedTree parsed = parse_tree(source.text);
  Resolved resolved = resolve(parsed.tree, source);
  diag::Diagnostics& diagnostics = parsed.diagnostics;
  for (diag::Diagnostic& diagnostic : resolved.diagnostics) {
    diagnostics.push_back(std::move(diagnostic));
  }
  if (diagnostics.empty()) return {std::move(resolved.model), {}};
  return {std::nullopt, diag::in_source_order(std::move(diagnostics))};
}

// The conditions are put behind the text of the model, each on lines of its own, so that one tree
// holds them all; the parser is told where each begins and ends, so none can become a declaration.
ParsedConditions parse_with_conditions(const Source& source,
                                       std::span<const std::string> conditions) {
  ParsedConditions result;
  result.diagnostics = parse(source).diagnostics;
  if (!result.diagnostics.empty()) return result;

  Source whole = source;
  std::vector<Span> places;
  for (const std::string& condition : conditions) {
    whole.text += '\n';
    const auto begin = static_cast<std::uint32_t>(whole.text.size());
    whole.text += condition;
    places.push_back({begin, static_cast<std::uint32_t>(whole.text.size())});
  }
  result.of_conditions.resize(conditions.size());
  if (whole.text.size() > kMaxFileSize) {
    result.diagnostics.push_back({.code = diag::Code::FileTooLarge,
                                  .span = {},
                                  .message = "the model and the conditions are too long"});
    return result;
  }
  Tree tree = parse_tree(std::string_view(whole.text).substr(0, source.text.size())).tree;
  tree.source = whole.text;
  std::vector<NodeId> nodes;
  const auto report = [&](std::size_t index, diag::Diagnostic diagnostic) {
    // A mistake at the end of nothing may point before it.
    const Span place = places[index];
    diagnostic.span.begin = std::clamp(diagnostic.span.begin, place.begin, place.end) - place.begin;
    diagnostic.span.end = std::clamp(diagnostic.span.end, place.begin, place.end) - place.begin;
    diagnostic.related.clear();  // they are in the model, or in the same condition
    result.of_conditions[index].push_back(std::move(diagnostic));
  };
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const std::string_view text = std::string_view(whole.text).substr(0, places[i].end);
    ParsedCondition read = parse_condition(text, places[i].begin, tree);
    for (diag::Diagnostic& one : read.diagnostics) report(i, std::move(one));
    if (read.node) nodes.push_back(*read.node);
  }
  if (nodes.size() != conditions.size()) return result;
  Resolved resolved = resolve(tree, whole, nodes);
  for (diag::Diagnostic& one : resolved.diagnostics) {
    const auto behind = std::ranges::upper_bound(places, one.span.begin, {}, &Span::begin);
    if (behind == places.begin()) {  // in a `let` that a condition uses
      result.diagnostics.push_back(std::move(one));
    } else {
      report(static_cast<std::size_t>(behind - places.begin()) - 1, std::move(one));
    }
  }
  result.model = std::move(resolved.model);
  result.conditions = std::move(resolved.conditions);
  return result;
}

}  // namespace poise::lang
