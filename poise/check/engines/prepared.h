#pragma once

// A model prepared for checking: everything that the engines need and that is worked out once,
// before they start. The model to check is the user's, or its propositional form. Engines read a
// Prepared from several threads at once and copy its budget.

#include <cstdint>
#include <map>
#include <memory>
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

using Atoms = std::vector<model::AtomId>;  // sorted, without duplicates
// Their union.
[[nodiscard]] Atoms atoms_of_both(const Atoms& a, const Atoms& b);

// Rules of one state and one priority, as indices into State::rules.
using Level = std::vector<std::uint32_t>;

// Keeps references: the model and the options must outlive it. A copy shares the questions.
struct Prepared {
  const model::Model& model;
  const Options& options;
  Budget budget;
  std::shared_ptr<const model::Questions> owned_questions;
  const model::Questions& questions;
  // By state, the strongest level first; a single level if priorities are ignored.
  std::vector<std::vector<Level>> levels;
  std::vector<Atoms> state_atoms;    // by state: those of its rules' guards
  std::vector<std::uint32_t> deeds;  // by rule, of the user's model (finding::deeds)

  std::vector<model::StateId> targets;  // by rule: where it leads

  // The guards of all states in one array, state by state, the strongest rules first. The code of a
  // guard ends where that of the next begins, so each state has one more entry at its end.
  struct Guard {
    std::uint32_t rule;   // index into State::rules
    std::uint32_t begin;  // of its code, in `code`
    bool first_of_level;
  };
  std::vector<Guard> guards;
  std::vector<std::uint32_t> guards_begin;  // by state: its first guard
  std::vector<model::PostfixToken> code;
  [[nodiscard]] std::span<const Guard> guards_of(model::StateId state) const {
    return {&guards[guards_begin[state.index]], model.states[state].rules.size()};
  }
  [[nodiscard]] std::span<const model::PostfixToken> code_of(const Guard& guard) const {
    return {&code[guard.begin], (&guard)[1].begin - guard.begin};
  }

  Atoms all_atoms;
  bool impossible = false;  // the constraints leave no context at all

  static Result<Prepared> of(const model::Model& model, const Options& options, Budget budget);

  // Prepares the rules of a state anew, where the model has other guards, priorities or targets
  // than before. (Its atoms and actions must be the same, because questions are made of these.)
  void prepare(model::StateId state);
};

// The atoms over which the situations of a fault are counted, as Options::count says. The fault
// visits these states, the first of them being where it starts, and fires these rules.
[[nodiscard]] Atoms counted_atoms(const Prepared& prepared,
                                  const std::vector<model::StateId>& visited,
                                  const std::vector<model::RuleId>& rules);

// counted_atoms() with a cache, for the search of paths: most paths visit one of few sets of
// states. For one thread.
class CountedAtoms {
 public:
  explicit CountedAtoms(const Prepared& prepared) : prepared_(prepared) {}
  // The reference is valid until the next call.
  const Atoms& of(const std::vector<model::StateId>& visited,
                  const std::vector<model::RuleId>& rules);

 private:
  const Prepared& prepared_;
  std::map<std::vector<model::StateId>, Atoms> known_;  // by sorted states
  std::vector<model::StateId> sorted_;
  Atoms last_;
};

[[nodiscard]] bool asks_for(const Options& options, finding::FaultKind kind);

}  // namespace poise::check
