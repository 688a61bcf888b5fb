#pragma once

// Conditions of a model as decision diagrams. Each question about the context (model/questions.h)
// becomes a variable when it is first asked; the order of variables is that of first use, except
// that the questions of one cluster stand side by side. A diagram is a set of *starts*: contexts in
// which a run may begin.
//
// Actions change the context during a run. A *view* stands for the context after some firings. It
// answers every question as a function of the start, worked out only for the questions that are
// asked. After `ringer := loud` the question `ringer == loud` is kTrue, and others are as before.
// Where an action frees a slot, so that it may take any value, the answers about it are new
// variables; a set then contains starts together with these choices.
//
//   Scope scope(model, questions, budget);
//   const Node possible = scope.feasible(atoms);  // of the guard: asks them
//   const Node here = scope.arena().conjunction(possible, scope.truth(guard));
//
// Diagrams of conditions say nothing about types and constraints: a set may contain combinations of
// answers that no context gives, until it is conjoined with typed() or feasible().
//
// A scope is made for one start state and serves one thread; restart() makes it ready for the next.

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "poise/boolean/diagram.h"
#include "poise/model/model.h"
#include "poise/model/postfix.h"
#include "poise/model/questions.h"

namespace poise::boolean {

class Scope {
 public:
  using View = std::uint32_t;
  static constexpr View kStart = 0;

  Scope(const model::Model& model, const model::Questions& questions, const Budget& budget,
        ArenaLimits limits = {});

  void restart();
  [[nodiscard]] Arena& arena() { return arena_; }
  [[nodiscard]] Budget& budget() { return budget_; }
  // The arena gave up, or the parts of a cluster could not be found.
  [[nodiscard]] bool gave_up() const { return !trouble_.empty() || arena_.gave_up(); }
  [[nodiscard]] std::string gave_up_because() const;
  void give_up(std::string because) {
    if (trouble_.empty()) trouble_ = std::move(because);
  }

  [[nodiscard]] Node truth(model::QuestionId question, View view = kStart);
  [[nodiscard]] Node truth(model::FormulaId formula, View view = kStart);
  // The truth within `care`: every intermediate result is confined to it, too. Conditions over
  // enumerations can be small within the types and huge outside.
  [[nodiscard]] Node truth(std::span<const model::PostfixToken> formula, View view = kStart,
                           Node care = kTrue);
  // Gives the questions of a formula their places in the order, if they have none yet.
  void ask(std::span<const model::PostfixToken> formula);

  // The combinations of answers that types and guards of variables allow, in the clusters of these
  // atoms. Asks the atoms.
  [[nodiscard]] Node typed(const std::vector<model::AtomId>& atoms);
  // The same, with constraints. It covers the questions that have been asked of these clusters so
  // far, not those that will be: ask first.
  [[nodiscard]] Node feasible(const std::vector<model::AtomId>& atoms);
  // Like feasible(), but about these atoms only, not about other questions of their clusters. That
  // is a smaller diagram; where it is not possible, it is feasible().
  [[nodiscard]] Node feasible_only(const std::vector<model::AtomId>& atoms);

  struct Fired {
    View view;
    Node starts;  // `before`, with what types allow for the choices of freed slots
  };
  // Fires a rule: the view after its actions, which is the given one if they change nothing.
  [[nodiscard]] Fired fired(View view, model::RuleId rule, Node before);

  // feasible() for all atoms and for everything that actions change. Asks all of these.
  [[nodiscard]] Node feasible_everywhere();
  // feasible() at the start, for the clusters that changed between the start and this view.
  [[nodiscard]] Node feasible(View view);
  // Adds to `topics` those that changed between two views; `earlier` is an ancestor of `later`.
  void add_changed(View earlier, View later, std::vector<std::uint32_t>& topics) const;
  // Those of some starts for which the context is the same at both views. Only these topics changed
  // between the views. To be conjoined with feasible(later).
  [[nodiscard]] Node same(View earlier, View later, const std::vector<std::uint32_t>& topics,
                          Node starts);

  // Views form a stack: forget_views(view_count()) of an earlier moment goes back to it.
  [[nodiscard]] std::size_t view_count() const { return updates_.size(); }
  void forget_views(std::size_t from) {
    while (updates_.size() > from) updates_.pop_back();
  }

  // The number of distinct situations over these atoms in which some of the starts lie. The atoms
  // must have been asked.
  [[nodiscard]] Integer situations(Node starts, const std::vector<model::AtomId>& atoms);
  // By variable: whether it stands for one of these atoms.
  [[nodiscard]] std::vector<bool> variables_of(const std::vector<model::AtomId>& atoms);
  // None for questions that are no atoms, and for choices of freed slots.
  [[nodiscard]] std::optional<model::AtomId> atom_of(Variable variable) const;
  // By variable: whether it stands for a question about the start, not for a choice.
  [[nodiscard]] std::vector<bool> start_variables() const;
  [[nodiscard]] Variable variable(model::QuestionId question, std::optional<Variable> beside = {});

  // Drops all nodes but those that the roots and the views need. Roots are updated in place.
  void collect(std::vector<Node*> roots);

  // A concrete context among the starts that satisfies all constraints, with few atoms true. It is
  // given by its differences from `usual`, which must be the same in all calls. Nothing if there is
  // none.
  [[nodiscard]] std::optional<std::vector<model::Assignment>> witness(Node starts,
                                                                      const model::Context& usual);

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // One change of one slot, and the view after it.
  struct Update {
    enum class Kind { Set, Clear, Free };  // to `value`; to no value; to any value
    View parent;                           // the view before it
    Kind kind;
    model::SlotId slot;
    Rational value;
    Node condition;  // the starts for which it happens; for others nothing changes
    std::unordered_map<std::uint32_t, Node> answers = {};   // by question, as far as known
    std::unordered_map<std::uint32_t, Node> formulas = {};  // by formula, as far as known
  };
  // The questions of one topic that were asked in this scope.
  struct Asked {
    std::vector<model::QuestionId> questions;  // in the order of their variables
    Node consistent = kTrue;                   // which of their answers go together
    std::size_t covers = 0;                    // how many of them `consistent` is about
    // Topics whose parts are not known as a whole: the parts that the first `told_apart` questions
    // tell apart.
    std::optional<model::Parts> parts = {};
    std::size_t told_apart = 0;
  };
  // The parts of a topic, and by question the answers in each part.
  struct Answered {
    const model::Parts* parts;  // none if they could not be found
    std::vector<const std::vector<bool>*> answers;
  };

  [[nodiscard]] Variable chosen_variable(View view, model::QuestionId question);
  [[nodiscard]] Node formula_of(model::FormulaId formula, View view);
  [[nodiscard]] const Node* known_formula(model::FormulaId formula, View view) const;
  // The combinations of answers to the questions of a topic that some part of it gives; if its
  // guard does not hold, all answers are no.
  [[nodiscard]] Node consistent(std::uint32_t topic);
  [[nodiscard]] Node consistent(std::uint32_t topic,
                                const std::vector<model::QuestionId>& questions, View view);
  // If the parts of the topic are not known as a whole, `questions` must be all that were asked.
  [[nodiscard]] Answered answered(std::uint32_t topic,
                                  const std::vector<model::QuestionId>& questions);
  // The same for a topic that is decided: without parts.
  [[nodiscard]] Node decided(std::uint32_t topic, std::vector<model::QuestionId> questions,
                             View view);
  [[nodiscard]] Variable ranked_variable(Asked& asked, model::QuestionId question);
  [[nodiscard]] std::vector<std::uint32_t> topics_of(const std::vector<model::AtomId>& atoms);
  enum class Bounds { Types, TypesAndConstraints };
  [[nodiscard]] Node all_of(std::vector<Node>& sets);
  [[nodiscard]] Node feasible_topics(const std::vector<std::uint32_t>& topics,
                                     Bounds bounds = Bounds::TypesAndConstraints);
  [[nodiscard]] View add_update(View parent, Update::Kind kind, model::SlotId slot,
                                const model::Value& value, Node condition);
  [[nodiscard]] View changed(View view, Update::Kind kind, model::SlotId slot,
                             const model::Value& value, Node condition,
                             std::vector<std::uint32_t>& freed);

  friend std::optional<model::Context> usual_context(const model::Model&, const model::Questions&,
                                                     const Budget&);
  void assign(model::SlotId slot, model::Value value);
  void put(std::uint32_t topic, const std::vector<model::QuestionId>& questions,
           const std::vector<bool>& answers);
  void put_decided(std::uint32_t topic, const std::vector<model::QuestionId>& questions,
                   const std::vector<bool>& answers);
  void put_default(std::uint32_t topic);
  void put_all(const std::vector<bool>& assignment);
  void settle_behind(model::SlotId guard);
  [[nodiscard]] std::vector<bool> weights() const;

  const model::Model& model_;
  const model::Questions& questions_;
  Budget budget_;
  Arena arena_;
  std::optional<model::ClusterFinder> finder_;
  std::string trouble_;

  // By question its variable, by formula its node. An entry is valid if its stamp is the present
  // one; so a restart costs nothing, however large the model is.
  std::uint32_t stamp_ = 0;
  std::uint32_t formula_stamp_ = 0;
  struct Stamped {
    std::uint32_t stamp = 0;
    std::uint32_t value = 0;
  };
  std::vector<Stamped> variables_;
  std::vector<Stamped> formulas_;

  std::vector<Node> stack_;                             // for formulas in postfix form
  std::vector<model::QuestionId> question_of_;          // by variable
  std::unordered_map<std::uint32_t, Asked> asked_;      // by topic, without plain ones
  std::unordered_map<std::uint32_t, Node> components_;  // by component: its constraints
  std::deque<Update> updates_;                          // view i + 1 is updates_[i]
  // The variables for choices of freed slots, by view and question. A view that was forgotten and a
  // later one with the same number share them, since they are never in use together.
  std::unordered_map<std::uint64_t, Variable> chosen_;

  // Scratch of witness(): the usual context, except in the slots that were assigned.
  model::Context context_;
  std::vector<model::SlotId> assigned_;
};

// A context with few atoms true that satisfies all constraints, if there is one. Witnesses are
// stored as differences from it.
[[nodiscard]] std::optional<model::Context> usual_context(const model::Model& model,
                                                          const model::Questions& questions,
                                                          const Budget& budget);

}  // namespace poise::boolean
