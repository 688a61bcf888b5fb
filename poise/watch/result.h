#pragma once

// The answers of a monitor, as plain data.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "poise/model/model.h"

namespace poise::watch {

// In nanoseconds.
using Time = std::int64_t;
// In seconds: "12.5", "13.0". Exact, with as few decimals as that takes, but at least one.
[[nodiscard]] std::string seconds_text(Time time);

enum class Kind : std::uint8_t { Nondeterminism, Race, Cycle, Adaptation };
inline constexpr std::size_t kFaultKinds = 3;
[[nodiscard]] std::string_view name(Kind kind);

// Something that happened. What it points to is valid until the monitor gets the next event.
// `rules` are those that were triggered together (Nondeterminism), that fired one after another
// (Race, Cycle), or the one that fired (Adaptation).
struct Occurrence {
  Kind kind = Kind::Adaptation;
  Time time = 0;
  std::string_view app;
  model::StateId state;  // in which the rule fires; Race, Cycle: in which the run began
  std::span<const model::RuleId> rules;
  model::RuleId chosen;  // Nondeterminism: the one that fires
  model::StateId to;     // Adaptation, Race: where it ends
  std::size_t loop = 0;  // Cycle: the index of the first of `rules` that would fire again
};

struct Summary {
  std::size_t events = 0;    // without those that were refused
  std::size_t expiries = 0;  // instants at which elements left windows
  std::size_t adaptations = 0;
  std::array<std::size_t, kFaultKinds> faults = {};  // by kind
  std::size_t instances = 0;
};

}  // namespace poise::watch
