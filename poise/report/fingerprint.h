#pragma once

// What makes a fault the same fault in the next version of a model: the model's name, the kind, the
// state and the rules. Layout, order of declaration, guards, figures and other rules' names may
// change; when a tool compares two reports, the fault is still the one it knows.

#include <cstddef>
#include <string>
#include <vector>

#include "poise/check/result.h"
#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::report {

// Sixteen hexadecimal digits. `namesakes` is how many models of the same name came before in the
// same call: their faults must not be taken for each other.
[[nodiscard]] std::string fingerprint(const model::Model& model, const finding::Fault& fault,
                                      std::size_t namesakes = 0);
// Of a fault in one situation, which is told by the text of its atoms.
[[nodiscard]] std::string fingerprint(const model::Model& model, const finding::Fault& fault,
                                      const finding::Conjunction& situation);
[[nodiscard]] std::string fingerprint(const model::Model& model, const check::Unstable& unstable,
                                      std::size_t namesakes = 0);
// Of anything else that its kind and some names tell.
[[nodiscard]] std::string fingerprint(const model::Model& model,
                                      const std::vector<std::string>& parts, std::size_t namesakes);

}  // namespace poise::report
