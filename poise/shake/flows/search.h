#pragma once

// The entry point to all generators of flows.
//
//   const GeneratedFlows set = flows_of(grid, {.flows = 20, .seed = 7});
//
// Portfolio, the default, takes turns (portfolio.h): flows that hold boundary values, flows of the
// shape library, random flows that cover what is new, and refined elites of an archive of shapes.
// So already the first few flows are diverse. Paper is the search of the paper, for earthquakes
// that cover pairs (shaking_table.h). The others are baselines: on policies with timers, violence
// alone is no better than random flows, and random flows never wait.
//
// Every instance of a flow is valid. The same grid and options give the same flows, whatever `jobs`
// is. With more `flows` the first ones stay the same, except with Paper. A hundred flows of 60
// ticks take less than a tenth of a second; with deviations of the paper's web server to look for,
// 0.3 seconds. Without a valid instance there are no flows.

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
  Random,      // each instance drawn from all valid ones, nearly uniformly (moves.h)
  BangBang,    // from corner to corner
  Walk,        // smooth
  Earthquake,  // as many earthquake profiles as there can be, by construction
  Hold,        // on boundary values
};

inline constexpr Generator kGenerators[] = {
    Generator::Portfolio, Generator::Paper,      Generator::Random, Generator::BangBang,
    Generator::Walk,      Generator::Earthquake, Generator::Hold};

// As on the command line: portfolio, paper, random, bang-bang, walk, earthquake, hold.
[[nodiscard]] std::string_view name_of(Generator generator);

// Limits of the paper's search.
struct PaperLimits {
  std::size_t stay = 10;          // rounds that a flow which adds nothing may still join
  std::size_t idle = 100;         // rounds in a row in which no flow joined; then it ends
  std::size_t iterations = 1000;  // rounds in all
  std::size_t tabu = 30;          // length of the tabu list (TabuOptions)
  std::size_t steps = 200;        // of a local search
  std::size_t candidates = 40;    // in each of these steps
};

// Numbers for what the subject did in a flow, such as variants that it reached or rules that fired;
// what they stand for is up to the caller (hints.h). Called on the thread of flows_of, one flow at
// a time.
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
  // Paper: exactly `flows` flows, if need be filled up with flows that add nothing. If false, only
  // flows that add something, at most `flows`.
  bool fill = true;
  std::vector<std::size_t> dwells = {};  // the subject's waits, in ticks; empty if unknown
  std::size_t home = 0;  // ticks for which some flows go back to the origin; 0: none has to
  // Portfolio prefers flows with new behaviour; but first of all flows that show most deviations.
  // It takes out the deviations that a flow has shown.
  Behaviour behaviour = {};
  Deviations* deviations = nullptr;
  unsigned jobs = 1;  // threads
};

struct FlowSource {
  Shape shape = Shape::Random;
  bool refined = false;  // by local search, from a flow of that shape
};

struct GeneratedFlows {
  std::vector<Flow> flows;
  std::vector<FlowSource> sources;  // by flow
};

[[nodiscard]] GeneratedFlows flows_of(const Grid& grid, const SearchOptions& options = {});

}  // namespace poise::shake
