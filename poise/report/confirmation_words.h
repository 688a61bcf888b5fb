#pragma once

// Wording that all reports of `poise verify --check` share, whatever their format.

#include <string>
#include <string_view>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

// As in JSON: "confirmed", "not confirmed", "unknown".
[[nodiscard]] std::string_view name(verify::Confirmation::Verdict verdict);

// "bump never happens, after any number of steps"
[[nodiscard]] std::string claim_words(const model::Model& model);

// The condition that was not proved, as what may happen: "bump may happen after walk of go in
// Ahead"; behind "whether" if that is unknown.
[[nodiscard]] std::string open_words(const model::Model& model,
                                     const verify::Confirmation& confirmation);

}  // namespace poise::report
