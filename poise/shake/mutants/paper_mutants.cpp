// The paper's groups F1 to F4; mutants.h says how they are made.

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "poise/shake/mutants/expr_text.h"
#include "poise/shake/mutants/mutant_kinds.h"
#include "poise/shake/mutants/sites.h"

namespace poise::shake {

using model::Model;
using model::OptionId;
using model::PolicyExpr;
using model::PolicyOp;
using model::VariableId;

namespace {

struct Adjectives {
  std::vector<Site> sites;  // those of `is`
  // By option and property: places in `sites`.
  std::map<std::pair<OptionId, VariableId>, std::set<std::size_t>> groups;
  std::set<VariableId> variables;
  std::set<VariableId> weighed;
};

VariableId sensed_variable(const Model& model, const PolicyExpr& expr) {
  return model.slots[expr.slot].variable;
}

Adjectives adjectives_of(const Model& model) {
  Adjectives all;
  for (Site& site : sites_of(model.policy)) {
    if (model.policy.exprs[site.expr()].op != PolicyOp::Is) continue;
    for (const Copy& copy : site.copies) {
      const VariableId variable = sensed_variable(model, model.policy.exprs[copy.expr]);
      all.groups[{copy.option, variable}].insert(all.sites.size());
      all.variables.insert(variable);
    }
    all.sites.push_back(std::move(site));
  }
  std::map<OptionId, std::set<VariableId>> by_option;
  for (const auto& [key, sites] : all.groups) by_option[key.first].insert(key.second);
  for (const auto& [option, variables] : by_option) {
    if (variables.size() > 1) all.weighed.insert(variables.begin(), variables.end());
  }
  if (all.weighed.empty()) all.weighed = all.variables;
  return all;
}

const std::string& term_name(const Model& model, VariableId variable, std::uint32_t term) {
  return model.variables[variable].terms[term].name;
}

// ---- F1 ----

std::vector<Mutant> sensor_mutants(const Model& model, const Grid& grid) {
  std::vector<std::size_t> numbers;
  std::vector<double> scale(grid.properties.size(), 1);
  for (std::size_t i = 0; i < grid.properties.size(); ++i) {
    if (grid.properties[i].kind != Property::Kind::Number) continue;
    numbers.push_back(i);
    scale[i] = 10;
  }
  const auto permuted = [&](std::vector<std::size_t> order, std::string description) {
    std::vector<std::size_t> permutation(grid.properties.size());
    std::iota(permutation.begin(), permutation.end(), std::size_t{0});
    for (std::size_t i = 0; i < numbers.size(); ++i) permutation[numbers[i]] = order[i];
    return Mutant{.description = std::move(description),
                  .model = model,
                  .sensor = {.permutation = std::move(permutation), .scale = {}}};
  };
  std::vector<Mutant> mutants;
  if (numbers.size() > 1) {
    std::vector<std::size_t> order(numbers.rbegin(), numbers.rend());
    mutants.push_back(permuted(order, "the sensor passes numbers on in the reverse order"));
  }
  if (numbers.size() > 2) {
    std::vector<std::size_t> order = numbers;
    std::rotate(order.begin(), order.begin() + 1, order.end());
    mutants.push_back(permuted(order, "the sensor passes on each number as the one before it"));
  }
  if (!numbers.empty()) {
    mutants.push_back({.description = "the sensor passes on numbers that are ten times as great",
                       .model = model,
                       .sensor = {.permutation = {}, .scale = scale}});
  }
  return mutants;
}

// ---- F2 ----

std::vector<Mutant> engine_mutants(const Model& model) {
  const Adjectives adjectives = adjectives_of(model);
  std::vector<Mutant> mutants;
  for (const VariableId variable : adjectives.variables) {
    const std::string& name = model.variables[variable].name;
    const auto count = static_cast<std::uint32_t>(model.variables[variable].terms.size());
    std::vector<std::uint32_t> identity(count);
    std::iota(identity.begin(), identity.end(), 0U);
    const auto add = [&](std::vector<std::uint32_t> passed_on, std::string what) {
      mutants.push_back(
          {.description = fmt::format("the fuzzy engine passes on `{}` with {}", name, what),
           .at = model.variables[variable].at,
           .end = model.variables[variable].at,
           .model = model,
           .terms = {.variable = variable, .passed_on = std::move(passed_on)}});
    };
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = a + 1; b < count; ++b) {
        std::vector<std::uint32_t> passed_on = identity;
        std::swap(passed_on[a], passed_on[b]);
        add(std::move(passed_on),
            fmt::format("`{}` and `{}` swapped", term_name(model, variable, a),
                        term_name(model, variable, b)));
      }
    }
    if (!adjectives.weighed.contains(variable)) continue;
    for (std::uint32_t places = 1; places < count && count > 2; ++places) {
      std::vector<std::uint32_t> passed_on = identity;
      std::rotate(passed_on.begin(), passed_on.begin() + places, passed_on.end());
      add(std::move(passed_on), fmt::format("its terms turned by {}", places));
    }
    for (std::uint32_t a = 0; a < count; ++a) {
      for (std::uint32_t b = 0; b < count; ++b) {
        if (a == b) continue;
        std::vector<std::uint32_t> passed_on = identity;
        passed_on[a] = b;
        add(std::move(passed_on),
            fmt::format("`{}` in the place of `{}`", term_name(model, variable, b),
                        term_name(model, variable, a)));
      }
    }
  }
  return mutants;
}

// ---- F3, F4 ----

void set_term(Model& model, const Site& site, std::uint32_t term) {
  for (const Copy& copy : site.copies) model.policy.exprs[copy.expr].term = term;
}

const PolicyExpr& expr_of(const Model& model, const Site& site) {
  return model.policy.exprs[site.expr()];
}

bool leaves_gap(const Model& model, const Adjectives& adjectives, std::size_t site) {
  const PolicyExpr& expr = expr_of(model, adjectives.sites[site]);
  return std::ranges::any_of(adjectives.groups, [&](const auto& group) {
    const std::set<std::size_t>& members = group.second;
    return members.contains(site) && std::ranges::none_of(members, [&](std::size_t other) {
             return other != site && expr_of(model, adjectives.sites[other]).term == expr.term;
           });
  });
}

std::vector<Mutant> gap_mutants(const Model& model) {
  const Adjectives adjectives = adjectives_of(model);
  std::vector<Mutant> mutants;
  for (std::size_t i = 0; i < adjectives.sites.size(); ++i) {
    const Site& site = adjectives.sites[i];
    const PolicyExpr& expr = expr_of(model, site);
    const VariableId variable = sensed_variable(model, expr);
    if (!adjectives.weighed.contains(variable) || !leaves_gap(model, adjectives, i)) continue;
    for (std::uint32_t term = 0; term < model.variables[variable].terms.size(); ++term) {
      if (term == expr.term) continue;
      Mutant mutant{.at = expr.at, .end = expr.end, .model = model};
      set_term(mutant.model, site, term);
      mutant.replacement = to_text(mutant.model, site.expr());
      mutant.description = fmt::format("`{}` instead of `{}` for `{}`: a gap", mutant.replacement,
                                       to_text(model, site.expr()),
                                       model.policy.options[site.copies[0].option].name);
      mutants.push_back(std::move(mutant));
    }
  }
  return mutants;
}

std::vector<Mutant> swap_mutants(const Model& model) {
  const Adjectives adjectives = adjectives_of(model);
  std::set<std::pair<std::size_t, std::size_t>> pairs;  // of sites, in the order of the text
  for (const auto& [key, members] : adjectives.groups) {
    for (const std::size_t a : members) {
      for (const std::size_t b : members) {
        if (a < b) pairs.insert({a, b});
      }
    }
  }
  std::vector<Mutant> mutants;
  for (const auto& [a, b] : pairs) {
    const Site& first = adjectives.sites[a];
    const Site& second = adjectives.sites[b];
    const PolicyExpr& one = expr_of(model, first);
    const PolicyExpr& other = expr_of(model, second);
    if (one.term == other.term) continue;
    Mutant mutant{.at = one.at, .end = one.end, .model = model};
    set_term(mutant.model, first, other.term);
    set_term(mutant.model, second, one.term);
    mutant.replacement = to_text(mutant.model, first.expr());
    mutant.description = fmt::format(
        "`{}` and, in line {}, `{}` swapped for `{}`", to_text(model, first.expr()), other.at.line,
        to_text(model, second.expr()), model.policy.options[first.copies[0].option].name);
    mutants.push_back(std::move(mutant));
  }
  return mutants;
}

}  // namespace

std::vector<Mutant> paper_mutants(const Model& model, const Grid& grid, MutantGroup group) {
  switch (group) {
    // Rules have sensors, too, but the paper's faults are those of policies.
    case MutantGroup::F1:
      return model.policy.empty() ? std::vector<Mutant>{} : sensor_mutants(model, grid);
    case MutantGroup::F2: return engine_mutants(model);
    case MutantGroup::F3: return gap_mutants(model);
    case MutantGroup::F4: return swap_mutants(model);
    default: return {};
  }
}

}  // namespace poise::shake
