#pragma once

// Text to syntax tree, by recursive descent. After a mistake the parser goes on at the next
// declaration, so that one run reports every mistake of a file, each once.

#include <cstdint>
#include <optional>
#include <string_view>

#include "poise/diag/diagnostic.h"
#include "poise/lang/syntax.h"

namespace poise::lang {

struct ParsedTree {
  Tree tree;  // holds what could be read, even where there are diagnostics
  diag::Diagnostics diagnostics;
};

// The text must outlive the tree. Offsets are bytes; the text is at most kMaxFileSize long.
[[nodiscard]] ParsedTree parse_tree(std::string_view text);

// Reads a condition that stands behind the declarations of a tree, from `begin` to the end of the
// text, and adds it to the tree. The tree's source must be this text.
struct ParsedCondition {
  std::optional<NodeId> node;  // present exactly when there are no diagnostics
  diag::Diagnostics diagnostics;
};
[[nodiscard]] ParsedCondition parse_condition(std::string_view text, std::uint32_t begin,
                                              Tree& tree);

}  // namespace poise::lang
