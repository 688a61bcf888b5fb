#pragma once

// Wording for what never happens in the world of a model, and for rules that lead out of its
// constraints, whatever the format of the report.

#include <string>
#include <string_view>
#include <vector>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

// "rule", "guard", "action", "failure"
[[nodiscard]] std::string_view name(verify::Vacuous::What what);

// The name of what never happens; of a guard, that of its rule.
[[nodiscard]] std::string vacuous_name(const model::Model& model, const verify::Vacuous& vacuous);

// "whenever its guard holds, so does that of other, which is stronger"
[[nodiscard]] std::string why_never(const model::Model& model, const verify::Report& report,
                                    const verify::Vacuous& vacuous);

// A warning for each constraint that rules lead out of, to be said at its position.
struct DepartureWarning {
  Position at;
  std::string text;  // like a diagnostic: lower case, code in backticks, no full stop
};
[[nodiscard]] std::vector<DepartureWarning> departure_warnings(const model::Model& model,
                                                               const verify::Report& report);

}  // namespace poise::report
