#include "poise/shake/flows/deviations.h"

#include <algorithm>
#include <array>

#include "poise/shake/mutants/subject_of.h"
#include "poise/shake/subjects/trace.h"

namespace poise::shake {

namespace {

// Without the paper's groups: those change sensors and fuzzy engines as a whole, and almost any
// flow shows them.
constexpr std::array kGroups = {MutantGroup::Threshold, MutantGroup::Comparison,
                                MutantGroup::Value,     MutantGroup::Priority,
                                MutantGroup::Dropped,   MutantGroup::Timer};
constexpr std::size_t kMost = 128;       // deviations of a model, taken evenly from all
constexpr std::size_t kMostRules = 100;  // each deviation holds a copy of the model
constexpr std::size_t kPatience = 200;   // flows in a row without showing it, then it is given up

}  // namespace

void Deviations::add(const model::Model& model, const Grid& grid, const Choice& choice) {
  if (model.policy.empty() && model.rules.size() > kMostRules) return;
  std::vector<Mutant> mutants =
      mutants_of(model, grid, {.groups = {kGroups.begin(), kGroups.end()}});
  if (choice) std::erase_if(mutants, [&](const Mutant& mutant) { return !choice(mutant); });
  originals_.push_back({subject_of(model, grid), &grid});
  const std::size_t count = std::min(mutants.size(), kMost);
  for (std::size_t i = 0; i < count; ++i) {
    changed_.push_back(
        {subject_of(mutants[i * mutants.size() / count], grid), originals_.size() - 1});
  }
}

void Deviations::ask(const Flow& flow) {
  for (std::size_t i = 0; i < originals_.size(); ++i) {
    const Contexts contexts = contexts_of(*originals_[i].grid, flow);
    const Trace expected = trace_of(*originals_[i].subject, contexts);
    for (Changed& changed : changed_) {
      if (changed.original != i) continue;
      changed.shown = first_difference(*changed.subject, contexts, expected).has_value();
    }
  }
}

std::size_t Deviations::shown_by(const Flow& flow) {
  ask(flow);
  std::size_t count = 0;
  for (Changed& changed : changed_) {
    count += std::size_t{changed.shown};
    changed.unseen = changed.shown ? 0 : changed.unseen + 1;
  }
  std::erase_if(changed_, [](const Changed& changed) { return changed.unseen > kPatience; });
  return count;
}

void Deviations::take_out(const Flow& flow) {
  ask(flow);
  std::erase_if(changed_, [](const Changed& changed) { return changed.shown; });
}

}  // namespace poise::shake
