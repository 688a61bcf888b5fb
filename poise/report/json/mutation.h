#pragma once

// Mutants and the flows that kill them in the format that viewers of mutation tests read:
// mutation-testing-report-schema, version 2 (Stryker). Flows are its tests.
//
// The schema has no word for a mutant that is equivalent: it is `Ignored`, with the reason, as its
// authors recommend, and does not count against the score.

#include <string>
#include <string_view>

#include "poise/model/model.h"
#include "poise/shake/result.h"

namespace poise::report {

// `source` is the text of the model. The report has mutants.
[[nodiscard]] std::string mutation_json(const model::Model& model, const shake::Report& report,
                                        std::string_view source);

}  // namespace poise::report
