#include "poise/rank/domain.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "poise/boolean/scope.h"
#include "poise/model/questions.h"

namespace poise::rank {

namespace {

using boolean::kFalse;
using boolean::Node;
using boolean::Scope;
using finding::Case;
using finding::Conjunction;
using finding::Literal;
using model::AtomId;
using model::Model;

// The atoms of each sensor. An atom that reads several sensors is listed with each of them.
std::map<std::string_view, std::vector<AtomId>> atoms_by_source(const Model& model) {
  std::map<std::string_view, std::vector<AtomId>> by_source;
  for (const AtomId atom : model.atoms.ids()) {
    std::set<std::string_view> sources;
    for (const model::SlotId slot : model.atoms[atom].slots) {
      sources.insert(model::source_of(model.variables[model.slots[slot].variable]));
    }
    for (const std::string_view source : sources) by_source[source].push_back(atom);
  }
  return by_source;
}

// Says whether types and guards allow some literals to hold together. Yes where a limit was
// reached.
class Pairs {
 public:
  Pairs(const Model& model, const model::Questions& questions, const Budget& budget)
      : scope_(model, questions, budget) {}

  bool can_be(const std::vector<Literal>& literals) {
    std::vector<AtomId> atoms;
    for (const Literal& literal : literals) atoms.push_back(literal.atom);
    std::ranges::sort(atoms);
    scope_.restart();
    Node node = scope_.typed(atoms);
    for (const Literal& literal : literals) {
      const Node truth = scope_.truth(model::question_of(literal.atom));
      node = literal.holds ? scope_.arena().conjunction(node, truth)
                           : scope_.arena().difference(node, truth);
    }
    return node != kFalse || scope_.gave_up();
  }
  [[nodiscard]] Exhausted exhausted() { return scope_.budget().exhausted(); }

 private:
  Scope scope_;
};

std::optional<std::uint32_t> violated(const Conjunction& situation,
                                      std::span<const Exclusion> exclusions) {
  std::optional<std::uint32_t> first;
  for (std::size_t i = 0; i < situation.size(); ++i) {
    for (std::size_t j = i; j < situation.size(); ++j) {
      const Exclusion pair{situation[i], situation[j]};
      const auto found = std::ranges::lower_bound(exclusions, pair);
      if (found == exclusions.end() || *found != pair) continue;
      const auto index = static_cast<std::uint32_t>(found - exclusions.begin());
      if (!first || index < *first) first = index;
    }
  }
  return first;
}

}  // namespace

Result<std::vector<Exclusion>> exclusions(const Model& model, Budget budget) {
  const Result<model::Questions> questions = model::Questions::of(model, budget);
  if (!questions) return Failure(questions.error());
  Pairs pairs(model, *questions, budget);
  std::set<Exclusion> found;
  std::set<Literal> never;
  for (const AtomId atom : model.atoms.ids()) {
    for (const bool holds : {false, true}) {
      const Literal literal{atom, holds};
      if (pairs.can_be({literal})) continue;
      never.insert(literal);
      found.insert({literal, literal});
    }
  }
  for (const auto& [source, atoms] : atoms_by_source(model)) {
    for (std::size_t i = 0; i < atoms.size(); ++i) {
      if (const Exhausted why = pairs.exhausted(); why != Exhausted::No) {
        return failure(std::string(reason(why)));
      }
      for (std::size_t j = i + 1; j < atoms.size(); ++j) {
        for (const auto& [one, other] : {std::pair(false, false), std::pair(false, true),
                                         std::pair(true, false), std::pair(true, true)}) {
          const Literal first{atoms[i], one};
          const Literal second{atoms[j], other};
          if (never.contains(first) || never.contains(second)) continue;  // excluded on its own
          if (!pairs.can_be({first, second})) found.insert({first, second});
        }
      }
    }
  }
  return std::vector<Exclusion>(found.begin(), found.end());
}

std::vector<std::optional<std::uint32_t>> pruned_by_pairs(std::span<const Case> cases,
                                                          std::span<const Exclusion> exclusions) {
  std::vector<std::optional<std::uint32_t>> pruned;
  for (const Case& one : cases) pruned.push_back(violated(one.situation, exclusions));
  return pruned;
}

std::vector<std::optional<std::uint32_t>> possible_cases(const Reported& reported,
                                                         const Reported& possible) {
  using Key = std::tuple<finding::FaultKind, model::StateId, std::vector<model::RuleId>>;
  const auto key = [](const finding::Fault& fault) -> Key {
    return {fault.kind, fault.state, fault.rules};
  };
  std::map<Key, std::map<Conjunction, std::uint32_t>> known;
  for (std::uint32_t i = 0; i < possible.cases.size(); ++i) {
    const Case& one = possible.cases[i];
    known[key(possible.faults[one.fault])].emplace(one.situation, i);
  }
  std::vector<std::optional<std::uint32_t>> found;
  for (const Case& one : reported.cases) {
    found.emplace_back();
    const auto fault = known.find(key(reported.faults[one.fault]));
    if (fault == known.end()) continue;
    const auto situation = fault->second.find(one.situation);
    if (situation != fault->second.end()) found.back() = situation->second;
  }
  return found;
}

}  // namespace poise::rank
