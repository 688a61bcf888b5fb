#pragma once

// What every engine needs to know of a model before it starts, worked out once: the model to check
// (the user's, or its propositional form), its questions, and each state's rules by priority.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/result.h"
#include "poise/check/options.h"
#include "poise/model/model.h"
#include "poise/model/postfix.h"
#include "poise/model/questions.h"

namespace poise::check {

using Atoms = std::vector<model::AtomId>;  // sorted
[[nodiscard]] Atoms atoms_of_both(const Atoms& a, const Atoms& b);

// Rules of one state and one priority, as indices into the state's rules.
using Level = std::vector<std::uint32_t>;

struct Prepared {
  const model::Model& model;
  const Options& options;
  Budget budget;
  model::Questions questions;
  std::vector<std::vector<Level>>
      levels;                      // by state, strongest first; one if priorities are ignored
  std::vector<Atoms> state_atoms;  // of the rules that leave it
  std::vector<bool> is_free;       // by state: nothing binds the questions of its rules to anything

  // The guards of a state's rules, strongest first, one array for all states.
  struct Guard {
    std::uint32_t rule;   // by index
    std::uint32_t begin;  // in `code`
    bool first_of_level;
  };
  std::vector<Guard> guards;
  std::vector<std::uint32_t> guards_begin;  // by state, and one more
  std::vector<model::PostfixToken> code;
  [[nodiscard]] std::span<const Guard> guards_of(model::StateId state) const {
    return {&guards[guards_begin[state.index]],
            guards_begin[state.index + 1] - guards_begin[state.index]};
  }
  [[nodiscard]] std::span<const model::PostfixToken> code_of(const Guard& guard) const {
    return {&code[guard.begin], (&guard)[1].begin - guard.begin};
  }

  Atoms all_atoms;
  bool impossible = false;  // the constraints leave no context at all

  static Result<Prepared> of(const model::Model& model, const Options& options, Budget budget);
};

// The atoms over which a fault is counted that passes through these states by these rules.
[[nodiscard]] Atoms counted_atoms(const Prepared& prepared,
                                  const std::vector<model::StateId>& visited,
                                  const std::vector<model::RuleId>& rules);

// The same, for whoever asks often: most paths lead through the same few sets of states.
class CountedAtoms {
 public:
  explicit CountedAtoms(const Prepared& prepared) : prepared_(prepared) {}
  // Valid until the next call.
  const Atoms& of(const std::vector<model::StateId>& visited,
                  const std::vector<model::RuleId>& rules);

 private:
  const Prepared& prepared_;
  std::map<std::vector<model::StateId>, Atoms> known_;  // by states, sorted
  std::vector<model::StateId> sorted_;
  Atoms last_;
};

[[nodiscard]] bool asks_for(const Options& options, finding::FaultKind kind);

}  // namespace poise::check
