#pragma once

// The report of `poise shake` as text, for people.

#include <string>
#include <vector>

#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/report/text/check.h"
#include "poise/shake/result.h"

namespace poise::report {

struct ShakeTextOptions {
  diag::Color color = diag::Color::No;
  std::size_t width = 100;
  Detail detail = Detail::Full;
  std::vector<std::string> replays = {};  // by failure: the command that replays it; may be empty
};

[[nodiscard]] std::string shake_text(const model::Model& model, const shake::Report& report,
                                     const ShakeTextOptions& options);

// One line: "89/90 killed, 1 equivalent; pairs 650/650; nothing failed; seed 7".
[[nodiscard]] std::string shake_summary(const shake::Report& report);

// A flow as a table: a line for each tick, or for several equal ones, with the context on the left
// and the variant on the right. Of a long flow, the middle is left out.
[[nodiscard]] std::string flow_table(const shake::Report& report,
                                     const std::vector<shake::ShownTick>& shown,
                                     std::size_t indent);

}  // namespace poise::report
