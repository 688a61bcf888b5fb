#include "poise/shake/grid/compiled_condition.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include "poise/base/check.h"
#include "poise/shake/grid/representatives.h"

namespace poise::shake {

namespace {

using model::AtomId;
using model::FormulaId;
using model::Op;
using model::SlotId;

// Rounding error of a sum, relative to the size of its terms.
constexpr double kTinyRounding = 1e-12;

// The formula and all its parts, each once, parts first.
std::vector<FormulaId> parts_first(const model::Model& model, FormulaId root) {
  std::vector<bool> seen(model.formulas.size(), false);
  std::vector<FormulaId> found;
  std::vector<FormulaId> open{root};
  while (!open.empty()) {
    const FormulaId id = open.back();
    open.pop_back();
    if (seen[id.index]) continue;
    seen[id.index] = true;
    found.push_back(id);
    const std::vector<FormulaId>& parts = model.formulas[id].parts;
    open.insert(open.end(), parts.begin(), parts.end());
  }
  std::ranges::sort(found);  // parts come first in their table
  return found;
}

}  // namespace

std::vector<SlotId> slots_of(const model::Model& model, FormulaId formula) {
  std::vector<SlotId> slots;
  for (const AtomId atom : model::atoms_of(model, {formula})) {
    const std::vector<SlotId>& read = model.atoms[atom].slots;
    slots.insert(slots.end(), read.begin(), read.end());
  }
  std::ranges::sort(slots);
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
  return slots;
}

CompiledCondition::CompiledCondition(const model::Model& model, FormulaId formula,
                                     std::span<const SlotId> slots) {
  const auto place_of = [&](SlotId slot) {
    const auto found = std::ranges::lower_bound(slots, slot);
    POISE_CHECK(found != slots.end() && *found == slot);
    return static_cast<std::size_t>(found - slots.begin());
  };
  std::map<FormulaId, std::size_t> places;
  for (const FormulaId id : parts_first(model, formula)) {
    const model::Formula& source = model.formulas[id];
    Node node{.op = source.op, .parts = {}};
    for (const FormulaId part : source.parts) node.parts.push_back(places.at(part));
    if (source.op == Op::Atom) {
      const model::Atom& atom = model.atoms[source.atom];
      Test test{.reads = {},
                .terms = {},
                .constant = to_double(atom.value.constant),
                .relation = atom.relation,
                .among = {},
                .membership = atom.membership};
      for (const SlotId slot : atom.slots) test.reads.push_back(place_of(slot));
      for (const model::Monomial& monomial : atom.value.terms) {
        Term term{.coefficient = to_double(monomial.coefficient), .slots = {}};
        for (const SlotId slot : monomial.slots) term.slots.push_back(place_of(slot));
        test.terms.push_back(std::move(term));
      }
      for (const Rational& member : atom.among) test.among.push_back(to_double(member));
      node.test = tests_.size();
      tests_.push_back(std::move(test));
    }
    places.emplace(id, nodes_.size());
    nodes_.push_back(std::move(node));
  }
}

bool CompiledCondition::holds(const Test& test, std::span<const double> values) {
  for (const std::size_t slot : test.reads) {
    if (std::isnan(values[slot])) return false;
  }
  double sum = test.constant;
  double size = std::abs(test.constant);
  for (const Term& term : test.terms) {
    double product = term.coefficient;
    for (const std::size_t slot : term.slots) product *= values[slot];
    sum += product;
    size += std::abs(product);
  }
  const auto sign = [&](double number, double of) {
    if (std::abs(number) <= kTinyRounding * of) return 0;
    return number < 0 ? -1 : 1;
  };
  if (!test.membership) return model::holds(test.relation, sign(sum, size));
  return std::ranges::any_of(
      test.among, [&](double member) { return sign(sum - member, size + std::abs(member)) == 0; });
}

bool CompiledCondition::holds(std::span<const double> values) const {
  // Most conditions are short; only longer ones need an allocation.
  constexpr std::size_t kShort = 64;
  bool few[kShort] = {};
  const std::unique_ptr<bool[]> many =
      nodes_.size() > kShort ? std::make_unique<bool[]>(nodes_.size()) : nullptr;
  bool* truths = many ? many.get() : few;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const Node& node = nodes_[i];
    const auto part = [&](std::size_t place) { return truths[place]; };
    const std::vector<std::size_t>& parts = node.parts;
    bool truth = false;
    switch (node.op) {
      case Op::False: truth = false; break;
      case Op::True: truth = true; break;
      case Op::Atom: truth = holds(tests_[node.test], values); break;
      case Op::Not: truth = !part(parts[0]); break;
      case Op::And: truth = std::ranges::all_of(parts, part); break;
      case Op::Or: truth = std::ranges::any_of(parts, part); break;
      case Op::Implies: truth = !part(parts[0]) || part(parts[1]); break;
      case Op::Iff: truth = part(parts[0]) == part(parts[1]); break;
    }
    truths[i] = truth;
  }
  return truths[nodes_.size() - 1];
}

}  // namespace poise::shake
