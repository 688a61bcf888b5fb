#pragma once

// From faults that happen to the cases that are ranked. A log shows a fault in one situation of all
// atoms; a case is the same fault in a situation of the atoms that it is counted over.

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poise/finding/case.h"
#include "poise/rank/application.h"

namespace poise::rank {

// What was witnessed, as bytes: the same for the same fault with the same truths of all atoms.
struct IncidentKey {
  std::string fault;
  std::string atoms;
  friend auto operator<=>(const IncidentKey&, const IncidentKey&) = default;
};
[[nodiscard]] IncidentKey key_of(const Incident& incident);

struct IncidentKeyHash {
  [[nodiscard]] std::size_t operator()(const IncidentKey& key) const {
    const std::hash<std::string> hash;
    return hash(key.fault) * 31 + hash(key.atoms);
  }
};

class CaseIndex {
 public:
  CaseIndex(std::span<const finding::Fault> faults, std::span<const finding::Case> cases);
  // The case that the incident is; none if it is not among them.
  [[nodiscard]] std::optional<std::uint32_t> find(const IncidentKey& key) const;

 private:
  // The cases of a fault that are counted over the same atoms, by the truths of these.
  struct Group {
    std::vector<model::AtomId> atoms;
    std::unordered_map<std::string, std::uint32_t> cases;
  };
  std::unordered_map<std::string, std::vector<Group>> groups_;  // by fault
};

}  // namespace poise::rank
