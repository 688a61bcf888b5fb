#pragma once

// Verdicts of earlier sessions, a JSON line each:
//
//   {"fault": "1f0e9a7c52b3d846", "verdict": "confirmed"}
//
// Other keys are ignored; they are for people and other programs. Of several verdicts on a fault
// the last one counts; "none" withdraws an earlier one.

#include <optional>
#include <string>
#include <string_view>

#include "poise/base/result.h"
#include "poise/rank/result.h"

namespace poise::rank {

struct Judgement {
  std::string fault;
  Verdict verdict = Verdict::None;
};

// Nothing for a blank line.
[[nodiscard]] Result<std::optional<Judgement>> judgement_from(std::string_view line);

}  // namespace poise::rank
