#pragma once

// Shared by the targets that watch logs: a model that uses every feature of streams and variables,
// and occurrences as text, so that two monitors can be compared.

#include <string>
#include <string_view>

#include "poise/base/check.h"
#include "poise/lang/lang.h"
#include "poise/watch/monitor.h"

namespace poise::fuzz {

inline constexpr std::string_view kBoxes = R"(
    sense on    : bool
    sense speed : real -1..9 if on
    sense seen  : set {car, pc}
    var   mode  : {calm, busy} = calm
    stream L { tag: string, n: int -5..50 }
    stream S { tag: string, x: real 0..10, ok: bool, kind: {red, blue} }
    let same(a, b) = a.tag == b.tag
    state A initial, B, C
    state D final
    rule a: A -> B priority 1 when exists l in L[last 5s]: all s in S[last 5s]: not same(l, s)
    rule b: A, C -> B priority 1 when exists s in S: s.ok and s.x > speed do mode := busy
    rule c: B -> A when all l in L[last 3s]: exists s in S[last 5s]: same(s, l) and s.kind == red
    rule d: B -> C when all s in S[next 2s]: s.x < 0.5 do mode := calm, on := true
    rule e: C -> A when exists l in L: exists m in L[last 5s]: l.n < m.n or seen has car
    rule f: C -> D when mode == busy and exists s in S: s.tag == "end"
)";

// The model with more declarations.
inline model::Model boxes_with(std::string_view more) {
  lang::Parsed parsed =
      lang::parse({.name = "boxes.poise", .text = std::string(kBoxes) + std::string(more)});
  POISE_CHECK(parsed.model.has_value());
  return std::move(*parsed.model);
}

inline std::string shown(const model::Model& model, const watch::Occurrence& what) {
  std::string text = watch::seconds_text(what.time) + " " + std::string(what.app) + " " +
                     std::string(watch::name(what.kind));
  for (const model::RuleId rule : what.rules) text += " " + model.rules[rule].name;
  return text + " " + std::to_string(what.loop) + ";";
}

}  // namespace poise::fuzz
