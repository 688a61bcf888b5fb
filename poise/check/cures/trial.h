#pragma once

// Tries a cure: changes a copy of the model, and checks again what the change can touch (twin.h). A
// change is a cure of a fault if in the changed model
//   - the fault does not occur, and where it did, in its state and situations, no choice, race or
//     cycle begins that did not begin there before;
//   - every rule that could fire can fire, in each of its states, and every state that could be
//     reached can be reached;
//   - no fault of another kind (by kind, state and rules) is there that was not there before;
//   - no choice is left to chance where none was, there is no cycle where there was none, and no
//     race where there was neither race nor cycle: where is in which state and context;
//   - a state that can be reached now, and could not be before, has no fault at all.

#include <cstddef>
#include <span>
#include <vector>

#include "poise/check/cures/twin.h"
#include "poise/finding/cure.h"
#include "poise/finding/finding.h"

namespace poise::check {

// A fault that a cure is sought for.
struct Complaint {
  finding::FaultKind kind;
  model::StateId state;
  std::vector<model::RuleId> rules;
  std::vector<model::StateId> dead_in = {};  // DeadRule: the states in which it has to live
};

enum class Verdict { Cure, NoCure, GaveUp };

class Trial {
 public:
  // `reachable`: by state. `effort` as in Twin.
  Trial(const model::Model& model, const Prepared& prepared, std::vector<bool> reachable,
        std::size_t& effort);

  // Fills in `elsewhere` of some cures, counted over the same atoms for all. False if that takes
  // too much.
  [[nodiscard]] bool measure(std::vector<finding::Cure>& cures);

  [[nodiscard]] Verdict verdict(const Complaint& complaint, const finding::Cure& cure);
  // Whether the last verdict depends on the rules of one of these states.
  [[nodiscard]] bool looked_at_any(std::span<const model::StateId> states) const;

  // By state: whether it can be reached after the change that was tried last.
  [[nodiscard]] const std::vector<bool>& reachable_then() const { return reachable_then_; }

  // Changes the model for good: what is tried from now on is tried on top of this, and must not
  // bring the complaint back. `reachable`: by state, after this change.
  void keep(const Complaint& complaint, const finding::Cure& cure, std::vector<bool> reachable);
  // Whether the changes that were kept are a cure of another complaint as well, which then must not
  // come back either. (They are known to make no other fault.)
  [[nodiscard]] Verdict kept_cure(const Complaint& complaint);

 private:
  // Races and cycles from one state, of starts for which something is different.
  struct Comparison {
    model::StateId state;
    std::vector<Twin::Path> before;
    std::vector<Twin::Path> after;
    Node feasible;  // for all atoms that they depend on
  };

  [[nodiscard]] bool occurs(const Complaint& complaint);
  [[nodiscard]] bool counts(model::StateId state) const;
  [[nodiscard]] bool passes(const Complaint& complaint, const finding::Cure& cure);
  [[nodiscard]] bool kills(model::StateId state, const finding::Cure& cure);
  [[nodiscard]] bool reach_passes(const Complaint& complaint, const finding::Cure& cure);
  [[nodiscard]] std::vector<bool> reached_after(const finding::Cure& cure);
  [[nodiscard]] bool is_faultless(model::StateId state);
  [[nodiscard]] bool lives(const Complaint& complaint);

  [[nodiscard]] Node exactly(const StateSets& sets, const Level& rules);
  [[nodiscard]] Level indices(model::StateId state, const std::vector<model::RuleId>& of) const;
  [[nodiscard]] Node two_of(const Level& level, const std::vector<Node>& triggered);
  [[nodiscard]] Node any_two(Side side, model::StateId state);
  [[nodiscard]] bool choices_pass(const Complaint& complaint, model::StateId state, Node where);

  [[nodiscard]] Comparison compared(model::StateId state, Node starts);
  [[nodiscard]] bool situations_pass(const Comparison& runs);
  [[nodiscard]] bool identities_pass(const Complaint& complaint, const Comparison& runs);
  [[nodiscard]] bool is_gone(const Complaint& complaint, const Comparison& runs, Node starts);

  [[nodiscard]] Node all_starts(const std::vector<Twin::Path>& paths, finding::FaultKind kind);
  [[nodiscard]] bool was_treated(finding::FaultKind kind, model::StateId state,
                                 const std::vector<model::RuleId>& rules) const;
  boolean::Arena& arena() { return twin_.arena(); }

  Twin twin_;
  Show show_;
  std::vector<bool> reachable_;       // by state, before the change
  std::vector<bool> reachable_then_;  // after the change that was tried last
  std::vector<Complaint> treated_;
};

}  // namespace poise::check
