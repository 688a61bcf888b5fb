#include "poise/lang/lang.h"

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

}  // namespace poise::lang
