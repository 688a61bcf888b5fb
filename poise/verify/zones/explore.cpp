#include "poise/verify/zones/explore.h"

#include <algorithm>
#include <deque>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/verify/zones/divergence.h"

namespace poise::verify {

using NodeId = ZoneGraph::NodeId;
using Ends = ZoneGraph::Ends;

namespace {

// paths_by_zones(): counts layer by layer, then lists.
class Counter {
 public:
  Counter(const System& system, const ZoneSystem& zones, std::size_t bound, std::size_t most,
          const Effort& effort)
      : system_(system),
        graph_(system, zones, effort.budget()),
        bound_(bound),
        most_(most),
        effort_(effort) {}

  Paths counted() {
    if (graph_.start()) {
      count();
      if (result_.fits) list();
      if (!result_.stopped.empty()) drop_unfinished();
    }
    sort_hazards(result_.hazards);
    if (result_.stopped.empty()) result_.happenings = graph_.take_happenings();
    return std::move(result_);
  }

 private:
  // How many paths of one length lead to each node. A table, not a map: most nodes are met again
  // with most lengths, so a map would be larger. There are only two layers at a time.
  struct Layer {
    std::vector<NodeId> nodes;  // those with paths
    std::deque<Integer> paths;  // by node; a deque grows without being copied

    void add(NodeId to, const Integer& more) {
      if (paths.size() <= to.index) paths.resize(to.index + 1);
      if (paths[to.index].sign() == 0) nodes.push_back(to);
      paths[to.index] += more;
    }
    void clear() {
      for (const NodeId id : nodes) paths[id.index] = 0;
      nodes.clear();
    }
  };

  void count() {
    Layer layer;
    Layer next;
    layer.add(*graph_.start(), 1);
    came_from_.push_back({*graph_.start(), {}});
    for (std::size_t length = 1; length <= bound_ && !layer.nodes.empty(); ++length) {
      if (!count_steps(layer, length, next)) return;
      std::swap(layer, next);
      next.clear();
      // In the order in which nodes were first met: it decides which of several shortest paths to a
      // node is shown.
      std::ranges::sort(layer.nodes);
    }
  }

  // Counts the paths of this length by their last steps. False if it had to stop.
  bool count_steps(const Layer& layer, std::size_t length, Layer& next) {
    Integer possible = 0;
    Integer failing = 0;
    for (const NodeId id : layer.nodes) {
      if (std::string why = why_not_further(); !why.empty()) {
        result_.stopped = std::move(why);
        return false;
      }
      effort_.tell({Progress::Of::Octagons, looked_at_++, length});
      // After the last step, only failures matter, not where it leads.
      const ZoneGraph::Expanded expanded =
          graph_.expand(id, length < bound_ ? Ends::Kept : Ends::Dropped);
      if (expanded == ZoneGraph::Expanded::DoesNotFit) result_.fits = false;
      if (expanded == ZoneGraph::Expanded::OutOfBudget) result_.stopped = why_not_further();
      if (expanded != ZoneGraph::Expanded::Yes) return false;
      const Integer& paths = layer.paths[id.index];
      for (const ZoneGraph::Edge& edge : graph_.edges(id)) {
        possible += paths;
        if (length < bound_ && edge.to != ZoneGraph::kNowhere) {
          next.add(edge.to, paths);
          note_origin(edge, id);
        }
        for (const ZoneGraph::Fails& fails : graph_.way(edge).failing) {
          if (is_first(edge, fails)) failing += paths;
          note(id, edge, fails, length, paths);
        }
      }
    }
    result_.possible.push_back(std::move(possible));
    result_.failing.push_back(std::move(failing));
    return true;
  }

  // Nodes are numbered as they are met, so the first edge to a node is the last one of a shortest
  // path.
  void note_origin(const ZoneGraph::Edge& edge, NodeId from) {
    if (edge.to.index < came_from_.size()) return;
    POISE_CHECK(edge.to.index == came_from_.size());
    came_from_.push_back({from, rule_of(from, edge)});
  }

  [[nodiscard]] std::string why_not_further() const {
    if (const Exhausted exhausted = effort_.exhausted(); exhausted != Exhausted::No) {
      return std::string(reason(exhausted));
    }
    const std::size_t bytes =
        graph_.bytes() + graph_.size() * (2 * (sizeof(Integer) + sizeof(NodeId)) + sizeof(Origin));
    if (bytes <= effort_.bytes()) return "";
    return fmt::format("counting paths takes more than {} MB", effort_.bytes() / 1'000'000);
  }

  // Drops the counts of the length that was not finished.
  void drop_unfinished() {
    const std::size_t finished = result_.possible.size();
    for (Hazard& hazard : result_.hazards) {
      const std::size_t kept = hazard.first > finished ? 0 : finished;
      if (hazard.paths.size() > kept) hazard.paths.resize(kept);
    }
  }

  // Whether this is the first act of the rule after which this failure can happen.
  [[nodiscard]] bool is_first(const ZoneGraph::Edge& edge, const ZoneGraph::Fails& fails) const {
    return std::ranges::find(graph_.way(edge).failing, fails.failure, &ZoneGraph::Fails::failure)
               ->act == fails.act;
  }

  void note(NodeId id, const ZoneGraph::Edge& edge, const ZoneGraph::Fails& fails,
            std::size_t length, const Integer& paths) {
    const model::StateId state = graph_.state(id);
    const model::RuleId rule = rule_of(id, edge);
    const auto same = std::ranges::find_if(result_.hazards, [&](const Hazard& hazard) {
      return hazard.state == state && hazard.rule == rule && hazard.act == fails.act &&
             hazard.failure == fails.failure;
    });
    Hazard& hazard = same != result_.hazards.end()
                         ? *same
                         : result_.hazards.emplace_back(Hazard{.state = state,
                                                               .rule = rule,
                                                               .act = fails.act,
                                                               .failure = fails.failure,
                                                               .first = length,
                                                               .shortest = path_to(id, rule),
                                                               .paths = {}});
    hazard.paths.resize(length);
    hazard.paths.back() = hazard.paths.back() + paths;
  }

  [[nodiscard]] model::RuleId rule_of(NodeId id, const ZoneGraph::Edge& edge) const {
    return system_.moves[graph_.state(id).index][graph_.way(edge).move].rule;
  }

  // A shortest path to the node, followed by the rule.
  [[nodiscard]] std::vector<model::RuleId> path_to(NodeId id, model::RuleId last) const {
    std::vector<model::RuleId> path = {last};
    while (id != *graph_.start()) {
      const auto& [before, rule] = came_from_[id.index];
      path.push_back(rule);
      id = before;
    }
    std::ranges::reverse(path);
    return path;
  }

  // Whether some path of exactly so many steps from the node fails with its last step.
  [[nodiscard]] bool can_fail(NodeId id, std::size_t steps) const {
    return can_fail_[steps - 1][id.index];
  }

  // Finds that for paths of one more step.
  void add_can_fail() {
    const std::size_t steps = can_fail_.size() + 1;
    std::vector<bool>& row = can_fail_.emplace_back(graph_.size());
    for (std::uint32_t index = 0; index < graph_.size(); ++index) {
      row[index] = std::ranges::any_of(graph_.edges({index}), [&](const ZoneGraph::Edge& edge) {
        if (steps == 1) return !graph_.way(edge).failing.empty();
        return edge.to != ZoneGraph::kNowhere && can_fail(edge.to, steps - 1);
      });
    }
  }

  void list() {
    for (std::size_t length = 1; length <= result_.failing.size() && lists(); ++length) {
      if (length > 1) add_can_fail();
      if (result_.failing[length - 1].sign() != 0) list_paths(length);
    }
  }

  // Whether there may be more to list, and there is time and room for it.
  [[nodiscard]] bool lists() {
    if (!result_.complete) return false;
    const std::size_t bytes = can_fail_.size() * (graph_.size() / 8 + sizeof(can_fail_[0]));
    result_.complete = effort_.exhausted() == Exhausted::No && bytes <= effort_.bytes();
    return result_.complete;
  }

  // Depth first, with a stack of its own, because paths may be long.
  void list_paths(std::size_t length) {
    struct At {
      NodeId id;
      std::size_t next = 0;  // edge
    };
    std::vector<At> stack = {{*graph_.start()}};
    path_.clear();
    while (!stack.empty() && lists()) {
      At& at = stack.back();
      const std::span<const ZoneGraph::Edge> edges = graph_.edges(at.id);
      if (at.next == edges.size()) {
        stack.pop_back();
        if (!path_.empty()) path_.pop_back();
        continue;
      }
      const ZoneGraph::Edge& edge = edges[at.next++];
      const std::size_t left = length - path_.size();
      path_.push_back(rule_of(at.id, edge));
      if (left > 1 && edge.to != ZoneGraph::kNowhere && can_fail(edge.to, left - 1)) {
        stack.push_back({edge.to});
        continue;
      }
      if (left == 1) {
        for (const ZoneGraph::Fails& fails : graph_.way(edge).failing) list_one(edge, fails);
      }
      path_.pop_back();
    }
  }

  void list_one(const ZoneGraph::Edge& edge, const ZoneGraph::Fails& fails) {
    if (!is_first(edge, fails)) return;
    if (result_.listed.size() == most_) {
      result_.complete = false;
      return;
    }
    FailingPath& made =
        result_.listed.emplace_back(FailingPath{fails.failure, path_, fails.act, {}});
    for (const ZoneGraph::Fails& other : graph_.way(edge).failing) {
      if (other.failure == fails.failure && other.act > fails.act) made.later.push_back(other.act);
    }
  }

  const System& system_;
  ZoneGraph graph_;
  std::size_t bound_;
  std::size_t most_;
  const Effort& effort_;
  std::size_t looked_at_ = 0;
  // The last step of a shortest path to a node.
  struct Origin {
    NodeId before;
    model::RuleId rule;
  };
  std::deque<Origin> came_from_;             // by node
  std::vector<std::vector<bool>> can_fail_;  // by steps less one, and by node
  std::vector<model::RuleId> path_;
  Paths result_;
};

// An octagon that was reached, and how.
struct Found {
  Octagon zone;
  std::optional<std::size_t> from;  // the octagon it came from, by number; none at the start
  model::RuleId rule;
  model::StateId state;
  std::size_t steps = 0;
  bool covered = false;  // another one that was reached with as many steps includes it
};

// reached(): a worklist. found_ has all octagons in the order of discovery, so that their numbers
// lead back along a shortest path; those that are covered by another one are not followed.
class Fixpoint {
 public:
  Fixpoint(const System& system, const ZoneSystem& zones, const Effort& effort, const Aim& aim)
      : system_(system),
        zones_(zones),
        notes_(system, zones, effort.budget()),
        effort_(effort),
        aim_(aim),
        next_look_(std::min(kFirstLook * system.model->states.size(), kLatestFirstLook)) {}

  Reached reached() {
    result_.by_state.resize(system_.model->states.size());
    for (Octagon& zone : zones_.start()) {
      add({std::move(zone), std::nullopt, {}, system_.model->initial, 0});
    }
    for (std::size_t next = 0; next < found_.size(); ++next) {
      if (found_.size() > most_zones()) {
        return give_up("there is no end to the values that come up");
      }
      if (const Exhausted exhausted = effort_.exhausted(); exhausted != Exhausted::No) {
        return give_up(std::string(reason(exhausted)));
      }
      if (is_settled()) return give_up("");
      effort_.tell({Progress::Of::Octagons, next, found_[next].steps + 1});
      if (found_[next].covered) continue;
      if (!follow(next)) {
        result_.fits = false;
        return std::move(result_);
      }
      if (const Exhausted seen = effort_.budget().seen(); seen != Exhausted::No) {
        return give_up(std::string(reason(seen)));
      }
      result_.steps = found_[next].steps + 1;
      if (aim_.until != nullptr && std::ranges::any_of(result_.hazards, [&](const Hazard& hazard) {
            return at_same_place(hazard, *aim_.until);
          })) {
        return finished();
      }
    }
    result_.finished = true;
    return finished();
  }

 private:
  // After how many octagons divergence is looked for: so many per state, but at most so many.
  static constexpr std::size_t kFirstLook = 250;
  static constexpr std::size_t kLatestFirstLook = 2'500;

  bool is_settled() {
    if (!aim_.settled || found_.size() < next_look_) return false;
    next_look_ *= 4;
    return result_.hazards.empty() && Divergence(system_, zones_).shows_in(found_) &&
           aim_.settled();
  }

  // Models of cars that decide in every state need some 150 octagons per rule.
  [[nodiscard]] std::size_t most_zones() const {
    constexpr std::size_t kLeast = 20'000;
    constexpr std::size_t kPerRule = 500;
    return std::max(kLeast, kPerRule * system_.model->rules.size());
  }

  Reached give_up(std::string why) {
    result_.stopped = std::move(why);
    return finished();
  }

  Reached finished() {
    result_.zones = found_.size();
    result_.happenings = notes_.take();
    if (result_.finished) note_by_state();
    sort_hazards(result_.hazards);
    return std::move(result_);
  }

  // None of the kept octagons includes another: add() sees to that.
  void note_by_state() {
    for (const std::vector<Kept>& kept : kept_of_) {
      for (const Kept& one : kept) {
        result_.by_state[found_[one.index].state.index].push_back(found_[one.index].zone);
      }
    }
    for (Zones& zones : result_.by_state) sort_by_hash(zones);
  }

  void add(Found made) {
    kept_of_.resize(system_.model->states.size());
    std::vector<Kept>& kept = kept_of_[made.state.index];
    const Octagon::Extent extent = made.zone.extent();
    for (Kept& other : kept) {
      if (!reaches(other.extent, extent) || !found_[other.index].zone.includes(made.zone)) continue;
      // An octagon that includes one often includes the next: move it to the front.
      std::swap(other, kept.front());
      return;
    }
    std::erase_if(kept, [&](const Kept& other) {
      if (!reaches(extent, other.extent)) return false;
      Found& inside = found_[other.index];
      if (!made.zone.includes(inside.zone)) return false;
      // What was reached with fewer steps is followed all the same: the shortest path to a hazard
      // may go on from there.
      inside.covered = inside.steps == made.steps;
      return true;
    });
    kept.push_back({extent, found_.size()});
    found_.push_back(std::move(made));
  }

  // a >= b on all sides. One comparison at the end, because a branch per side would often be
  // mispredicted.
  static bool reaches(const Octagon::Extent& a, const Octagon::Extent& b) {
    std::int32_t differences = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differences |= a[i] - b[i];
    return differences >= 0;
  }

  // Makes all moves from the octagon, as long as the budget lasts. False if zones do not fit.
  bool follow(std::size_t index) {
    const model::StateId state = found_[index].state;
    const std::size_t steps = found_[index].steps + 1;
    const std::vector<Move>& moves = system_.moves[state.index];
    const Zones before = {found_[index].zone};
    notes_.note(before, state);
    for (std::size_t move = 0; move < moves.size(); ++move) {
      ZoneSystem::Outcome outcome = zones_.outcome(before, state, move, effort_.budget());
      if (!outcome.exact) return false;
      if (!outcome.finished) return true;
      notes_.note(before, state, move, outcome);
      for (const ZoneSystem::Failing& failing : outcome.failing) {
        note({.state = state,
              .rule = moves[move].rule,
              .act = failing.act,
              .failure = failing.failure,
              .first = steps,
              .shortest = {},
              .paths = {}},
             index);
      }
      for (Octagon& zone : outcome.after) {
        add({std::move(zone), index, moves[move].rule, moves[move].to, steps});
      }
    }
    return true;
  }

  // Octagons are followed in the order of steps, so the first path to a hazard is a shortest one.
  void note(Hazard hazard, std::size_t index) {
    for (const Hazard& other : result_.hazards) {
      if (at_same_place(other, hazard)) return;
    }
    hazard.shortest = {hazard.rule};
    for (std::optional<std::size_t> at = index; found_[*at].from; at = found_[*at].from) {
      hazard.shortest.push_back(found_[*at].rule);
    }
    std::ranges::reverse(hazard.shortest);
    result_.hazards.push_back(std::move(hazard));
  }

  const System& system_;
  const ZoneSystem& zones_;
  ZoneNotes notes_;
  const Effort& effort_;
  const Aim& aim_;
  std::size_t next_look_;  // for divergence: at this number of octagons
  std::deque<Found> found_;
  // An octagon that no other one covers. Extents are stored side by side, because comparing them is
  // nearly all of the work.
  struct Kept {
    Octagon::Extent extent;
    std::size_t index;
  };
  std::vector<std::vector<Kept>> kept_of_;  // by state
  Reached result_;
};

}  // namespace

Paths paths_by_zones(const System& system, const ZoneSystem& zones, std::size_t bound,
                     std::size_t most, const Effort& effort) {
  return Counter(system, zones, bound, most, effort).counted();
}

Reached reached(const System& system, const ZoneSystem& zones, const Effort& effort,
                const Aim& aim) {
  return Fixpoint(system, zones, effort, aim).reached();
}

}  // namespace poise::verify
