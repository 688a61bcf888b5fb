#pragma once

// `poise rank --interactive`: one fault after another, best first, and a person's verdict on each.
// A verdict is in the file before the next question is asked, so that nothing is lost whatever ends
// the program.

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
  rank::Report& report;                          // its ranking follows the verdicts
  const std::vector<std::uint32_t>& index_left;  // of a ranked case, in the cases of the report
  rank::Ranking ranking;
  std::string feedback;  // the file
  report::RankTextOptions text;
};

// Until all faults have a verdict, the person has had enough, or the input ends.
[[nodiscard]] Result<void> inspect(Questions inspection, const Streams& streams);

}  // namespace poise::cli
