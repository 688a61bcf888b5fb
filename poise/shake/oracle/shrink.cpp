#include "poise/shake/oracle/shrink.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

namespace poise::shake {

namespace {

template <class AnyFlow>
auto at(AnyFlow& flow, std::size_t index) {
  return flow.begin() + static_cast<std::ptrdiff_t>(index);
}

class Shrinker {
 public:
  Shrinker(const Grid& grid, const std::function<bool(const Flow&)>& fails, std::size_t most)
      : grid_(grid), fails_(fails), most_(most), origin_(origin_of(grid)) {}

  Shrunk small(Flow flow) {
    if (!still_fails(flow)) return {std::move(flow), executions_, !exhausted_};
    while (true) {
      Flow next = moved(thinned(cut(flow)));
      if (next == flow) break;
      flow = std::move(next);
    }
    return {std::move(flow), executions_, !exhausted_};
  }

 private:
  bool still_fails(const Flow& flow) {
    if (flow.empty()) return false;
    const auto known = known_.find(flow);
    if (known != known_.end()) return known->second;
    if (executions_ >= most_) {
      exhausted_ = true;
      return false;
    }
    ++executions_;
    const bool result = fails_(flow);
    known_.emplace(flow, result);
    return result;
  }

  // The shortest beginning that fails. By bisection: a flow fails if its beginning does.
  Flow cut(const Flow& flow) {
    std::size_t low = 0;  // the first `low` ticks do not fail
    std::size_t high = flow.size();
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (still_fails(Flow(flow.begin(), at(flow, middle))) ? high : low) = middle;
    }
    return Flow(flow.begin(), at(flow, high));
  }

  // ddmin: leaves out parts of the flow, from halves down to single instances. In the last round
  // each single instance is left out in turn, and none can be spared.
  Flow thinned(Flow flow) {
    std::size_t parts = 2;
    while (flow.size() >= 2) {
      parts = std::min(parts, flow.size());
      bool less = false;
      for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t first = part * flow.size() / parts;
        const std::size_t last = (part + 1) * flow.size() / parts;
        Flow rest(flow.begin(), at(flow, first));
        rest.insert(rest.end(), at(flow, last), flow.end());
        if (!still_fails(rest)) continue;
        flow = std::move(rest);
        parts = std::max<std::size_t>(parts - 1, 2);
        less = true;
        break;
      }
      if (less) continue;
      if (parts == flow.size()) break;
      parts *= 2;
    }
    return flow;
  }

  Flow moved(Flow flow) {
    bool again = true;
    while (again) {
      again = false;
      for (const bool together : {true, false}) {
        for (std::size_t first = 0; first < flow.size();) {
          std::size_t last = first + 1;
          while (together && last < flow.size() && flow[last] == flow[first]) ++last;
          again |= whole_to_origin(flow, first, last);
          first = last;
        }
        for (std::size_t property = 0; property < grid_.properties.size(); ++property) {
          for (std::size_t first = 0; first < flow.size();) {
            std::size_t last = first + 1;
            while (together && last < flow.size() &&
                   flow[last][property] == flow[first][property]) {
              ++last;
            }
            again |= nearer(flow, first, last, property);
            first = last;
          }
        }
      }
    }
    return flow;
  }

  bool whole_to_origin(Flow& flow, std::size_t first, std::size_t last) {
    if (!origin_ || flow[first] == *origin_) return false;
    Flow candidate = flow;
    std::fill(at(candidate, first), at(candidate, last), *origin_);
    if (!still_fails(candidate)) return false;
    flow = std::move(candidate);
    return true;
  }

  // Moves the property's value at these ticks to its origin, or as near to it as the flow fails.
  bool nearer(Flow& flow, std::size_t first, std::size_t last, std::size_t property) {
    const Property& about = grid_.properties[property];
    if (flow[first][property] == kNoValue || flow[first][property] == about.origin) return false;
    if (try_value(flow, first, last, property, about.origin)) return true;
    if (about.kind == Property::Kind::Label) return false;
    bool result = false;
    // Steps of half the way, then shorter and shorter ones.
    Index step = static_cast<Index>(distance(about, flow[first][property]) / 2);
    while (step > 0) {
      const Index here = flow[first][property];
      const Index there = static_cast<Index>(here > about.origin ? here - step : here + step);
      if (distance(about, here) > step && try_value(flow, first, last, property, there)) {
        result = true;
      } else {
        step = static_cast<Index>(step / 2);
      }
    }
    return result;
  }

  bool try_value(Flow& flow, std::size_t first, std::size_t last, std::size_t property,
                 Index value) {
    Flow candidate = flow;
    for (std::size_t tick = first; tick < last; ++tick) {
      candidate[tick][property] = value;
      respect_guards(candidate[tick]);
      if (!is_valid(grid_, candidate[tick])) return false;
    }
    if (!still_fails(candidate)) return false;
    flow = std::move(candidate);
    return true;
  }

  // Takes values away where guards do not hold; where they do, missing values become the origin.
  void respect_guards(Instance& instance) const {
    for (std::size_t i = 0; i < instance.size(); ++i) {
      const Property& property = grid_.properties[i];
      if (!property.guard) continue;
      const Index guard = instance[*property.guard];
      const bool has_value =
          guard != kNoValue && value_of(grid_.properties[*property.guard], guard) != 0;
      if (!has_value) instance[i] = kNoValue;
      if (has_value && instance[i] == kNoValue) instance[i] = property.origin;
    }
  }

  static std::size_t distance(const Property& property, Index index) {
    return index > property.origin ? index - property.origin : property.origin - index;
  }

  const Grid& grid_;
  const std::function<bool(const Flow&)>& fails_;
  std::size_t most_;
  std::optional<Instance> origin_;
  std::map<Flow, bool> known_;
  std::size_t executions_ = 0;
  bool exhausted_ = false;
};

}  // namespace

Shrunk shrunk(const Grid& grid, const Flow& flow, const std::function<bool(const Flow&)>& fails,
              const ShrinkOptions& options) {
  return Shrinker(grid, fails, options.most_executions).small(flow);
}

}  // namespace poise::shake
