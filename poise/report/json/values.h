#pragma once

// Values of a model's variables in JSON, exact.

#include <string>
#include <vector>

#include "poise/base/rational.h"
#include "poise/model/model.h"

namespace poise::report {

// A JSON number if the value has a finite decimal expansion, else a string: "1/3".
[[nodiscard]] std::string json_number(const Rational& number);

[[nodiscard]] std::string json_value(const model::Model& model, model::SlotId slot,
                                     const Rational& value);

enum class Which { All, Sensed };

// An object with a key for each variable; `values` has one for each slot. A set is the list of its
// members; null is no value.
[[nodiscard]] std::string json_values(const model::Model& model,
                                      const std::vector<Rational>& values, Which which);

}  // namespace poise::report
