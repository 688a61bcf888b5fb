#pragma once

// What shaking found, for a person.

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
  std::vector<std::string> replays = {};  // by failure: the command that shows it again, if any
};

[[nodiscard]] std::string shake_text(const model::Model& model, const shake::Report& report,
                                     const ShakeTextOptions& options);

// One line: "89/90 killed, 1 equivalent; pairs 650/650; nothing failed; seed 7".
[[nodiscard]] std::string shake_summary(const shake::Report& report);

// A flow with what came out of it, as lines of a table.
[[nodiscard]] std::string flow_table(const shake::Report& report,
                                     const std::vector<shake::ShownTick>& shown,
                                     std::size_t indent);

}  // namespace poise::report
