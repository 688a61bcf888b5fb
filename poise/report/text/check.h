#pragma once

// The report of `poise check` for a person who must mend the rules: the most serious faults first;
// faults with a common core once, with the best example and a count of the rest; each with its path
// in one line, the situation in words, one concrete context, where its rules stand and what would
// cure it.
//
//   out << report::check_text(model, check::run(model), {.width = 80});

#include <cstddef>
#include <string>
#include <vector>

#include "poise/check/result.h"
#include "poise/diag/render.h"
#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::report {

enum class Detail {
  Full,
  Summary,  // only the last line
};

enum class Paths {
  Listed,
  NotAsked,  // races and cycles were not to be listed: the unstable rules stand for them
};

enum class Scope { ReachableStates, AllStates };

// What situations of a fault were counted over.
enum class Counted {
  OverItsAtoms,  // its own figure, not a share of the model's situations
  OverAllAtoms,  // "12 of 960 situations" is true
};

struct TextOptions {
  diag::Color color = diag::Color::No;
  std::size_t width = 100;  // columns; a path that cannot be cut may be longer
  Detail detail = Detail::Full;

  // What was asked, so that the text can say what an answer proves.
  std::vector<finding::FaultKind> kinds;  // looked for; empty: every kind
  std::vector<std::string> ignored;       // "priorities", "constraints"
  Scope scope = Scope::ReachableStates;
  Paths paths = Paths::Listed;
  Counted counted = Counted::OverItsAtoms;
};

[[nodiscard]] std::string check_text(const model::Model& model, const check::Report& report,
                                     const TextOptions& options = {});

}  // namespace poise::report
