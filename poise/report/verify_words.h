#pragma once

// Wording that all reports of `poise verify` share, whatever their format.

#include <cstdint>
#include <string>
#include <string_view>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

// As on the command line and in JSON.
[[nodiscard]] std::string_view name(verify::Mode mode);
[[nodiscard]] std::string_view name(verify::Engine engine);
[[nodiscard]] std::string_view name(verify::Verdict verdict);

// "disF > 21 instead of 20"
[[nodiscard]] std::string text_of(const model::Model& model, const verify::Repair& repair);

// "3 steps", or "at most 3 steps" if a shorter path may lead there.
[[nodiscard]] std::string steps_text(std::size_t first, bool exact);
// The same for the first failure of all.
[[nodiscard]] std::string first_failure_text(const verify::Report& report);

// Whether a slot has a value: the guard of its variable holds, and the guard of that, and so on.
[[nodiscard]] bool has_value(const model::Model& model, const verify::Values& values,
                             model::SlotId slot);

// "disF"; for the slot of a member of a set, "bag has key".
[[nodiscard]] std::string slot_name(const model::Model& model, model::SlotId slot);

// The text of the `act`-th act of a rule. Acts are the actions that do something: an action with
// neither a declaration in the world nor effects is only a name and is not counted.
[[nodiscard]] std::string act_name(const model::Model& model, model::RuleId rule, std::size_t act);
// The same, numbered if the rule does it more than once: "the second turnL".
[[nodiscard]] std::string act_words(const model::Model& model, model::RuleId rule, std::size_t act);

// Hits as a share of the runs; 0 if there were none.
[[nodiscard]] double frequency(const verify::Simulation& simulation, std::uint64_t hits);

// Bounds cut to so many digits that are bounds still: the low one is rounded down, the high one up.
[[nodiscard]] verify::Within cut_outward(const verify::Within& bounds, int digits);

}  // namespace poise::report
