#pragma once

// Changes that might cure a fault: of one rule, and small. Whether one of them is a cure is for a
// Trial to say.
//
//   nondeterminism   a priority of its own for one of the rules; of two, the guard of one denied in
//                    the other
//   race             the guard of the second or third rule denied in the one before it; the first
//                    rule led straight to where the run ends
//   cycle            the guard of a rule of the loop denied in the one before it
//   dead rule        shadowed: a stronger priority, or its guard denied in a rule that wins;
//                    unsatisfiable: its deletion
//   dead state       the deletion of its rules
//   unreachable      as for the shadowed rules that lead to it
//
// Where the guard to be denied is a conjunction, denying one of its parts is tried as well: it can
// be shorter and mean the same.

#include <vector>

#include "poise/finding/cure.h"
#include "poise/finding/groups.h"

namespace poise::check {

// `faults` are all of the report. Without `elsewhere`.
[[nodiscard]] std::vector<finding::Cure> candidates(const model::Model& model,
                                                    std::span<const finding::Fault> faults,
                                                    const finding::Group& group);

}  // namespace poise::check
