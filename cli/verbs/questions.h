#pragma once

// `poise rank --interactive`: shows one case after another, best first, and asks a person for a
// verdict on each. A verdict is written to the file before the next question, so nothing is lost
// however the program ends. Each verdict changes the ranking, and so the next question.

#include <cstdint>
#include <string>
#include <vector>

#include "cli/verbs/verbs.h"
#include "poise/rank/ranking.h"
#include "poise/rank/result.h"
#include "poise/report/text/rank.h"

namespace poise::cli {

struct Questions {
  const model::Model& model;
  rank::Report& report;                          // its `ranked` is updated after each verdict
  const std::vector<std::uint32_t>& index_left;  // from cases of `ranking` to cases of `report`
  rank::Ranking ranking;
  std::string feedback;  // the file of verdicts; lines are appended
  report::RankTextOptions text;
};

// Returns when all cases have a verdict, the person quits, or the input ends.
[[nodiscard]] Result<void> inspect(Questions inspection, const Streams& streams);

}  // namespace poise::cli
