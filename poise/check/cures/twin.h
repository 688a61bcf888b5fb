#pragma once

// A model and the same model after a change, in one scope, so that sets of starts of the two can be
// compared with each other.
//
// A change of a rule is felt in the states that the rule starts in: there, in some contexts, other
// rules are triggered, or lead elsewhere. These contexts, a set of starts for each state, are the
// *delta* of the change. The runs of two models differ only for starts that come to such a state in
// such a context, so delta() also carries the sets back along the rules that lead there. Whatever
// lies outside is as before, and need not be looked at again.
//
// What may be done is counted in firings, guards and nodes of diagrams, never in time, so that the
// same model always gets as far.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "poise/check/engines/walk.h"
#include "poise/finding/cure.h"
#include "poise/finding/finding.h"

namespace poise::check {

enum class Side { Before, After };

class Twin {
 public:
  // `prepared` is the model prepared. `effort` is how much may still be done; twins can share it.
  Twin(const model::Model& model, const Prepared& prepared, std::size_t& effort);
  Twin(const Twin&) = delete;
  Twin& operator=(const Twin&) = delete;

  // To be called before something new is asked of sides that are the same; change() does it itself.
  void refresh();
  // Makes the two sides differ by a change, and the same again.
  void change(const finding::Cure& cure);
  void change_back();
  // Changes both sides, for good. They must be the same.
  void keep(const finding::Cure& cure);
  [[nodiscard]] const model::Model& model() const { return model_; }

  [[nodiscard]] const Prepared& prepared(Side side) const {
    return side == Side::Before ? before_ : after_;
  }
  [[nodiscard]] const StateSets& sets(Side side, model::StateId state);
  // The contexts that types and constraints allow, for the atoms of a state's rules on both sides.
  [[nodiscard]] Node feasible(model::StateId state);
  [[nodiscard]] bool is_live(Side side, model::StateId state, std::size_t rule);

  // The feasible contexts of a state in which a change is felt. A change of a priority must be made
  // before; for others that does not matter.
  [[nodiscard]] Node felt(model::StateId state, const finding::Cure& cure);

  // The delta of the change that is made, in those states for which `counts` is true.
  using Delta = std::map<model::StateId, Node>;
  [[nodiscard]] Delta delta(const finding::Cure& cure, const std::vector<bool>& counts);

  // A race or a cycle, with those of some starts from which it begins.
  struct Path {
    finding::FaultKind kind;
    std::vector<model::RuleId> rules;
    Node starts;
  };
  // All races and cycles of these starts. `visited` gets the states that their runs come to.
  [[nodiscard]] std::vector<Path> paths(Side side, model::StateId state, Node starts,
                                        std::set<model::StateId>& visited);
  // From which starts this race or cycle begins, of all feasible ones.
  [[nodiscard]] Node starts_of(Side side, finding::FaultKind kind, model::StateId state,
                               const std::vector<model::RuleId>& rules);

  // Takes this and the nodes made since then from the effort. False if there is not enough, which
  // leaves none.
  [[nodiscard]] bool spend(std::size_t amount);
  // Once true, answers mean nothing until the next refresh().
  [[nodiscard]] bool gave_up() const { return gave_up_ || scope_.gave_up(); }
  // The states whose rules were looked at since the change was made.
  [[nodiscard]] const std::set<model::StateId>& looked_at() const { return looked_at_; }

  [[nodiscard]] Scope& scope() { return scope_; }
  [[nodiscard]] boolean::Arena& arena() { return scope_.arena(); }

 private:
  [[nodiscard]] Walk& walk(Side side) { return side == Side::Before ? *old_ : *new_; }
  void restart();
  void prepare_after();
  void find_entering();
  // A set without the choices that actions left open: starts and nothing else.
  [[nodiscard]] Node starts_only(Node set);
  [[nodiscard]] std::optional<std::size_t> index_of(model::StateId state, model::RuleId rule) const;

  model::Model model_;
  Prepared before_;
  Prepared after_;
  std::size_t& effort_;
  std::size_t nodes_paid_ = 0;
  bool gave_up_ = false;
  bool acts_ = false;  // some rule changes the context
  Scope scope_;
  std::optional<Walk> old_;
  std::optional<Walk> new_;

  std::vector<model::StateId> changed_;                          // by the present change
  std::vector<std::pair<model::RuleId, model::Rule>> replaced_;  // by the present change
  std::set<model::StateId> looked_at_;
  // By state: the rules that lead to it on the side before, as states and indices.
  std::vector<std::vector<std::pair<model::StateId, std::uint32_t>>> entering_;
};

}  // namespace poise::check
