#pragma once

// How a program of the user's is shown contexts and says its variants: a JSON object a line.
//
//   {"density": 10, "dispersion": 0.3, "gps.on": false, "gps.place": null}    to it, every tick
//   {"cache": true, "servers": 3}                                            from it, for each
//   {"reset": true}                                                          to it, before a flow
//
// The names are those of the model's `sense` and `variant` declarations; what has no value is null;
// of a set, there is a list of the members. A reset is answered with a variant as well.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

inline constexpr std::string_view kResetLine = "{\"reset\": true}";

// What the model declares with `variant`; without any, its state.
[[nodiscard]] std::vector<Field> fields_of(const model::Model& model);
[[nodiscard]] Variant first_variant(const model::Model& model);

// Without a line break.
[[nodiscard]] std::string context_line(const model::Model& model, const Grid& grid,
                                       std::span<const double> context);

// Every field once, with a value of its kind, and nothing else; else what is wrong with it, in
// words for the user. Numbers may be outside of what is allowed: that is for an oracle to say.
[[nodiscard]] Result<Variant> variant_from(std::string_view line, std::span<const Field> fields);

}  // namespace poise::shake
