#pragma once

// What a monitor says, as plain data.

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
// In seconds: "12.5", "13.0", as short as it is exact, with a point.
[[nodiscard]] std::string seconds_text(Time time);

enum class Kind : std::uint8_t { Nondeterminism, Race, Cycle, Adaptation };
inline constexpr std::size_t kFaultKinds = 3;
[[nodiscard]] std::string_view name(Kind kind);

// Something that happened. What it points to is valid until the monitor gets the next event.
struct Occurrence {
  Kind kind = Kind::Adaptation;
  Time time = 0;
  std::string_view app;
  model::StateId state;                  // in which the rule fires, or the run began
  std::span<const model::RuleId> rules;  // triggered together; fired one after another; the one
  model::RuleId chosen;                  // Nondeterminism
  model::StateId to;                     // Adaptation, Race: where it ends
  std::size_t loop = 0;                  // Cycle: the first of `rules` that comes again
};

struct Summary {
  std::size_t events = 0;    // that were taken
  std::size_t expiries = 0;  // instants at which elements left windows
  std::size_t adaptations = 0;
  std::array<std::size_t, kFaultKinds> faults = {};  // by kind
  std::size_t instances = 0;
};

}  // namespace poise::watch
