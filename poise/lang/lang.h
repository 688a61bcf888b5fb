#pragma once

// The language: text in, model out. docs/language.md is its reference.
//
//   lang::Parsed parsed = lang::parse({.name = "home.poise", .text = text});
//   if (parsed.model) { ... check::run(*parsed.model) ... }
//   else               { ... diag::render(source, parsed.diagnostics) ... }

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poise/base/source.h"
#include "poise/base/table.h"
#include "poise/diag/diagnostic.h"
#include "poise/model/model.h"

namespace poise::lang {

inline constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;

struct Parsed {
  std::optional<model::Model> model;  // present exactly when there are no diagnostics
  diag::Diagnostics diagnostics;
};

[[nodiscard]] Parsed parse(const Source& source);

// Conditions over actual values, in tables like those of a model.
struct Conditions {
  Table<model::AtomId, model::Atom> atoms;
  Table<model::FormulaId, model::Formula> formulas;
  std::vector<model::FormulaId> each;  // by condition
};

struct ParsedConditions {
  std::optional<model::Model> model;  // present exactly when there are no diagnostics at all
  Conditions conditions;
  diag::Diagnostics diagnostics;                 // of the model
  std::vector<diag::Diagnostics> of_conditions;  // of each, if the model has none; spans are in it
};

// A model, and conditions that stand outside of it and use its names, like a failure does: `let`s
// are expanded, and there are no primes and no streams. The model is the one that parse() makes.
[[nodiscard]] ParsedConditions parse_with_conditions(const Source& source,
                                                     std::span<const std::string> conditions);

}  // namespace poise::lang
