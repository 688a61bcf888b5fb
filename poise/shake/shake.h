#pragma once

// Shakes a policy, rules, or a program of the user's: makes flows of contexts, shows them to it,
// and says what it should not have done, each with the smallest flow that shows it. With mutants,
// also how well such flows would have found faults that were planted.
//
//   const Result<Report> report = shake::run({.model = model}, {});
//   report->failures       // by expectation, in the order of the model
//
// What is asked for: expectations of the model, ranges of variants, and, if there is a reference,
// that every variant is the same as its. Same task and options, same report, whatever `jobs` is.

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/result.h"
#include "poise/model/model.h"
#include "poise/shake/flows/search.h"
#include "poise/shake/mutants/mutants.h"
#include "poise/shake/oracle/kept_failure.h"
#include "poise/shake/result.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

struct Task {
  const model::Model& model;
  const model::Model* reference = nullptr;  // what it should do; the same senses and variants
  // Makes what is shaken in place of the model's own policy or rules.
  std::function<std::unique_ptr<Subject>(const Grid&)> program = {};
};

struct Options {
  SearchOptions search;
  std::size_t values = 12;               // of a number, on the grid
  std::vector<KeptFailure> quakes = {};  // tried first
  std::optional<MutantOptions> mutants;
  std::vector<std::vector<double>> recorded =
      {};                               // by moment and property: what flows should be like
  std::size_t most_steps = 20'000'000;  // to decide whether mutants are equivalent
  Limits limits;
};

// Fails where there is nothing to shake: no property, no valid context, a reference that senses or
// decides something else.
[[nodiscard]] Result<Report> run(const Task& task, const Options& options);

// One flow and what comes out of it, tick by tick, equal neighbours put together.
struct Shown {
  std::vector<ShownTick> ticks;
  std::optional<Error> ended;
};
// What should come out, if it is known; its grid has the same properties.
struct Expected {
  Subject& subject;
  const Grid& grid;
};
[[nodiscard]] Shown shown(Subject& subject, const Grid& grid, const Flow& flow,
                          const Expected* expected = nullptr);

}  // namespace poise::shake
