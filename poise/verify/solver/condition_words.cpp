#include "poise/verify/solver/condition_words.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "poise/model/polynomial.h"
#include "poise/model/relation.h"
#include "poise/verify/system/words.h"

namespace poise::verify {

using model::FormulaId;
using model::Op;
using model::SlotId;

namespace {

// Of a text of the language: how tightly it holds together decides whether it needs parentheses.
struct Phrase {
  enum class Binding { Loose, Or, And, Tight };
  std::string text;
  Binding binding = Binding::Tight;
};

class ConditionWords {
 public:
  ConditionWords(const System& system, const smt::Conditions& conditions)
      : system_(system), conditions_(conditions) {}

  [[nodiscard]] bool too_long() const { return written_ > kMostCharacters; }

  Phrase condition(FormulaId id) {
    if (too_long()) return {"true"};
    const model::Formula& formula = conditions_.formulas.get()[id];
    if (formula.op == Op::Not) {
      const model::Formula& inner = conditions_.formulas.get()[formula.parts.front()];
      if (inner.op == Op::Atom) {
        const model::Atom& atom = conditions_.atoms.get()[inner.atom];
        return counted(compared(atom.value, model::negated(atom.relation), {}));
      }
    }
    std::vector<Phrase> parts;
    for (const FormulaId part : formula.parts) parts.push_back(condition(part));
    switch (formula.op) {
      case Op::False: return {"false"};
      case Op::True: return {"true"};
      case Op::Atom: {
        const model::Atom& atom = conditions_.atoms.get()[formula.atom];
        return counted(compared(atom.value, atom.relation, {}));
      }
      case Op::Not: return negated(parts.front());
      case Op::And: return counted(all(parts));
      case Op::Or: return counted(any(parts));
      case Op::Implies: return counted(any(std::vector{negated(parts[0]), parts[1]}));
      case Op::Iff:
        return counted({fmt::format("{} iff {}", grouped(parts[0], Phrase::Binding::Or),
                                    grouped(parts[1], Phrase::Binding::Or)),
                        Phrase::Binding::Loose});
    }
    return {"true"};
  }

 private:
  static constexpr std::size_t kMostCharacters = 1'000'000;

  Phrase counted(Phrase phrase) {
    written_ += phrase.text.size();
    return phrase;
  }

  // In parentheses, if it binds more loosely than that.
  static std::string grouped(const Phrase& phrase, Phrase::Binding least) {
    return phrase.binding < least ? fmt::format("({})", phrase.text) : phrase.text;
  }

  static Phrase negated(const Phrase& phrase) {
    if (phrase.text == "true") return {"false"};
    if (phrase.text == "false") return {"true"};
    return {"not " + grouped(phrase, Phrase::Binding::Tight)};
  }

  static Phrase all(const std::vector<Phrase>& parts) {
    std::vector<std::string> texts;
    for (const Phrase& part : parts) texts.push_back(grouped(part, Phrase::Binding::And));
    return {all_words(texts), parts.size() > 1 ? Phrase::Binding::And : Phrase::Binding::Tight};
  }

  static Phrase any(const std::vector<Phrase>& parts) {
    std::vector<std::string> texts;
    for (const Phrase& part : parts) texts.push_back(grouped(part, Phrase::Binding::Or));
    return {any_words(texts), parts.size() > 1 ? Phrase::Binding::Or : Phrase::Binding::Tight};
  }

  // ---- Atoms ----

  // value RELATION 0, if the slots in `valued` have values. One slot after another is taken care
  // of, until only numbers are left that have a value.
  Phrase compared(const model::Polynomial& value, model::Relation relation,
                  const std::vector<SlotId>& valued) {
    if (too_long()) return {"true"};
    for (const model::Monomial& term : value.terms) {
      for (const SlotId slot : term.slots) {
        if (system_.variable(slot).query) {
          return compared(model::substituted(value, slot, hidden_value(slot)), relation, valued);
        }
        const auto guard = model::guard_slot(*system_.model, slot);
        const bool known = std::ranges::find(valued, slot) != valued.end();
        if (guard && !known) return by_value(value, relation, valued, slot, *guard);
        if (has_members(system_, slot)) return by_member(value, relation, valued, slot);
      }
    }
    return {comparison_words(*system_.model, value, relation)};
  }

  [[nodiscard]] Rational hidden_value(SlotId slot) const { return domain_of(system_, slot).low; }

  Phrase by_value(const model::Polynomial& value, model::Relation relation,
                  std::vector<SlotId> valued, SlotId slot, SlotId guard) {
    const Phrase hidden =
        compared(model::substituted(value, slot, hidden_value(slot)), relation, valued);
    valued.push_back(slot);
    const Phrase shown = compared(value, relation, valued);
    if (hidden.text == shown.text) return shown;
    const Phrase on{value_words(system_, guard, 1)};
    return any({all({on, shown}), all({negated(on), hidden})});
  }

  Phrase by_member(const model::Polynomial& value, model::Relation relation,
                   const std::vector<SlotId>& valued, SlotId slot) {
    std::vector<Rational> satisfied;
    std::vector<Phrase> others;
    for (const Rational& member : members_of(system_, slot)) {
      const Phrase rest = compared(model::substituted(value, slot, member), relation, valued);
      if (rest.text == "true") {
        satisfied.push_back(member);
      } else if (rest.text != "false") {
        others.push_back(all({{value_words(system_, slot, member)}, rest}));
      }
    }
    others.insert(others.begin(), {among_words(system_, slot, satisfied)});
    return any(others);
  }

  const System& system_;
  const smt::Conditions& conditions_;
  std::size_t written_ = 0;
};

}  // namespace

std::optional<Invariant> invariant_of(const System& system, model::StateId state,
                                      const smt::Conditions& conditions, FormulaId id) {
  Invariant made{.state = state, .cases = {}};
  ConditionWords words(system, conditions);
  const model::Formula& formula = conditions.formulas.get()[id];
  const std::vector<FormulaId> parts =
      formula.op == Op::Or ? formula.parts : std::vector<FormulaId>{id};
  for (const FormulaId part : parts) {
    const Phrase one = words.condition(part);
    if (one.text == "false") continue;
    made.brief.push_back(one.text == "true" ? "any values, also out of range" : one.text);
    std::vector<std::string> complete = constant_words(system);
    complete.push_back(one.binding < Phrase::Binding::And ? fmt::format("({})", one.text)
                                                          : one.text);
    made.cases.push_back(all_words(complete));
  }
  if (words.too_long()) return std::nullopt;
  made.in_all = made.brief.size() == 1 ? made.brief.front() : "any values, also out of range";
  return made;
}

}  // namespace poise::verify
