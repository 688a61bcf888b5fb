#include "poise/shake/flows/shaking_table.h"

#include <algorithm>
#include <bitset>
#include <list>
#include <utility>

#include "poise/base/random.h"
#include "poise/shake/flows/moves.h"
#include "poise/shake/flows/score.h"
#include "poise/shake/flows/tabu.h"

namespace poise::shake {

namespace {

// A flow that has not joined the solution yet.
struct Waiting {
  Flow flow;
  std::size_t rounds = 0;
};

class Solution {
 public:
  Solution(const ContextSpace& space, const Elements& elements, const SearchOptions& options)
      : space_(space), elements_(elements), options_(options), covered_(elements) {}

  // G(SOL + flow) - G(SOL).
  [[nodiscard]] double gain_of(const Flow& flow) const {
    const auto pairs = static_cast<double>(covered_.gain_of(flow).pairs);
    const auto all = static_cast<double>(std::max<std::size_t>(1, elements_.feasible_pairs()));
    const bool shape = !shapes_.test(shape_of(space_, flow).cell());
    return global_gain(
        {.coverage = pairs / all, .shapes = shape ? 1.0 / static_cast<double>(kShapeCells) : 0},
        options_.global, options_.flows);
  }
  void add(Flow flow) {
    covered_.add(flow);
    shapes_.set(shape_of(space_, flow).cell());
    memory_.add(flow);
    flows_.push_back(std::move(flow));
  }

  [[nodiscard]] const std::vector<Flow>& flows() const { return flows_; }
  [[nodiscard]] const Covered& covered() const { return covered_; }
  [[nodiscard]] const Memory& memory() const { return memory_; }

 private:
  const ContextSpace& space_;
  const Elements& elements_;
  const SearchOptions& options_;
  Covered covered_;
  std::bitset<kShapeCells> shapes_;
  Memory memory_;
  std::vector<Flow> flows_;
};

}  // namespace

GeneratedFlows paper_flows(const Grid& grid, const SearchOptions& options) {
  const ContextSpace space(grid, options.thresholds);
  const Moves moves(grid);
  const Elements elements(grid);
  const Shapes shapes(space, moves);
  const TabuOptions tabu{
      .steps = options.limits.steps,
      .candidates = options.limits.candidates,
      .tabu = options.limits.tabu,
      .aim = {.profiles = options.local.profiles, .pairs = options.local.coverage, .turns = 0}};
  Solution solution(space, elements, options);
  std::list<Waiting> waiting;
  std::vector<Flow> spare;
  std::size_t idle = 0;
  for (std::size_t round = 0;
       round < options.limits.iterations && solution.flows().size() < options.flows; ++round) {
    const std::size_t before = solution.flows().size();
    for (auto it = waiting.begin(); it != waiting.end();) {
      if (solution.gain_of(it->flow) > 0) {
        solution.add(std::move(it->flow));
      } else if (++it->rounds >= options.limits.stay) {
        spare.push_back(std::move(it->flow));
      } else {
        ++it;
        continue;
      }
      it = waiting.erase(it);
    }
    Random random(options.seed, round);
    Flow flow = tabu_search({space, moves, elements, solution.covered(), solution.memory()},
                            shapes.flow(Shape::Random, options.length, random), tabu, random);
    if (solution.gain_of(flow) > 0) {
      solution.add(std::move(flow));
    } else {
      waiting.push_back({.flow = std::move(flow)});
    }
    idle = solution.flows().size() > before ? 0 : idle + 1;
    const bool enough = options.fill && solution.flows().size() + waiting.size() + spare.size() >=
                                            options.flows + options.limits.stay;
    if (idle >= options.limits.idle || (enough && idle >= options.limits.stay)) break;
  }
  GeneratedFlows set{.flows = solution.flows(), .sources = {}};
  for (Waiting& flow : waiting) spare.push_back(std::move(flow.flow));
  for (std::size_t i = 0; options.fill && i < spare.size(); ++i) {
    set.flows.push_back(std::move(spare[i]));
  }
  // The rounds were too few: local searches for the flows that are still missing.
  for (std::size_t round = 0; options.fill && set.flows.size() < options.flows; ++round) {
    Random random(options.seed, options.limits.iterations + round);
    set.flows.push_back(tabu_search({space, moves, elements, solution.covered(), solution.memory()},
                                    shapes.flow(Shape::Random, options.length, random), tabu,
                                    random));
  }
  set.flows.resize(std::min(set.flows.size(), options.flows));
  set.sources.assign(set.flows.size(), {.shape = Shape::Random, .refined = true});
  return set;
}

}  // namespace poise::shake
