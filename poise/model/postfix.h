#pragma once

// Formulas in postfix form, one after another in one array: large models are read in order of
// memory instead of from node to node.

#include <cstdint>
#include <span>
#include <vector>

#include "poise/model/model.h"

namespace poise::model {

// Operators take the last one or two results; And and Or of more parts come as several.
enum class PostfixOp : std::uint8_t { False, True, Atom, Not, And, Or, Implies, Iff, Formula };

struct PostfixToken {
  PostfixOp op;
  std::uint32_t index = 0;  // of an Atom, or of a Formula that is too long to be spelled out
};

// Appends a formula. Shared parts (`let`) can make a formula small as a graph and exponentially
// long when spelled out: one that would take more than some hundred tokens becomes a single Formula
// token.
void append_postfix(const Model& model, FormulaId formula, std::vector<PostfixToken>& code);

}  // namespace poise::model
