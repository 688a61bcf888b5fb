#pragma once

// Reachability without a bound: can a predicate be derived at all, in however many steps?
//
// A system is constrained Horn clauses: predicates over numbers, and clauses
//
//   for all unknowns: body predicates and requirements => head predicate
//
// such as "at A with x, and x - 15 <= x' <= x - 5 => at B with x'". The predicates are the least
// ones for which all clauses hold; `reachability` says whether the query predicate contains
// anything. If it does not, there is an *interpretation* of each predicate that satisfies all
// clauses and is empty for the query: an inductive invariant. `check_invariant` checks it clause by
// clause, with nothing but `Solver`, so that nobody has to trust the Horn solver for a proof of
// safety.
//
//   System system;
//   const PredicateId at = system.predicates.add({.name = "at A", .sorts = {Sort::Real}});
//   system.query = system.predicates.add({.name = "failure"});
//   Clause start{.name = "start", .unknowns = {{.sort = Sort::Real, .name = "x"}}};
//   start.requirements.push_back(Range{.a = UnknownId{0}, .low = 0, .high = 400});
//   start.head = {.predicate = at, .arguments = {UnknownId{0}}};
//   system.clauses.add(std::move(start));

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/result.h"
#include "poise/base/table.h"
#include "poise/base/watchdog.h"
#include "poise/model/model.h"
#include "poise/smt/solver.h"

namespace poise::smt {

using PredicateId = Id<struct PredicateTag>;
using ClauseId = Id<struct ClauseTag>;

struct Predicate {
  std::string name;
  std::vector<Sort> sorts = {};  // of its arguments
};

// A predicate of some unknowns of a clause, as many as it has arguments, of their sorts.
struct Application {
  PredicateId predicate;
  std::vector<UnknownId> arguments = {};
};

// The formula holds, or fails, with the unknown slots[i] for slot i: see Solver::require. The
// tables of the conditions must outlive the system.
struct Holding {
  Conditions conditions;
  model::FormulaId formula;
  std::vector<UnknownId> slots;
  Polarity truth = Polarity::Holds;
};

// low <= a - b <= high, or low <= a <= high if there is no b.
struct Range {
  UnknownId a;
  std::optional<UnknownId> b = {};
  Rational low;
  Rational high;
};

using Requirement = std::variant<Holding, Range>;

struct Clause {
  struct Unknown {
    Sort sort = Sort::Real;
    std::string name;
    std::optional<UnknownId> guard = {};  // as in Solver::add_unknown
  };
  std::string name;
  std::vector<Unknown> unknowns;  // UnknownId is the index in here
  std::vector<Application> body = {};
  std::vector<Requirement> requirements = {};
  Application head = {};
};

struct System {
  Table<PredicateId, Predicate> predicates;
  Table<ClauseId, Clause> clauses;
  PredicateId query;
};

// An interpretation of each predicate: a condition that all its members satisfy. Slot i of a
// formula is argument i.
struct Invariant {
  Table<model::AtomId, model::Atom> atoms;
  Table<model::FormulaId, model::Formula> formulas;
  struct Interpretation {
    std::optional<model::FormulaId> formula;  // none if atoms cannot express it
    std::string text;                         // in SMT-LIB, over arguments named a0, a1 ...
  };
  std::vector<Interpretation> interpretations;  // by predicate

  [[nodiscard]] Conditions conditions() const { return {atoms, formulas}; }
};

struct Reachability {
  Answer reachable = Answer::Unknown;
  Invariant invariant;  // after No
  // After Yes: the clauses of a derivation, from one without body predicates to the one with the
  // query. If every body has at most one predicate, this is a path, one clause for each step.
  std::vector<ClauseId> derivation;
  std::string why;  // after Unknown
};

struct HornOptions {
  std::optional<std::chrono::milliseconds> time_limit = {};
  // A limit on the work of Spacer, in Z3's unit (rlimit), of which it does some millions a second.
  // Unlike with a time limit, the same question gets the same answer on every machine.
  std::optional<unsigned> work_limit = {};
  Watchdog* watchdog = nullptr;  // as in Solver::Options
};

[[nodiscard]] Reachability reachability(const System& system, const HornOptions& options = {});

// The system in SMT-LIB 2, logic HORN: satisfiable if and only if the query cannot be reached.
// Fails only if Z3 does, or if a limit is reached.
[[nodiscard]] Result<std::string> horn_text(const System& system, Watchdog* watchdog = nullptr);

// The part of an invariant's proof that a clause stands for.
enum class Duty {
  Initiation,   // no body predicate: the invariant holds at the start
  Consecution,  // every step keeps it
  Safety,       // the head is the query: the invariant excludes it
};
[[nodiscard]] Duty duty_of(const System& system, const Clause& clause);

struct InvariantCheck {
  Answer holds = Answer::Unknown;
  // After No: a clause that does not hold, and values of its unknowns for which it does not.
  // After Unknown: the first clause that could not be decided.
  std::optional<ClauseId> clause;
  Values values;
  std::string why;  // after Unknown
};

// Whether the interpretations satisfy every clause. The query is taken to be empty, whatever its
// interpretation says.
[[nodiscard]] InvariantCheck check_invariant(const System& system, const Invariant& invariant,
                                             const HornOptions& options = {});

}  // namespace poise::smt
