#pragma once

// Helpers for tests of reports on the office model: a fault, and a line of a text.

#include <string>
#include <string_view>

#include "poise/finding/finding.h"
#include "tests/support/office_model.h"

namespace poise::test {

// A nondeterministic choice between Enter and Walk, in two situations; without a witness.
inline finding::Fault enter_or_walk() {
  return {.kind = finding::FaultKind::Nondeterminism,
          .state = kIdle,
          .rules = {kEnter, kWalk},
          .situations = 2,
          .when = finding::Condition{{{kAtOffice, true}, {kMoving, true}}}};
}

// The rest of the line from the first occurrence of `start` on, which must be in the text.
inline std::string line_from(const std::string& text, std::string_view start) {
  const std::size_t begin = text.find(start);
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace poise::test
