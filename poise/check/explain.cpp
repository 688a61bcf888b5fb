// Each fault is walked once more (starts.h), now for itself. That gives the set of starts from
// which it occurs. The condition is a short cover of that set, projected onto the counted atoms;
// combinations of these atoms that cannot occur are don't-cares. The witness is a lightest
// assignment of the set, the one with the fewest true atoms, turned into values.
//
// Nothing is taken over from the engine that found the fault, so the explanation does not depend on
// which one it was.

#include "poise/check/explain.h"

#include <algorithm>
#include <map>
#include <memory>
#include <unordered_map>

#include "poise/base/parallel.h"
#include "poise/boolean/cover.h"
#include "poise/check/engines/starts.h"
#include "poise/finding/groups.h"

namespace poise::check {

namespace {

using boolean::Arena;
using boolean::kFalse;
using boolean::kTrue;
using finding::Condition;
using finding::Fault;
using finding::FaultKind;
using model::StateId;

// A longer condition tells a reader nothing.
constexpr std::size_t kMostConjunctions = 10'000;

// The model in which witnesses are looked for: always the user's. With `--ignore constraints` the
// faults are those of its propositional form, where atoms are independent booleans; a witness must
// then be a situation of the fault that the types of the user's model allow.
struct Realm {
  const model::Model& model;
  std::optional<model::Questions> own;          // of `model`, if they differ from the prepared ones
  const model::Questions* questions = nullptr;  // of `model`; none if they could not be found
  std::shared_ptr<const model::Context> usual;  // none if no context is feasible
  bool propositional = false;
};

class Explainer {
 public:
  Explainer(const Prepared& prepared, const Realm& realm)
      : realm_(realm),
        budget_(prepared.budget),
        scope_(prepared.model, prepared.questions, prepared.budget),
        starts_(prepared, scope_) {
    if (realm.propositional && realm.questions != nullptr) {
      real_ = std::make_unique<Scope>(realm.model, *realm.questions, prepared.budget);
    }
  }

  // The faults of one state.
  void explain(StateId state, std::vector<Fault*> faults) {
    std::ranges::stable_sort(faults, walks_before);
    starts_.begin(state);
    for (Fault* fault : faults) {
      if (starts_.gave_up()) break;
      if (const Exhausted exhausted = budget_.exhausted_now(); exhausted != Exhausted::No) {
        left_open_ = reason(exhausted);
        return;
      }
      explain(*fault);
    }
    if (starts_.gave_up()) left_open_ = starts_.gave_up_because();
  }

  [[nodiscard]] const std::string& left_open() const { return left_open_; }

 private:
  Arena& arena() { return scope_.arena(); }

  void explain(Fault& fault) {
    switch (fault.kind) {
      case FaultKind::DeadRule:
        fault.when = Condition{};
        if (fault.cause == finding::DeadCause::Shadowed) {
          fault.witness = witness(starts_.satisfied(fault.state, fault.rules.front()));
        }
        return;
      case FaultKind::DeadState:
      case FaultKind::UnreachableState: fault.when = Condition{}; return;
      case FaultKind::Nondeterminism:
      case FaultKind::Race:
      case FaultKind::Cycle: describe(fault, starts_.of(fault)); return;
    }
  }

  void describe(Fault& fault, Node starts) {
    const Atoms& atoms = starts_.atoms(fault);
    const Node possible = scope_.feasible(atoms);
    const std::vector<bool> kept = scope_.variables_of(atoms);
    const Node on = arena().projection(starts, kept);
    const Node can = arena().projection(possible, kept);
    const Node allowed = arena().disjunction(on, arena().negation(can));
    const auto cover = covers_.shorter_of(on, allowed, kMostConjunctions);
    if (starts_.gave_up()) return;
    fault.witness = witness(starts);
    if (!cover) {
      left_open_ = "the condition of some fault is a disjunction too long to be of use";
      return;
    }
    fault.when = condition_of(*cover);
  }

  [[nodiscard]] Condition condition_of(const boolean::Covers::Cover& cover) const {
    Condition condition;
    if (cover.of_opposite) condition.form = Condition::Form::AllOfAlternatives;
    for (const boolean::Cube& cube : cover.cubes) {
      std::vector<finding::Literal> part;
      for (const auto& [variable, holds] : cube) {
        part.push_back({*scope_.atom_of(variable), holds != cover.of_opposite});
      }
      std::ranges::sort(part);
      condition.parts.push_back(std::move(part));
    }
    std::ranges::sort(condition.parts, [](const auto& a, const auto& b) {
      return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    return condition;
  }

  std::optional<finding::Witness> witness(Node starts) {
    if (!realm_.usual) return std::nullopt;
    std::optional<std::vector<model::Assignment>> others;
    if (real_) {
      real_->restart();
      copied_.clear();
      others = real_->witness(copied(starts), *realm_.usual);
    } else {
      others = scope_.witness(starts, *realm_.usual);
    }
    if (!others) return std::nullopt;
    return finding::Witness(realm_.usual, std::move(*others));
  }

  // A set of the propositional model in the scope of the user's model: each atom's variable becomes
  // the truth of that atom, and variables that are no atoms are existentially quantified.
  Node copied(Node node) {
    if (arena().is_constant(node)) return node;
    if (const auto known = copied_.find(node); known != copied_.end()) return known->second;
    const Arena::Inside here = arena().inside(node);
    const std::optional<model::AtomId> atom = scope_.atom_of(here.variable);
    const Node low = copied(here.low);
    const Node high = copied(here.high);
    const Node result =
        atom ? real_->arena().choice(real_->truth(model::question_of(*atom)), high, low)
             : real_->arena().disjunction(low, high);  // the outcome of an action
    copied_.emplace(node, result);
    return result;
  }

  const Realm& realm_;
  Budget budget_;  // explanations are kept: there can be many, each of them small
  Scope scope_;
  FaultStarts starts_;
  boolean::Covers covers_{scope_.arena()};
  std::unique_ptr<Scope> real_;  // of the user's model, where the prepared one is propositional
  std::unordered_map<Node, Node> copied_;
  std::string left_open_;
};

// The faults of one state that are explained in one scope, by one thread.
struct Part {
  StateId state;
  std::vector<Fault*> faults;
};

// Examples form parts of their own. The explanation of a fault depends on the variable order of its
// scope, and so on the faults that are explained before it; kept apart, examples are explained the
// same way whether or not the other faults are.
std::vector<Part> parts_of(std::vector<Fault>& faults, Explain asked) {
  std::map<StateId, std::vector<Fault*>> first;
  std::map<StateId, std::vector<Fault*>> then;
  if (asked == Explain::Nothing) return {};
  std::vector<bool> is_example(faults.size(), false);
  for (const Fault* fault : finding::examples(faults)) {
    is_example[static_cast<std::size_t>(fault - faults.data())] = true;
  }
  for (std::size_t i = 0; i < faults.size(); ++i) {
    (is_example[i] ? first : then)[faults[i].state].push_back(&faults[i]);
  }
  std::vector<Part> parts;
  for (auto& [state, of_state] : first) parts.push_back({state, std::move(of_state)});
  if (asked == Explain::Examples) return parts;
  for (auto& [state, of_state] : then) parts.push_back({state, std::move(of_state)});
  return parts;
}

}  // namespace

std::string explain(const Prepared& prepared, const model::Model& original,
                    std::vector<Fault>& faults) {
  std::vector<Part> parts = parts_of(faults, prepared.options.explain);
  if (parts.empty()) return {};
  Realm realm{.model = original, .own = {}, .usual = {}};
  realm.propositional = &original != &prepared.model;
  realm.questions = &prepared.questions;
  if (realm.propositional) {
    Budget budget = prepared.budget;
    Result<model::Questions> questions = model::Questions::of(original, budget);
    realm.questions = nullptr;
    if (questions) {
      realm.own = std::move(*questions);
      realm.questions = &*realm.own;
    }
  }
  if (realm.questions != nullptr) {
    if (auto usual = boolean::usual_context(original, *realm.questions, prepared.budget)) {
      realm.usual = std::make_shared<const model::Context>(std::move(*usual));
    }
  }
  struct Worker {
    std::shared_ptr<Explainer> explainer;
    std::vector<Part>* parts;
    void operator()(std::size_t i) { explainer->explain((*parts)[i].state, (*parts)[i].faults); }
  };
  std::vector<Worker> workers;
  for (std::size_t i = 0; i < worker_count(prepared.options.jobs, parts.size(), 2); ++i) {
    workers.push_back({std::make_shared<Explainer>(prepared, realm), &parts});
  }
  for_each_index(0, parts.size(), workers);
  for (const Worker& worker : workers) {
    if (!worker.explainer->left_open().empty()) return worker.explainer->left_open();
  }
  return {};
}

}  // namespace poise::check
