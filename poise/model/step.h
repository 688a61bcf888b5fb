#pragma once

// The executable meaning of a model, on concrete contexts (docs/language.md, "What happens at run
// time"). Kept plain, because every engine is tested against it: witnesses and counterexamples are
// replayed here.
//
//   const Situation now = evaluate(model, context);
//   for (RuleId rule : triggered(model, state, now)) {
//     for (const Context& next : after(model, rule, context, choices)) ...
//   }

#include <functional>
#include <optional>
#include <vector>

#include "poise/model/model.h"

namespace poise::model {

// The truth of every atom and of every formula in one context.
struct Situation {
  std::vector<bool> atoms;
  std::vector<bool> formulas;
  [[nodiscard]] bool holds(FormulaId formula) const { return formulas[formula.index]; }
  [[nodiscard]] bool holds(AtomId atom) const { return atoms[atom.index]; }
};

[[nodiscard]] bool holds(const Atom& atom, const Context& context);
[[nodiscard]] bool holds(const Atom& atom, const std::function<const Value&(SlotId)>& value);
[[nodiscard]] Situation evaluate(const Model& model, const Context& context);

// All constraints hold: a run may start here.
[[nodiscard]] bool feasible(const Model& model, const Situation& situation);

enum class Priorities { Respected, Ignored };

[[nodiscard]] std::vector<RuleId> satisfied(const Model& model, StateId state,
                                            const Situation& situation);
// The satisfied rules of the strongest priority; with priorities ignored, all satisfied ones.
[[nodiscard]] std::vector<RuleId> triggered(const Model& model, StateId state,
                                            const Situation& situation,
                                            Priorities priorities = Priorities::Respected);

// The values that a slot may take when an action frees it, given the values of the others. (An
// action frees the slots behind a guard that it makes true.) Cells gives one value for each
// distinguishable part.
class Choices {
 public:
  virtual ~Choices() = default;
  [[nodiscard]] virtual std::vector<Rational> values(SlotId slot, const Context& context) const = 0;
  // Whether a run that is in `a` and later in `b` is back where it was.
  [[nodiscard]] virtual bool same(const Context& a, const Context& b) const { return a == b; }
  // Without duplicates in the sense of same().
  [[nodiscard]] virtual std::vector<Context> told_apart(std::vector<Context> contexts) const {
    return contexts;
  }
};

// Every context that firing the rule can lead to: one, unless an action frees a slot.
[[nodiscard]] std::vector<Context> after(const Model& model, RuleId rule, const Context& context,
                                         const Choices& choices);

struct Configuration {
  StateId state;
  Context context;
};

// What happens while the environment holds still. configurations[0] is the start and firing i leads
// from configurations[i] to configurations[i + 1].
struct Run {
  enum class End {
    Stable,  // no rule is satisfied any more
    Closed,  // the last configuration is configurations[loop] again
    Cut,     // longer than asked for
  };
  std::vector<RuleId> firings;
  std::vector<Configuration> configurations;
  End end = End::Stable;
  std::size_t loop = 0;
};

struct RunOptions {
  Priorities priorities = Priorities::Respected;
  std::optional<std::size_t> max_firings;  // a longer run is Cut
};

// Calls `visit` with every run from a configuration, in the order of the rules; stops early where
// `visit` returns false.
void for_each_run(const Model& model, const Configuration& start, const Choices& choices,
                  const RunOptions& options, const std::function<bool(const Run&)>& visit);

}  // namespace poise::model
