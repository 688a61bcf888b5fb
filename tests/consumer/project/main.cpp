#include <iostream>

#include "poise/check/check.h"
#include "poise/lang/lang.h"

int main() {
  const poise::lang::Parsed parsed = poise::lang::parse({.name = "door.poise", .text = R"(
    sense near : bool
    state Closed initial
    state Open
    rule open:  Closed -> Open   when near
    rule close: Open   -> Closed when near)"});
  if (!parsed.model) return 2;
  const poise::check::Report report = poise::check::run(*parsed.model, {});
  std::cout << "faults: " << report.faults.size() << "\n";
}
