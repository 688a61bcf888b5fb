#pragma once

// An application that executes a model on what a log says, one line after another: the meaning of
// docs/language.md as `poise watch` has it, for rules that look at variables only. A line changes
// the context; then rules fire until none is satisfied or a configuration comes back. Where several
// are triggered, the first declared fires.
//
// A variable without a value (before its first one, behind a guard that does not hold, or after a
// gap in the log) makes the atoms that read it false. Constraints are not looked at: what is in the
// log did happen.
//
//   const Rulebook rules(model);
//   Application phone(rules, model.initial);
//   phone.change(entry.updates);
//   phone.run([](const Incident& what) { ... });

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "poise/base/result.h"
#include "poise/finding/finding.h"
#include "poise/log/entry.h"
#include "poise/model/model.h"

namespace poise::rank {

// The truths of all atoms, a bit each.
using AtomBits = std::vector<std::uint64_t>;
[[nodiscard]] inline bool holds(const AtomBits& atoms, model::AtomId atom) {
  return ((atoms[atom.index / 64] >> (atom.index % 64)) & 1U) != 0;
}

// A fault as it happens. Nondeterminism is one at each firing with a choice; a race or a cycle at
// the end of its run.
struct Incident {
  finding::FaultKind kind;
  model::StateId state;  // in which the choice is, or in which the run began
  std::span<const model::RuleId> rules;
  const AtomBits& atoms;  // in the situation of the choice, or of the beginning of the run
};
using Witnessed = std::function<void(const Incident&)>;

// Truths of formulas, remembered while no atom changes. All applications share one memory, because
// a log can have a million of them: whoever changes takes a new stamp, and only truths with its own
// stamp count.
struct FormulaMemory {
  struct Known {
    std::uint64_t stamp = 0;
    bool holds = false;
  };
  std::uint64_t last_stamp = 0;
  std::vector<Known> known;  // by formula
};

// A model made ready for applications, which all work in one thread. The model must outlive it.
class Rulebook {
 public:
  explicit Rulebook(const model::Model& model);

  // Whether rules ask about streams, which are not replayed here.
  [[nodiscard]] static bool reads_streams(const model::Model& model);

  const model::Model& model;
  // By state: its rules, the strongest first, and as declared among equals.
  Table<model::StateId, std::vector<model::RuleId>> rules;
  std::vector<std::vector<model::AtomId>> readers;  // by slot
  std::vector<std::vector<model::SlotId>> behind;   // by slot: those of which it is the guard
  std::vector<model::SlotId> written;               // slots that actions change; sorted
  model::Context initial;                           // own variables as declared, no other values
  std::unique_ptr<FormulaMemory> memory;
};

class Application {
 public:
  // The rulebook must outlive it.
  Application(const Rulebook& rulebook, model::StateId state);
  Application(const Rulebook& rulebook, model::StateId state, model::Context context);

  void change(std::span<const log::Update> updates);
  // The run of a line. Fails if it is too long to be followed to its end.
  [[nodiscard]] Result<void> run(const Witnessed& witnessed);
  // The same context in another state.
  [[nodiscard]] Application in(model::StateId state) const;

  [[nodiscard]] model::StateId state() const { return state_; }
  [[nodiscard]] const model::Context& context() const { return context_; }
  [[nodiscard]] const AtomBits& atoms() const { return atoms_; }
  [[nodiscard]] std::size_t firings() const { return firings_; }
  // Whether no rule is satisfied since the last run.
  [[nodiscard]] bool is_at_rest() const { return settled_; }
  // Whether some rule of this state is satisfied.
  [[nodiscard]] bool leaves(model::StateId state);
  // What a run can change: the state and the slots that actions write.
  using Configuration = std::pair<model::StateId, model::Context>;
  [[nodiscard]] Configuration configuration() const;

 private:
  void set(model::SlotId slot, const model::Value& value);
  void clear_behind(model::SlotId guard);
  void complete_set(model::SlotId slot);
  [[nodiscard]] bool holds(model::FormulaId formula);
  void find_triggered(model::StateId state);
  void fire(model::RuleId rule);

  const Rulebook* rulebook_;
  model::StateId state_;
  model::Context context_;
  AtomBits atoms_;
  bool settled_ = false;  // nothing changed since no rule was satisfied
  std::size_t firings_ = 0;
  std::vector<model::RuleId> triggered_;
  std::uint64_t stamp_;  // of its truths in the memory
};

}  // namespace poise::rank
