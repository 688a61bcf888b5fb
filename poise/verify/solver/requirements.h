#pragma once

// The receiver of a path's requirements (unrolled.h): a solver, which is asked about this path, or
// a Horn clause, which is part of a question about all paths.

#include <span>
#include <string_view>

#include "poise/smt/horn.h"
#include "poise/smt/solver.h"

namespace poise::verify {

class Requirements {
 public:
  virtual ~Requirements() = default;
  virtual smt::UnknownId add_unknown(smt::Sort sort, std::string_view name) = 0;
  virtual void require(const smt::Conditions& conditions, model::FormulaId formula,
                       std::span<const smt::UnknownId> slots, smt::Polarity truth) = 0;
  // low <= x <= high, low <= a - b <= high
  virtual void require_between(smt::UnknownId x, const Rational& low, const Rational& high) = 0;
  virtual void require_difference(smt::UnknownId a, smt::UnknownId b, const Rational& low,
                                  const Rational& high) = 0;
  virtual void push() = 0;
  virtual void pop() = 0;
};

class OfSolver : public Requirements {
 public:
  explicit OfSolver(smt::Solver& solver) : solver_(solver) {}
  smt::UnknownId add_unknown(smt::Sort sort, std::string_view name) override {
    return solver_.add_unknown(sort, name);
  }
  void require(const smt::Conditions& conditions, model::FormulaId formula,
               std::span<const smt::UnknownId> slots, smt::Polarity truth) override {
    solver_.require(conditions, formula, slots, truth);
  }
  void require_between(smt::UnknownId x, const Rational& low, const Rational& high) override {
    solver_.require_between(x, low, high);
  }
  void require_difference(smt::UnknownId a, smt::UnknownId b, const Rational& low,
                          const Rational& high) override {
    solver_.require_difference(a, b, low, high);
  }
  void push() override { solver_.push(); }
  void pop() override { solver_.pop(); }

 private:
  smt::Solver& solver_;
};

// Adds to the unknowns and requirements of a clause; pop() removes those added since push(). A copy
// of the clause in between keeps them.
class OfClause final : public Requirements {
 public:
  explicit OfClause(smt::Clause& clause) : clause_(clause) {}
  smt::UnknownId add_unknown(smt::Sort sort, std::string_view name) override {
    clause_.unknowns.push_back({.sort = sort, .name = std::string(name)});
    return smt::UnknownId{static_cast<std::uint32_t>(clause_.unknowns.size() - 1)};
  }
  void require(const smt::Conditions& conditions, model::FormulaId formula,
               std::span<const smt::UnknownId> slots, smt::Polarity truth) override {
    clause_.requirements.emplace_back(
        smt::Holding{conditions, formula, {slots.begin(), slots.end()}, truth});
  }
  void require_between(smt::UnknownId x, const Rational& low, const Rational& high) override {
    clause_.requirements.emplace_back(smt::Range{.a = x, .b = {}, .low = low, .high = high});
  }
  void require_difference(smt::UnknownId a, smt::UnknownId b, const Rational& low,
                          const Rational& high) override {
    clause_.requirements.emplace_back(smt::Range{.a = a, .b = b, .low = low, .high = high});
  }
  void push() override {
    saved_.emplace_back(clause_.unknowns.size(), clause_.requirements.size());
  }
  void pop() override {
    clause_.unknowns.resize(saved_.back().first);
    clause_.requirements.erase(
        clause_.requirements.begin() + static_cast<std::ptrdiff_t>(saved_.back().second),
        clause_.requirements.end());
    saved_.pop_back();
  }

 private:
  smt::Clause& clause_;
  std::vector<std::pair<std::size_t, std::size_t>> saved_;
};

}  // namespace poise::verify
