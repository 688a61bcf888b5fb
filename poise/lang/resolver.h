#pragma once

// Syntax tree to model: names, types and values are looked up and checked, `let`s expanded. Like
// the parser it goes on after a mistake and reports each once: what depends on a mistaken piece is
// passed over in silence.

#include <optional>

#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

struct Resolved {
  std::optional<model::Model> model;  // only if the tree is whole and there are no diagnostics
  diag::Diagnostics diagnostics;
};

[[nodiscard]] Resolved resolve(const Tree& tree, const Source& source);

}  // namespace poise::lang
