#include "poise/verify/explore.h"

#include <algorithm>
#include <deque>
#include <map>

#include "poise/verify/drift.h"

namespace poise::verify {

using NodeId = ZoneGraph::NodeId;

namespace {

bool precedes(const Hazard& a, const Hazard& b) {
  const auto key = [](const Hazard& hazard) {
    return std::tuple(hazard.first, hazard.state, hazard.rule, hazard.act, hazard.failure);
  };
  return key(a) < key(b);
}

class Counter {
 public:
  Counter(const System& system, const ZoneSystem& zones, std::size_t bound, std::size_t most,
          const Effort& effort)
      : system_(system), graph_(system, zones), bound_(bound), most_(most), effort_(effort) {}

  Paths counted() {
    if (graph_.start()) {
      count();
      if (result_.fits) list();
    }
    std::ranges::sort(result_.hazards, precedes);
    return std::move(result_);
  }

 private:
  // How many paths of a length lead to a node.
  using Layer = std::map<NodeId, Integer>;

  void count() {
    Layer layer = {{*graph_.start(), 1}};
    came_from_.try_emplace(*graph_.start(), *graph_.start(), model::RuleId{});
    for (std::size_t length = 1; length <= bound_ && !layer.empty(); ++length) {
      Layer next;
      Integer possible = 0;
      Integer failing = 0;
      for (const auto& [id, paths] : layer) {
        if (const Exhausted exhausted = effort_.exhausted(); exhausted != Exhausted::No) {
          result_.stopped = reason(exhausted);
          return;
        }
        effort_.tell({Progress::Of::Octagons, looked_at_++, length});
        const std::vector<ZoneGraph::Edge>* edges = graph_.edges(id);
        if (edges == nullptr) {
          result_.fits = false;
          return;
        }
        for (const ZoneGraph::Edge& edge : *edges) {
          possible = possible + paths;
          if (edge.to) {
            next[*edge.to] = next[*edge.to] + paths;
            came_from_.try_emplace(*edge.to, id, rule_of(id, edge));
          }
          for (const ZoneGraph::Fails& fails : edge.failing) {
            if (is_first(edge, fails)) failing = failing + paths;
            note(id, edge, fails, length, paths);
          }
        }
      }
      result_.possible.push_back(possible);
      result_.failing.push_back(failing);
      lengths_ = length;
      layer = std::move(next);
    }
  }

  // Whether the failure cannot happen after an earlier act of the same rule.
  static bool is_first(const ZoneGraph::Edge& edge, const ZoneGraph::Fails& fails) {
    return std::ranges::find(edge.failing, fails.failure, &ZoneGraph::Fails::failure)->act ==
           fails.act;
  }

  void note(NodeId id, const ZoneGraph::Edge& edge, const ZoneGraph::Fails& fails,
            std::size_t length, const Integer& paths) {
    const model::StateId state = graph_.node(id).state;
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
    return system_.moves[graph_.node(id).state.index][edge.move].rule;
  }

  // A shortest one to the node, and a rule more.
  [[nodiscard]] std::vector<model::RuleId> path_to(NodeId id, model::RuleId last) const {
    std::vector<model::RuleId> path = {last};
    while (id != *graph_.start()) {
      const auto& [before, rule] = came_from_.at(id);
      path.push_back(rule);
      id = before;
    }
    std::ranges::reverse(path);
    return path;
  }

  // Whether a path of exactly so many steps from a node fails at its end.
  bool can_fail(NodeId id, std::size_t steps) {
    const auto [known, is_new] = can_fail_.try_emplace({id, steps}, false);
    if (!is_new) return known->second;
    bool can = false;
    if (const auto* edges = graph_.edges(id)) {
      for (const ZoneGraph::Edge& edge : *edges) {
        can =
            can || (steps == 1 ? !edge.failing.empty() : edge.to && can_fail(*edge.to, steps - 1));
      }
    }
    can_fail_[{id, steps}] = can;
    return can;
  }

  void list() {
    for (std::size_t length = 1; length <= lengths_ && result_.complete; ++length) {
      if (can_fail(*graph_.start(), length)) list_from(*graph_.start(), length);
    }
  }

  void list_from(NodeId id, std::size_t steps) {
    const std::vector<ZoneGraph::Edge>* edges = graph_.edges(id);
    const model::StateId state = graph_.node(id).state;
    for (std::size_t i = 0; i < edges->size() && result_.complete; ++i) {
      const ZoneGraph::Edge& edge = (*graph_.edges(id))[i];
      path_.push_back(system_.moves[state.index][edge.move].rule);
      if (steps == 1) {
        for (const ZoneGraph::Fails& fails : edge.failing) add(edge, fails);
      } else if (edge.to && can_fail(*edge.to, steps - 1)) {
        list_from(*edge.to, steps - 1);
      }
      path_.pop_back();
    }
  }

  void add(const ZoneGraph::Edge& edge, const ZoneGraph::Fails& fails) {
    if (!is_first(edge, fails)) return;
    if (result_.listed.size() == most_) {
      result_.complete = false;
      return;
    }
    FailingPath& made =
        result_.listed.emplace_back(FailingPath{fails.failure, path_, fails.act, {}});
    for (const ZoneGraph::Fails& other : edge.failing) {
      if (other.failure == fails.failure && other.act > fails.act) made.later.push_back(other.act);
    }
  }

  const System& system_;
  ZoneGraph graph_;
  std::size_t bound_;
  std::size_t most_;
  const Effort& effort_;
  std::size_t lengths_ = 0;
  std::size_t looked_at_ = 0;
  std::map<NodeId, std::pair<NodeId, model::RuleId>> came_from_;  // on a shortest path
  std::map<std::pair<NodeId, std::size_t>, bool> can_fail_;
  std::vector<model::RuleId> path_;
  Paths result_;
};

// A zone that was reached, and how.
struct Found {
  Octagon zone;
  std::optional<std::size_t> from;  // none at the start
  model::RuleId rule;
  model::StateId state;
  std::size_t steps = 0;
  bool covered = false;  // something larger has been found since
};

class Fixpoint {
 public:
  Fixpoint(const System& system, const ZoneSystem& zones, const Effort& effort, const Aim& aim)
      : system_(system),
        zones_(zones),
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
  static constexpr std::size_t kFirstLook = 250;          // octagons, for each state
  static constexpr std::size_t kLatestFirstLook = 2'500;  // octagons

  bool is_settled() {
    if (!aim_.settled || found_.size() < next_look_) return false;
    next_look_ *= 4;
    return result_.hazards.empty() && Drift(system_, zones_).shows_in(found_) && aim_.settled();
  }

  // Some 150 come up for each rule of a car that decides in every state.
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
    for (const std::vector<Kept>& kept : kept_of_) {
      for (const Kept& one : kept) {
        result_.by_state[found_[one.index].state.index].push_back(found_[one.index].zone);
      }
    }
    for (Zones& zones : result_.by_state) tidy(zones);
    std::ranges::sort(result_.hazards, precedes);
    return std::move(result_);
  }

  void add(Found made) {
    kept_of_.resize(system_.model->states.size());
    std::vector<Kept>& kept = kept_of_[made.state.index];
    const Octagon::Extent extent = made.zone.extent();
    for (Kept& other : kept) {
      if (!reaches(other.extent, extent) || !found_[other.index].zone.includes(made.zone)) continue;
      // What includes one thing often includes the next: it is looked at first.
      std::swap(other, kept.front());
      return;
    }
    std::erase_if(kept, [&](const Kept& other) {
      if (!reaches(extent, other.extent)) return false;
      Found& inside = found_[other.index];
      inside.covered = made.zone.includes(inside.zone);
      return inside.covered;
    });
    kept.push_back({extent, found_.size()});
    found_.push_back(std::move(made));
  }

  // All sides at once: a branch for each would often be foreseen wrongly.
  static bool reaches(const Octagon::Extent& a, const Octagon::Extent& b) {
    std::int32_t differences = 0;
    for (std::size_t i = 0; i < a.size(); ++i) differences |= a[i] - b[i];
    return differences >= 0;
  }

  // Whether it could be followed.
  bool follow(std::size_t index) {
    const model::StateId state = found_[index].state;
    const std::size_t steps = found_[index].steps + 1;
    const std::vector<Move>& moves = system_.moves[state.index];
    for (std::size_t move = 0; move < moves.size(); ++move) {
      ZoneSystem::Outcome outcome = zones_.outcome({found_[index].zone}, state, move);
      if (!outcome.exact) return false;
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

  // Zones come in the order of steps, so the first is a shortest.
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
  const Effort& effort_;
  const Aim& aim_;
  std::size_t next_look_;  // when so many octagons have been found
  std::deque<Found> found_;
  // What is not covered. Extents stand side by side, because nearly all that is done is to compare
  // them.
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

bool at_same_place(const Hazard& a, const Hazard& b) {
  return a.state == b.state && a.rule == b.rule && a.act == b.act && a.failure == b.failure;
}

}  // namespace poise::verify
