#pragma once

// An identifier of a fault that stays the same in later versions of its model, so that a tool that
// compares two reports knows which faults are new. It is a hash of the model's name, the fault's
// kind, its state and its rules, all by name. Layout, the order of declarations, guards, figures
// and the names of other rules may change without changing it.

#include <cstddef>
#include <string>
#include <vector>

#include "poise/check/result.h"
#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::report {

// Sixteen hexadecimal digits (FNV-1a, 64 bits). `namesakes` is the number of models with the same
// name that came before this one in the same call; it keeps their faults apart.
[[nodiscard]] std::string fingerprint(const model::Model& model, const finding::Fault& fault,
                                      std::size_t namesakes = 0);
// Of a fault in one situation, which is identified by the text of its literals, in any order.
[[nodiscard]] std::string fingerprint(const model::Model& model, const finding::Fault& fault,
                                      const finding::Conjunction& situation);
[[nodiscard]] std::string fingerprint(const model::Model& model, const check::Unstable& unstable,
                                      std::size_t namesakes = 0);
// Of any other finding, by its kind and names: {"hazard", state, rule, ...}.
[[nodiscard]] std::string fingerprint(const model::Model& model,
                                      const std::vector<std::string>& parts, std::size_t namesakes);

}  // namespace poise::report
