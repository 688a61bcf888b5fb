#pragma once

// Explains faults: the condition under which each occurs, in the model's own atoms, and a witness,
// one concrete context in which it does. Hybrid, symbolic and enumerative share this code, so their
// reports are the same to the letter; they differ only in how they find and count faults. (The
// reference engine explains on its own, to be independent.)

#include <string>
#include <vector>

#include "poise/check/engines/prepared.h"
#include "poise/finding/finding.h"

namespace poise::check {

// Fills in `when` and `witness` of those faults that Options::explain selects. `faults` are in the
// order of reports. `original` is the user's model: the prepared one itself, or the one whose
// propositional form is prepared. Returns why some faults were left without an explanation; empty
// if none was.
[[nodiscard]] std::string explain(const Prepared& prepared, const model::Model& original,
                                  std::vector<finding::Fault>& faults);

}  // namespace poise::check
