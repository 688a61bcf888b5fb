#pragma once

// The report of `poise shake` as JSON, for programs. docs/shake-schema.json describes it.

#include <string>

#include "poise/model/model.h"
#include "poise/shake/result.h"

namespace poise::report {

// One JSON object that ends with a line break.
[[nodiscard]] std::string shake_json(const model::Model& model, const shake::Report& report);

// A value of a property, or of a field of the variant, as JSON; null for no value.
[[nodiscard]] std::string json_value(const shake::Property& property, shake::Index index);
[[nodiscard]] std::string json_value(const shake::Field& field, double value);

// A flow as a list of contexts. Ticks in a row with the same context become one entry with their
// number: {"ticks": 3, "density": 10, ...}.
[[nodiscard]] std::string json_flow(const shake::Grid& grid, const shake::Flow& flow);

}  // namespace poise::report
