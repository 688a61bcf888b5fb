#pragma once

// A failing path as an event: the conditions on its numbers under which the path is taken and
// fails.
//
// The path is executed symbolically: every value at every moment is an affine form over the path's
// numbers (affine.h). Each guard, each "nothing failed yet" and the failure at the end becomes a
// *stage*: it is passed in one of several ways, which exclude each other, and each way is a
// conjunction of linear bounds. The path is taken and fails if every stage is passed.
//
// An action whose condition says `or`, or leaves a choice, may have several outcomes. Each is a
// *branch*, with stages of its own. Outcomes are grouped: those of different groups exclude each
// other, because the values before the act decide between them, so their probabilities add up;
// between different choices within a group the environment decides. Where a path can fail after
// several acts of its last rule, failing after one of them and going on are groups, too.

#include <cstddef>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "poise/base/result.h"
#include "poise/verify/odds/affine.h"
#include "poise/verify/system/paths.h"
#include "poise/verify/system/system.h"

namespace poise::verify {

struct Stage {
  std::size_t origin = 0;    // stages with the same origin come from one condition of the model
  std::vector<Bounds> ways;  // at least one; they exclude each other
};

// The values along the path as forms, by slot; like ActTrace and StepTrace.
struct ActForms {
  const Act* act;
  std::vector<std::pair<model::SlotId, Affine>> done;
  std::vector<Affine> actual;
};
struct StepForms {
  model::StateId from;
  model::RuleId rule;
  std::vector<Affine> actual;
  std::vector<Affine> sensed;
  std::vector<ActForms> acts;
};

struct Branch {
  std::vector<std::size_t> groups;   // for each act with several outcomes: the group taken
  std::vector<std::size_t> choices;  // and the choice in it
  bool fixed = false;                // some open value is Chosen::Fixed (act_outcome.h)
  std::vector<Stage> stages;
  std::vector<StepForms> steps;
};

struct PathEvent {
  Numbers numbers;
  std::vector<Branch> branches;  // none: it cannot happen
};

// Keeps the cubes that paths of a system share. The system must outlive it.
class PathReader {
 public:
  explicit PathReader(const System& system) : system_(system) {}

  // Fails if a condition is not linear, or has too many cases.
  [[nodiscard]] Result<PathEvent> event(const FailingPath& path);

 private:
  friend class PathFollower;
  using Cubes = std::optional<std::vector<Cube>>;
  const Cubes& guard_cubes(const Move& move);
  const Cubes& act_cubes(const Act& act);
  const Cubes& passed_cubes(const Act& act);  // nothing failed after it
  const Cubes& failed_cubes(const Case& one);
  const Cubes& condition_cubes(model::FormulaId condition);  // of the start, or a constraint

  const System& system_;
  std::map<const Move*, Cubes> guards_;
  std::map<const Act*, Cubes> acts_;
  std::map<const Act*, Cubes> passed_;
  std::map<const Case*, Cubes> failed_;
  std::map<model::FormulaId, Cubes> conditions_;
};

}  // namespace poise::verify
