#pragma once

// Verifies a model in the world as it is: with what actions do to what is sensed, and with errors
// of sensors and actions.
//
//   const Report report = verify::run(model, {});
//   report.verdict == Verdict::Safe      // whatever happens, for any number of steps
//
// Without a bound, the answer is about paths of any length: safe because of an invariant, unsafe
// with the shortest path to each hazard, or unknown, which is never taken for safe. With a bound,
// the paths up to that length are counted, all of them, and those that fail are listed, likeliest
// first: each with the greatest probability that it can have (odds.h).

#include <cstddef>
#include <cstdint>
#include <optional>

#include "poise/base/budget.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"
#include "poise/verify/system/paths.h"

namespace poise::verify {

struct Options {
  Mode mode = Mode::Actual;
  Engine engine = Engine::Auto;
  std::optional<std::size_t> bound;
  std::size_t paths = 100;     // counterexamples that are listed at most
  std::size_t cures = 40'000;  // how many octagons may be looked at to find repairs
  Limits limits;
  std::uint64_t seed = 1;
  bool odds = true;                          // how likely counterexamples are
  std::optional<double> decisions_per_hour;  // is handed on to the report
  Tell progress = {};                        // is called now and then, from the thread that runs it
};

// Every counterexample has been replayed by an interpreter that shares nothing with the engines.
[[nodiscard]] Report run(const model::Model& model, const Options& options);

}  // namespace poise::verify
