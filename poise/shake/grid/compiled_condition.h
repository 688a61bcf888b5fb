#pragma once

// A formula of the model, compiled for fast evaluation in doubles. A sum that differs from 0 by no
// more than rounding counts as 0, so that `a + b <= 0.3` holds for 0.1 and 0.2: the values of a
// grid are short decimals.

#include <cstdint>
#include <span>
#include <vector>

#include "poise/model/model.h"

namespace poise::shake {

class CompiledCondition {
 public:
  // `slots`: all slots that the formula reads, sorted.
  CompiledCondition(const model::Model& model, model::FormulaId formula,
                    std::span<const model::SlotId> slots);

  // `values`: one for each slot, NaN for no value. An atom that reads a slot without value is
  // false.
  [[nodiscard]] bool holds(std::span<const double> values) const;

 private:
  struct Term {
    double coefficient;
    std::vector<std::size_t> slots;  // a product; places in `slots`, as everywhere here
  };
  // An atom: terms + constant RELATION 0, or, if `membership`, terms + constant is one of `among`.
  struct Test {
    std::vector<std::size_t> reads;
    std::vector<Term> terms;
    double constant;
    model::Relation relation;
    std::vector<double> among;
    bool membership;
  };
  struct Node {
    model::Op op;
    std::size_t test = 0;
    std::vector<std::size_t> parts;
  };
  static bool holds(const Test& test, std::span<const double> values);

  std::vector<Test> tests_;
  std::vector<Node> nodes_;  // parts first; the last is the formula
};

// The slots that a formula reads, sorted.
[[nodiscard]] std::vector<model::SlotId> slots_of(const model::Model& model,
                                                  model::FormulaId formula);

}  // namespace poise::shake
