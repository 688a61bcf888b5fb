#include "poise/report/verify_words.h"

#include <array>

#include <fmt/format.h>

namespace poise::report {

std::string_view name(verify::Mode mode) {
  switch (mode) {
    case verify::Mode::Naive: return "naive";
    case verify::Mode::Ideal: return "ideal";
    case verify::Mode::Actual: return "actual";
    case verify::Mode::AsPrinted: return "as-printed";
  }
  return "";
}

std::string_view name(verify::Engine engine) {
  switch (engine) {
    case verify::Engine::Auto: return "auto";
    case verify::Engine::Zones: return "zones";
    case verify::Engine::Smt: return "smt";
  }
  return "";
}

std::string_view name(verify::Verdict verdict) {
  switch (verdict) {
    case verify::Verdict::Safe: return "safe";
    case verify::Verdict::Unsafe: return "unsafe";
    case verify::Verdict::Unknown: return "unknown";
  }
  return "";
}

std::string text_of(const model::Model& model, const verify::Repair& repair) {
  const std::string_view relation =
      repair.least ? (repair.strict ? ">" : ">=") : (repair.strict ? "<" : "<=");
  return fmt::format("{} {} {} instead of {}",
                     model.variables[model.slots[repair.slot].variable].name, relation,
                     repair.to.to_string(), repair.from.to_string());
}

bool has_value(const model::Model& model, const verify::Values& values, model::SlotId slot) {
  for (auto guard = model::guard_slot(model, slot); guard;
       guard = model::guard_slot(model, *guard)) {
    if (values[guard->index].sign() == 0) return false;
  }
  return true;
}

std::string slot_name(const model::Model& model, model::SlotId slot) {
  const model::Variable& variable = model.variables[model.slots[slot].variable];
  if (variable.type.kind != model::TypeKind::Set) return variable.name;
  const model::SymbolId member = variable.type.members[model.slots[slot].member];
  return variable.name + " has " + model.symbols[member];
}

std::string act_name(const model::Model& model, model::RuleId rule, std::size_t act) {
  for (const model::Action& action : model.rules[rule].actions) {
    if (!action.world && action.effects.empty()) continue;
    if (act == 0) return action.text;
    --act;
  }
  return "";
}

std::string act_words(const model::Model& model, model::RuleId rule, std::size_t act) {
  constexpr std::array kOrdinals = {"first", "second", "third", "fourth", "fifth"};
  const std::string name = act_name(model, rule, act);
  std::size_t before = 0;
  std::size_t all = 0;
  for (std::size_t i = 0; i < model.rules[rule].actions.size(); ++i) {
    if (act_name(model, rule, i) != name) continue;
    before += std::size_t{i < act};
    ++all;
  }
  if (all == 1) return name;
  if (before < kOrdinals.size()) return fmt::format("the {} {}", kOrdinals[before], name);
  return fmt::format("{} no. {}", name, before + 1);
}

double frequency(const verify::Simulation& simulation, std::uint64_t hits) {
  return simulation.runs == 0 ? 0
                              : static_cast<double>(hits) / static_cast<double>(simulation.runs);
}

}  // namespace poise::report
