// The starts of a fault are a set in a scope (starts.h). Projected onto the counted atoms it is a
// decision diagram whose satisfying assignments are the situations of the fault; they are listed by
// walking it from the root, with both branches for each counted atom that a path skips.

#include "poise/check/cases.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "poise/check/engines/propositional.h"
#include "poise/check/engines/starts.h"
#include "poise/model/latest.h"

namespace poise::check {

namespace {

using boolean::Arena;
using boolean::kFalse;
using boolean::Variable;
using finding::Case;
using finding::Conjunction;
using finding::Fault;
using model::StateId;

bool has_cases(const Fault& fault) {
  return is_path(fault) || fault.kind == finding::FaultKind::Nondeterminism;
}

// Lists the truth assignments to the counted atoms that lie in a set, at most `most` of them. The
// set must depend on no other variables.
class Situations {
 public:
  Situations(Arena& arena, const std::vector<std::pair<Variable, model::AtomId>>& counted,
             std::size_t most)
      : arena_(arena), counted_(counted), most_(most) {}

  std::vector<Conjunction> of(Node set) {
    present_.clear();
    visit(set, 0);
    return std::move(found_);
  }
  [[nodiscard]] bool more() const { return more_; }

 private:
  void visit(Node node, std::size_t place) {
    if (node == kFalse || more_) return;
    if (place == counted_.size()) {
      more_ = found_.size() == most_;
      if (more_) return;
      found_.push_back(present_);
      std::ranges::sort(found_.back());
      return;
    }
    const auto [variable, atom] = counted_[place];
    Node low = node;
    Node high = node;
    if (!arena_.is_constant(node) && arena_.inside(node).variable == variable) {
      low = arena_.inside(node).low;
      high = arena_.inside(node).high;
    }
    for (const bool holds : {false, true}) {
      present_.push_back({atom, holds});
      visit(holds ? high : low, place + 1);
      present_.pop_back();
    }
  }

  Arena& arena_;
  const std::vector<std::pair<Variable, model::AtomId>>& counted_;  // in the order of the diagram
  std::size_t most_;
  bool more_ = false;
  Conjunction present_;
  std::vector<Conjunction> found_;
};

class CaseFinder {
 public:
  CaseFinder(const Prepared& prepared, std::size_t most)
      : scope_(prepared.model, prepared.questions, prepared.budget),
        starts_(prepared, scope_),
        most_(most) {
    const Options& options = prepared.options;
    if (options.constraints == Constraints::Ignored || options.explain == Explain::Nothing) return;
    auto usual = boolean::usual_context(prepared.model, prepared.questions, prepared.budget);
    if (usual) usual_ = std::make_shared<const model::Context>(std::move(*usual));
  }

  Cases of(std::span<const Fault> faults) {
    std::map<StateId, std::vector<const Fault*>> by_state;
    for (const Fault& fault : faults) {
      if (has_cases(fault)) by_state[fault.state].push_back(&fault);
    }
    std::vector<std::vector<Case>> by_fault(faults.size());
    for (auto& [state, of_state] : by_state) {
      std::ranges::stable_sort(of_state, walks_before);
      starts_.begin(state);
      for (const Fault* fault : of_state) {
        const auto index = static_cast<std::size_t>(fault - faults.data());
        std::vector<Case> found = cases_of(*fault, static_cast<std::uint32_t>(index));
        if (starts_.gave_up()) break;
        by_fault[index] = std::move(found);
      }
      if (starts_.gave_up()) cases_.stopped = starts_.gave_up_because();
    }
    for (std::vector<Case>& of_fault : by_fault) {
      for (Case& one : of_fault) {
        if (cases_.cases.size() == most_) {
          cases_.more = true;
          return std::move(cases_);
        }
        cases_.cases.push_back(std::move(one));
      }
    }
    return std::move(cases_);
  }

 private:
  std::vector<Case> cases_of(const Fault& fault, std::uint32_t index) {
    Arena& arena = scope_.arena();
    Node starts = starts_.of(fault);
    const Atoms& atoms = starts_.atoms(fault);
    starts = arena.conjunction(starts, scope_.feasible(atoms));
    const std::vector<bool> kept = scope_.variables_of(atoms);
    const Node set = arena.projection(starts, kept);
    if (starts_.gave_up()) return {};
    std::vector<std::pair<Variable, model::AtomId>> counted;
    for (const model::AtomId atom : atoms) {
      counted.emplace_back(scope_.variable(model::question_of(atom)), atom);
    }
    std::ranges::sort(counted, {}, [&](const auto& pair) { return arena.level_of(pair.first); });
    Situations situations(arena, counted, most_);
    std::vector<Conjunction> found = situations.of(set);
    cases_.more = cases_.more || situations.more();
    std::ranges::sort(found);
    std::vector<Case> all;
    for (Conjunction& situation : found) {
      std::optional<finding::Witness> witness = witness_of(starts, situation);
      all.push_back({index, std::move(situation), std::move(witness)});
    }
    return all;
  }

  std::optional<finding::Witness> witness_of(Node starts, const Conjunction& situation) {
    if (!usual_) return std::nullopt;
    for (const finding::Literal& literal : situation) {
      const Variable variable = scope_.variable(model::question_of(literal.atom));
      starts = scope_.arena().conjunction(starts, scope_.arena().literal(variable, literal.holds));
    }
    auto others = scope_.witness(starts, *usual_);
    if (!others) return std::nullopt;
    return finding::Witness(usual_, std::move(*others));
  }

  Scope scope_;
  FaultStarts starts_;
  std::size_t most_;
  std::shared_ptr<const model::Context> usual_;
  Cases cases_;
};

Cases cases_of(const model::Model& model, const Options& options, std::span<const Fault> faults,
               std::size_t most) {
  Result<Prepared> prepared = Prepared::of(model, options, Budget(options.limits));
  if (!prepared) return {.cases = {}, .more = false, .stopped = prepared.error().message};
  return CaseFinder(*prepared, most).of(faults);
}

}  // namespace

Cases cases(const model::Model& model, const Options& options, std::span<const Fault> faults,
            std::size_t most) {
  if (options.constraints == Constraints::Ignored) {
    return cases_of(propositional(model), options, faults, most);
  }
  const std::optional<model::Model> more = model::with_latest_elements(model);
  return cases_of(more ? *more : model, options, faults, most);
}

}  // namespace poise::check
