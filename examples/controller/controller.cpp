// A gate that opens for trucks nearby. It adapts by its rules, and says when they go wrong.

#include <array>
#include <cmath>
#include <iostream>

#include "poise/lang/lang.h"
#include "poise/watch/monitor.h"

using namespace poise;

constexpr const char* kRules = R"(
  stream trucks { plate: string, x: real -500..500, y: real -500..500 }
  extern near(x: real, y: real, metres: real)
  state Closed initial, Open
  rule open: Closed -> Open when exists t in trucks: near(t.x, t.y, 30)
  rule close: Open -> Closed when all t in trucks: not near(t.x, t.y, 20))";

bool near(double x, double y, double metres) { return std::hypot(x, y) < metres; }

int main() {
  const lang::Parsed parsed = lang::parse({.name = "gate.poise", .text = kRules});
  if (!parsed.model) return 2;  // parsed.diagnostics says why
  const model::Model& model = *parsed.model;
  const auto functions = watch::functions_for(model, {watch::typed("near", near)});
  if (!functions) return 2;  // functions.error().message says why
  watch::Monitor monitor(model, {.trace = true, .functions = *functions});
  const watch::AppId gate = monitor.app("gate");
  const model::StreamId trucks{0};  // streams count from 0, in the order of the text
  for (const auto& [second, x, y] : {std::array{1, 60, 80}, std::array{2, 12, 9},
                                     std::array{3, 300, 0}, std::array{4, 15, 20}}) {
    const std::array<watch::Cell, 3> element = {
        monitor.text("B-X 17"), monitor.number(trucks, 1, x), monitor.number(trucks, 2, y)};
    const watch::Time time = second * 1'000'000'000LL;
    const auto said = monitor.on_event(gate, {.time = time, .stream = trucks, .element = element});
    if (!said) return 2;  // time goes back
    for (const watch::Occurrence& what : *said) {
      std::cout << "  " << watch::name(what.kind) << " in " << model.states[what.state].name
                << "\n";
    }
    std::cout << second << " s: " << model.states[monitor.state(gate)].name << "\n";
  }
}
