#pragma once

// A model as a diagram, in the DOT language of Graphviz: states are boxes, rules are arrows. With a
// report of `check`, faulty rules and states stand out by colour, by the style of their lines and
// by a symbol, so that they can be told apart without colour too. Tooltips say in words what is
// wrong. docs/graph.md shows how it looks.
//
//   out << report::graph_dot(model, check::run(model));

#include <cstddef>
#include <string>

#include "poise/check/result.h"
#include "poise/model/model.h"

namespace poise::report {

// A model with more rules than this (counted once per source state) is drawn without guards and by
// forces (sfdp) instead of in ranks from left to right: Graphviz takes too long to rank it.
inline constexpr std::size_t kMaxSmallGraph = 400;

// The same input gives the same text, in time and length linear in the model and the report.
[[nodiscard]] std::string graph_dot(const model::Model& model);
[[nodiscard]] std::string graph_dot(const model::Model& model, const check::Report& report);

}  // namespace poise::report
