#pragma once

// All paths of a system at once, as a graph. A node is a state together with the set of actual
// values (a union of octagons) with which a path can have led there. Paths that lead to the same
// state with the same values share a node and are one from there on. So 10^18 paths can be counted
// without being followed one by one, and still each counts exactly once, because a path leads to
// exactly one node.
//
// There may be millions of nodes, and most of them are met again with paths of other lengths. So
// all are kept, in little memory: what a node is, packed, and its edges are in one arena, and a
// hash table of ids finds a node.

#include <cstdint>
#include <deque>
#include <map>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "poise/verify/zones/noting.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

class ZoneGraph {
 public:
  // All must outlive it.
  ZoneGraph(const System& system, const ZoneSystem& zones, Budget& budget);

  using NodeId = Id<struct ZoneNodeTag>;
  struct Fails {
    std::size_t act;
    model::FailureId failure;

    friend auto operator<=>(const Fails&, const Fails&) = default;
  };
  // A move together with the failures that it can lead to. Many edges share few of these.
  struct Way {
    std::size_t move;
    std::vector<Fails> failing;  // in the order of acts, then of failures
  };
  using WayId = Id<struct ZoneWayTag>;
  static constexpr NodeId kNowhere{UINT32_MAX};
  struct Edge {
    NodeId to;  // kNowhere if every run along it fails, or if it was expanded with Ends::Dropped
    WayId way;
  };
  enum class Ends { Kept, Dropped };  // whether edges know where they lead

  [[nodiscard]] std::optional<NodeId> start() const { return start_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] model::StateId state(NodeId id) const;
  [[nodiscard]] const Way& way(const Edge& edge) const { return ways_[edge.way]; }
  // The edges out of a node; none before it is expanded.
  [[nodiscard]] std::span<const Edge> edges(NodeId id) const;

  // Finds the edges out of a node, unless they are known. With Dropped it makes no new nodes.
  enum class Expanded { Yes, DoesNotFit, OutOfBudget };
  [[nodiscard]] Expanded expand(NodeId id, Ends ends);

  // What happens on the edges that were found.
  [[nodiscard]] Happenings take_happenings() { return notes_.take(); }

  // About how much memory all this takes; the same on every machine.
  [[nodiscard]] std::size_t bytes() const;

 private:
  struct Node {
    const char* what;  // the state and the zones, packed (packed.h)
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
  Budget& budget_;
  ZoneNotes notes_;
  std::pmr::monotonic_buffer_resource store_;
  std::size_t stored_bytes_ = 0;
  std::deque<Node> nodes_;  // by id; a deque grows without copying them
  // An open-addressing hash table of ids: each at its hash, or at the next free place after it.
  std::vector<NodeId> places_;
  Table<WayId, Way> ways_;
  std::map<std::pair<std::size_t, std::vector<Fails>>, WayId> known_ways_;
  PackedWriter written_;
  std::vector<Edge> found_;
  std::optional<NodeId> start_;
};

}  // namespace poise::verify
