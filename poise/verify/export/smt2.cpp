#include "poise/verify/export/smt2.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/verify/export/condition.h"
#include "poise/verify/export/names.h"

namespace poise::verify {

namespace {

constexpr std::array<std::string_view, 24> kSmt2Words = {
    "and",    "or",     "not", "xor", "true", "false",    "let",    "forall",
    "exists", "match",  "par", "as",  "ite",  "assert",   "define", "to_real",
    "to_int", "is_int", "abs", "div", "mod",  "distinct", "state",  "lambda"};

// Unrolls the transition relation. With a bound, the moves of each step are booleans of which one
// holds, and the length of the path is left to the solver; for a given path, the moves are known.
class Smt2Writer {
 public:
  explicit Smt2Writer(const System& system)
      : system_(system), names_(system, smt2_words()), transitions_(transitions_of(system)) {}

  Result<std::string> bounded(std::size_t bound, Budget& budget) {
    text_ += fmt::format(
        "; {}: can a path of at most {} steps fail?\n; one answer for each hazard; sat: yes\n",
        one_line(system_.model->name), bound);
    begin();
    declare_state(0);
    text_ += "(declare-fun on$0 () Bool)\n(assert on$0)\n";
    text_ += fmt::format("(assert {})\n", is_in(system_.model->initial, 0));
    for (std::size_t step = 0; step < bound; ++step) {
      // A text that grows is copied.
      if (budget.exhausted_now() != Exhausted::No || !budget.allows(text_.size())) break;
      add_step(step, step + 1 == bound);
    }
    for (const Transition& transition : transitions_) {
      if (transition.failure) add_hazard(transition, bound, budget);
    }
    if (budget.seen() != Exhausted::No) return failure(std::string(reason(budget.seen())));
    return std::move(text_);
  }

  Result<std::string> path(std::span<const model::RuleId> path) {
    text_ += fmt::format("; {}: can this path fail? sat: yes\n", one_line(system_.model->name));
    begin();
    model::StateId state = system_.model->initial;
    for (std::size_t step = 0; step < path.size(); ++step) {
      const std::vector<Move>& moves = system_.moves[state.index];
      const auto move = std::ranges::find(moves, path[step], &Move::rule);
      if (move == moves.end()) {
        return failure(fmt::format("`{}` does not leave state `{}`, where the path is then",
                                   system_.model->rules[path[step]].name,
                                   system_.model->states[state].name));
      }
      const bool last = step + 1 == path.size();
      text_ += fmt::format("\n; step {}: {}\n", step + 1,
                           one_line(system_.model->rules[move->rule].name));
      declare_unknowns(step);
      std::vector<std::string> ways;
      for (const Transition& transition : transitions_) {
        if (transition.from != state ||
            system_.moves[state.index][transition.move].rule != path[step])
          continue;
        if (transition.failure.has_value() != last) continue;
        ways.push_back(requirements(transition, step));
        if (last) continue;
        declare_carried(step + 1);
        ways.back() = all({ways.back(), goes_on(transition, step)});
      }
      text_ += fmt::format("(assert {})\n", any(ways));
      state = move->to;
    }
    return std::move(text_) + "(check-sat)\n";
  }

 private:
  static std::string row(std::string_view op, const std::vector<std::string>& parts,
                         std::string_view none) {
    if (parts.empty()) return std::string(none);
    if (parts.size() == 1) return parts.front();
    std::string text;
    for (const std::string& part : parts) text += "\n  " + part;
    return fmt::format("({}{})", op, text);
  }
  static std::string all(const std::vector<std::string>& parts) {
    return row("and", parts, "true");
  }
  static std::string any(const std::vector<std::string>& parts) {
    return row("or", parts, "false");
  }

  [[nodiscard]] std::string name(const Unknown& unknown, std::size_t step) const {
    return fmt::format("{}@{}", names_.unknown(unknown), step);
  }

  void declare(const Unknown& unknown, std::size_t step) {
    text_ += fmt::format("(declare-fun {} () {})\n", name(unknown, step),
                         is_whole(system_, unknown.slot) ? "Int" : "Real");
  }

  void declare_carried(std::size_t step) {
    for (const Term& term : carried(system_)) {
      if (const auto* unknown = std::get_if<Unknown>(&term)) declare(*unknown, step);
    }
  }

  // The unknowns of all moves. Those with the same name are shared, because a step makes only one
  // move.
  void declare_unknowns(std::size_t step) {
    std::vector<Unknown> known;
    for (const Transition& transition : transitions_) {
      for (const Unknown& unknown : transition.passage.unknowns) {
        if (std::ranges::find(known, unknown) != known.end()) continue;
        known.push_back(unknown);
        declare(unknown, step);
      }
    }
  }

  void declare_state(std::size_t step) {
    text_ += fmt::format("(declare-fun state${} () Int)\n", step);
  }
  [[nodiscard]] std::string is_in(model::StateId state, std::size_t step) const {
    return fmt::format("(= state${} {})", step, state.index);
  }

  void begin() {
    text_ += "(set-logic ALL)\n";
    for (const model::StateId state : system_.model->states.ids()) {
      text_ +=
          fmt::format("; state {}: {}\n", state.index, one_line(system_.model->states[state].name));
    }
    const Passage start = start_of(system_);
    text_ += "\n; the start\n";
    for (const Unknown& unknown : start.unknowns) declare(unknown, 0);
    text_ += fmt::format("(assert {})\n", all(texts(start, 0)));
  }

  [[nodiscard]] std::vector<std::string> texts(const Passage& passage, std::size_t step) const {
    std::vector<std::string> parts;
    for (const Requirement& requirement : passage.required) {
      const NamedCondition condition =
          named(system_, requirement, [&](const Unknown& unknown) { return name(unknown, step); });
      if (condition.op != model::Op::True) parts.push_back(prefix_text(condition));
    }
    return parts;
  }

  [[nodiscard]] std::string requirements(const Transition& transition, std::size_t step) const {
    return all(texts(transition.passage, step));
  }

  // The values that are carried into the next step.
  [[nodiscard]] std::string goes_on(const Transition& transition, std::size_t step) const {
    std::vector<std::string> parts;
    for (const model::SlotId slot : system_.model->slots.ids()) {
      if (!system_.changes[slot.index]) continue;
      const Term& term = transition.passage.after[slot.index];
      const auto* number = std::get_if<Rational>(&term);
      parts.push_back(fmt::format("(= {} {})", name(Unknown{slot}, step + 1),
                                  number != nullptr
                                      ? prefix_number(*number, is_whole(system_, slot))
                                      : name(std::get<Unknown>(term), step)));
    }
    return all(parts);
  }

  // on$k says that the path makes at least k steps without a failure; then, at each of them, the
  // requirements of one of the moves hold.
  void add_step(std::size_t step, bool last) {
    text_ += fmt::format("\n; step {}\n", step + 1);
    declare_unknowns(step);
    if (last) return;  // there only failures matter
    declare_state(step + 1);
    declare_carried(step + 1);
    text_ += fmt::format("(declare-fun on${} () Bool)\n", step + 1);
    std::vector<std::string> moves;
    for (const Transition& transition : transitions_) {
      if (transition.failure) continue;
      moves.push_back(fmt::format("move${}@{}", moves.size(), step));
      text_ += fmt::format("; {}\n(declare-fun {} () Bool)\n",
                           one_line(title_of(system_, transition)), moves.back());
      text_ += fmt::format("(assert (=> {} {}))\n", moves.back(),
                           all({is_in(transition.from, step), requirements(transition, step),
                                is_in(transition.to, step + 1), goes_on(transition, step)}));
    }
    text_ += fmt::format("(assert (=> on${} (and on${} {})))\n", step + 1, step, any(moves));
  }

  void add_hazard(const Transition& transition, std::size_t bound, Budget& budget) {
    std::vector<std::string> when;
    std::size_t bytes = text_.size();  // which will be copied once more
    for (std::size_t step = 0; step < bound; ++step) {
      if (budget.exhausted_now() != Exhausted::No || !budget.allows(2 * bytes)) return;
      if (!when.empty()) bytes += when.back().size();
      when.push_back(all({fmt::format("on${}", step), is_in(transition.from, step),
                          requirements(transition, step)}));
    }
    text_ += fmt::format("\n; {}\n(push 1)\n(assert {})\n(check-sat)\n(pop 1)\n",
                         one_line(title_of(system_, transition)), any(when));
  }

  const System& system_;
  ExportNames names_;
  std::vector<Transition> transitions_;
  std::string text_;
};

}  // namespace

std::span<const std::string_view> smt2_words() { return kSmt2Words; }

Result<std::string> smt2_text(const System& system, std::size_t bound, Budget& budget) {
  return Smt2Writer(system).bounded(bound, budget);
}

Result<std::string> smt2_text(const System& system, std::span<const model::RuleId> path) {
  return Smt2Writer(system).path(path);
}

}  // namespace poise::verify
