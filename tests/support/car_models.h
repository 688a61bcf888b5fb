#pragma once

// The robot car of the ISM paper (Yang et al.), for tests of `verify`: its world of four distance
// sensors with normal errors, and a set of rules that makes it drive.

#include <string>

#include <gtest/gtest.h>

#include "poise/lang/lang.h"

namespace poise::tests {

inline constexpr const char* kCarWorld = R"(
  sense disF : real 0..400 error -6..6 gauss 2
  sense disB : real 0..400 error -6..6 gauss 2
  sense disL : real 0..400 error -6..6 gauss 2
  sense disR : real 0..400 error -6..6 gauss 2
  var unit : real = 10 error -5..5 gauss 2.5
  action walkF: disF' == disF - unit and disB' == disB + unit
  action walkB: disF' == disF + unit and disB' == disB - unit
  action turnL: disF' == disL and disL' == disB and disB' == disR and disR' == disF
  action turnR: disF' == disR and disR' == disB and disB' == disL and disL' == disF
  failure bump: disF <= 0 after walkF, disB <= 0 after walkB
)";

inline constexpr const char* kFourRules = R"(
  state A initial
  state B, D, E
  rule r0: A -> A when disF >= 20 do walkF
  rule r1: A -> B when disF < 20 and disL >= 20 do turnL, walkF, turnL
  rule r2: A -> D when disF < 20 and disL < 20 and disR >= 20 do turnR, walkF, turnR
  rule r3: A -> E when disF < 20 and disL < 20 and disR < 20 do walkB
)";

inline model::Model model_of(const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = "test.poise", .text = text});
  EXPECT_TRUE(parsed.model.has_value())
      << (parsed.diagnostics.empty() ? "" : parsed.diagnostics.front().message);
  return std::move(*parsed.model);
}

inline model::Model car_with(const std::string& rules) { return model_of(kCarWorld + rules); }

}  // namespace poise::tests
