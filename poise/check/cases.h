#pragma once

// Cases: one situation of one fault each, for nondeterminism, races and cycles. A fault with
// `situations` 3 has three cases. They come in the order of the faults, and within a fault sorted
// by the truth of the counted atoms. `poise rank` ranks cases, not faults.

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "poise/check/check.h"
#include "poise/finding/case.h"

namespace poise::check {

struct Cases {
  std::vector<finding::Case> cases;
  bool more = false;    // there are more than `most`
  std::string stopped;  // why the cases of some faults are missing; empty if they are not
};

// `faults` must come from run() with the same model and options. At most `most` cases are listed in
// all. Each case has a witness if constraints are respected and `options.explain` is not Nothing.
[[nodiscard]] Cases cases(const model::Model& model, const Options& options,
                          std::span<const finding::Fault> faults, std::size_t most);

}  // namespace poise::check
