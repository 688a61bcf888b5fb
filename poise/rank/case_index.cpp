#include "poise/rank/case_index.h"

#include <algorithm>
#include <cstring>

namespace poise::rank {

namespace {

std::string fault_key(finding::FaultKind kind, model::StateId state,
                      std::span<const model::RuleId> rules) {
  std::string key;
  const auto add = [&](std::uint32_t number) {
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    key.append(bytes, sizeof number);
  };
  key.reserve(4 * (rules.size() + 2));
  add(static_cast<std::uint32_t>(kind));
  add(state.index);
  for (const model::RuleId rule : rules) add(rule.index);
  return key;
}

}  // namespace

IncidentKey key_of(const Incident& incident) {
  IncidentKey key{fault_key(incident.kind, incident.state, incident.rules), {}};
  key.atoms.resize(incident.atoms.size() * sizeof(std::uint64_t));
  std::memcpy(key.atoms.data(), incident.atoms.data(), key.atoms.size());
  return key;
}

CaseIndex::CaseIndex(std::span<const finding::Fault> faults, std::span<const finding::Case> cases) {
  for (std::uint32_t i = 0; i < cases.size(); ++i) {
    const finding::Fault& fault = faults[cases[i].fault];
    std::vector<Group>& groups = groups_[fault_key(fault.kind, fault.state, fault.rules)];
    std::vector<model::AtomId> atoms;
    std::string truths;
    for (const finding::Literal& literal : cases[i].situation) {
      atoms.push_back(literal.atom);
      truths += literal.holds ? '1' : '0';
    }
    auto group = std::ranges::find(groups, atoms, &Group::atoms);
    if (group == groups.end()) group = groups.insert(group, {std::move(atoms), {}});
    group->cases.emplace(std::move(truths), i);
  }
}

std::optional<std::uint32_t> CaseIndex::find(const IncidentKey& key) const {
  const auto groups = groups_.find(key.fault);
  if (groups == groups_.end()) return std::nullopt;
  AtomBits atoms(key.atoms.size() / sizeof(std::uint64_t));
  std::memcpy(atoms.data(), key.atoms.data(), key.atoms.size());
  for (const Group& group : groups->second) {
    std::string truths;
    for (const model::AtomId atom : group.atoms) truths += holds(atoms, atom) ? '1' : '0';
    const auto found = group.cases.find(truths);
    if (found != group.cases.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace poise::rank
