#pragma once

// The report of `poise verify` as text, for people: each hazard with its shortest path and an
// example trace, then counts, invariants and the verdict. docs/verify.md shows one.

#include <string>

#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/report/text/check.h"
#include "poise/verify/result.h"

namespace poise::report {

struct VerifyTextOptions {
  diag::Color color = diag::Color::No;
  std::size_t width = 100;
  Detail detail = Detail::Full;
};

[[nodiscard]] std::string verify_text(const model::Model& model, const verify::Report& report,
                                      const VerifyTextOptions& options);

}  // namespace poise::report
