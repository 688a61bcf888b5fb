#pragma once

// The outcome of `poise verify --check` as one JSON object (docs/confirmation-schema.json).

#include <string>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

[[nodiscard]] std::string confirmation_json(const model::Model& model, verify::Mode mode,
                                            const verify::Confirmation& confirmation);

}  // namespace poise::report
