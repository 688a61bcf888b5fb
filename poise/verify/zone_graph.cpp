#include "poise/verify/zone_graph.h"

#include <algorithm>

namespace poise::verify {

ZoneGraph::ZoneGraph(const System& system, const ZoneSystem& zones)
    : system_(system), zones_(zones) {
  Zones first = zones.start();
  if (!first.empty()) start_ = node_of(system.model->initial, std::move(first));
}

ZoneGraph::NodeId ZoneGraph::node_of(model::StateId state, Zones zones) {
  std::size_t hash = state.index;
  for (const Octagon& zone : zones) hash = hash * 0x9E3779B97F4A7C15U + zone.hash();
  const auto [first, last] = known_.equal_range(hash);
  for (auto known = first; known != last; ++known) {
    const Node& node = nodes_[known->second];
    if (node.state == state && node.zones == zones) return known->second;
  }
  const NodeId id = nodes_.add({state, std::move(zones), std::nullopt});
  known_.emplace(hash, id);
  return id;
}

const std::vector<ZoneGraph::Edge>* ZoneGraph::edges(NodeId id) {
  if (!nodes_[id].edges) {
    const model::StateId state = nodes_[id].state;
    const std::vector<Move>& moves = system_.moves[state.index];
    std::vector<Edge> edges;
    for (std::size_t move = 0; move < moves.size(); ++move) {
      ZoneSystem::Outcome outcome = zones_.outcome(nodes_[id].zones, state, move);
      if (!outcome.exact) return nullptr;
      Edge edge{.move = move, .to = std::nullopt, .failing = {}};
      for (const ZoneSystem::Failing& failing : outcome.failing) {
        edge.failing.push_back({failing.act, failing.failure});
      }
      if (!outcome.after.empty()) edge.to = node_of(moves[move].to, std::move(outcome.after));
      if (edge.to || !edge.failing.empty()) edges.push_back(std::move(edge));
    }
    nodes_[id].edges = std::move(edges);
  }
  return &*nodes_[id].edges;
}

}  // namespace poise::verify
