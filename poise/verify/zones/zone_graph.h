#pragma once

// All paths of a system at once: nodes are a state together with the actual values that it can be
// in after a path, and paths that lead to the same of both are one from there on. So paths are
// counted by the million million without being followed one by one, and still each counts exactly
// once: a path has exactly one node.
//
// There may be millions of nodes, and most of them are met again with paths of other lengths, so
// all are kept, in as little room as can be: what a node is, and what leads out of it, are bytes in
// a common store.

#include <cstdint>
#include <deque>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "poise/verify/zones/zones.h"

namespace poise::verify {

class ZoneGraph {
 public:
  // Both must outlive it.
  ZoneGraph(const System& system, const ZoneSystem& zones);

  using NodeId = Id<struct ZoneNodeTag>;
  struct Fails {
    std::size_t act;
    model::FailureId failure;

    friend auto operator<=>(const Fails&, const Fails&) = default;
  };
  // A move, and what of it fails: few for many edges.
  struct Way {
    std::size_t move;
    std::vector<Fails> failing;  // in the order of acts, then of failures
  };
  using WayId = Id<struct ZoneWayTag>;
  static constexpr NodeId kNowhere{UINT32_MAX};
  struct Edge {
    NodeId to;  // kNowhere if all that can happen fails, or if nobody wants to go on from there
    WayId way;
  };
  enum class Ends { Kept, Dropped };

  [[nodiscard]] std::optional<NodeId> start() const { return start_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] model::StateId state(NodeId id) const;
  [[nodiscard]] const Way& way(const Edge& edge) const { return ways_[edge.way]; }
  // What leads out of a node, if it has been expanded.
  [[nodiscard]] std::span<const Edge> edges(NodeId id) const;

  // Finds that, unless it is known; Dropped makes no nodes. Returns false if zones do not fit.
  [[nodiscard]] bool expand(NodeId id, Ends ends);

  // How much room all this takes, about; the same on every machine.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Node {
    const char* what;  // the state and the zones, as written
    const Edge* edges = nullptr;
    std::uint32_t what_size = 0;
    std::uint32_t edges_size = 0;
    std::uint32_t hash = 0;
    bool expanded = false;
  };

  NodeId node_of(model::StateId in, const Zones& zones);
  [[nodiscard]] std::size_t place_of(const Node& node) const;
  void make_places();
  [[nodiscard]] Zones zones_of(const Node& node) const;
  WayId way_of(std::size_t move, const std::vector<ZoneSystem::Failing>& failing);
  template <class T>
  const T* stored(std::span<const T> all);

  const System& system_;
  const ZoneSystem& zones_;
  std::pmr::monotonic_buffer_resource store_;
  std::size_t stored_bytes_ = 0;
  std::deque<Node> nodes_;  // by id; never copied as they grow
  // A hash table of ids: each stands at its hash, or at the next free place after it.
  std::vector<NodeId> places_;
  Table<WayId, Way> ways_;
  std::map<std::pair<std::size_t, std::vector<Fails>>, WayId> known_ways_;
  PackedWriter written_;
  std::vector<Edge> found_;
  std::optional<NodeId> start_;
};

}  // namespace poise::verify
