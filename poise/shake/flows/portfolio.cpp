#include "poise/shake/flows/portfolio.h"

#include <algorithm>
#include <array>
#include <bitset>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

#include "poise/base/parallel.h"
#include "poise/base/random.h"
#include "poise/shake/flows/dwell_flows.h"
#include "poise/shake/flows/moves.h"
#include "poise/shake/flows/score.h"
#include "poise/shake/flows/tabu.h"

namespace poise::shake {

namespace {

enum class Turn { Cover, Hold, Library, Refined };

// Chosen so that the first five, twenty and hundred flows all have some of every kind.
using enum Turn;
constexpr std::array kTurns = {Cover,   Hold, Library, Hold,  Cover, Cover,   Hold, Cover,  Hold,
                               Library, Hold, Hold,    Cover, Hold,  Library, Hold, Refined};

constexpr std::array kLibrary = {Shape::Earthquake, Shape::Walk, Shape::Spike,  Shape::Ramp,
                                 Shape::Square,     Shape::Saw,  Shape::Stairs, Shape::Walk,
                                 Shape::Random,     Shape::Sine};

// Of several candidates the best is handed out.
constexpr std::size_t kCovers = 4;      // candidates if there are deviations to show; else one
constexpr std::size_t kHolds = 16;      // candidates if behaviour is known; else one
constexpr std::size_t kKindsTried = 4;  // of holds, if there are deviations to show
constexpr std::size_t kTail = 4;        // the last quarter of a hold is a covering flow,
constexpr std::size_t kMostTail = 15;   // but not more ticks than this
constexpr std::size_t kHome = 3;  // one hold in three goes back to the origin, if some have to
// Long flows have fewer candidates, so that looking at all of them takes as long as for this one.
constexpr std::size_t kLong = 240;
constexpr std::size_t kDraws = 3;    // candidates of the library
constexpr std::size_t kRefined = 8;  // elites at a time
constexpr TabuOptions kRefinement = {
    .steps = 60, .candidates = 20, .tabu = 30, .aim = {.profiles = 0, .pairs = 0.5, .turns = 0.5}};

// Random streams: a flow has the stream of its number; refinements of elites begin here.
constexpr std::uint64_t kEliteStream = std::uint64_t{1} << 32U;

struct Elite {
  Flow flow;
  FlowSource source;
  std::size_t refined = 0;  // how often
  bool out = false;         // it was handed out
};

// The waits that can end within a flow.
std::vector<std::size_t> fitting(const SearchOptions& options) {
  std::vector<std::size_t> dwells = options.dwells;
  std::erase_if(dwells, [&](std::size_t dwell) { return dwell + 2 > options.length; });
  return dwells;
}

class Portfolio {
 public:
  Portfolio(const Grid& grid, const SearchOptions& options)
      : options_(options),
        space_(grid, options.thresholds),
        moves_(grid),
        elements_(grid),
        shapes_(space_, moves_),
        holds_(moves_, elements_, fitting(options)),
        origin_(origin_of(grid)),
        covered_(elements_) {}

  GeneratedFlows made();

 private:
  struct Worth {
    double gain = 0;
    std::vector<std::uint64_t> behaviour;
  };
  [[nodiscard]] Worth worth_of(const Flow& flow) const;
  [[nodiscard]] double rarity_of(const Flow& flow) const;
  [[nodiscard]] bool looks_for_deviations() const {
    return options_.deviations != nullptr && options_.deviations->left() > 0;
  }
  [[nodiscard]] std::size_t best_of(std::span<const Flow> flows,
                                    const std::function<double(const Flow&)>& value) const;
  [[nodiscard]] std::size_t holds_to_try() const;
  void end_of_hold(Flow& flow, Random& random) const;
  [[nodiscard]] Flow from_cover(Random& random) const;
  [[nodiscard]] Flow from_holds(Random& random);
  [[nodiscard]] Elite from_library(Random& random);
  [[nodiscard]] Elite from_archive(Random& random);
  void refine(Random& random);
  void keep(Elite elite);
  void hand_out(Elite elite);

  const SearchOptions& options_;
  ContextSpace space_;
  Moves moves_;
  Elements elements_;
  Shapes shapes_;
  DwellFlows holds_;
  std::optional<Instance> origin_;
  Covered covered_;
  std::bitset<kShapeCells> seen_shapes_;
  std::unordered_map<std::uint64_t, std::size_t> seen_behaviour_;  // how often
  std::array<std::optional<Elite>, kShapeCells> archive_;
  std::size_t library_ = 0;
  std::size_t held_ = 0;  // holds so far
  std::uint64_t streams_ = 0;
  GeneratedFlows set_;
};

Portfolio::Worth Portfolio::worth_of(const Flow& flow) const {
  const Covered::Gain gain = covered_.gain_of(flow);
  const auto share = [](std::size_t part, std::size_t whole) {
    return static_cast<double>(part) / static_cast<double>(std::max<std::size_t>(1, whole));
  };
  Worth worth;
  std::size_t news = 0;
  if (options_.behaviour) {
    worth.behaviour = options_.behaviour(flow);
    std::ranges::sort(worth.behaviour);
    worth.behaviour.erase(std::unique(worth.behaviour.begin(), worth.behaviour.end()),
                          worth.behaviour.end());
    for (const std::uint64_t what : worth.behaviour) {
      if (!seen_behaviour_.contains(what)) ++news;
    }
  }
  worth.gain = 0.25 * share(gain.pairs, elements_.feasible_pairs()) +
               0.25 * share(gain.turns, flow.size()) +
               0.25 * (seen_shapes_.test(shape_of(space_, flow).cell()) ? 0 : 1) +
               0.5 * share(news, worth.behaviour.size());
  return worth;
}

void Portfolio::keep(Elite elite) {
  std::optional<Elite>& place = archive_[shape_of(space_, elite.flow).cell()];
  // A flow that was handed out adds nothing any more; it stays to be refined until another comes.
  if (place && !place->out &&
      (elite.out || worth_of(elite.flow).gain <= worth_of(place->flow).gain)) {
    return;
  }
  if (place && place->out && elite.out) return;
  place = std::move(elite);
}

void Portfolio::hand_out(Elite elite) {
  covered_.add(elite.flow);
  if (looks_for_deviations()) options_.deviations->take_out(elite.flow);
  seen_shapes_.set(shape_of(space_, elite.flow).cell());
  if (options_.behaviour) {
    for (const std::uint64_t what : options_.behaviour(elite.flow)) ++seen_behaviour_[what];
  }
  set_.flows.push_back(elite.flow);
  set_.sources.push_back(elite.source);
  elite.out = true;
  keep(std::move(elite));
}

// The mean over what the subject does in the flow of 1 / (1 + how often it did that before).
double Portfolio::rarity_of(const Flow& flow) const {
  const std::vector<std::uint64_t> behaviour = options_.behaviour(flow);
  double sum = 0;
  for (const std::uint64_t what : behaviour) {
    const auto seen = seen_behaviour_.find(what);
    sum += seen == seen_behaviour_.end() ? 1 : 1 / static_cast<double>(1 + seen->second);
  }
  return sum / static_cast<double>(std::max<std::size_t>(1, behaviour.size()));
}

// The candidate that shows most deviations; among equals the one with the greatest value.
std::size_t Portfolio::best_of(std::span<const Flow> flows,
                               const std::function<double(const Flow&)>& value) const {
  std::size_t best = 0;
  std::pair<std::size_t, double> most;
  for (std::size_t i = 0; i < flows.size() && flows.size() > 1; ++i) {
    const std::size_t shown = looks_for_deviations() ? options_.deviations->shown_by(flows[i]) : 0;
    const std::pair worth(shown, value(flows[i]));
    if (i > 0 && worth <= most) continue;
    best = i;
    most = worth;
  }
  return best;
}

Flow Portfolio::from_cover(Random& random) const {
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < (looks_for_deviations() ? kCovers : 1); ++i) {
    flows.push_back(covering_flow(moves_, covered_, options_.length, random));
  }
  return flows[best_of(flows, [](const Flow&) { return 0; })];
}

std::size_t Portfolio::holds_to_try() const {
  if (!options_.behaviour) return 1;
  return std::clamp(kHolds * kLong / options_.length, kKindsTried, kHolds);
}

// The end of a flow that holds: back to the origin for long enough, or a covering flow. What the
// subject does there depends on where the holds have led it.
void Portfolio::end_of_hold(Flow& flow, Random& random) const {
  const std::size_t length = options_.length;
  if (options_.home > 0 && options_.home < length && held_ % kHome == kHome - 1) {
    std::fill(flow.end() - static_cast<std::ptrdiff_t>(options_.home), flow.end(), *origin_);
    return;
  }
  const Flow tail = covering_flow(moves_, covered_, std::min(length / kTail, kMostTail), random);
  std::ranges::copy_backward(tail, flow.end());
}

// Candidates with rare behaviour are preferred, because in most of them nothing more happens once
// the subject has latched.
Flow Portfolio::from_holds(Random& random) {
  std::vector<Flow> flows;
  std::vector<DwellFlows> holds;
  const std::size_t tries = holds_to_try();
  for (std::size_t i = 0; i < tries; ++i) {
    holds.push_back(holds_);
    // With deviations to show, a quarter of the candidates is of this kind, and a quarter of each
    // of the three kinds that follow.
    for (std::size_t later = looks_for_deviations() ? kKindsTried * i / tries : 0; later > 0;
         --later) {
      holds.back().pass();
    }
    flows.push_back(holds.back().next(options_.length, random));
    end_of_hold(flows.back(), random);
  }
  ++held_;
  const std::size_t best =
      best_of(flows, [&](const Flow& flow) { return options_.behaviour ? rarity_of(flow) : 0; });
  holds_ = std::move(holds[best]);
  return std::move(flows[best]);
}

Elite Portfolio::from_library(Random& random) {
  const Shape shape = kLibrary[library_++ % kLibrary.size()];
  std::vector<Flow> flows;
  for (std::size_t i = 0; i < kDraws; ++i) {
    flows.push_back(shapes_.flow(shape, options_.length, random));
  }
  const std::size_t best = best_of(flows, [&](const Flow& flow) { return worth_of(flow).gain; });
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i != best) keep({.flow = std::move(flows[i]), .source = {.shape = shape}});
  }
  return {.flow = std::move(flows[best]), .source = {.shape = shape}};
}

// Each elite has a random stream of its own, so that results do not depend on the threads.
void Portfolio::refine(Random& random) {
  std::vector<Elite*> elites;
  for (std::optional<Elite>& elite : archive_) {
    if (elite) elites.push_back(&*elite);
  }
  random.shuffle(std::span(elites));
  std::ranges::stable_sort(elites, {}, &Elite::refined);
  elites.resize(std::min(elites.size(), kRefined));
  const Memory memory;
  std::vector<Flow> flows(elites.size());
  for_each_index(elites.size(), options_.jobs, [&](std::size_t i) {
    Random own(options_.seed, kEliteStream + streams_ + i);
    flows[i] = tabu_search({space_, moves_, elements_, covered_, memory}, elites[i]->flow,
                           kRefinement, own);
  });
  streams_ += elites.size();
  std::vector<Elite> fresh;
  for (std::size_t i = 0; i < elites.size(); ++i) {
    const std::size_t times = ++elites[i]->refined;
    fresh.push_back({.flow = std::move(flows[i]),
                     .source = {.shape = elites[i]->source.shape, .refined = true},
                     .refined = times});
  }
  for (Elite& elite : fresh) keep(std::move(elite));
}

Elite Portfolio::from_archive(Random& random) {
  refine(random);
  Elite* best = nullptr;
  double most = 0;
  for (std::optional<Elite>& elite : archive_) {
    if (!elite || elite->out) continue;
    const double gain = worth_of(elite->flow).gain;
    if (best != nullptr && gain <= most) continue;
    best = &*elite;
    most = gain;
  }
  if (best == nullptr) return from_library(random);
  best->out = true;
  return *best;
}

GeneratedFlows Portfolio::made() {
  while (set_.flows.size() < options_.flows) {
    Random random(options_.seed, set_.flows.size());
    switch (kTurns[set_.flows.size() % kTurns.size()]) {
      case Cover: hand_out({.flow = from_cover(random), .source = {.shape = Shape::Cover}}); break;
      case Hold: hand_out({.flow = from_holds(random), .source = {.shape = Shape::Hold}}); break;
      case Library: hand_out(from_library(random)); break;
      case Refined: hand_out(from_archive(random)); break;
    }
  }
  return std::move(set_);
}

}  // namespace

GeneratedFlows portfolio_flows(const Grid& grid, const SearchOptions& options) {
  return Portfolio(grid, options).made();
}

}  // namespace poise::shake
