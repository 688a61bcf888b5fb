#pragma once

// Faults of a model as plain data: the answer of `check`, which reports print and `rank` orders.
// docs/findings.md explains each kind with an example and its cures.

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poise/base/integer.h"
#include "poise/model/model.h"

namespace poise::finding {

// In the order in which reports list them.
enum class FaultKind { Nondeterminism, DeadRule, DeadState, UnreachableState, Race, Cycle };

inline constexpr FaultKind kAllFaultKinds[] = {
    FaultKind::Nondeterminism,   FaultKind::DeadRule, FaultKind::DeadState,
    FaultKind::UnreachableState, FaultKind::Race,     FaultKind::Cycle};

// "nondeterminism", "dead-rule", ...: stable, used in JSON and on the command line.
[[nodiscard]] std::string_view name(FaultKind kind);
[[nodiscard]] std::optional<FaultKind> fault_kind(std::string_view name);

struct Literal {
  model::AtomId atom;
  bool holds;
  friend auto operator<=>(const Literal&, const Literal&) = default;
};
using Conjunction = std::vector<Literal>;
using Alternative = std::vector<Literal>;  // a disjunction: at least one holds

// A condition over the model's own atoms: a disjunction of conjunctions, or, where that would be
// long and this is shorter, a conjunction of alternatives. A disjunction without parts is never
// true; one with an empty conjunction is always true.
struct Condition {
  enum class Form { AnyOfConjunctions, AllOfAlternatives };

  std::vector<std::vector<Literal>> parts;
  Form form = Form::AnyOfConjunctions;

  Condition() = default;
  Condition(std::initializer_list<Conjunction> conjunctions) : parts(conjunctions) {}
  explicit Condition(std::vector<std::vector<Literal>> all, Form how = Form::AnyOfConjunctions)
      : parts(std::move(all)), form(how) {}
  friend bool operator==(const Condition&, const Condition&) = default;
};

[[nodiscard]] std::string to_text(const model::Model& model, const Conjunction& conjunction);
// In parentheses if it is not a single literal.
[[nodiscard]] std::string alternative_text(const model::Model& model, const Alternative& literals);
[[nodiscard]] std::string to_text(const model::Model& model, const Condition& condition);

// A concrete context. The witnesses of one model share a usual context and keep only their
// differences from it, so that thousands of them in a large model take little memory.
class Witness {
 public:
  Witness(model::Context context);  // NOLINT: a context is a witness
  Witness(std::shared_ptr<const model::Context> usual, std::vector<model::Assignment> others)
      : usual_(std::move(usual)), others_(std::move(others)) {}

  [[nodiscard]] const model::Value& operator[](model::SlotId slot) const;
  [[nodiscard]] model::Context context() const;

 private:
  std::shared_ptr<const model::Context> usual_;
  std::vector<model::Assignment> others_;  // what differs from it, sorted by slot
};

// Why a rule is dead: no feasible context satisfies its guard, or wherever one does, a stronger
// rule is satisfied, too.
enum class DeadCause { Unsatisfiable, Shadowed };

struct Fault {
  FaultKind kind;
  model::StateId state;
  // Nondeterminism: the triggered rules, as declared. DeadRule: the rule. Race, Cycle: the path.
  std::vector<model::RuleId> rules;

  DeadCause cause = DeadCause::Unsatisfiable;  // DeadRule
  std::vector<model::RuleId> by;               // DeadRule, Shadowed: the rules that shadow it
  model::StateId ends;                         // Race: where the run is stable
  std::size_t loop = 0;                        // Cycle: index in the path where the cycle starts

  Integer situations;             // in how many distinct situations it occurs
  std::optional<Condition> when;  // holds in exactly these; none if a limit left it open
  // One concrete context in which it occurs. For a shadowed rule: one in which it is satisfied, and
  // a stronger rule is triggered instead. None if there is no such context.
  std::optional<Witness> witness;
  bool reachable = true;  // whether its state can be reached from the initial one
  bool harmless = false;  // Nondeterminism: whichever rule fires, the same happens
};

// What rules do when they fire, as a number by rule. Rules of one number lead to the same state,
// leave the same values in the same variables and have the same named actions: a choice between
// them is harmless. `model` is the user's.
[[nodiscard]] std::vector<std::uint32_t> deeds(const model::Model& model);

// The states that a race or cycle passes through, its start first; for other kinds just its state.
[[nodiscard]] std::vector<model::StateId> visited_states(const model::Model& model,
                                                         const Fault& fault);

// The variables that the rules of these states read, with their guards. Sorted.
[[nodiscard]] std::vector<model::VariableId> variables_that_matter(const model::Model& model,
                                                                   const Fault& fault);

// Where in the source the fault is shown: its first rule, or its state.
[[nodiscard]] Position position(const model::Model& model, const Fault& fault);

}  // namespace poise::finding
