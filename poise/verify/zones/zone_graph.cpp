#include "poise/verify/zones/zone_graph.h"

#include <algorithm>
#include <functional>
#include <memory>

#include "poise/base/check.h"

namespace poise::verify {

ZoneGraph::ZoneGraph(const System& system, const ZoneSystem& zones, Budget& budget)
    : system_(system), zones_(zones), budget_(budget), notes_(system, zones, budget) {
  make_places();
  const Zones first = zones.start();
  if (!first.empty()) start_ = node_of(system.model->initial, first);
}

template <class T>
const T* ZoneGraph::stored(std::span<const T> all) {
  if (all.empty()) return nullptr;
  stored_bytes_ += all.size_bytes();
  T* const copy = static_cast<T*>(store_.allocate(all.size_bytes(), alignof(T)));
  std::uninitialized_copy(all.begin(), all.end(), copy);
  return copy;
}

ZoneGraph::NodeId ZoneGraph::node_of(model::StateId in, const Zones& zones) {
  written_.clear();
  written_.add(in.index);
  written_.add(zones.size());
  for (const Octagon& zone : zones) zone.write(written_);
  const std::string_view bytes = written_.bytes();
  Node made{.what = bytes.data(),
            .what_size = static_cast<std::uint32_t>(bytes.size()),
            .hash = static_cast<std::uint32_t>(std::hash<std::string_view>{}(bytes))};
  const std::size_t place = place_of(made);
  if (places_[place] != kNowhere) return places_[place];

  const NodeId id{static_cast<std::uint32_t>(nodes_.size())};
  POISE_CHECK(id != kNowhere);
  made.what = stored(std::span(bytes.data(), bytes.size()));
  nodes_.push_back(made);
  places_[place] = id;
  if (nodes_.size() * 4 > places_.size() * 3) make_places();
  return id;
}

// The place of an equal node, or else the free one where it belongs.
std::size_t ZoneGraph::place_of(const Node& node) const {
  const std::string_view what(node.what, node.what_size);
  std::size_t place = node.hash & (places_.size() - 1);
  for (; places_[place] != kNowhere; place = (place + 1) & (places_.size() - 1)) {
    const Node& other = nodes_[places_[place].index];
    if (other.hash == node.hash && std::string_view(other.what, other.what_size) == what) break;
  }
  return place;
}

// Doubles the hash table, whose size stays a power of two.
void ZoneGraph::make_places() {
  constexpr std::size_t kFirst = 64;
  places_.assign(std::max(kFirst, 2 * places_.size()), kNowhere);
  for (std::uint32_t index = 0; index < nodes_.size(); ++index) {
    places_[place_of(nodes_[index])] = NodeId{index};
  }
}

model::StateId ZoneGraph::state(NodeId id) const {
  return {static_cast<std::uint32_t>(PackedReader(nodes_[id.index].what).next())};
}

Zones ZoneGraph::zones_of(const Node& node) const {
  PackedReader bytes(node.what);
  bytes.next();  // the state
  const std::uint64_t count = bytes.next();
  Zones zones;
  zones.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    zones.push_back(Octagon::read(zones_.shape(), bytes));
  }
  return zones;
}

ZoneGraph::WayId ZoneGraph::way_of(std::size_t move,
                                   const std::vector<ZoneSystem::Failing>& failing) {
  Way way{.move = move, .failing = {}};
  for (const ZoneSystem::Failing& one : failing) way.failing.push_back({one.act, one.failure});
  const auto [known, is_new] = known_ways_.try_emplace({way.move, way.failing});
  if (is_new) known->second = ways_.add(std::move(way));
  return known->second;
}

std::span<const ZoneGraph::Edge> ZoneGraph::edges(NodeId id) const {
  const Node& node = nodes_[id.index];
  return {node.edges, node.edges_size};
}

ZoneGraph::Expanded ZoneGraph::expand(NodeId id, Ends ends) {
  if (nodes_[id.index].expanded) return Expanded::Yes;
  const model::StateId from = state(id);
  const Zones zones = zones_of(nodes_[id.index]);
  const std::vector<Move>& moves = system_.moves[from.index];
  found_.clear();
  notes_.note(zones, from);
  for (std::size_t move = 0; move < moves.size(); ++move) {
    const ZoneSystem::Outcome outcome = zones_.outcome(zones, from, move, budget_);
    if (!outcome.exact) return Expanded::DoesNotFit;
    if (!outcome.finished) return Expanded::OutOfBudget;
    notes_.note(zones, from, move, outcome);
    if (outcome.after.empty() && outcome.failing.empty()) continue;
    const bool goes_on = ends == Ends::Kept && !outcome.after.empty();
    found_.push_back({.to = goes_on ? node_of(moves[move].to, outcome.after) : kNowhere,
                      .way = way_of(move, outcome.failing)});
  }
  Node& node = nodes_[id.index];
  node.edges = stored(std::span<const Edge>(found_));
  node.edges_size = static_cast<std::uint32_t>(found_.size());
  node.expanded = true;
  return Expanded::Yes;
}

std::size_t ZoneGraph::bytes() const {
  return stored_bytes_ + nodes_.size() * sizeof(Node) + places_.size() * sizeof(NodeId);
}

}  // namespace poise::verify
