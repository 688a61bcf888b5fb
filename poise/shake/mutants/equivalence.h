#pragma once

// Can any flow tell a mutant from the original? Where there are finitely many states and contexts
// this is decided, not guessed. Both run in lockstep through all pairs of states that they can be
// in at the same time, breadth first, with every context. The first difference is the end of a
// shortest flow that kills the mutant; if there is none, the mutant is *equivalent* on this grid.
//
//   const auto program = [&](const Mutant* mutant) -> std::unique_ptr<StatefulSubject> { … };
//   const std::vector<Verdict> verdicts =
//       equivalence(model, mutants, grid, program, {.jobs = 2});
//
// That tries one context of each kind that original and mutants can tell apart
// (distinguishable.h). The original is explored once, and all mutants share that; a mutant takes
// one step for each pair of states and each context, until it differs. The parts below are for
// other subjects and other contexts.

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
  std::size_t most_steps = 20'000'000;  // states times contexts; states beyond are not explored
};

// The state graph of the original: every state that it can reach, and its successor with every
// context. Memory: 4 bytes for each state and context, and the numbers of each state.
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
  // A state determines the variant.
  [[nodiscard]] std::span<const double> variant(std::size_t state) const {
    return variants_[state];
  }

 private:
  std::vector<Instance> contexts_;
  Contexts values_;
  Rows states_;
  Rows variants_;
  std::size_t explored_ = 0;
  std::vector<std::uint32_t> next_;  // by explored state and context
};

struct Verdict {
  enum class Kind {
    Killable,
    Equivalent,
    Undecided,  // a bound was reached before a difference
  };
  Kind kind = Kind::Undecided;
  Flow flow = {};         // Killable: a shortest flow that kills it
  std::size_t pairs = 0;  // pairs of states that were seen
};

struct EquivalenceOptions {
  std::size_t most_pairs = 1'000'000;   // for each mutant
  std::size_t most_steps = 20'000'000;  // of the original, and again for each mutant
  std::size_t jobs = 1;                 // threads; the answer is the same for any number
};

[[nodiscard]] Verdict verdict_of(const Explored& original, StatefulSubject& mutant,
                                 const EquivalenceOptions& options = {});

// Makes a mutant; called once for each, on any thread.
using StatefulMaker = std::function<std::unique_ptr<StatefulSubject>(std::size_t)>;
[[nodiscard]] std::vector<Verdict> verdicts_of(const Explored& original, std::size_t mutants,
                                               const StatefulMaker& mutant,
                                               const EquivalenceOptions& options = {});

// Makes a mutant, or the original if given none; called on any thread.
using ProgramMaker = std::function<std::unique_ptr<StatefulSubject>(const Mutant*)>;
[[nodiscard]] std::vector<Verdict> equivalence(const model::Model& model,
                                               std::span<const Mutant> mutants, const Grid& grid,
                                               const ProgramMaker& program,
                                               const EquivalenceOptions& options = {});

}  // namespace poise::shake
