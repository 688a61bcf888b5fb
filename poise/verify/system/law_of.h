#pragma once

// The errors that a model declares, as laws to calculate with.

#include "poise/chance/law.h"
#include "poise/model/model.h"

namespace poise::verify {

[[nodiscard]] chance::Law law_of(const model::WorldError& error);

// The law of the error of a variable, which must have one. For an int it is the law of a real
// number that becomes the error by rounding: the range is longer by a half at both ends, and a
// triangle has a top of width 1. So a uniform error of -1..1 is -1, 0 or 1 with the same
// probability, a table with as many weights as there are errors has one for each, and for a
// triangle the error nearest to 0 is the likeliest, however far the range goes to either side.
[[nodiscard]] chance::Law law_of(const model::Variable& variable);

}  // namespace poise::verify
