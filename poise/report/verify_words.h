#pragma once

// What reports of verification have in common.

#include <cstdint>
#include <string>
#include <string_view>

#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::report {

[[nodiscard]] std::string_view name(verify::Mode mode);
[[nodiscard]] std::string_view name(verify::Engine engine);
[[nodiscard]] std::string_view name(verify::Verdict verdict);

// `disF > 21 instead of 20`
[[nodiscard]] std::string text_of(const model::Model& model, const verify::Repair& repair);

// Whether a variable has a value: its guard, and the guard of that, hold.
[[nodiscard]] bool has_value(const model::Model& model, const verify::Values& values,
                             model::SlotId slot);

// What a slot is called: `disF`, and of a set `bag has key`.
[[nodiscard]] std::string slot_name(const model::Model& model, model::SlotId slot);

// Of the acts of a rule, which leave out what is only a name.
[[nodiscard]] std::string act_name(const model::Model& model, model::RuleId rule, std::size_t act);
// The same with which one it is, where the rule does it more than once: "the second turnL".
[[nodiscard]] std::string act_words(const model::Model& model, model::RuleId rule, std::size_t act);

// How often something happened, as a share of the runs.
[[nodiscard]] double frequency(const verify::Simulation& simulation, std::uint64_t hits);

}  // namespace poise::report
