#pragma once

// Text to syntax tree, by recursive descent. After a mistake the parser goes on at the next
// declaration, so that one run reports every mistake of a file, each once.

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

}  // namespace poise::lang
