#pragma once

// When each fault occurs, in the model's own atoms, and one concrete context in which it does. The
// same for every engine, so that their reports are the same to the letter: what differs is how
// faults are found and counted.

#include <string>
#include <vector>

#include "poise/check/engines/prepared.h"
#include "poise/finding/finding.h"

namespace poise::check {

// Fills in `when` and `witness` of the faults that the options of the prepared model ask for, all
// of which come in the order of reports. `original` is the user's model, where the prepared one is
// its propositional form. Returns why some were left open; empty if none was.
[[nodiscard]] std::string explain(const Prepared& prepared, const model::Model& original,
                                  std::vector<finding::Fault>& faults);

}  // namespace poise::check
