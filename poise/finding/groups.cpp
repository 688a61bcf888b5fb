#include "poise/finding/groups.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>

namespace poise::finding {

namespace {

using model::RuleId;

// Two faults have a common core exactly when these are equal.
using Core = std::vector<std::uint32_t>;

// The canonical form of a loop: of all its rotations, the lexicographically smallest. It starts
// with the smallest rule, which nearly always occurs only once.
std::vector<RuleId> canonical_round(std::span<const RuleId> loop) {
  const RuleId smallest = *std::ranges::min_element(loop);
  std::vector<RuleId> best;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    if (loop[i] != smallest) continue;
    std::vector<RuleId> turned(loop.begin(), loop.end());
    std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(i), turned.end());
    if (best.empty() || turned < best) best = std::move(turned);
  }
  return best;
}

void append_all(Core& core, std::span<const RuleId> rules) {
  for (const RuleId rule : rules) core.push_back(rule.index);
}

Core core_of(const Fault& fault) {
  Core core;
  switch (fault.kind) {
    case FaultKind::Cycle:
      append_all(core, canonical_round(std::span(fault.rules).subspan(fault.loop)));
      break;
    case FaultKind::Race: core.push_back(fault.ends.index); break;
    case FaultKind::DeadRule:
      core.push_back(fault.cause == DeadCause::Shadowed ? 1 : 0);
      append_all(core, fault.rules);
      append_all(core, fault.by);
      break;
    case FaultKind::Nondeterminism:  // overlapping_sets() goes on from here
      core = {fault.state.index, fault.harmless ? 1U : 0U};
      break;
    case FaultKind::DeadState:
    case FaultKind::UnreachableState: core.push_back(fault.state.index); break;
  }
  return core;
}

// Splits the nondeterminism of one state into parts that have no rule in common: union-find, where
// each rule joins all sets that hold it to the first one that does.
std::vector<Group> overlapping_sets(const Group& same_state) {
  std::vector<std::size_t> parent(same_state.faults.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&parent](std::size_t i) {
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
  };
  std::map<RuleId, std::size_t> first_with;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    for (const RuleId rule : same_state.faults[i]->rules) {
      const std::size_t first = root(first_with.try_emplace(rule, i).first->second);
      parent[root(i)] = first;
    }
  }
  std::map<std::size_t, Group> parts;
  for (std::size_t i = 0; i < parent.size(); ++i) {
    parts[root(i)].faults.push_back(same_state.faults[i]);
  }
  std::vector<Group> found;
  for (auto& [first, part] : parts) found.push_back(std::move(part));
  return found;
}

bool is_better_example(const Fault* a, const Fault* b) {
  return std::tuple(!a->reachable, a->rules.size(), b->situations) <
         std::tuple(!b->reachable, b->rules.size(), a->situations);
}

void put_best_first(Group& group) {
  // Faults were given in one array, so that addresses tell their order.
  std::ranges::sort(group.faults);
  const auto best = std::ranges::min_element(group.faults, is_better_example);
  std::rotate(group.faults.begin(), best, best + 1);
}

}  // namespace

std::vector<Group> groups(std::span<const Fault> faults, FaultKind kind) {
  std::map<Core, Group> by_core;
  for (const Fault& fault : faults) {
    if (fault.kind == kind) by_core[core_of(fault)].faults.push_back(&fault);
  }
  std::vector<Group> found;
  for (auto& [core, group] : by_core) {
    if (kind == FaultKind::Nondeterminism) {
      for (Group& part : overlapping_sets(group)) found.push_back(std::move(part));
    } else {
      found.push_back(std::move(group));
    }
  }
  for (Group& group : found) put_best_first(group);
  std::ranges::sort(found, [](const Group& a, const Group& b) {
    const Fault& first = a.best();
    const Fault& second = b.best();
    return std::tuple(first.harmless, !first.reachable, second.situations, &first) <
           std::tuple(second.harmless, !second.reachable, first.situations, &second);
  });
  return found;
}

std::vector<const Fault*> examples(std::span<const Fault> faults) {
  std::vector<const Fault*> found;
  for (const FaultKind kind : kAllFaultKinds) {
    const std::vector<Group> of_kind = groups(faults, kind);
    for (std::size_t i = 0; i < std::min(of_kind.size(), kGroupsShown); ++i) {
      found.push_back(&of_kind[i].best());
    }
  }
  return found;
}

std::vector<RuleId> rules_of(const Group& group) {
  std::vector<RuleId> rules;
  for (const Fault* fault : group.faults) {
    rules.insert(rules.end(), fault->rules.begin(), fault->rules.end());
  }
  std::ranges::sort(rules);
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

}  // namespace poise::finding
