#pragma once

// The situations of nondeterminism, races and cycles, one by one: for every fault as many cases as
// its figure says, in the order of the faults, and by the truth of atoms for each.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "poise/check/check.h"
#include "poise/finding/case.h"

namespace poise::check {

struct Cases {
  std::vector<finding::Case> cases;
  bool more = false;    // there are more than were asked for
  std::string stopped;  // why some are missing beyond that; empty if none is
};

// `faults` are those of run() with the same model and options. No more than `most` cases in all.
// With types and constraints respected, and unless the options ask to explain nothing, each case
// has a witness.
[[nodiscard]] Cases cases(const model::Model& model, const Options& options,
                          std::span<const finding::Fault> faults, std::size_t most);

}  // namespace poise::check
