#pragma once

// A path that fails as an event: what its numbers must satisfy for the path to be taken and to
// fail.
//
// The path is followed once, with every value at every moment an affine form over the path's
// numbers (affine.h). Each guard, each "nothing failed yet" and the failure at the end is then a
// *stage*: it is passed in one of several ways, which exclude each other, and each way is a
// conjunction of linear bounds. The path is taken and fails if every stage is passed.
//
// An action that says `or` may do several things. Each is a *branch*, with stages of its own.
// Branches of different groups exclude each other, because what is known before the act decides
// between them, so their probabilities add up; between choices within a group the environment
// decides.

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
  std::size_t origin = 0;    // stages of the same origin were one condition
  std::vector<Bounds> ways;  // at least one; they exclude each other
};

// The values along the path, by slot.
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
  std::vector<std::size_t> groups;   // by act with several outcomes
  std::vector<std::size_t> choices;  // likewise
  std::vector<Stage> stages;
  std::vector<StepForms> steps;
};

struct PathEvent {
  Numbers numbers;
  std::vector<Branch> branches;  // none: it cannot happen
};

// Keeps what paths of a system have in common. The system must outlive it.
class PathReader {
 public:
  explicit PathReader(const System& system) : system_(system) {}

  // Fails where a condition is not linear, or falls into too many cases.
  [[nodiscard]] Result<PathEvent> event(const FailingPath& path);

 private:
  friend class PathFollower;
  using Cubes = std::optional<std::vector<Cube>>;
  const Cubes& guard_cubes(const Move& move);
  const Cubes& act_cubes(const Act& act);
  const Cubes& passed_cubes(const Act& act);  // nothing failed after it
  const Cubes& failed_cubes(const Case& one);
  const Cubes& start_cubes(model::FormulaId constraint);

  const System& system_;
  std::map<const Move*, Cubes> guards_;
  std::map<const Act*, Cubes> acts_;
  std::map<const Act*, Cubes> passed_;
  std::map<const Case*, Cubes> failed_;
  std::map<model::FormulaId, Cubes> starts_;
};

}  // namespace poise::verify
