#pragma once

// What reports of the office model are tested with.

#include <string>
#include <string_view>

#include "poise/finding/finding.h"
#include "tests/support/office_model.h"

namespace poise::test {

// Whether to enter or to walk is left to chance, in two situations; without a witness.
inline finding::Fault enter_or_walk() {
  return {.kind = finding::FaultKind::Nondeterminism,
          .state = kIdle,
          .rules = {kEnter, kWalk},
          .situations = 2,
          .when = finding::Condition{{{kAtOffice, true}, {kMoving, true}}}};
}

// From the first place where a text has `start` to the end of that line.
inline std::string line_from(const std::string& text, std::string_view start) {
  const std::size_t begin = text.find(start);
  return text.substr(begin, text.find('\n', begin) - begin);
}

}  // namespace poise::test
