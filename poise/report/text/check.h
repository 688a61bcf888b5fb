#pragma once

// The report of `poise check` as text, for a person who has to mend the rules. The most serious
// faults come first. Faults with a common core (finding/groups.h) are shown once: the best example,
// with its path, its condition, a concrete context, the places of its rules in the file and a
// cure or a hint; and a count of the rest.
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
  Summary,  // the last line only
};

enum class Paths {
  Listed,
  NotAsked,  // `--paths none`: unstable rules are shown instead of races and cycles
};

enum class Scope { ReachableStates, AllStates };

// The atoms over which the situations of a fault were counted.
enum class Counted {
  OverItsAtoms,  // those that matter to it: no share of the model's situations can be given
  OverAllAtoms,  // all of the model: "12 of 960 situations"
};

struct TextOptions {
  diag::Color color = diag::Color::No;
  std::size_t width = 100;  // columns; a word that cannot be cut may be longer
  Detail detail = Detail::Full;

  // The question, so that the text can say what an answer proves.
  std::vector<finding::FaultKind> kinds;  // that were looked for; empty: every kind
  std::vector<std::string> ignored;       // "priorities", "constraints"
  Scope scope = Scope::ReachableStates;
  Paths paths = Paths::Listed;
  Counted counted = Counted::OverItsAtoms;
};

[[nodiscard]] std::string check_text(const model::Model& model, const check::Report& report,
                                     const TextOptions& options = {});

}  // namespace poise::report
