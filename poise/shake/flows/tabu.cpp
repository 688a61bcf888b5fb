#include "poise/shake/flows/tabu.h"

#include <algorithm>
#include <deque>
#include <optional>

#include "poise/shake/flows/objectives.h"

namespace poise::shake {

namespace {

std::uint64_t key_of(std::span<const Index> instance) {
  std::uint64_t key = 0xcbf29ce484222325;
  for (const Index index : instance) {
    key = (key ^ index) * 0x9e3779b97f4a7c15;
    key ^= key >> 29;
  }
  return key;
}

class TabuSearch {
 public:
  TabuSearch(const TabuWorld& world, Flow first, const TabuOptions& options, Random& random)
      : world_(world),
        options_(options),
        random_(random),
        score_(world.space, world.elements, world.covered, std::move(first),
               options.aim.turns > 0 ? FlowScore::Turns::Count : FlowScore::Turns::Ignore),
        last_moved_(score_.flow().size()),
        known_(score_.flow().size()) {
    for (std::size_t tick = 0; tick < known_.size(); ++tick) {
      known_[tick] = world_.memory.has(score_.flow()[tick]) ? 1 : 0;
      known_count_ += known_[tick];
    }
  }

  Flow best();

 private:
  [[nodiscard]] double worth(const Score& score) const {
    const auto share = [](std::size_t part, std::size_t whole) {
      return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
    };
    const std::size_t length = score_.flow().size();
    return options_.aim.profiles * profile_share(score.profiles, length) +
           options_.aim.pairs * share(score.new_pairs, world_.elements.feasible_pairs()) +
           options_.aim.turns * share(score.new_turns, length - 1);
  }
  [[nodiscard]] bool propose(std::size_t tick);
  void move(std::size_t tick, const Instance& instance, std::size_t step);

  const TabuWorld& world_;
  const TabuOptions& options_;
  Random& random_;
  FlowScore score_;
  std::vector<std::size_t> last_moved_;  // by tick: the last step in which it is tabu
  std::vector<std::uint8_t> known_;      // by tick: the memory has its instance
  std::size_t known_count_ = 0;
  Instance proposed_;
};

// Draws another instance for the tick, into proposed_; false if the draw was not valid, or no
// change.
bool TabuSearch::propose(std::size_t tick) {
  const Flow& flow = score_.flow();
  const std::vector<Property>& properties = world_.moves.grid().properties;
  const Instance& old = flow[tick];
  const Instance& neighbour =
      tick == 0 || (tick + 1 < flow.size() && random_.coin()) ? flow[tick + 1] : flow[tick - 1];
  const std::uint64_t kind = random_.below(16);
  if (kind == 0) {  // beside the neighbour
    proposed_ = world_.moves.walked(neighbour, 1, random_);
    return proposed_ != old;
  }
  if (kind == 1) {  // somewhere else
    proposed_ = world_.moves.random_instance(random_);
    return proposed_ != old;
  }
  const std::size_t property = random_.below(properties.size());
  if (old[property] == kNoValue) return false;
  const std::size_t count = properties[property].values.size();
  std::size_t value = random_.below(count);
  if (kind < 9 && neighbour[property] != kNoValue) {  // as the neighbour has it, or next to that
    const std::size_t at = neighbour[property] + random_.below(3);
    value = at == 0 ? 0 : std::min(at - 1, count - 1);
  }
  if (value == old[property]) return false;
  if (world_.moves.is_guard(property)) {
    std::optional<Instance> next = world_.moves.changed(old, property, static_cast<Index>(value));
    if (!next) return false;
    proposed_ = std::move(*next);
    return true;
  }
  if (!world_.moves.allows(old, property, static_cast<Index>(value))) return false;
  proposed_ = old;
  proposed_[property] = static_cast<Index>(value);
  return true;
}

void TabuSearch::move(std::size_t tick, const Instance& instance, std::size_t step) {
  score_.change(tick, instance);
  known_count_ -= known_[tick];
  known_[tick] = world_.memory.has(instance) ? 1 : 0;
  known_count_ += known_[tick];
  last_moved_[tick] = step + std::min(options_.tabu, score_.flow().size() / 2);
}

Flow TabuSearch::best() {
  const std::size_t length = score_.flow().size();
  if (length < 2) return score_.flow();
  Flow best = score_.flow();
  double best_worth = worth(score_.now());
  std::size_t best_known = std::max(known_count_, options_.repeats);
  for (std::size_t step = 1; step <= options_.steps; ++step) {
    // Too many repeated instances: only they move, and to new ones.
    const bool away = known_count_ > options_.repeats;
    double top = 0;
    std::optional<std::size_t> top_tick;
    Instance top_instance;
    for (std::size_t i = 0; i < options_.candidates; ++i) {
      const std::size_t tick = random_.below(length);
      if (away && known_[tick] == 0) continue;
      if (!propose(tick)) continue;
      if (away && world_.memory.has(proposed_)) continue;
      const double worth_then = worth(score_.tried(tick, proposed_));
      const bool tabu = last_moved_[tick] >= step && !(worth_then > best_worth);
      if (tabu || (top_tick && worth_then <= top)) continue;
      top = worth_then;
      top_tick = tick;
      top_instance = proposed_;
    }
    if (!top_tick) continue;
    move(*top_tick, top_instance, step);
    const std::size_t known = std::max(known_count_, options_.repeats);
    if (known < best_known || (known == best_known && top > best_worth)) {
      best = score_.flow();
      best_worth = top;
      best_known = known;
    }
  }
  return best;
}

}  // namespace

void Memory::add(const Flow& flow) {
  for (const Instance& instance : flow) keys_.insert(key_of(instance));
}

bool Memory::has(std::span<const Index> instance) const {
  return !keys_.empty() && keys_.contains(key_of(instance));
}

Flow tabu_search(const TabuWorld& world, Flow first, const TabuOptions& options, Random& random) {
  return TabuSearch(world, std::move(first), options, random).best();
}

}  // namespace poise::shake
