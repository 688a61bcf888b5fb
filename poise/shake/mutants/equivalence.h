#pragma once

// Can any flow tell a mutant from the original? Where states and contexts are finitely many this
// can be decided, not guessed: both run in lockstep through all pairs of states that they can be in
// at the same time, breadth first, on every context. A difference is a flow that kills the mutant,
// and there is no shorter one; if there is none, the mutant is *equivalent* on this grid.
//
//   const auto program = [&](const Mutant* mutant) -> std::unique_ptr<StatefulSubject> { … };
//   const std::vector<Verdict> verdicts =
//       equivalence(model, mutants, grid, program, {.jobs = 2});
//
// That looks at one context of each kind that the programs tell apart (told_apart.h). What the
// original does is found out once and shared; a mutant takes one step for each pair of states and
// context until it differs. Below are the parts, for other programs and other contexts.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/mutants/mutants.h"
#include "poise/shake/subjects/stateful.h"
#include "poise/shake/subjects/trace.h"

namespace poise::shake {

struct ExploreOptions {
  std::size_t most_steps = 20'000'000;  // states times contexts; beyond them nothing is known
};

// What the original does in every state that it can get into.
class Explored {
 public:
  Explored(StatefulSubject& original, const Grid& grid, std::vector<Instance> contexts,
           const ExploreOptions& options = {});

  [[nodiscard]] const std::vector<Instance>& contexts() const { return contexts_; }
  [[nodiscard]] const Contexts& values() const { return values_; }
  [[nodiscard]] std::size_t states() const { return states_.count; }
  [[nodiscard]] bool is_complete() const { return explored_ == states_.count; }

  // State 0 is the one at the beginning of a flow. Only states below explored() have successors.
  [[nodiscard]] std::size_t explored() const { return explored_; }
  [[nodiscard]] std::uint32_t next(std::size_t state, std::size_t context) const {
    return next_[state * contexts_.size() + context];
  }
  [[nodiscard]] std::span<const double> state(std::size_t index) const { return states_[index]; }
  // The variant is part of the state, in whatever form: equal states show equal variants.
  [[nodiscard]] std::span<const double> variant(std::size_t state) const {
    return variants_[state];
  }

 private:
  std::vector<Instance> contexts_;
  Contexts values_;
  Rows states_;
  Rows variants_;
  std::size_t explored_ = 0;
  std::vector<std::uint32_t> next_;
};

struct Verdict {
  enum class Kind {
    Killable,
    Equivalent,
    Undecided,  // a bound was reached before a difference
  };
  Kind kind = Kind::Undecided;
  Flow flow = {};         // Killable: a shortest flow that kills it
  std::size_t pairs = 0;  // of states that were seen
};

struct EquivalenceOptions {
  std::size_t most_pairs = 1'000'000;  // for each mutant
  std::size_t most_steps = 20'000'000;
  std::size_t jobs = 1;  // threads; the answer is the same for any number
};

[[nodiscard]] Verdict verdict_of(const Explored& original, StatefulSubject& mutant,
                                 const EquivalenceOptions& options = {});

// Makes a mutant; called once for each, on any thread.
using StatefulMaker = std::function<std::unique_ptr<StatefulSubject>(std::size_t)>;
[[nodiscard]] std::vector<Verdict> verdicts_of(const Explored& original, std::size_t mutants,
                                               const StatefulMaker& mutant,
                                               const EquivalenceOptions& options = {});

// Makes a mutant, or the original if there is none; called on any thread.
using ProgramMaker = std::function<std::unique_ptr<StatefulSubject>(const Mutant*)>;
[[nodiscard]] std::vector<Verdict> equivalence(const model::Model& model,
                                               std::span<const Mutant> mutants, const Grid& grid,
                                               const ProgramMaker& program,
                                               const EquivalenceOptions& options = {});

}  // namespace poise::shake
