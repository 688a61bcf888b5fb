#pragma once

// What verification found, for a person.

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
