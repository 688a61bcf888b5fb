#pragma once

// The report of `poise shake` as JUnit XML, which most build servers show: a test case for each
// expectation, and one for each failure that is of none (a variant out of its range, a difference
// to the reference, a program that ended). A failure has the smallest flow as its text;
// an expectation that was never judged is skipped, with the reason.

#include <string>

#include "poise/model/model.h"
#include "poise/shake/result.h"

namespace poise::report {

[[nodiscard]] std::string shake_junit(const model::Model& model, const shake::Report& report);

}  // namespace poise::report
