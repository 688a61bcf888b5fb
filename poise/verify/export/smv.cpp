#include "poise/verify/export/smv.h"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/verify/export/condition.h"
#include "poise/verify/export/names.h"

namespace poise::verify {

namespace {

constexpr InfixWords kSmv = {.truth = "TRUE", .falsehood = "FALSE", .implies = "->", .iff = "<->"};

constexpr std::array<std::string_view, 60> kSmvWords = {
    "MODULE",  "DEFINE",     "MDEFINE",   "CONSTANTS", "VAR",     "IVAR",       "FROZENVAR",
    "INIT",    "TRANS",      "INVAR",     "SPEC",      "CTLSPEC", "LTLSPEC",    "PSLSPEC",
    "COMPUTE", "NAME",       "INVARSPEC", "FAIRNESS",  "JUSTICE", "COMPASSION", "ISA",
    "ASSIGN",  "CONSTRAINT", "SIMPWFF",   "CTLWFF",    "LTLWFF",  "PSLWFF",     "COMPWFF",
    "IN",      "MIN",        "MAX",       "MIRROR",    "PRED",    "PREDICATES", "process",
    "array",   "of",         "boolean",   "integer",   "real",    "word",       "word1",
    "bool",    "signed",     "unsigned",  "extend",    "resize",  "sizeof",     "uwconst",
    "swconst", "self",       "TRUE",      "FALSE",     "state",   "next",       "init",
    "union",   "mod",        "xor",       "case"};

class SmvWriter {
 public:
  explicit SmvWriter(const System& system)
      : system_(system), names_(system, kSmvWords), transitions_(transitions_of(system)) {}

  std::string text() {
    text_ += fmt::format("-- {}: for nuXmv, since values are real numbers\n",
                         one_line(system_.model->name));
    text_ += "MODULE main\n";
    add_variables();
    add_start();
    text_ += "\nTRANS\n";
    for (const Transition& transition : transitions_) add(transition);
    std::vector<std::string> rest = {"next(state) = state"};
    for (const model::FailureId failure : failures()) {
      rest.push_back(fmt::format("next({0}) = {0}", names_.failure(failure)));
    }
    for (const std::string& name : carried_names()) {
      rest.push_back(fmt::format("next({0}) = {0}", name));
    }
    text_ += fmt::format("  -- or nothing happens, so that no run ends\n  ({});\n\n",
                         joined(rest, " & "));
    for (const model::FailureId failure : failures()) {
      text_ += fmt::format("INVARSPEC !{};\n", names_.failure(failure));
    }
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::vector<model::FailureId> failures() const {
    std::vector<model::FailureId> all;
    for (const model::FailureId id : system_.model->world.failures.ids()) all.push_back(id);
    return all;
  }

  [[nodiscard]] std::vector<std::string> carried_names() const {
    std::vector<std::string> names;
    for (const Term& term : carried(system_)) {
      if (const auto* unknown = std::get_if<Unknown>(&term)) {
        names.push_back(names_.unknown(*unknown));
      }
    }
    return names;
  }

  void declare(const Unknown& unknown) {
    text_ += fmt::format("  {} : {};\n", names_.unknown(unknown),
                         is_whole(system_, unknown.slot) ? "integer" : "real");
  }

  void add_variables() {
    std::vector<std::string> states;
    for (const model::StateId id : system_.model->states.ids()) states.push_back(names_.state(id));
    text_ += fmt::format("VAR\n  state : {{{}}};\n", joined(states, ", "));
    for (const model::FailureId failure : failures()) {
      text_ += fmt::format("  {} : boolean;\n", names_.failure(failure));
    }
    for (const Term& term : carried(system_)) {
      if (const auto* unknown = std::get_if<Unknown>(&term)) declare(*unknown);
    }
    // As printed, the actual values at the start occur in no transition.
    for (const Unknown& unknown : start_of(system_).unknowns) {
      if (unknown.what != Unknown::What::Carried) declare(unknown);
    }
    std::vector<Unknown> inputs;
    for (const Transition& transition : transitions_) {
      for (const Unknown& unknown : transition.passage.unknowns) {
        if (std::ranges::find(inputs, unknown) == inputs.end()) inputs.push_back(unknown);
      }
    }
    if (!inputs.empty()) text_ += "IVAR\n";
    for (const Unknown& unknown : inputs) declare(unknown);
  }

  [[nodiscard]] std::string lines(const Passage& passage) const {
    std::string made;
    for (const Requirement& requirement : passage.required) {
      const NamedCondition condition = named(
          system_, requirement, [&](const Unknown& unknown) { return names_.unknown(unknown); });
      if (condition.op == model::Op::True) continue;
      const bool weak = condition.op == model::Op::Or || condition.op == model::Op::Implies ||
                        condition.op == model::Op::Iff;
      const std::string words = infix_text(condition, kSmv);
      made += weak ? fmt::format(" &\n    ({})", words) : fmt::format(" &\n    {}", words);
    }
    return made;
  }

  void add_start() {
    text_ += fmt::format("\nINIT\n  state = {}", names_.state(system_.model->initial));
    for (const model::FailureId failure : failures()) {
      text_ += fmt::format(" & !{}", names_.failure(failure));
    }
    text_ += lines(start_of(system_)) + ";\n";
  }

  void add(const Transition& transition) {
    text_ += fmt::format("  -- {}\n  (state = {} & next(state) = {}",
                         one_line(title_of(system_, transition)), names_.state(transition.from),
                         names_.state(transition.to));
    for (const model::FailureId failure : failures()) {
      const std::string& name = names_.failure(failure);
      const bool happens = transition.failure == failure;
      text_ += fmt::format(" & !{0} & {1}next({0})", name, happens ? "" : "!");
    }
    text_ += lines(transition.passage);
    for (const model::SlotId slot : system_.model->slots.ids()) {
      if (!system_.changes[slot.index]) continue;
      const Substitute after =
          substitute(system_, transition.passage.after[slot.index],
                     [&](const Unknown& unknown) { return names_.unknown(unknown); });
      const NamedValue next{.name = fmt::format("next({})", names_.slot(slot)),
                            .whole = is_whole(system_, slot)};
      const auto* number = std::get_if<Rational>(&after);
      text_ += " &\n    ";
      if (number != nullptr) {
        text_ += infix_text(compared(next, model::Relation::Equal, *number), kSmv);
      } else {
        text_ += fmt::format("{} = {}", next.name, std::get<NamedValue>(after).name);
      }
    }
    text_ += ") |\n";
  }

  const System& system_;
  ExportNames names_;
  std::vector<Transition> transitions_;
  std::string text_;
};

}  // namespace

std::string smv_text(const System& system) { return SmvWriter(system).text(); }

}  // namespace poise::verify
