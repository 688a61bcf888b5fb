#pragma once

// The language: text in, model out. docs/language.md is its reference.
//
//   lang::Parsed parsed = lang::parse({.name = "home.poise", .text = text});
//   if (parsed.model) { ... check::run(*parsed.model) ... }
//   else               { ... diag::render(source, parsed.diagnostics) ... }

#include <cstddef>
#include <optional>

#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"
#include "poise/model/model.h"

namespace poise::lang {

inline constexpr std::size_t kMaxFileSize = std::size_t{256} << 20;

struct Parsed {
  std::optional<model::Model> model;  // present exactly when there are no diagnostics
  diag::Diagnostics diagnostics;
};

[[nodiscard]] Parsed parse(const Source& source);

}  // namespace poise::lang
