#pragma once

// The report of `poise rank` for people.

#include <cstddef>
#include <string>

#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/rank/result.h"

namespace poise::report {

struct RankTextOptions {
  diag::Color color = diag::Color::No;
  std::size_t width = 100;
  std::size_t top = 20;  // groups to show
  bool quiet = false;    // only the first line
};

[[nodiscard]] std::string rank_text(const model::Model& model, const rank::Report& report,
                                    const RankTextOptions& options);

// One place of the ranking: what it is, its situation in words, and why it is ranked here.
[[nodiscard]] std::string ranked_text(const model::Model& model, const rank::Report& report,
                                      std::size_t place, const RankTextOptions& options);

// What cannot be, and what the log makes likely.
[[nodiscard]] std::string constraints_text(const model::Model& model, const rank::Report& report,
                                           const RankTextOptions& options);

}  // namespace poise::report
