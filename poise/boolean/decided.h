#pragma once

// The answers that comparisons of differences can give together (model/differences.h), as a
// decision diagram. States that different beginnings have in common are looked at once, so the work
// grows with the number of states and not with that of the answers.

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "poise/base/budget.h"
#include "poise/boolean/diagram.h"
#include "poise/model/differences.h"

namespace poise::boolean {

class DecidedAnswers {
 public:
  // So many bounds in all states together: 256 MB of them.
  static constexpr std::size_t kMaxBounds = std::size_t{1} << 25;

  // By test of `differences`: the set of starts for which it holds.
  DecidedAnswers(Arena& arena, Budget& budget, const model::Differences& differences,
                 const std::vector<Node>& truths, std::size_t max_bounds = kMaxBounds);

  // The starts for which the tests have answers that some values give.
  [[nodiscard]] Node node();
  // Why it gave up; empty if it did not.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }

 private:
  using Segment = model::Differences::Segment;
  // A segment of the present form, with the starts that remain for the later ones.
  struct Way {
    Segment segment;
    Node later;
  };
  // The tests of a form in the order of their variables, and for each place the lowest and the
  // highest segment above which one of the tests from there on changes.
  struct Form {
    std::vector<std::uint32_t> tests;
    std::vector<Segment> lowest;
    std::vector<Segment> highest;
  };
  class FormAnswers;

  [[nodiscard]] Form form_of(std::size_t step) const;
  // Whether to go on; finds out about limits.
  [[nodiscard]] bool may_go_on();
  [[nodiscard]] Node from(std::size_t step, const model::Differences::State& state);

  Arena& arena_;
  Budget& budget_;
  const model::Differences& differences_;
  const std::vector<Node>& truths_;
  std::vector<Form> forms_;  // by step
  std::vector<std::unordered_map<model::Differences::State, Node, model::Differences::Hash>>
      known_;  // by step
  std::size_t max_bounds_;
  std::size_t bounds_ = 0;
  std::string trouble_;
};

}  // namespace poise::boolean
