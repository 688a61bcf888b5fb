#include "poise/shake/flows/search.h"

#include "poise/base/parallel.h"
#include "poise/base/random.h"
#include "poise/shake/flows/dwell_flows.h"
#include "poise/shake/flows/moves.h"
#include "poise/shake/flows/portfolio.h"
#include "poise/shake/flows/score.h"
#include "poise/shake/flows/shaking_table.h"

namespace poise::shake {

namespace {

// Flows of one shape. Each has a random stream of its own, so that threads make no difference.
GeneratedFlows of_shape(const Grid& grid, const SearchOptions& options, Shape shape) {
  const ContextSpace space(grid, options.thresholds);
  const Moves moves(grid);
  const Shapes shapes(space, moves);
  GeneratedFlows set{.flows = std::vector<Flow>(options.flows),
                     .sources = std::vector<FlowSource>(options.flows, {.shape = shape})};
  for_each_index(options.flows, options.jobs, [&](std::size_t i) {
    Random random(options.seed, i);
    set.flows[i] = shapes.flow(shape, options.length, random);
  });
  return set;
}

GeneratedFlows of_holds(const Grid& grid, const SearchOptions& options) {
  const Moves moves(grid);
  const Elements elements(grid);
  DwellFlows holds(moves, elements, options.dwells);
  GeneratedFlows set;
  for (std::size_t i = 0; i < options.flows; ++i) {
    Random random(options.seed, i);
    set.flows.push_back(holds.next(options.length, random));
    set.sources.push_back({.shape = Shape::Hold});
  }
  return set;
}

}  // namespace

std::string_view name_of(Generator generator) {
  switch (generator) {
    case Generator::Portfolio: return "portfolio";
    case Generator::Paper: return "paper";
    case Generator::Random: return "random";
    case Generator::BangBang: return "bang-bang";
    case Generator::Walk: return "walk";
    case Generator::Earthquake: return "earthquake";
    case Generator::Hold: return "hold";
  }
  return "";
}

GeneratedFlows flows_of(const Grid& grid, const SearchOptions& options) {
  if (grid.properties.empty() || options.length == 0 || !origin_of(grid)) return {};
  switch (options.generator) {
    case Generator::Portfolio: return portfolio_flows(grid, options);
    case Generator::Paper: return paper_flows(grid, options);
    case Generator::Random: return of_shape(grid, options, Shape::Random);
    case Generator::BangBang: return of_shape(grid, options, Shape::Corners);
    case Generator::Walk: return of_shape(grid, options, Shape::Walk);
    case Generator::Earthquake: return of_shape(grid, options, Shape::Earthquake);
    case Generator::Hold: return of_holds(grid, options);
  }
  return {};
}

}  // namespace poise::shake
