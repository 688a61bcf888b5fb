#pragma once

// The report of `poise verify` as JSON, for programs. docs/verify-schema.json describes it.

#include <string>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

// One JSON object that ends with a line break.
[[nodiscard]] std::string verify_json(const model::Model& model, const verify::Report& report);

}  // namespace poise::report
