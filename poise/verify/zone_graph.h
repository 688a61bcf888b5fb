#pragma once

// All paths of a system at once: nodes are a state together with the actual values that it can be
// in after a path, and paths that lead to the same of both are one from there on. So paths are
// counted by the million million without being followed one by one, and still each counts exactly
// once: a path has exactly one node.

#include <cstdint>
#include <optional>
#include <unordered_map>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/integer.h"
#include "poise/verify/zones.h"

namespace poise::verify {

class ZoneGraph {
 public:
  // Both must outlive it.
  ZoneGraph(const System& system, const ZoneSystem& zones);

  using NodeId = Id<struct ZoneNodeTag>;
  struct Fails {
    std::size_t act;
    model::FailureId failure;
  };
  struct Edge {
    std::size_t move;
    std::optional<NodeId> to;    // none if all that can happen fails
    std::vector<Fails> failing;  // in the order of acts, then of failures
  };
  struct Node {
    model::StateId state;
    Zones zones;
    std::optional<std::vector<Edge>> edges;  // none before they are asked for
  };

  [[nodiscard]] std::optional<NodeId> start() const { return start_; }
  [[nodiscard]] const Node& node(NodeId id) const { return nodes_[id]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  // Nothing if zones do not fit after all.
  [[nodiscard]] const std::vector<Edge>* edges(NodeId id);

 private:
  NodeId node_of(model::StateId state, Zones zones);

  const System& system_;
  const ZoneSystem& zones_;
  Table<NodeId, Node> nodes_;
  std::unordered_multimap<std::size_t, NodeId> known_;  // by hash
  std::optional<NodeId> start_;
};

}  // namespace poise::verify
