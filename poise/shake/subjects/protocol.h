#pragma once

// The protocol between Poise and a program of the user: one JSON object per line, contexts to the
// program and variants from it.
//
//   {"density": 10, "dispersion": 0.3, "gps.on": false, "gps.place": null}    to it, every tick
//   {"cache": true, "servers": 3}                                            from it, for each
//   {"reset": true}                                                          to it, before a flow
//
// The names are those of the model's `sense` and `variant` declarations. "No value" is null, a set
// is a list of its members. A reset is answered with a variant, too.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/result.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

inline constexpr std::string_view kResetLine = "{\"reset\": true}";

// The fields that the model declares with `variant`; without any, one for its state.
[[nodiscard]] std::vector<Field> fields_of(const model::Model& model);
[[nodiscard]] Variant first_variant(const model::Model& model);

// The line for a context, without a line break.
[[nodiscard]] std::string context_line(const model::Model& model, const Grid& grid,
                                       std::span<const double> context);

// The variant in an answer. Fails, in words for the user, unless the line has every field once,
// with a value of its kind, and nothing else. Numbers may be out of range: that is for an oracle to
// say.
[[nodiscard]] Result<Variant> variant_from(std::string_view line, std::span<const Field> fields);

}  // namespace poise::shake
