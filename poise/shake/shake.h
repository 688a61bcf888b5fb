#pragma once

// Shakes a subject (a policy, states and rules, or a program of the user): makes flows of contexts,
// shows them to it, and reports each failure with the smallest flow that shows it. With mutants, it
// also reports how many planted faults such flows find.
//
//   const Result<Report> report = shake::run({.model = model}, {});
//   report->failures       // by kind, and then by expectation in the order of the model
//
// The oracles: the expectations of the model; the ranges of its variants; and, if there is a
// reference, that every variant is the same as that of the reference. The same task and options
// give the same report, whatever `jobs` is, unless a limit is reached.
//
// Here and in all sub-folders *the paper* is F. Munoz and B. Baudry, "Artificial Table Testing
// Dynamically Adaptive Systems", INRIA RR-6866, 2009.

#include <cstddef>
#include <functional>
#include <limits>
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
  // A model that behaves as the subject should; it has the same senses and variants.
  const model::Model* reference = nullptr;
  // Makes the subject, in place of the model's own policy or rules: a program of the user.
  std::function<std::unique_ptr<Subject>(const Grid&)> program = {};
};

inline constexpr std::size_t kAutomatic = std::numeric_limits<std::size_t>::max();

struct Options {
  // Automatic: flows as long as what is expected needs (automatic_length), and 100 of them, or
  // fewer long ones.
  SearchOptions search = {.flows = kAutomatic, .length = kAutomatic};
  std::size_t values = 12;               // representative values of a number
  std::vector<KeptFailure> quakes = {};  // tried first, before the flows
  std::optional<MutantOptions> mutants;  // none: no mutants
  // A recording, by tick and property: how much flows look like it is reported (realism.h).
  std::vector<std::vector<double>> recorded = {};
  std::size_t most_steps = 20'000'000;  // to decide whether mutants are equivalent
  Limits limits;
};

// How long flows must be, in ticks: two and a half times as long as any expectation waits, so that
// something can happen before it; at least 60, at most 100,000.
[[nodiscard]] std::size_t automatic_length(const model::Policy& policy);

// Fails if nothing can be shaken: there is no property or no valid context, a quake does not fit
// the model, or the reference has other senses or variants.
[[nodiscard]] Result<Report> run(const Task& task, const Options& options);

// A flow and what a subject did in it, tick by tick; equal neighbours are one entry.
struct Shown {
  std::vector<ShownTick> ticks;
  std::optional<Error> ended;  // why the subject failed, if it did
};
// The reference, with its grid: the same properties in the numbers of its own model.
struct Expected {
  Subject& subject;
  const Grid& grid;
};
[[nodiscard]] Shown shown(Subject& subject, const Grid& grid, const Flow& flow,
                          const Expected* expected = nullptr);

}  // namespace poise::shake
