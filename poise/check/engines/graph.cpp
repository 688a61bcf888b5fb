#include "poise/check/engines/graph.h"

#include <algorithm>

namespace poise::check {

using model::StateId;

bool can_come_back(const model::Model& model, const std::vector<StateId>& starts) {
  enum class Seen : std::uint8_t { No, OnTheWay, Done };
  std::vector<Seen> seen(model.states.size(), Seen::No);
  struct Step {
    StateId state;
    std::size_t next;  // rule
  };
  for (const StateId start : starts) {
    if (seen[start.index] != Seen::No) continue;
    std::vector<Step> way = {{start, 0}};
    seen[start.index] = Seen::OnTheWay;
    while (!way.empty()) {
      Step& here = way.back();
      if (here.next == model.states[here.state].rules.size()) {
        seen[here.state.index] = Seen::Done;
        way.pop_back();
        continue;
      }
      const StateId to = model.rules[model.states[here.state].rules[here.next++]].to;
      if (seen[to.index] == Seen::OnTheWay) return true;
      if (seen[to.index] == Seen::Done) continue;
      seen[to.index] = Seen::OnTheWay;
      way.push_back({to, 0});
    }
  }
  return false;
}

const std::vector<Nearness::Near>& Nearness::to_where(StateId from) {
  std::vector<Near>& near = near_[from.index];
  if (!near.empty() || model_.states[from].rules.empty()) return near;
  const auto add_from = [&](StateId state, std::uint32_t firings) {
    for (const model::RuleId rule : model_.states[state].rules) {
      const StateId to = model_.rules[rule].to;
      if (seen_[to.index] == from.index + 1) continue;
      seen_[to.index] = from.index + 1;
      near.push_back({to, firings});
    }
  };
  add_from(from, 1);
  for (std::size_t i = 0; i < near.size() && near[i].firings < kFar; ++i) {
    add_from(near[i].state, near[i].firings + 1);
  }
  return near;
}

std::uint32_t Nearness::firings_around(StateId state) {
  for (const Near& near : to_where(state)) {
    if (near.state == state) return near.firings;
  }
  return kFar + 1;
}

std::uint32_t Nearness::firings_to_close(StateId from) {
  std::uint32_t& least = to_close_[from.index];
  if (least != 0) return least;
  least = firings_around(from);
  for (const Near& near : to_where(from)) {
    if (near.firings >= least) break;
    least = std::min(least, near.firings + firings_around(near.state));
  }
  return least;
}

}  // namespace poise::check
