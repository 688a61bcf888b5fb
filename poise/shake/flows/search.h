#pragma once

// Generators of flows: the entry point.
//
//   const GeneratedFlows set = flows_of(grid, {.flows = 20, .seed = 7});
//
// Portfolio, the default, takes turns: flows that hold boundary values, flows of the shape library,
// random flows that cover what is new, and refined elites of an archive of shapes (portfolio.h says
// how); so the first few flows are diverse already. Paper is the search of the paper: earthquakes
// that cover pairs (paper.h). The others are plain, for comparison: on policies with time in them,
// violence alone is no better than chance, and chance never waits.
//
// Every instance is valid. Same grid and options, same flows, whatever `jobs` is; more flows begin
// with the same ones, except in mode Paper. A hundred flows of 60 ticks take less than a tenth of a
// second; with deviations of the paper's web server to look for, 0.3 seconds. Where no instance is
// valid there are no flows.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "poise/shake/flows/deviations.h"
#include "poise/shake/flows/metrics.h"
#include "poise/shake/flows/objectives.h"
#include "poise/shake/flows/shapes.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

enum class Generator {
  Portfolio,
  Paper,
  Random,      // every valid instance alike, or nearly
  BangBang,    // from corner to corner
  Walk,        // smooth
  Earthquake,  // as many earthquake profiles as there can be, by construction
  Hold,        // on boundary values
};

inline constexpr Generator kGenerators[] = {
    Generator::Portfolio, Generator::Paper,      Generator::Random, Generator::BangBang,
    Generator::Walk,      Generator::Earthquake, Generator::Hold};

// As in options: portfolio, paper, random, bang-bang, walk, earthquake, hold.
[[nodiscard]] std::string_view name_of(Generator generator);

// When the paper's search stops, in iterations of its global loop.
struct PaperLimits {
  std::size_t stay = 10;          // that a flow which adds nothing waits in the memory
  std::size_t idle = 100;         // without a flow that adds something
  std::size_t iterations = 1000;  // in all
  std::size_t tabu = 30;          // ticks that must not change again; at most half of a flow
  std::size_t steps = 200;        // of a local search
  std::size_t candidates = 40;    // looked at in each
};

// What the subject did in a flow, as numbers that stand for something: variants it reached, rules
// that fired. Called on the thread of flows_of, one flow at a time.
using Behaviour = std::function<std::vector<std::uint64_t>(const Flow&)>;

struct SearchOptions {
  Generator generator = Generator::Portfolio;
  std::size_t flows = 100;
  std::size_t length = 60;
  std::uint64_t seed = 1;
  Thresholds thresholds = {};
  LocalWeights local = {};
  GlobalWeights global = {};
  PaperLimits limits = {};
  // Paper: exactly `flows`, the rest from those that add nothing; else only those that do, at most
  // so many.
  bool fill = true;
  std::vector<std::size_t> dwells = {};  // ticks that something in the subject waits for, if known
  Behaviour behaviour = {};              // Portfolio prefers flows in which something new happens
  // And, before that, flows that show most of these, which are taken out as they are shown.
  Deviations* deviations = nullptr;
  unsigned jobs = 1;
};

struct FlowSource {
  Shape shape = Shape::Random;
  bool refined = false;  // by local search, from that shape
};

struct GeneratedFlows {
  std::vector<Flow> flows;
  std::vector<FlowSource> sources;  // by flow
};

[[nodiscard]] GeneratedFlows flows_of(const Grid& grid, const SearchOptions& options = {});

}  // namespace poise::shake
