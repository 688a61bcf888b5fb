#pragma once

// Verifies a model in its world: actions change the sensed values, and sensors and actions are off
// by errors.
//
//   const Report report = verify::run(model, {});
//   report.verdict == Verdict::Safe      // no failure, after any number of steps
//
// Without a bound, the answer is about paths of any length: safe because of an invariant, unsafe
// with the shortest path to each hazard, or unknown, which is never taken for safe. With a bound,
// all paths up to that length are counted, and counterexamples are listed, likeliest first: each
// with its probability in the worst environment (odds/odds.h).

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
  std::size_t paths = 100;      // most counterexamples to list
  std::size_t cures = 100'000;  // most octagons to make in the search for repairs, of all hazards
  Limits limits;
  std::uint64_t seed = 1;
  bool odds = true;                          // calculate probabilities
  std::optional<double> decisions_per_hour;  // copied to the report
  std::optional<std::size_t> mission;        // within so many decisions: how likely is a failure?
  Tell progress = {};                        // called some times a second, from a thread of its own
};

// Every counterexample has been replayed by an interpreter that shares nothing with the engines.
[[nodiscard]] Report run(const model::Model& model, const Options& options);

}  // namespace poise::verify
