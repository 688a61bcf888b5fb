#pragma once

// Mutants and the flows that kill them, in a format for which there are viewers:
// mutation-testing-report-schema, version 2 (Stryker). The flows are its tests.
//
// The schema has no status for an equivalent mutant. As its authors recommend, it is `Ignored`,
// with a reason, so that it does not count against the score.

#include <string>
#include <string_view>

#include "poise/model/model.h"
#include "poise/shake/result.h"

namespace poise::report {

// `source` is the text of the model. The report must have mutants.
[[nodiscard]] std::string mutation_json(const model::Model& model, const shake::Report& report,
                                        std::string_view source);

}  // namespace poise::report
