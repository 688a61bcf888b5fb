#include "poise/verify/export/horn.h"

#include <vector>

#include <fmt/format.h>

#include "poise/verify/export/condition.h"
#include "poise/verify/export/names.h"
#include "poise/verify/export/smt2.h"

namespace poise::verify {

namespace {

// Writes the clauses from transitions.h, with names of the model. solver/clauses.cpp makes the
// clauses that verify itself asks about, from unrolled.h; the two share no code, so that each can
// be tested against the other.
class HornWriter {
 public:
  explicit HornWriter(const System& system) : system_(system), names_(system, smt2_words()) {}

  std::string text() {
    text_ += fmt::format("; {}: can it fail, after any number of steps?\n; sat: no, unsat: yes\n",
                         one_line(system_.model->name));
    text_ += "(set-logic HORN)\n";
    std::string sorts;
    for (const Unknown& unknown : carried_unknowns()) {
      sorts += sorts.empty() ? "" : " ";
      sorts += sort_of(unknown);
    }
    for (const model::StateId state : system_.model->states.ids()) {
      text_ += fmt::format("(declare-fun {} ({}) Bool)\n", names_.state(state), sorts);
    }
    const Passage start = start_of(system_);
    add_clause("the start", {}, start, reached(system_.model->initial, start.after));
    for (const Transition& transition : transitions_of(system_)) {
      add_clause(title_of(system_, transition), transition.from, transition.passage,
                 transition.failure ? "false" : reached(transition.to, transition.passage.after));
    }
    return std::move(text_) + "(check-sat)\n";
  }

 private:
  [[nodiscard]] std::vector<Unknown> carried_unknowns() const {
    std::vector<Unknown> unknowns;
    for (const Term& term : carried(system_)) {
      if (const auto* unknown = std::get_if<Unknown>(&term)) unknowns.push_back(*unknown);
    }
    return unknowns;
  }

  [[nodiscard]] std::string_view sort_of(const Unknown& unknown) const {
    return is_whole(system_, unknown.slot) ? "Int" : "Real";
  }

  [[nodiscard]] std::string reached(model::StateId state, const std::vector<Term>& values) const {
    std::string text;
    for (const model::SlotId slot : system_.model->slots.ids()) {
      if (!system_.changes[slot.index]) continue;
      const Term& term = values[slot.index];
      const auto* number = std::get_if<Rational>(&term);
      text += " " + (number != nullptr ? prefix_number(*number, is_whole(system_, slot))
                                       : names_.unknown(std::get<Unknown>(term)));
    }
    const std::string& name = names_.state(state);
    return text.empty() ? name : fmt::format("({}{})", name, text);
  }

  void add_clause(const std::string& title, std::optional<model::StateId> from,
                  const Passage& passage, const std::string& then) {
    std::vector<Unknown> unknowns;
    if (from) unknowns = carried_unknowns();
    unknowns.insert(unknowns.end(), passage.unknowns.begin(), passage.unknowns.end());
    std::string variables;
    for (const Unknown& unknown : unknowns) {
      variables += variables.empty() ? "" : " ";
      variables += fmt::format("({} {})", names_.unknown(unknown), sort_of(unknown));
    }
    std::string body = from ? "\n  " + reached(*from, carried(system_)) : "";
    for (const Requirement& requirement : passage.required) {
      const NamedCondition condition = named(
          system_, requirement, [&](const Unknown& unknown) { return names_.unknown(unknown); });
      if (condition.op != model::Op::True) body += "\n  " + prefix_text(condition);
    }
    std::string clause = fmt::format("(=> (and true{})\n  {})", body, then);
    if (!variables.empty()) clause = fmt::format("(forall ({})\n {})", variables, clause);
    text_ += fmt::format("\n; {}\n(assert {})\n", one_line(title), clause);
  }

  const System& system_;
  ExportNames names_;
  std::string text_;
};

}  // namespace

std::string horn_text(const System& system) { return HornWriter(system).text(); }

}  // namespace poise::verify
