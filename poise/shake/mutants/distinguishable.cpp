#include "poise/shake/mutants/distinguishable.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include "poise/shake/mutants/sites.h"
#include "poise/shake/subjects/eval.h"

namespace poise::shake {

using model::Model;
using model::PolicyExpr;
using model::PolicyExprId;
using model::PolicyOp;
using model::SlotId;

namespace {

// How expressions read a slot.
struct Questions {
  bool raw = false;             // its value itself
  bool terms = false;           // any of its terms
  std::set<double> thresholds;  // constants that it is compared with
};

class Asked {
 public:
  explicit Asked(std::size_t slots) : by_slot_(slots) {}

  void add(const Model& model) {
    const model::Policy& policy = model.policy;
    for (const Site& site : sites_of(policy)) {
      for (const Copy& copy : site.copies) {
        const PolicyExpr& expr = policy.exprs[copy.expr];
        if (expr.op == PolicyOp::Is) by_slot_[expr.slot.index].terms = true;
        if (expr.op != PolicyOp::Slot) continue;
        Questions& questions = by_slot_[expr.slot.index];
        const auto threshold = compared_with(policy, copy);
        if (threshold) {
          questions.thresholds.insert(*threshold);
        } else {
          questions.raw = true;
        }
      }
    }
    for (const model::Atom& atom : model.atoms) add(atom);
  }

  [[nodiscard]] const Questions& about(SlotId slot) const { return by_slot_[slot.index]; }

 private:
  // The constant on the other side of a comparison of which the slot is one side.
  static std::optional<double> compared_with(const model::Policy& policy, const Copy& copy) {
    if (!copy.parent || copy.parent != copy.comparison) return std::nullopt;
    for (const PolicyExprId part : policy.exprs[*copy.parent].parts) {
      if (policy.exprs[part].op == PolicyOp::Number) return number_of(policy.exprs[part].number);
    }
    return std::nullopt;
  }

  void add(const model::Atom& atom) {
    const bool is_line = !atom.membership && atom.among.empty() && atom.slots.size() == 1 &&
                         atom.value.terms.size() == 1 && atom.value.terms[0].slots.size() == 1;
    for (const SlotId slot : atom.slots) {
      Questions& questions = by_slot_[slot.index];
      if (is_line) {
        questions.thresholds.insert(
            number_of(-atom.value.constant / atom.value.terms[0].coefficient));
      } else {
        questions.raw = true;
      }
    }
  }

  std::vector<Questions> by_slot_;
};

// By property and value: values of a property with the same number look the same.
using Looks = std::vector<std::vector<std::uint32_t>>;

// A way from a property to a slot: what the slot reads is the property times the scale. Without a
// fault of the sensor, each property goes to its own slot.
struct Wire {
  std::size_t property;
  SlotId slot;
  double scale;
  friend bool operator==(const Wire&, const Wire&) = default;
};

std::vector<Wire> wires_of(const Grid& grid, std::span<const Mutant* const> mutants) {
  std::vector<Wire> wires;
  const auto add = [&](const SensorFault& sensor) {
    for (std::size_t i = 0; i < grid.properties.size(); ++i) {
      if (!grid.properties[i].slot) continue;
      const Wire wire{sensor.permutation.empty() ? i : sensor.permutation[i],
                      *grid.properties[i].slot, sensor.scale.empty() ? 1 : sensor.scale[i]};
      if (std::ranges::find(wires, wire) == wires.end()) wires.push_back(wire);
    }
  };
  add({});
  for (const Mutant* mutant : mutants) add(mutant->sensor);
  return wires;
}

void answer(const Model& model, const Asked& asked, SlotId slot, double value,
            std::vector<double>& answers) {
  const Questions& questions = asked.about(slot);
  if (questions.raw) {
    answers.push_back(value);
    return;
  }
  for (const double threshold : questions.thresholds) {
    answers.push_back(value < threshold ? -1 : (value > threshold ? 1 : 0));
  }
  if (!questions.terms) return;
  for (const model::Term& term : model.variables[model.slots[slot].variable].terms) {
    answers.push_back(degree(term.shape, value));
  }
}

Looks looks_of(const Model& original, std::span<const Mutant* const> mutants, const Grid& grid) {
  Asked asked(original.slots.size());
  asked.add(original);
  for (const Mutant* mutant : mutants) asked.add(mutant->model);
  const std::vector<Wire> wires = wires_of(grid, mutants);
  Looks looks;
  for (std::size_t i = 0; i < grid.properties.size(); ++i) {
    std::map<std::vector<double>, std::uint32_t> known;
    std::vector<std::uint32_t>& numbers = looks.emplace_back();
    for (const double value : grid.properties[i].values) {
      std::vector<double> answers;
      for (const Wire& wire : wires) {
        if (wire.property == i) answer(original, asked, wire.slot, value * wire.scale, answers);
      }
      const auto next = static_cast<std::uint32_t>(known.size());
      numbers.push_back(known.emplace(std::move(answers), next).first->second);
    }
  }
  return looks;
}

// One valid instance for each combination of looks.
std::optional<std::vector<Instance>> one_of_each(const Grid& grid, const Looks& looks,
                                                 const DistinguishableOptions& options) {
  // One value for each look will do, unless a constraint reads the property or it is a guard.
  std::vector<bool> matters(grid.properties.size(), false);
  for (const GridConstraint& constraint : grid.constraints) {
    for (const std::size_t property : constraint.scope) matters[property] = true;
  }
  for (const Property& property : grid.properties) {
    if (property.guard) matters[*property.guard] = true;
  }
  std::vector<std::vector<Index>> choices;
  double combinations = 1;
  for (std::size_t i = 0; i < grid.properties.size(); ++i) {
    const Property& property = grid.properties[i];
    std::vector<Index> values;
    std::set<std::uint32_t> seen;
    for (std::size_t value = 0; value < property.values.size(); ++value) {
      if (matters[i] || seen.insert(looks[i][value]).second) {
        values.push_back(static_cast<Index>(value));
      }
    }
    if (property.guard) values.push_back(kNoValue);
    combinations *= static_cast<double>(values.size());
    choices.push_back(std::move(values));
  }
  if (combinations > static_cast<double>(options.most)) return std::nullopt;

  std::vector<Instance> result;
  std::set<std::vector<std::uint32_t>> seen;
  Instance instance(grid.properties.size());
  std::vector<std::uint32_t> look(grid.properties.size());
  const auto count = static_cast<std::uint64_t>(combinations);
  for (std::uint64_t number = 0; number < count; ++number) {
    std::uint64_t rest = number;
    for (std::size_t i = instance.size(); i-- > 0;) {
      instance[i] = choices[i][rest % choices[i].size()];
      look[i] = instance[i] == kNoValue ? std::numeric_limits<std::uint32_t>::max()
                                        : looks[i][instance[i]];
      rest /= choices[i].size();
    }
    if (seen.contains(look) || !is_valid(grid, instance)) continue;
    seen.insert(look);
    result.push_back(instance);
  }
  return result;
}

}  // namespace

std::optional<std::vector<Instance>> distinguishable(const Model& original,
                                                     std::span<const Mutant* const> mutants,
                                                     const Grid& grid,
                                                     const DistinguishableOptions& options) {
  return one_of_each(grid, looks_of(original, mutants, grid), options);
}

std::optional<std::vector<Instance>> all_valid(const Grid& grid,
                                               const DistinguishableOptions& options) {
  Looks looks;
  for (const Property& property : grid.properties) {
    std::vector<std::uint32_t>& numbers = looks.emplace_back(property.values.size());
    std::iota(numbers.begin(), numbers.end(), 0U);
  }
  return one_of_each(grid, looks, options);
}

}  // namespace poise::shake
