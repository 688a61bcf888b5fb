#include "poise/shake/oracle/shrink.h"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace poise::shake {

namespace {

// Flows of other contexts than those of the flow are tried if there are not more contexts.
constexpr std::size_t kFewContexts = 2'000;
// Of all executions, this part may go into flows that do not change, and as many again into flows
// that change once. A flow that changes once is tried with so many places of its change.
constexpr std::size_t kPart = 4;
constexpr std::size_t kPlaces = 60;

struct Run {
  Instance context;
  std::size_t ticks = 0;
  auto operator<=>(const Run&) const = default;
};
using Runs = std::vector<Run>;

Runs runs_of(const Flow& flow) {
  Runs runs;
  for (const Instance& instance : flow) {
    if (runs.empty() || runs.back().context != instance) runs.push_back({instance, 0});
    ++runs.back().ticks;
  }
  return runs;
}

Flow flow_of(const Runs& runs) {
  Flow flow;
  for (const Run& run : runs) flow.insert(flow.end(), run.ticks, run.context);
  return flow;
}

// Without runs of no ticks; neighbours with the same context are one run.
Runs tidied(const Runs& runs) {
  Runs result;
  for (const Run& run : runs) {
    if (run.ticks == 0) continue;
    if (!result.empty() && result.back().context == run.context) {
      result.back().ticks += run.ticks;
    } else {
      result.push_back(run);
    }
  }
  return result;
}

std::size_t length_of(const Runs& runs) {
  std::size_t sum = 0;
  for (const Run& run : runs) sum += run.ticks;
  return sum;
}

auto at(Runs& runs, std::size_t index) { return runs.begin() + static_cast<std::ptrdiff_t>(index); }

// How small a flow is: the order of these is the order of importance.
struct Size {
  std::size_t runs = 0;
  std::size_t changes = 0;  // of single properties
  std::size_t ticks = 0;
  std::size_t distance = 0;
  auto operator<=>(const Size&) const = default;
};

Index middle_of(const Property& property) {
  if (property.kind != Property::Kind::Number || property.values.empty()) return 0;
  const auto on_scale = [&](double x) { return property.log ? std::log(x) : x; };
  const double middle = (on_scale(property.low) + on_scale(property.high)) / 2;
  const auto nearest = std::ranges::min_element(
      property.values, {}, [&](double value) { return std::abs(on_scale(value) - middle); });
  return static_cast<Index>(nearest - property.values.begin());
}

class Shrinker {
 public:
  Shrinker(const Grid& grid, const std::function<bool(const Flow&)>& fails,
           const ShrinkOptions& options)
      : grid_(grid),
        fails_(fails),
        most_(options.most_executions),
        most_ticks_(options.most_ticks),
        nominal_(options.nominal) {
    Grid moved = grid;
    for (Property& property : moved.properties) {
      const auto index = static_cast<std::size_t>(&property - moved.properties.data());
      if (index >= nominal_.size()) nominal_.push_back(middle_of(property));
      property.origin = nominal_[index];
    }
    nominal_context_ = origin_of(moved);
  }

  Shrunk small(const Flow& flow) {
    runs_ = runs_of(flow);
    size_ = size_of(runs_);
    if (!still_fails(runs_)) return {flow, executions_, !exhausted_};
    for (std::optional<Size> before; before != size_;) {
      before = size_;
      cut();
      merge();
      change_less();
      keep_values();
      shorten();
      move();
    }
    return {flow_of(runs_), executions_, !exhausted_};
  }

 private:
  // ---- Trying ----

  bool still_fails(const Runs& runs) {
    if (runs.empty()) return false;
    const auto known = known_.find(runs);
    if (known != known_.end()) return known->second;
    if (executions_ >= most_) {
      exhausted_ = true;
      return false;
    }
    ++executions_;
    const bool result = fails_(flow_of(runs));
    known_.emplace(runs, result);
    return result;
  }

  // Takes these runs in place of the present ones, if they are smaller and fail.
  bool takes(const Runs& candidate) {
    Runs runs = tidied(candidate);
    const Size size = size_of(runs);
    if (size >= size_ || !still_fails(runs)) return false;
    runs_ = std::move(runs);
    size_ = size;
    return true;
  }

  [[nodiscard]] Size size_of(const Runs& runs) const {
    Size size{.runs = runs.size(), .ticks = length_of(runs)};
    for (std::size_t i = 0; i < runs.size(); ++i) {
      const Instance& here = runs[i].context;
      for (std::size_t property = 0; property < here.size(); ++property) {
        size.distance += distance(property, here[property]);
        if (i > 0) size.changes += std::size_t{here[property] != runs[i - 1].context[property]};
      }
    }
    return size;
  }

  [[nodiscard]] std::size_t distance(std::size_t property, Index index) const {
    const Index nominal = nominal_[property];
    if (index == kNoValue || index == nominal) return 0;
    if (grid_.properties[property].kind != Property::Kind::Number) return 1;
    return index > nominal ? index - nominal : nominal - index;
  }

  // ---- Steps ----

  // The shortest beginning that fails. By bisection: a flow fails if its beginning does.
  void cut() {
    std::size_t low = 0;  // the first `low` ticks do not fail
    std::size_t high = length_of(runs_);
    const Runs whole = runs_;
    while (high - low > 1) {
      const std::size_t middle = low + (high - low) / 2;
      (takes(beginning(whole, middle)) ? high : low) = middle;
    }
  }

  static Runs beginning(const Runs& runs, std::size_t ticks) {
    Runs result;
    for (const Run& run : runs) {
      result.push_back({run.context, std::min(run.ticks, ticks)});
      ticks -= result.back().ticks;
    }
    return result;
  }

  // Runs give way, from halves of the flow down to single ones. In the last round each single run
  // is tried, and none gives way.
  void merge() {
    std::size_t parts = 2;
    while (runs_.size() >= 2) {
      parts = std::min(parts, runs_.size());
      bool less = false;
      for (std::size_t part = 0; part < parts && !less; ++part) {
        less = gives_way(part * runs_.size() / parts, (part + 1) * runs_.size() / parts);
      }
      if (less) {
        parts = std::max<std::size_t>(parts - 1, 2);
      } else if (parts == runs_.size()) {
        break;
      } else {
        parts *= 2;
      }
    }
  }

  // The neighbours hold for longer instead, or not.
  bool gives_way(std::size_t first, std::size_t last) {
    std::size_t ticks = 0;
    for (std::size_t i = first; i < last; ++i) ticks += runs_[i].ticks;
    const auto without = [&](std::optional<std::size_t> longer) {
      Runs rest = runs_;
      if (longer) rest[*longer].ticks += ticks;
      rest.erase(at(rest, first), at(rest, last));
      return takes(rest);
    };
    return without(std::nullopt) || (first > 0 && without(first - 1)) ||
           (last < runs_.size() && without(last));
  }

  // Flows that do not change at all, and flows that change once.
  void change_less() {
    if (runs_.size() >= 2) {
      for (const Instance& context : contexts(most_ / kPart)) {
        if (takes({{context, most_ticks_}})) return cut();
      }
    }
    if (runs_.size() < 3 || most_ticks_ < 2) return;
    const std::size_t places = std::min(most_ticks_ - 1, kPlaces);
    const auto pairs = static_cast<double>(most_ / kPart / places);
    const std::vector<Instance> some = contexts(static_cast<std::size_t>(std::sqrt(pairs)));
    for (const Instance& first : some) {
      for (const Instance& second : some) {
        for (std::size_t i = 1; i <= places && first != second; ++i) {
          const std::size_t place = i * (most_ticks_ - 1) / places;
          if (takes({{first, place}, {second, most_ticks_ - place}})) return cut();
        }
      }
    }
  }

  // All valid contexts, if they are not more than `most`; else those of the flow and the nominal
  // one, as far as they are not more. Those near to the nominal one come first.
  std::vector<Instance> contexts(std::size_t most) {
    if (!all_) all_ = all_contexts();
    std::vector<Instance> result = *all_;
    if (result.empty() || result.size() > most) {
      std::set<Instance> some;
      if (nominal_context_) some.insert(*nominal_context_);
      for (const Run& run : runs_) some.insert(run.context);
      result.assign(some.begin(), some.end());
    }
    std::ranges::stable_sort(result, {}, [&](const Instance& instance) {
      std::size_t sum = 0;
      for (std::size_t i = 0; i < instance.size(); ++i) sum += distance(i, instance[i]);
      return sum;
    });
    if (result.size() > most) result.resize(most);
    return result;
  }

  // None if there are too many.
  [[nodiscard]] std::vector<Instance> all_contexts() const {
    std::vector<Instance> all = {{}};
    for (const Property& property : grid_.properties) {
      std::vector<Instance> longer;
      for (const Instance& instance : all) {
        const Index count =
            has_value(property, instance) ? static_cast<Index>(property.values.size()) : Index{0};
        for (Index i = 0; i < std::max<Index>(count, 1); ++i) {
          longer.push_back(instance);
          longer.back().push_back(count == 0 ? kNoValue : i);
        }
      }
      if (longer.size() > kFewContexts) return {};
      all = std::move(longer);
    }
    std::erase_if(all, [&](const Instance& instance) { return !is_valid(grid_, instance); });
    return all;
  }

  // Guards come before what they guard.
  [[nodiscard]] bool has_value(const Property& property, const Instance& instance) const {
    if (!property.guard) return true;
    const Index guard = instance[*property.guard];
    return guard != kNoValue && value_of(grid_.properties[*property.guard], guard) != 0;
  }

  // Where a property changes, it may as well stay what it was, or be what it will be.
  void keep_values() {
    for (std::size_t property = 0; property < grid_.properties.size(); ++property) {
      for (std::size_t first = 0; first < runs_.size();) {
        const std::size_t last = stretch_end(first, property);
        const bool kept =
            (first > 0 && sets(first, last, property, value(first - 1, property))) ||
            (last < runs_.size() && sets(first, last, property, value(last, property)));
        first = kept ? 0 : last;
      }
    }
  }

  void shorten() {
    for (std::size_t i = 0; i < runs_.size(); ++i) {
      for (std::size_t step = runs_[i].ticks / 2; step > 0 && i < runs_.size();) {
        Runs candidate = runs_;
        if (candidate[i].ticks <= step) {
          step /= 2;
          continue;
        }
        candidate[i].ticks -= step;
        if (!takes(candidate)) step /= 2;
      }
    }
  }

  void move() {
    for (bool again = true; again;) {
      again = false;
      for (std::size_t i = 0; i < runs_.size(); ++i) again |= to_nominal(i);
      for (std::size_t property = 0; property < grid_.properties.size(); ++property) {
        again |= move_shared(property);
        for (std::size_t first = 0; first < runs_.size();) {
          const std::size_t last = stretch_end(first, property);
          again |= nearer(
              property, [&](std::size_t i) { return i >= first && i < last; }, first);
          first = last;
        }
      }
    }
  }

  // A whole context, wherever it is.
  bool to_nominal(std::size_t index) {
    if (!nominal_context_) return false;
    Runs candidate = runs_;
    const Instance context = runs_[index].context;
    for (Run& run : candidate) {
      if (run.context == context) run.context = *nominal_context_;
    }
    return takes(candidate);
  }

  // All runs in which the property has the same value, one value after the other.
  bool move_shared(std::size_t property) {
    bool result = false;
    std::set<Index> values;
    for (const Run& run : runs_) values.insert(run.context[property]);
    for (const Index shared : values) {
      std::size_t first = 0;
      while (first < runs_.size() && value(first, property) != shared) ++first;
      const auto shares = [&](std::size_t i) {
        return value(i, property) == value(first, property);
      };
      result |= nearer(property, shares, first);
    }
    return result;
  }

  // Moves the property's value in these runs, one of which is `at`, to the nominal one, or as near
  // to it as the flow fails.
  template <class Which>
  bool nearer(std::size_t property, const Which& which, std::size_t at) {
    const Property& about = grid_.properties[property];
    if (at >= runs_.size() || distance(property, value(at, property)) == 0) return false;
    if (sets_all(which, property, nominal_[property])) return true;
    if (about.kind != Property::Kind::Number) return false;
    bool result = false;
    // Steps of half the way, then shorter and shorter ones.
    auto step = static_cast<Index>(distance(property, value(at, property)) / 2);
    while (step > 0 && at < runs_.size()) {
      const Index here = value(at, property);
      if (here == kNoValue) break;
      const auto there = static_cast<Index>(here > nominal_[property] ? here - step : here + step);
      if (distance(property, here) > step && sets_all(which, property, there)) {
        result = true;
      } else {
        step = static_cast<Index>(step / 2);
      }
    }
    return result;
  }

  // ---- Values ----

  [[nodiscard]] Index value(std::size_t run, std::size_t property) const {
    return runs_[run].context[property];
  }

  // The end of the runs from `first` on in which the property stays the same.
  [[nodiscard]] std::size_t stretch_end(std::size_t first, std::size_t property) const {
    std::size_t last = first + 1;
    while (last < runs_.size() && value(last, property) == value(first, property)) ++last;
    return last;
  }

  bool sets(std::size_t first, std::size_t last, std::size_t property, Index index) {
    if (index == kNoValue) return false;
    return sets_all([&](std::size_t i) { return i >= first && i < last; }, property, index);
  }

  template <class Which>
  bool sets_all(const Which& which, std::size_t property, Index index) {
    Runs candidate = runs_;
    for (std::size_t i = 0; i < candidate.size(); ++i) {
      Instance& context = candidate[i].context;
      if (!which(i) || context[property] == kNoValue) continue;
      context[property] = index;
      respect_guards(context);
      if (!is_valid(grid_, context)) return false;
    }
    return takes(candidate);
  }

  // Takes values away where guards do not hold; where they do, missing values become nominal.
  void respect_guards(Instance& instance) const {
    for (std::size_t i = 0; i < instance.size(); ++i) {
      const Property& property = grid_.properties[i];
      if (!property.guard) continue;
      if (!has_value(property, instance)) {
        instance[i] = kNoValue;
      } else if (instance[i] == kNoValue) {
        instance[i] = nominal_[i];
      }
    }
  }

  const Grid& grid_;
  const std::function<bool(const Flow&)>& fails_;
  std::size_t most_;
  std::size_t most_ticks_;
  std::vector<Index> nominal_;  // by property
  std::optional<Instance> nominal_context_;
  std::optional<std::vector<Instance>> all_;
  Runs runs_;  // the smallest so far
  Size size_;
  std::map<Runs, bool> known_;
  std::size_t executions_ = 0;
  bool exhausted_ = false;
};

}  // namespace

Shrunk shrunk(const Grid& grid, const Flow& flow, const std::function<bool(const Flow&)>& fails,
              const ShrinkOptions& options) {
  ShrinkOptions own = options;
  own.most_ticks = std::max(options.most_ticks, flow.size());
  return Shrinker(grid, fails, own).small(flow);
}

}  // namespace poise::shake
