#pragma once

// The report of `poise rank` as text, for people: the best case of each group, with what the log
// says about it. docs/rank.md shows one.

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
  bool quiet = false;    // the first line only
};

[[nodiscard]] std::string rank_text(const model::Model& model, const rank::Report& report,
                                    const RankTextOptions& options);

// One place of the ranking: the fault, its situation in words, and why it is ranked there. `place`
// counts from 0.
[[nodiscard]] std::string ranked_text(const model::Model& model, const rank::Report& report,
                                      std::size_t place, const RankTextOptions& options);

// The deterministic constraints (what cannot be) and the probabilistic ones (what the log makes
// likely).
[[nodiscard]] std::string constraints_text(const model::Model& model, const rank::Report& report,
                                           const RankTextOptions& options);

}  // namespace poise::report
