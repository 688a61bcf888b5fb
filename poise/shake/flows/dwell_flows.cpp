#include "poise/shake/flows/dwell_flows.h"

#include <algorithm>
#include <functional>
#include <tuple>

#include "poise/shake/flows/shapes.h"

namespace poise::shake {

namespace {

constexpr int kCandidates = 24;
// Ticks to hold where it is not known what a subject waits for.
constexpr std::size_t kUsualDwells[] = {15, 12, 20, 30};

// Lengths of holds for some waits. First two ticks more than each wait, the longest first, because
// such a hold also sees shorter waits end; then about as long as the wait, a tick too short for it,
// and twice as long.
std::vector<std::size_t> lengths_for(std::vector<std::size_t> dwells) {
  std::vector<std::size_t> lengths;
  std::ranges::sort(dwells, std::greater<>());
  for (const std::size_t dwell : dwells) lengths.push_back(dwell + 2);
  for (const std::size_t dwell : dwells) {
    lengths.push_back(dwell + 1);
    lengths.push_back(std::max<std::size_t>(dwell, 2) - 1);
    lengths.push_back(dwell * 2);
  }
  if (dwells.empty()) lengths.assign(std::begin(kUsualDwells), std::end(kUsualDwells));
  return lengths;
}

// The first five are those of DwellFlows::Lead, in its order.
enum class Kind { Down, Up, Jump, Rise, Fall, OneHolds, AllChange, Tied };

void hold(Flow& flow, const Instance& instance, std::size_t ticks, std::size_t length) {
  for (std::size_t i = 0; i < ticks && flow.size() < length; ++i) flow.push_back(instance);
}

}  // namespace

DwellFlows::DwellFlows(const Moves& moves, const Elements& elements,
                       const std::vector<std::size_t>& dwells)
    : moves_(&moves), elements_(&elements), dwells_(lengths_for(dwells)), pairs_(elements.pairs()) {
  led_.fill(pairs_);
  shortest_ =
      dwells.empty() ? *std::ranges::min_element(dwells_) : *std::ranges::max_element(dwells) + 2;
  const std::vector<Property>& properties = moves.grid().properties;
  for (std::size_t k = 0; k < properties.size(); ++k) {
    boundary_.push_back(boundary_values(properties[k]));
    times_.emplace_back(properties[k].values.size());
    if (properties[k].kind != Property::Kind::Number) continue;
    for (std::size_t other = 0; other < k; ++other) {
      if (properties[other].kind == Property::Kind::Number &&
          std::ranges::any_of(properties[k].values, [&](double value) {
            return std::ranges::binary_search(properties[other].values, value);
          })) {
        ties_.emplace_back(other, k);
      }
    }
  }
  // A property leads once for every four of its boundary values. Booleans do not lead: their values
  // get held often enough while other properties lead.
  for (std::size_t round = 0; round < 4; ++round) {
    for (std::size_t k = 0; k < properties.size(); ++k) {
      if (round * 4 < boundary_[k].size() &&
          (boundary_[k].size() > 2 || properties[k].kind == Property::Kind::Number)) {
        leads_.push_back(k);
      }
    }
  }
  for (const int round : {0, 1, 2}) {
    for (std::size_t k = 0; k < properties.size(); ++k) {
      if ((properties[k].kind == Property::Kind::Number) == (round < 2)) switches_.push_back(k);
    }
  }
  for (std::size_t k = 0; leads_.empty() && k < properties.size(); ++k) leads_.push_back(k);
}

Instance DwellFlows::wanted(Random& random) const {
  Instance instance;
  const std::vector<Property>& properties = moves_->grid().properties;
  for (std::size_t k = 0; k < boundary_.size(); ++k) {
    instance.push_back(random.below(5) > 0
                           ? boundary_[k][random.below(boundary_[k].size())]
                           : static_cast<Index>(random.below(properties[k].values.size())));
  }
  if (!ties_.empty() && random.below(3) == 0) {
    const auto [a, b] = ties_[random.below(ties_.size())];
    const std::vector<double>& values = properties[b].values;
    const double value = properties[a].values[instance[a]];
    const auto equal = std::ranges::lower_bound(values, value);
    if (equal != values.end() && *equal == value) {
      instance[b] = static_cast<Index>(equal - values.begin());
    }
  }
  return instance;
}

std::size_t DwellFlows::news_of(const Instance& instance,
                                const std::vector<std::uint8_t>& pairs) const {
  std::size_t news = 0;
  const std::size_t count = instance.size();
  for (std::size_t a = 0; a < count; ++a) {
    if (instance[a] != kNoValue && times_[a][instance[a]] == 0) ++news;
    for (std::size_t b = a + 1; b < count; ++b) {
      const std::uint32_t pair = elements_->pair(a, b, instance[a], instance[b]);
      if (pair != Elements::kNone && pairs[pair] == 0) ++news;
    }
  }
  for (const auto& [a, b] : ties_) {
    if (instance[a] == kNoValue || instance[b] == kNoValue) continue;
    const std::vector<Property>& properties = moves_->grid().properties;
    if (properties[a].values[instance[a]] == properties[b].values[instance[b]] &&
        times_[a][instance[a]] == 0) {
      ++news;
    }
  }
  return news;
}

void DwellFlows::note(const Instance& instance, std::vector<std::uint8_t>& pairs) {
  const std::size_t count = instance.size();
  for (std::size_t a = 0; a < count; ++a) {
    if (instance[a] != kNoValue) ++times_[a][instance[a]];
    for (std::size_t b = a + 1; b < count; ++b) {
      const std::uint32_t pair = elements_->pair(a, b, instance[a], instance[b]);
      if (pair != Elements::kNone) pairs[pair] = 1;
    }
  }
}

std::vector<Index> DwellFlows::least_held(std::size_t property, std::size_t count,
                                          Random& random) const {
  std::vector<Index> values = boundary_[property];
  random.shuffle(std::span(values));
  std::ranges::stable_sort(values, {}, [&](Index value) { return times_[property][value]; });
  values.resize(std::min(values.size(), count));
  random.shuffle(std::span(values));
  return values;
}

Flow DwellFlows::next(std::size_t length, Random& random) {
  using enum Kind;
  constexpr std::array kKinds = {Down,     Fall, Up, Tied, Rise, Down,
                                 OneHolds, Fall, Up, Jump, Rise, AllChange};
  if (kKinds[made_ % kKinds.size()] == Tied && ties_.empty()) ++made_;
  const Kind kind = kKinds[made_++ % kKinds.size()];
  const std::size_t turn = turns_[static_cast<std::size_t>(kind)]++;
  const std::size_t dwell =
      std::clamp<std::size_t>(dwells_[turn % dwells_.size()], 1, std::max<std::size_t>(1, length));
  switch (kind) {
    case Down: return one_leads(Lead::Down, length, dwell, random);
    case Up: return one_leads(Lead::Up, length, dwell, random);
    case Jump: return one_leads(Lead::Jump, length, dwell, random);
    case Rise: return one_leads(Lead::Rise, length, dwell, random);
    case Fall: return one_leads(Lead::Fall, length, dwell, random);
    case OneHolds: return one_holds(length, dwell, random);
    case AllChange: return all_change(length, dwell, random);
    case Tied:
      return tied(length, std::clamp(length / 3, std::min(shortest_, length), length), random);
  }
  return {};
}

std::vector<DwellFlows::Stop> DwellFlows::stops_of(Lead kind, std::size_t lead, std::size_t length,
                                                   std::size_t dwell, Random& random) const {
  const auto last = static_cast<Index>(moves_->grid().properties[lead].values.size() - 1);
  std::vector<Stop> stops;
  switch (kind) {
    case Lead::Down:
    case Lead::Up: {
      // All boundary values, if there is time to hold each; else those held least often.
      const std::size_t all = boundary_[lead].size();
      const std::size_t ticks = all * shortest_ <= length ? length / all : dwell;
      std::vector<Index> values =
          least_held(lead, std::max<std::size_t>(2, length / ticks), random);
      std::ranges::sort(values);
      if (kind == Lead::Down) std::ranges::reverse(values);
      for (const Index value : values) stops.push_back({.value = value, .ticks = ticks});
      break;
    }
    case Lead::Jump: {
      const std::size_t ticks = std::max<std::size_t>(1, length / 10);
      bool low = random.coin();
      for (const Index value :
           least_held(lead, std::max<std::size_t>(1, length / ticks / 2), random)) {
        stops.push_back({.value = low ? Index{0} : last, .ticks = ticks});
        stops.push_back({.value = value, .ticks = ticks});
        low = !low;
      }
      break;
    }
    case Lead::Rise:
    case Lead::Fall: {
      // Mostly an end of the range, so that what grows or shrinks tick by tick has time to get far.
      const std::vector<Index>& values = boundary_[lead];
      const std::size_t half = std::max<std::size_t>(1, values.size() / 2);
      const Index low = random.below(3) > 0 ? Index{0} : values[random.below(half)];
      const Index high =
          random.below(3) > 0 ? last : values[values.size() - 1 - random.below(half)];
      const bool rises = kind == Lead::Rise;
      // At last back to the first value: there a latch differs from a plain condition.
      const std::size_t first = std::max<std::size_t>(1, length / 4);
      const std::size_t back = length / 8;
      stops.push_back({.value = rises ? low : high, .ticks = first});
      stops.push_back({.value = rises ? high : low,
                       .ticks = std::max<std::size_t>(first + back + 1, length) - first - back});
      stops.push_back({.value = rises ? low : high, .ticks = std::max<std::size_t>(1, back)});
      break;
    }
  }
  return stops;
}

Flow DwellFlows::one_leads(Lead kind, std::size_t length, std::size_t dwell, Random& random) {
  std::vector<std::uint8_t>& pairs = led_[static_cast<std::size_t>(kind)];
  const std::size_t turn = turns_[static_cast<std::size_t>(kind)] - 1;
  const std::size_t lead =
      kind == Lead::Rise || kind == Lead::Fall ? switches_[turn % switches_.size()] : lead_of(turn);
  const std::vector<Stop> stops = stops_of(kind, lead, length, dwell, random);
  Instance others;
  std::size_t most = 0;
  for (int i = 0; i < kCandidates; ++i) {
    // Drawn in a statement of its own: the order in which arguments are evaluated is unspecified,
    // and flows must be the same with every compiler.
    const auto aim = wanted(random);
    const Instance candidate = moves_->towards(moves_->random_instance(random), aim);
    std::size_t news = 1;
    for (const Stop& stop : stops) {
      if (const auto instance = moves_->changed(candidate, lead, stop.value)) {
        news += 1 + news_of(*instance, pairs);
      }
    }
    if (news > most) {
      most = news;
      others = candidate;
    }
  }
  Flow flow;
  Instance at = others;
  for (std::size_t i = 0; flow.size() < length; ++i) {
    const Stop& stop = stops[i % stops.size()];
    Instance goal = others;
    goal[lead] = stop.value;
    at = moves_->towards(at, goal);
    note(at, pairs);
    hold(flow, at, stop.ticks, length);
  }
  return flow;
}

Flow DwellFlows::one_holds(std::size_t length, std::size_t dwell, Random& random) {
  Flow flow;
  const std::size_t lead = lead_of(turns_[static_cast<std::size_t>(Kind::OneHolds)] - 1);
  const std::vector<Index> values =
      least_held(lead, std::max<std::size_t>(1, length / dwell), random);
  const std::vector<Property>& properties = moves_->grid().properties;
  for (std::size_t i = 0; flow.size() < length; ++i) {
    Instance at = moves_->random_instance(random);
    for (int tries = 0; tries < kCandidates; ++tries) {
      if (auto next = moves_->changed(at, lead, values[i % values.size()])) {
        at = std::move(*next);
        break;
      }
      at = moves_->random_instance(random);
    }
    if (at[lead] != kNoValue) ++times_[lead][at[lead]];
    const bool far = random.coin();
    for (std::size_t tick = 0; tick < dwell && flow.size() < length; ++tick) {
      flow.push_back(at);
      for (std::size_t k = 0; k < properties.size(); ++k) {
        // Numbers move; booleans and labels are modes, and switch now and then.
        const bool number = properties[k].kind == Property::Kind::Number;
        if (k == lead || at[k] == kNoValue || moves_->is_guard(k)) continue;
        if (!number && random.below(2 * dwell) > 0) continue;
        const std::size_t last = properties[k].values.size() - 1;
        const std::size_t value =
            far || !number ? random.below(last + 1)
                           : std::min(last, at[k] + random.below(3) - (at[k] > 0 ? 1 : 0));
        if (auto next = moves_->changed(at, k, static_cast<Index>(value))) at = std::move(*next);
      }
    }
  }
  return flow;
}

Flow DwellFlows::all_change(std::size_t length, std::size_t dwell, Random& random) {
  Flow flow;
  Instance at = moves_->random_instance(random);
  while (flow.size() < length) {
    Instance best = at;
    std::size_t most = 0;
    for (int i = 0; i < kCandidates; ++i) {
      Instance candidate = moves_->towards(at, wanted(random));
      const std::size_t news = 1 + news_of(candidate, pairs_);
      if (candidate != at && news > most) {
        most = news;
        best = std::move(candidate);
      }
    }
    at = best;
    note(at, pairs_);
    hold(flow, at, dwell, length);
  }
  return flow;
}

// Two properties are equal, at one common value after another. Guards are set, so that both
// properties have values.
Flow DwellFlows::tied(std::size_t length, std::size_t dwell, Random& random) {
  const auto [a, b] = ties_[(turns_[static_cast<std::size_t>(Kind::Tied)] - 1) % ties_.size()];
  const std::vector<Property>& properties = moves_->grid().properties;
  std::vector<std::pair<Index, Index>> equal;
  for (std::size_t i = 0; i < properties[a].values.size(); ++i) {
    const std::vector<double>& values = properties[b].values;
    const auto same = std::ranges::lower_bound(values, properties[a].values[i]);
    if (same == values.end() || *same != properties[a].values[i]) continue;
    equal.emplace_back(static_cast<Index>(i), static_cast<Index>(same - values.begin()));
  }
  random.shuffle(std::span(equal));
  Flow flow;
  Instance at = moves_->random_instance(random);
  for (std::size_t i = 0; flow.size() < length; ++i) {
    Instance goal = wanted(random);
    for (std::size_t k = 0; k < goal.size(); ++k) {
      if (moves_->is_guard(k)) goal[k] = 1;
    }
    std::tie(goal[a], goal[b]) = equal[i % equal.size()];
    at = moves_->towards(at, goal);
    note(at, pairs_);
    hold(flow, at, dwell, length);
  }
  return flow;
}

Flow covering_flow(const Moves& moves, const Covered& covered, std::size_t length, Random& random) {
  constexpr int kDraws = 24;
  constexpr std::size_t kPairs = 3;  // a new pair counts as much as three new turns
  Covered seen = covered;
  Flow flow;
  while (flow.size() < length) {
    Flow best;
    std::size_t most = 0;
    for (int i = 0; i < kDraws; ++i) {
      Flow step;
      if (!flow.empty()) step.push_back(flow.back());
      step.push_back(moves.random_instance(random));
      const Covered::Gain gain = seen.gain_of(step);
      if (best.empty() || kPairs * gain.pairs + gain.turns > most) {
        most = kPairs * gain.pairs + gain.turns;
        best = std::move(step);
      }
    }
    seen.add(best);
    flow.push_back(std::move(best.back()));
  }
  return flow;
}

}  // namespace poise::shake
