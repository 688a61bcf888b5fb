// Prints what model/step.h says about small models, for steps.py to compare with the second
// interpreter: a JSON object per line for every context and state, with the satisfied and the
// triggered rules and every run.
//
//   poise_steps MODEL...

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <fmt/format.h>

#include "poise/base/budget.h"
#include "poise/base/text.h"
#include "poise/lang/lang.h"
#include "poise/model/cells.h"
#include "poise/model/step.h"

namespace {

using namespace poise;
using model::Context;
using model::Model;
using model::Run;

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", text); }

std::string value_json(const Model& model, const model::Variable& variable,
                       const Context& context) {
  const model::SlotId first = variable.first_slot;
  if (variable.slot_count > 0 && !context[first.index]) return "null";
  switch (variable.type.kind) {
    case model::TypeKind::Set: {
      std::vector<std::string> members;
      for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
        if (context[first.index + i]->sign() == 0) continue;
        members.push_back(quoted(model.symbols[variable.type.members[i]]));
      }
      return fmt::format("[{}]", joined(members, ", "));
    }
    case model::TypeKind::Bool: return to_text(model, first, context[first.index]);
    case model::TypeKind::Enum:
    case model::TypeKind::Int:
    case model::TypeKind::Real: return quoted(to_text(model, first, context[first.index]));
  }
  return "null";
}

std::string context_json(const Model& model, const Context& context) {
  std::vector<std::string> values;
  for (const model::Variable& variable : model.variables) {
    values.push_back(
        fmt::format("{}: {}", quoted(variable.name), value_json(model, variable, context)));
  }
  return fmt::format("{{{}}}", joined(values, ", "));
}

std::string rules_json(const Model& model, const std::vector<model::RuleId>& rules) {
  std::vector<std::string> names;
  for (const model::RuleId rule : rules) names.push_back(quoted(model.rules[rule].name));
  return fmt::format("[{}]", joined(names, ", "));
}

std::string runs_json(const Model& model, const model::Cells& cells,
                      const model::Configuration& start) {
  std::vector<std::string> runs;
  for_each_run(model, start, cells, {}, [&](const Run& run) {
    runs.push_back(fmt::format("[{}, {}]", rules_json(model, run.firings),
                               run.end == Run::End::Closed ? std::to_string(run.loop) : "null"));
    return true;
  });
  return fmt::format("[{}]", joined(runs, ", "));
}

void print_steps(const Model& model, const model::Cells& cells) {
  cells.for_each_context([&](const Context& context) {
    const model::Situation situation = evaluate(model, context);
    if (!feasible(model, situation)) return true;
    for (const model::StateId state : model.states.ids()) {
      fmt::print(
          "{{\"file\": {}, \"context\": {}, \"state\": {}, \"satisfied\": {}, \"triggered\": {}, "
          "\"runs\": {}}}\n",
          quoted(model.file), context_json(model, context), quoted(model.states[state].name),
          rules_json(model, satisfied(model, state, situation)),
          rules_json(model, triggered(model, state, situation)),
          runs_json(model, cells, {state, context}));
    }
    return true;
  });
}

}  // namespace

int main(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    std::ifstream file(arguments[i]);
    const Source source{arguments[i], std::string(std::istreambuf_iterator<char>(file), {})};
    const lang::Parsed parsed = lang::parse(source);
    if (!parsed.model) return 2;
    Budget budget;
    const Result<model::Cells> cells = model::Cells::of(*parsed.model, budget);
    if (!cells) return 3;
    print_steps(*parsed.model, *cells);
  }
  return 0;
}
