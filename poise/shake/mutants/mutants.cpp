#include "poise/shake/mutants/mutants.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "poise/shake/mutants/mutant_kinds.h"

namespace poise::shake {

std::string_view to_text(MutantGroup group) {
  switch (group) {
    case MutantGroup::F1: return "F1";
    case MutantGroup::F2: return "F2";
    case MutantGroup::F3: return "F3";
    case MutantGroup::F4: return "F4";
    case MutantGroup::Threshold: return "threshold";
    case MutantGroup::Comparison: return "comparison";
    case MutantGroup::Value: return "value";
    case MutantGroup::Priority: return "priority";
    case MutantGroup::Dropped: return "dropped";
    case MutantGroup::Timer: return "timer";
  }
  return {};
}

std::optional<MutantGroup> mutant_group(std::string_view text) {
  const auto* const found =
      std::ranges::find(kMutantGroups, text, [](MutantGroup group) { return to_text(group); });
  if (found == kMutantGroups.end()) return std::nullopt;
  return *found;
}

std::vector<Mutant> mutants_of(const model::Model& model, const Grid& grid,
                               const MutantOptions& options) {
  std::vector<Mutant> mutants;
  for (const MutantGroup group : kMutantGroups) {
    if (std::ranges::find(options.groups, group) == options.groups.end()) continue;
    std::size_t count = 0;
    const auto add = [&](std::vector<Mutant> made) {
      for (Mutant& mutant : made) {
        mutant.id = fmt::format("{}-{}", to_text(group), ++count);
        mutant.group = group;
        mutants.push_back(std::move(mutant));
      }
    };
    add(paper_mutants(model, grid, group));
    add(policy_mutants(model, group));
    add(rule_mutants(model, group));
  }
  return mutants;
}

}  // namespace poise::shake
