// Clusters that no guard and no constraint joins are independent of each other. So the clusters are
// united into islands; the situations of each are counted by a small diagram of its own, and the
// numbers are multiplied. A boolean on its own counts as a factor of 2 without any diagram.

#include "poise/check/size.h"

#include <numeric>

#include "poise/boolean/scope.h"

namespace poise::check {

namespace {

using boolean::Node;
using boolean::Scope;
using model::Topic;

class Islands {
 public:
  explicit Islands(const Prepared& prepared)
      : questions_(prepared.questions), parent_(questions_.topics().size()) {
    std::iota(parent_.begin(), parent_.end(), 0);
    for (const model::Component& component : questions_.components()) {
      for (const std::uint32_t topic : component.topics) unite(topic, component.topics.front());
    }
    for (std::uint32_t topic = 0; topic < parent_.size(); ++topic) {
      const auto& guard = questions_.topics()[topic].guard;
      if (guard) unite(topic, questions_.topic_of(*guard));
    }
  }
  std::uint32_t root(std::uint32_t topic) {
    while (parent_[topic] != topic) topic = parent_[topic] = parent_[parent_[topic]];
    return topic;
  }

 private:
  void unite(std::uint32_t a, std::uint32_t b) { parent_[root(a)] = root(b); }

  const model::Questions& questions_;
  std::vector<std::uint32_t> parent_;
};

}  // namespace

std::optional<Integer> situations(const Prepared& prepared) {
  Islands islands(prepared);
  const std::vector<Topic>& topics = prepared.questions.topics();
  std::vector<Atoms> atoms(topics.size());  // by root
  std::vector<bool> alone(topics.size(), true);
  for (std::uint32_t topic = 0; topic < topics.size(); ++topic) {
    if (islands.root(topic) != topic) alone[islands.root(topic)] = alone[topic] = false;
  }
  for (const model::AtomId atom : prepared.all_atoms) {
    atoms[islands.root(prepared.questions.topic_of(model::question_of(atom)))].push_back(atom);
  }
  Scope scope(prepared.model, prepared.questions, prepared.budget);
  Integer total = 1;
  std::uint32_t free = 0;  // atoms that depend on nothing else
  for (std::uint32_t topic = 0; topic < topics.size(); ++topic) {
    if (atoms[topic].empty()) continue;
    if (alone[topic] && topics[topic].plain && !topics[topic].component) {
      ++free;
      continue;
    }
    scope.restart();
    const Node feasible = scope.feasible(atoms[topic]);
    total = total * scope.situations(feasible, atoms[topic]);
    if (scope.gave_up()) return std::nullopt;
  }
  // Constraints without atoms are constants; a false one leaves no context.
  for (const model::Component& component : prepared.questions.components()) {
    if (!component.topics.empty()) continue;
    scope.restart();
    const model::FormulaId condition =
        prepared.model.constraints[component.constraints.front()].condition;
    if (scope.truth(condition) == boolean::kFalse) return Integer(0);
  }
  return total * Integer::power(2, free);
}

}  // namespace poise::check
