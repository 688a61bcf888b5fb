#pragma once

// Satisfiability: are there values of some unknowns for which everything that is required holds?
// Exact, over real and whole numbers, made to be asked again and again while requirements come and
// go, as on a depth-first search:
//
//   Solver solver;
//   const UnknownId front = solver.add_unknown(Sort::Real, "disF.0");
//   solver.require_between(front, 0, 400);
//   solver.push();
//   solver.require({model.atoms, model.formulas}, rule.guard, sensed);  // slot i is sensed[i]
//   if (solver.check() == Answer::Yes) { ... solver.values().numbers[front.index] ... }
//   solver.pop();
//
// Z3 stays behind this header. If it fails, which only a lack of memory should bring about, every
// later answer is Unknown, and why() says what happened. A solver belongs to one thread; different
// solvers share nothing.

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
#include "poise/model/model.h"

namespace poise::smt {

using UnknownId = Id<struct UnknownTag>;

enum class Sort { Real, Whole };

enum class Answer { Yes, No, Unknown };

// Tables of atoms and formulas: of a model, of its world, or others that are built alike.
struct Conditions {
  std::reference_wrapper<const Table<model::AtomId, model::Atom>> atoms;
  std::reference_wrapper<const Table<model::FormulaId, model::Formula>> formulas;
};

enum class Polarity { Holds, Fails };

struct Values {
  std::vector<Rational> numbers;  // by unknown
  // False where a solution of polynomials is not rational: then that number is rounded, by less
  // than 10^-12, and the numbers need not satisfy what is required.
  bool exact = true;
};

class Solver {
 public:
  struct Options {
    std::optional<std::chrono::milliseconds> time_limit;  // of each check
    // Of what Z3 uses in the whole process, since that is what it counts: the solver that was made
    // last with such a limit sets it for all.
    std::optional<std::size_t> memory_bytes;
  };

  Solver();
  explicit Solver(const Options& options);
  ~Solver();
  Solver(Solver&&) noexcept;
  Solver& operator=(Solver&&) noexcept;

  // An unknown with a guard has a value only while the guard has one and it is 1: otherwise every
  // atom that reads it is false. Names are for readers; two may be the same.
  UnknownId add_unknown(Sort sort, std::string_view name,
                        std::optional<UnknownId> guard = std::nullopt);
  [[nodiscard]] std::size_t unknown_count() const;

  // pop() forgets what was required and which unknowns were added since the push() it belongs to;
  // their ids are given again.
  void push();
  void pop();

  // The formula holds, or fails, where slot i is the unknown slots[i]. Only the slots that the
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
  // Values for which everything holds; only after Yes, before anything else is asked for.
  [[nodiscard]] Values values();

  void set_time_limit(std::optional<std::chrono::milliseconds> limit);

  // All that is required now, as a problem in SMT-LIB 2 for any solver.
  [[nodiscard]] std::string smtlib() const;
  // The same in parts, to be put together otherwise; none once Z3 has failed.
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
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace poise::smt
