#pragma once

// Syntax tree to model: names, types and values are looked up and checked, `let`s expanded. Like
// the parser it goes on after a mistake and reports each once: what depends on a mistaken piece is
// passed over in silence.

#include <optional>
#include <span>

#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"
#include "poise/lang/lang.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

struct Resolved {
  std::optional<model::Model> model;  // only if the tree is whole and there are no diagnostics
  diag::Diagnostics diagnostics;
  Conditions conditions = {};  // those that were given, if there is a model
};

// Also resolves conditions that are no part of the model, but may use its names (lang.h).
[[nodiscard]] Resolved resolve(const Tree& tree, const Source& source,
                               std::span<const NodeId> conditions = {});

}  // namespace poise::lang
