#pragma once

// Helpers for tests of SMT: conditions built in few words, a second evaluator for them, and the
// answers of the program z3, which must be installed.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "poise/base/table.h"
#include "poise/model/polynomial.h"
#include "poise/model/step.h"
#include "poise/smt/solver.h"

namespace poise::test {

// Tables of atoms and formulas like those of a model, with short functions to add to them.
struct Texts {
  Table<model::AtomId, model::Atom> atoms;
  Table<model::FormulaId, model::Formula> formulas;

  [[nodiscard]] smt::Conditions conditions() const { return {atoms, formulas}; }

  model::FormulaId atom(model::Atom atom) {
    return formulas.add({.op = model::Op::Atom, .atom = atoms.add(std::move(atom))});
  }
  model::FormulaId comparison(model::Polynomial value, model::Relation relation) {
    return atom({.slots = slots_of(value), .value = std::move(value), .relation = relation});
  }
  model::FormulaId membership(model::Polynomial value, std::vector<Rational> among) {
    return atom({.slots = slots_of(value),
                 .value = std::move(value),
                 .among = std::move(among),
                 .membership = true});
  }
  model::FormulaId join(model::Op op, std::vector<model::FormulaId> parts) {
    return formulas.add({.op = op, .parts = std::move(parts)});
  }

  static std::vector<model::SlotId> slots_of(const model::Polynomial& value) {
    std::vector<model::SlotId> slots;
    for (const model::Monomial& term : value.terms) {
      slots.insert(slots.end(), term.slots.begin(), term.slots.end());
    }
    std::ranges::sort(slots);
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    return slots;
  }
};

// The meaning of a formula, implemented a second time as an oracle.
inline bool holds(const smt::Conditions& conditions, model::FormulaId id,
                  const model::Context& context) {
  const model::Formula& formula = conditions.formulas.get()[id];
  const auto part = [&](model::FormulaId one) { return holds(conditions, one, context); };
  switch (formula.op) {
    case model::Op::False: return false;
    case model::Op::True: return true;
    case model::Op::Atom: return model::holds(conditions.atoms.get()[formula.atom], context);
    case model::Op::Not: return !part(formula.parts[0]);
    case model::Op::And: return std::ranges::all_of(formula.parts, part);
    case model::Op::Or: return std::ranges::any_of(formula.parts, part);
    case model::Op::Implies: return !part(formula.parts[0]) || part(formula.parts[1]);
    case model::Op::Iff: return part(formula.parts[0]) == part(formula.parts[1]);
  }
  return false;
}

// Polynomials: the value of a slot, a + b, a - b.
inline model::Polynomial slot(std::uint32_t index) {
  return model::slot_value(model::SlotId{index});
}
inline model::Polynomial plus(const model::Polynomial& a, const Rational& b) {
  return model::sum(a, model::constant(b));
}
inline model::Polynomial minus(const model::Polynomial& a, const model::Polynomial& b) {
  return model::sum(a, model::scaled(b, -1));
}

struct Z3Output {
  std::string answer;  // the first line: sat, unsat or unknown
  std::string rest;    // the model, if one was asked for
};

// Runs z3 on a problem in SMT-LIB, for at most 20 seconds.
inline Z3Output said_by_z3(const std::string& problem) {
  const std::string file = testing::TempDir() + fmt::format("poise_smt_{}.smt2", getpid());
  std::ofstream(file) << problem;
  std::FILE* pipe = popen(("z3 -T:20 " + file).c_str(), "r");
  std::string text;
  std::array<char, 4096> buffer{};
  while (std::fgets(buffer.data(), buffer.size(), pipe) != nullptr) text += buffer.data();
  pclose(pipe);
  std::remove(file.c_str());
  const std::size_t end = text.find('\n');
  return {.answer = text.substr(0, end), .rest = end == std::string::npos ? "" : text.substr(end)};
}

}  // namespace poise::test
