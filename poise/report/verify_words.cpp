#include "poise/report/verify_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "poise/base/text.h"

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

std::string steps_text(std::size_t first, bool exact) {
  return (exact ? "" : "at most ") + counted(first, "step");
}

// Zones go through paths in the order of their lengths, so what they have not found yet is not
// shorter than what they have found. A solver may have missed anything.
std::string first_failure_text(const verify::Report& report) {
  std::size_t first = SIZE_MAX;
  bool exact = report.engine == verify::Engine::Zones || report.extent.complete ||
               (report.bound && report.extent.stopped.empty());
  for (const verify::Hazard& hazard : report.hazards) {
    first = std::min(first, hazard.first);
    exact = exact && hazard.first_exact;
  }
  return steps_text(first, exact || first == 1);
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

verify::Within cut_outward(const verify::Within& bounds, int digits) {
  const auto unit_of = [&](double value) {
    return std::pow(10, std::floor(std::log10(value)) - (digits - 1));
  };
  verify::Within made = bounds;
  if (made.low > 0) made.low = std::floor(made.low / unit_of(made.low)) * unit_of(made.low);
  if (made.high > 0) made.high = std::ceil(made.high / unit_of(made.high)) * unit_of(made.high);
  return made;
}

}  // namespace poise::report
