#include "poise/model/comparison.h"

#include <algorithm>

#include "poise/model/polynomial.h"

namespace poise::model {

namespace {

// The pair whose difference, times the factor, is the polynomial without its constant.
struct Scaled {
  Pair pair;
  Rational factor;
};

std::optional<Scaled> scaled_pair(const Polynomial& value) {
  if (!is_linear(value) || value.terms.size() > 2) return std::nullopt;
  const Monomial& first = value.terms.front();
  if (value.terms.size() == 1) {
    return Scaled{{first.slots.front(), std::nullopt}, first.coefficient};
  }
  const Monomial& second = value.terms.back();
  if (second.coefficient != -first.coefficient) return std::nullopt;
  return Scaled{{first.slots.front(), second.slots.front()}, first.coefficient};
}

// The truth changes at each of these, and twice at the same place is not at all.
std::vector<Cut> without_pairs(std::vector<Cut> cuts) {
  std::ranges::sort(cuts);
  std::vector<Cut> kept;
  for (const Cut& cut : cuts) {
    if (!kept.empty() && kept.back() == cut) {
      kept.pop_back();
    } else {
      kept.push_back(cut);
    }
  }
  return kept;
}

void add_cuts_around(const Rational& number, std::vector<Cut>& cuts) {
  cuts.push_back({number, false});
  cuts.push_back({number, true});
}

// Where `difference RELATION number` changes, and what it is below.
Comparison compared(Relation relation, const Rational& number) {
  Comparison comparison;
  switch (relation) {
    case Relation::Equal:
    case Relation::NotEqual:
      add_cuts_around(number, comparison.cuts);
      comparison.lowest = relation == Relation::NotEqual;
      break;
    case Relation::Less:
    case Relation::GreaterEqual:
      comparison.cuts = {{number, false}};
      comparison.lowest = relation == Relation::Less;
      break;
    case Relation::LessEqual:
    case Relation::Greater:
      comparison.cuts = {{number, true}};
      comparison.lowest = relation == Relation::LessEqual;
      break;
  }
  return comparison;
}

// The cut between whole numbers that divides them as this one does.
Cut rounded(const Cut& cut) {
  if (cut.closed) return {cut.at.floor() + 1, false};
  return {cut.at.ceil(), false};
}

bool is_whole(const Model& model, const Pair& pair) {
  const auto real = [&](SlotId slot) {
    return model.variables[model.slots[slot].variable].type.kind == TypeKind::Real;
  };
  return !real(pair.first) && (!pair.second || !real(*pair.second));
}

}  // namespace

Range range_of(const Model& model, SlotId slot) {
  const Type& type = model.variables[model.slots[slot].variable].type;
  switch (type.kind) {
    case TypeKind::Bool:
    case TypeKind::Set: return {.whole = true, .low = 0, .high = 1, .gaps = {}};
    case TypeKind::Enum: {
      std::vector<std::uint32_t> members;
      for (const SymbolId symbol : type.members) members.push_back(symbol.index);
      std::ranges::sort(members);
      Range range{.whole = true, .low = members.front(), .high = members.back(), .gaps = {}};
      for (std::size_t i = 1; i < members.size(); ++i) {
        if (members[i] - members[i - 1] < 2) continue;
        range.gaps.push_back({members[i - 1] + std::int64_t{1}, members[i] - std::int64_t{1}});
      }
      return range;
    }
    case TypeKind::Int:
      return {.whole = true, .low = type.low.ceil(), .high = type.high.floor(), .gaps = {}};
    case TypeKind::Real: return {.whole = false, .low = type.low, .high = type.high, .gaps = {}};
  }
  return {};
}

std::optional<Comparison> comparison_of(const Model& model, const Atom& atom) {
  const Rational& constant = atom.value.constant;
  if (atom.value.terms.empty()) {
    Comparison comparison;
    comparison.lowest = atom.membership
                            ? std::ranges::find(atom.among, constant) != atom.among.end()
                            : model::holds(atom.relation, constant.sign());
    return comparison;
  }
  const std::optional<Scaled> scaled = scaled_pair(atom.value);
  if (!scaled) return std::nullopt;
  Comparison comparison;
  if (atom.membership) {
    for (const Rational& number : atom.among) {
      add_cuts_around((number - constant) / scaled->factor, comparison.cuts);
    }
  } else {
    const Relation relation = scaled->factor.sign() > 0 ? atom.relation : mirrored(atom.relation);
    comparison = compared(relation, -constant / scaled->factor);
  }
  comparison.pair = scaled->pair;
  if (is_whole(model, scaled->pair)) {
    for (Cut& cut : comparison.cuts) cut = rounded(cut);
  }
  comparison.cuts = without_pairs(std::move(comparison.cuts));
  return comparison;
}

}  // namespace poise::model
