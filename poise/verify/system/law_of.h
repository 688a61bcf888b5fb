#pragma once

// The errors that a model declares, as laws to calculate with.

#include "poise/chance/law.h"
#include "poise/model/model.h"

namespace poise::verify {

[[nodiscard]] chance::Law law_of(const model::WorldError& error);

// How the error of a variable, which has one, is spread. Of an int it is the law of a number that
// is rounded to the error: its range goes a half beyond both ends, and a triangle is as high
// anywhere within a half of its top. So a uniform error of -1..1 is each of -1, 0 and 1 with the
// same probability, a table with as many weights as there are errors has one for each, and of a
// triangle what is next to 0 is the likeliest, however far the range goes to either side.
[[nodiscard]] chance::Law law_of(const model::Variable& variable);

}  // namespace poise::verify
