#pragma once

// A small model built by hand, without the language, for tests of everything behind it. It has
// every type of variable and a variable with a guard. Its faults: a choice by chance (Enter or
// Walk), a dead rule (Late, shadowed by Enter), a race (Leave, then Walk) and a cycle (Enter,
// Leave).
//
//   sense gps.on    : bool
//   sense gps.speed : real 0..350 if gps.on
//   sense place     : {home, office}
//   sense bt        : set {pc, phone}
//   sense count     : int 0..50
//
//   state Idle initial
//   state Work, Away
//
//   rule Enter: Idle -> Work priority 2 when place == office     # line 11
//   rule Leave: Work -> Idle priority 2 when bt has phone        # line 12
//   rule Walk:  Idle -> Away priority 2 when gps.speed > 5       # line 13
//   rule Late:  Idle -> Away priority 4 when place == office     # line 14

#include "poise/model/model.h"

namespace poise::test {

[[nodiscard]] model::Model office_model();

// The ids of its rows.
inline constexpr model::StateId kIdle{0};
inline constexpr model::StateId kWork{1};
inline constexpr model::StateId kAway{2};
inline constexpr model::RuleId kEnter{0};
inline constexpr model::RuleId kLeave{1};
inline constexpr model::RuleId kWalk{2};
inline constexpr model::RuleId kLate{3};
inline constexpr model::AtomId kAtOffice{0};
inline constexpr model::AtomId kHasPhone{1};
inline constexpr model::AtomId kMoving{2};

// At the office with the phone, standing still: Enter and Leave alternate.
[[nodiscard]] model::Context at_the_office();

}  // namespace poise::test
