#pragma once

// The *kill matrix*: which flow tells which mutant from the original, and at which tick first. And
// what can be read from it: signatures, subsumed mutants, a smallest set of flows.
//
//   const std::vector<Contexts> contexts = …;              // of the flows
//   const std::vector<Trace> expected = …;                 // of the original
//   const auto mutant = [&](std::size_t i) -> std::unique_ptr<Subject> { … };
//   const KillMatrix matrix = kill_matrix(contexts, expected, mutants.size(), mutant, {.jobs = 2});
//   const Analysis analysis = analysis_of(matrix);
//
// A mutant runs until it differs, so a cell costs the steps up to that tick, and a comparison with
// the original's variant for each; nothing is allocated. 91 programs and 300 flows of 60 ticks take
// at most 1.6 million steps.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "poise/shake/mutants/mutants.h"
#include "poise/shake/subjects/subject.h"
#include "poise/shake/subjects/trace.h"

namespace poise::shake {

struct KillMatrix {
  static constexpr std::uint32_t kSurvived = std::numeric_limits<std::uint32_t>::max();

  std::size_t mutants = 0;
  std::size_t flows = 0;
  std::vector<std::uint32_t> ticks;  // the first that differs, by mutant and flow, or kSurvived

  [[nodiscard]] std::uint32_t tick(std::size_t mutant, std::size_t flow) const {
    return ticks[mutant * flows + flow];
  }
  [[nodiscard]] bool kills(std::size_t mutant, std::size_t flow) const {
    return tick(mutant, flow) != kSurvived;
  }
};

struct MatrixOptions {
  std::size_t jobs = 1;  // threads; the answer is the same for any number
};

// Makes a mutant. It is called once for each, on any thread: it must not change what others share.
using SubjectMaker = std::function<std::unique_ptr<Subject>(std::size_t)>;

// `expected` has the original's trace for each of the flows.
[[nodiscard]] KillMatrix kill_matrix(std::span<const Contexts> flows,
                                     std::span<const Trace> expected, std::size_t mutants,
                                     const SubjectMaker& mutant, const MatrixOptions& options = {});

// ---- Analysis ----

// Some flows that together kill every mutant that any flow kills.
struct EnoughFlows {
  std::vector<std::size_t> flows;  // ascending
  bool is_smallest = false;        // no smaller set does; false: attempts ran out
};

struct Analysis {
  std::vector<std::size_t> kills;  // by mutant: how many flows kill it
  std::size_t killed = 0;          // mutants that a flow kills
  std::size_t killed_by_all = 0;   // mutants that every flow kills

  // The *signature* of a mutant is the set of flows that kill it. By mutant: the number of its
  // signature, or kSurvived if no flow kills it. The fewer mutants share a signature, the better
  // the flows tell faults apart.
  std::vector<std::size_t> signature;
  std::size_t signatures = 0;
  std::size_t unique_signatures = 0;  // of one mutant only

  // By mutant: a mutant that subsumes it, because every flow that kills that one kills this one,
  // too. Of several with the same signature all but the first are subsumed. A mutant that subsumes
  // others is not subsumed itself. Mutants that survive neither subsume nor are subsumed.
  std::vector<std::optional<std::size_t>> subsumed_by;

  EnoughFlows minimal;
};

struct AnalysisOptions {
  // Nodes of the search for a smallest set of flows; after them the best set so far is taken.
  std::size_t most_attempts = 200'000;
};

[[nodiscard]] Analysis analysis_of(const KillMatrix& matrix, const AnalysisOptions& options = {});

[[nodiscard]] bool is_killed(const KillMatrix& matrix, std::size_t mutant);  // by any flow

// The share of killed mutants among those that are not equivalent; 1 if there are none.
// `equivalent`, by mutant: it was shown that no flow can kill it.
[[nodiscard]] double mutation_score(const KillMatrix& matrix, const std::vector<bool>& equivalent);

struct GroupKills {
  MutantGroup group = MutantGroup::F1;
  std::size_t mutants = 0;
  std::size_t killed = 0;
  std::size_t equivalent = 0;
};

// For each group that has mutants.
[[nodiscard]] std::vector<GroupKills> kills_by_group(const KillMatrix& matrix,
                                                     std::span<const Mutant> mutants,
                                                     const std::vector<bool>& equivalent);

}  // namespace poise::shake
