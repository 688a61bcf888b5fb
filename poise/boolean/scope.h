#pragma once

// A part of a model in decision diagrams: a variable for each question that was asked so far
// (model/questions.h), in the order of first use, those of one cluster side by side. A diagram is a
// set of contexts in which a run may start.
//
// Actions change the context while a run goes on. A *view* says what the answers are after some
// firings, in terms of the start: as functions, worked out only for the questions that are asked.
// Where an action frees a slot, what it comes to is a variable of its own, and a set then holds
// starts together with what was chosen.
//
//   Scope scope(model, questions);
//   const Node here = scope.conjunction of scope.truth(guard) and scope.feasible(atoms of the
//   guard)
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
  // Also where parts could not be found.
  [[nodiscard]] bool gave_up() const { return !trouble_.empty() || arena_.gave_up(); }
  [[nodiscard]] std::string gave_up_because() const;
  void give_up(std::string because) {
    if (trouble_.empty()) trouble_ = std::move(because);
  }

  [[nodiscard]] Node truth(model::QuestionId question, View view = kStart);
  [[nodiscard]] Node truth(model::FormulaId formula, View view = kStart);
  // Within `care`: what lies outside is left out of every intermediate result, too. Conditions over
  // enumerations can be small there and huge elsewhere.
  [[nodiscard]] Node truth(std::span<const model::PostfixToken> formula, View view = kStart,
                           Node care = kTrue);
  // Gives the questions of a formula their places in the order, if they have none yet.
  void ask(std::span<const model::PostfixToken> formula);

  // The contexts that types and guards leave, as far as they concern these atoms.
  [[nodiscard]] Node typed(const std::vector<model::AtomId>& atoms);
  // The contexts that types, guards and constraints leave, as far as they concern these atoms,
  // which are asked. What is asked later of the same clusters is not in it: ask first.
  [[nodiscard]] Node feasible(const std::vector<model::AtomId>& atoms);
  // The same, where it can be said without what else was asked of the same clusters: smaller.
  [[nodiscard]] Node feasible_only(const std::vector<model::AtomId>& atoms);

  struct Fired {
    View view;
    Node starts;  // of `before` those that can be, together with what was chosen
  };
  // The view after a rule's actions; the view it had before if they change nothing.
  [[nodiscard]] Fired fired(View view, model::RuleId rule, Node before);

  // Of all atoms, and of all that actions change, which are asked.
  [[nodiscard]] Node feasible_everywhere();
  // What was asked about the slots that changed since the start, as feasible() for atoms.
  [[nodiscard]] Node feasible(View view);
  // Adds to `topics` those that changed between two views, of which one is an ancestor of the
  // other.
  void add_changed(View earlier, View later, std::vector<std::uint32_t>& topics) const;
  // Of some starts those for which the context is the same at two views, between which only these
  // topics changed; only together with feasible(later).
  [[nodiscard]] Node same(View earlier, View later, const std::vector<std::uint32_t>& topics,
                          Node starts);

  // Views are made one on another; those made after the first so many are forgotten.
  [[nodiscard]] std::size_t view_count() const { return updates_.size(); }
  void forget_views(std::size_t from) {
    while (updates_.size() > from) updates_.pop_back();
  }

  // In how many distinct situations over these atoms some of the starts lie. All were asked.
  [[nodiscard]] Integer situations(Node starts, const std::vector<model::AtomId>& atoms);
  // By variable: which stand for one of these atoms.
  [[nodiscard]] std::vector<bool> variables_of(const std::vector<model::AtomId>& atoms);
  [[nodiscard]] std::optional<model::AtomId> atom_of(Variable variable) const;
  // By variable: which stand for a question about the start.
  [[nodiscard]] std::vector<bool> start_variables() const;
  [[nodiscard]] Variable variable(model::QuestionId question);

  // Drops all nodes but the roots, which are renamed, and what views need.
  void collect(std::vector<Node*> roots);

  // How the usual context must be changed to be a concrete context among the starts, with few atoms
  // true, that satisfies all constraints. Nothing if there is none. `usual` is always the same.
  [[nodiscard]] std::optional<std::vector<model::Assignment>> witness(Node starts,
                                                                      const model::Context& usual);

 private:
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

  // One change of one slot.
  struct Update {
    enum class Kind { Set, Clear, Free };
    View parent;
    Kind kind;
    model::SlotId slot;
    Rational value;
    Node condition;  // elsewhere nothing changes
    std::unordered_map<std::uint32_t, Node> answers = {};
    std::unordered_map<std::uint32_t, Node> formulas = {};
  };
  struct Asked {
    std::vector<model::QuestionId> questions;  // in the order of their variables
    Node consistent = kTrue;
    std::size_t covers = 0;  // how many of the questions `consistent` speaks about
    // What these many questions tell apart, for a topic whose parts are not known as a whole.
    std::optional<model::Parts> parts = {};
    std::size_t told_apart = 0;
  };
  // The parts of a topic, and for some questions the answers in each.
  struct Answered {
    const model::Parts* parts;  // none if they could not be found
    std::vector<const std::vector<bool>*> answers;
  };

  [[nodiscard]] Variable chosen_variable(View view, model::QuestionId question);
  [[nodiscard]] Node formula_of(model::FormulaId formula, View view);
  [[nodiscard]] const Node* known_formula(model::FormulaId formula, View view) const;
  [[nodiscard]] Node consistent(std::uint32_t topic);
  [[nodiscard]] Node consistent(std::uint32_t topic,
                                const std::vector<model::QuestionId>& questions, View view);
  // All that were asked, where the parts are not known as a whole.
  [[nodiscard]] Answered answered(std::uint32_t topic,
                                  const std::vector<model::QuestionId>& questions);
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

  // By question and by formula: valid where the stamp is the present one, so that a restart costs
  // nothing, however large the model.
  std::uint32_t stamp_ = 0;
  std::uint32_t formula_stamp_ = 0;
  struct Stamped {
    std::uint32_t stamp = 0;
    std::uint32_t value = 0;
  };
  std::vector<Stamped> variables_;
  std::vector<Stamped> formulas_;

  std::vector<Node> stack_;                         // of a formula in postfix form
  std::vector<model::QuestionId> question_of_;      // by variable
  std::unordered_map<std::uint32_t, Asked> asked_;  // by topic, plain ones left out
  std::unordered_map<std::uint32_t, Node> components_;
  std::deque<Update> updates_;  // view i + 1 is updates_[i]
  // What was chosen for a freed slot, by view and question. Views with the same number are never in
  // use at the same time, so they share these.
  std::unordered_map<std::uint64_t, Variable> chosen_;

  // Where a witness is put together: the usual context, but for the slots that were assigned.
  model::Context context_;
  std::vector<model::SlotId> assigned_;
};

// A context with few atoms true that satisfies all constraints, if there is one.
[[nodiscard]] std::optional<model::Context> usual_context(const model::Model& model,
                                                          const model::Questions& questions,
                                                          const Budget& budget);

}  // namespace poise::boolean
