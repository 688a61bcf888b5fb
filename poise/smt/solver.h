#pragma once

// Satisfiability: are there values of some unknowns for which all requirements hold? Exact, over
// real and whole numbers, and incremental: requirements come and go with push() and pop(), as in a
// depth-first search.
//
//   Solver solver;
//   const UnknownId front = solver.add_unknown(Sort::Real, "disF.0");
//   solver.require_between(front, 0, 400);
//   solver.push();
//   solver.require({model.atoms, model.formulas}, rule.guard, sensed);  // slot i is sensed[i]
//   if (solver.check() == Answer::Yes) { ... solver.values().numbers[front.index] ... }
//   solver.pop();
//
// Z3 is hidden behind this header, and no exception of it gets out. If it fails, which only a lack
// of memory should cause, every later answer is Unknown, and why() says what happened. A solver
// belongs to one thread; different solvers share nothing but the memory limit.

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/table.h"
#include "poise/base/watchdog.h"
#include "poise/model/model.h"

namespace poise::smt {

using UnknownId = Id<struct UnknownTag>;

enum class Sort { Real, Whole };

enum class Answer { Yes, No, Unknown };

// The tables in which a formula is looked up: those of a model, of its world, or others of the same
// form.
struct Conditions {
  std::reference_wrapper<const Table<model::AtomId, model::Atom>> atoms;
  std::reference_wrapper<const Table<model::FormulaId, model::Formula>> formulas;
};

enum class Polarity { Holds, Fails };

struct Values {
  std::vector<Rational> numbers;  // by unknown
  // False if a solution of polynomials is not rational: that number is then rounded, by less than
  // 10^-12, and the numbers need not satisfy the requirements.
  bool exact = true;
};

class Solver {
 public:
  struct Options {
    std::optional<std::chrono::milliseconds> time_limit = {};  // of each check
    // For all that Z3 uses in the process, because that is what it counts: the last solver made
    // with such a limit sets it for all of them.
    std::optional<std::size_t> memory_bytes = {};
    // Interrupts checks once a limit of its budget is reached; must outlive the solver. From then
    // on every answer is Unknown.
    Watchdog* watchdog = nullptr;
  };

  Solver();
  explicit Solver(const Options& options);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // An unknown with a guard has a value only if the guard has one and that is 1; otherwise every
  // atom that reads it is false. Names are for people to read; two may be the same.
  UnknownId add_unknown(Sort sort, std::string_view name,
                        std::optional<UnknownId> guard = std::nullopt);
  [[nodiscard]] std::size_t unknown_count() const;

  // pop() drops the requirements and the unknowns that were added since the matching push(); ids of
  // dropped unknowns are used again.
  void push();
  void pop();

  // The formula holds, or fails, with the unknown slots[i] for slot i. Only the slots that the
  // formula reads are looked at.
  void require(const Conditions& conditions, model::FormulaId formula,
               std::span<const UnknownId> slots, Polarity truth = Polarity::Holds);
  void require_not(const Conditions& conditions, model::FormulaId formula,
                   std::span<const UnknownId> slots) {
    require(conditions, formula, slots, Polarity::Fails);
  }
  // low <= x <= high
  void require_between(UnknownId x, const Rational& low, const Rational& high);
  // low <= a - b <= high
  void require_difference(UnknownId a, UnknownId b, const Rational& low, const Rational& high);
  void require_equal(UnknownId x, const Rational& value);
  void require_same(UnknownId a, UnknownId b);

  [[nodiscard]] Answer check();
  // Why the last answer was Unknown.
  [[nodiscard]] std::string_view why() const;
  // Values for which all requirements hold. Only directly after a check() that said Yes.
  [[nodiscard]] Values values();

  void set_time_limit(std::optional<std::chrono::milliseconds> limit);

  // The present requirements as a problem in SMT-LIB 2, for any solver.
  [[nodiscard]] std::string smtlib() const;
  // The same in parts, for other texts (horn_text()); none once Z3 has failed or a limit is
  // reached.
  struct Written {
    struct Declared {
      std::string symbol;
      std::string_view sort;  // Int, Real
    };
    std::vector<Declared> unknowns;
    std::vector<std::string> conditions;
  };
  [[nodiscard]] std::optional<Written> written() const;

 private:
  void leave();

  struct State;
  std::shared_ptr<State> state_;  // shared with a check that does not end
};

}  // namespace poise::smt
