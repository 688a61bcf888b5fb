#pragma once

// Small policies with planted faults, for tests of generators: which generator finds which fault,
// with how many flows. They are plain functions from contexts to variants, so that these tests
// depend on nothing but flows.

#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <functional>
#include <string>
#include <vector>

#include "poise/shake/flows/flows_test.h"

namespace poise::shake::stand_ins {

using Contexts = std::vector<std::vector<double>>;  // by tick and property
using Variants = std::vector<double>;               // by tick
using StandIn = std::function<Variants(const Contexts&)>;

struct Museum {
  std::string name;
  Grid grid;
  StandIn reference;
  std::vector<std::pair<std::string, StandIn>> mutants;
};

inline Contexts contexts_of(const Grid& grid, const Flow& flow) {
  Contexts contexts;
  for (const Instance& instance : flow) contexts.push_back(values_of(grid, instance));
  return contexts;
}

// By mutant: the first flow that kills it; the number of flows if none does.
inline std::vector<std::size_t> first_kills(const Museum& museum, const std::vector<Flow>& flows) {
  std::vector<std::size_t> first(museum.mutants.size(), flows.size());
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const Contexts contexts = contexts_of(museum.grid, flows[i]);
    const Variants expected = museum.reference(contexts);
    for (std::size_t m = 0; m < first.size(); ++m) {
      if (first[m] == flows.size() && museum.mutants[m].second(contexts) != expected) first[m] = i;
    }
  }
  return first;
}

// ---- ArduPilot's battery failsafe: below 10.5 V for 10 ticks while armed, latched ----

struct Failsafe {
  int dwell = 10;
  bool latched = true;
  bool or_equal = false;
  bool cumulative = false;

  Variants operator()(const Contexts& contexts) const {
    Variants variants;
    int below = 0;
    bool fired = false;
    for (const std::vector<double>& context : contexts) {
      const bool low = or_equal ? context[0] <= 10.5 + 1e-9 : context[0] < 10.5 - 1e-9;
      const bool counts = low && context[1] != 0;
      below = counts ? below + 1 : cumulative ? below : 0;
      fired = (latched && fired) || below >= dwell;
      variants.push_back(fired ? 1 : 0);
    }
    return variants;
  }
};

inline Museum failsafe() {
  Grid grid;
  grid.properties = {number("voltage", 9, 13, evenly(9, 13, 41)), boolean("armed")};
  mark(grid.properties[0], 10.5);
  grid.properties[0].origin = 35;
  return {"failsafe",
          grid,
          Failsafe{},
          {{"never fires", Failsafe{.dwell = 1000}},
           {"dwell 11 instead of 10", Failsafe{.dwell = 11}},
           {"not latched", Failsafe{.latched = false}},
           {"<= instead of <", Failsafe{.or_equal = true}},
           {"counts cumulatively", Failsafe{.cumulative = true}}}};
}

// ---- A thermostat with hysteresis and a shortest cycle ----

struct Thermostat {
  double cold = 0.5;
  double hot = 0.5;
  int cycle = 4;  // least ticks between switches
  bool or_equal = false;
  bool sensed_target = false;  // the target is the second property; else it is 21
  bool stays_on = false;       // ignores the open window

  Variants operator()(const Contexts& contexts) const {
    Variants variants;
    bool on = false;
    int since = cycle;
    for (const std::vector<double>& context : contexts) {
      const double target = sensed_target ? context[1] : 21;
      const double slack = or_equal ? 1e-9 : -1e-9;
      const bool too_cold = context[0] + cold < target + slack;
      const bool too_hot = context[0] - hot > target - slack;
      const bool open = !sensed_target && context.size() > 1 && context[1] != 0;
      bool wanted = on;
      if (on && too_hot) wanted = false;
      if (!on && too_cold) wanted = true;
      ++since;
      if (wanted != on && since > cycle) {
        on = wanted;
        since = 0;
      }
      if (open && !stays_on) on = false;
      variants.push_back(on ? 1 : 0);
    }
    return variants;
  }
};

inline Museum thermostat() {
  Grid grid;
  grid.properties = {number("temperature", 16, 26, evenly(16, 26, 41)), boolean("window")};
  mark(grid.properties[0], 20.5);
  mark(grid.properties[0], 21);
  mark(grid.properties[0], 21.5);
  const Thermostat good;
  std::vector<std::pair<std::string, StandIn>> mutants;
  const auto add = [&](std::string name, auto change) {
    Thermostat bad = good;
    change(bad);
    mutants.emplace_back(std::move(name), bad);
  };
  add("cold 0.25", [](Thermostat& t) { t.cold = 0.25; });
  add("cold 0.75", [](Thermostat& t) { t.cold = 0.75; });
  add("hot 0.25", [](Thermostat& t) { t.hot = 0.25; });
  add("hot 0.75", [](Thermostat& t) { t.hot = 0.75; });
  add("no hysteresis", [](Thermostat& t) { t.hot = t.cold = 0; });
  add("or equal", [](Thermostat& t) { t.or_equal = true; });
  add("cycle 3", [](Thermostat& t) { t.cycle = 3; });
  add("cycle 5", [](Thermostat& t) { t.cycle = 5; });
  add("cycle 20", [](Thermostat& t) { t.cycle = 20; });
  add("window ignored", [](Thermostat& t) { t.stays_on = true; });
  return {"thermostat", grid, good, mutants};
}

// home-assistant/core#79667: both tolerances 0, so that the heater toggles while the temperature
// equals the target. The oracle: it changes twice while the context stays as it is.
inline bool toggles_while_held(const Contexts& contexts, bool sensed_target) {
  const Variants variants = Thermostat{
      .cold = 0, .hot = 0, .cycle = 0, .or_equal = true, .sensed_target = sensed_target}(contexts);
  for (std::size_t i = 2; i < variants.size(); ++i) {
    if (contexts[i] == contexts[i - 1] && contexts[i] == contexts[i - 2] &&
        variants[i] != variants[i - 1] && variants[i - 1] != variants[i - 2]) {
      return true;
    }
  }
  return false;
}

// ---- An autoscaler by the documented rules of Kubernetes' HPA; a tick is 15 s ----

struct Autoscaler {
  double tolerance = 0.1;
  bool tolerance_strict = false;
  std::size_t window = 20;
  bool window_min = false;
  bool window_forgets = false;  // on every scale-up
  bool status_resets = false;   // like kubernetes#16275: forgets when there is no rescale
  int rounding = 1;             // 1 up, 0 to the nearest, -1 down
  double up_percent = 100;
  double up_pods = 4;
  bool up_min = false;
  double down_percent = 100;
  double least = 1;
  double most = 100;
  int missing = 0;  // a missing metric: 0 keeps the replicas, 1 is no load, 2 is twice the target
  double target = 50;
  bool up_latch = false;  // after a missing metric never scales down again

  Variants operator()(const Contexts& contexts) const {
    Variants variants;
    double replicas = std::max(least, 1.0);
    bool stuck = false;
    std::deque<double> recommended;
    for (const std::vector<double>& context : contexts) {
      double metric = context[0];
      const bool known = context[1] != 0;
      if (!known && missing == 1) metric = 0;
      if (!known && missing == 2) metric = 2 * target;
      if (!known) stuck = up_latch;
      double desired = replicas;
      const double ratio = metric / target;
      const double off = std::abs(ratio - 1);
      if ((known || missing != 0) &&
          (tolerance_strict ? off >= tolerance - 1e-9 : off > tolerance + 1e-9)) {
        const double exact = replicas * ratio;
        desired = rounding == 1   ? std::ceil(exact - 1e-9)
                  : rounding == 0 ? std::round(exact)
                                  : std::floor(exact + 1e-9);
      }
      recommended.push_back(desired);
      while (recommended.size() > std::max<std::size_t>(window, 1)) recommended.pop_front();
      double next = desired;
      if (desired < replicas) {
        next = window_min ? *std::ranges::min_element(recommended)
                          : std::min(replicas, *std::ranges::max_element(recommended));
        next = std::max(next, std::floor(replicas * (1 - down_percent / 100)));
        if (stuck) next = replicas;
      } else if (desired > replicas) {
        const double percent = replicas * (1 + up_percent / 100);
        const double pods = replicas + up_pods;
        next = std::min(desired, up_min ? std::min(percent, pods) : std::max(percent, pods));
        next = std::floor(next);
      }
      next = std::clamp(next, least, most);
      if (window_forgets && next > replicas) recommended.clear();
      if (status_resets && next == replicas && recommended.size() > 4) {
        recommended.erase(recommended.begin(), recommended.end() - 4);
      }
      replicas = next;
      variants.push_back(replicas);
    }
    return variants;
  }
};

inline Museum autoscaler() {
  Grid grid;
  grid.properties = {number("load", 0, 200, {0,  10, 20, 30, 40, 44, 45, 46,  48,  50,  52,
                                             54, 55, 56, 60, 70, 80, 90, 100, 120, 150, 200}),
                     boolean("known")};
  for (const double constant : {45.0, 50.0, 55.0}) mark(grid.properties[0], constant);
  const Autoscaler good;
  std::vector<std::pair<std::string, StandIn>> mutants;
  const auto add = [&](std::string name, auto change) {
    Autoscaler bad = good;
    change(bad);
    mutants.emplace_back(std::move(name), bad);
  };
  add("tolerance 0", [](Autoscaler& a) { a.tolerance = 0; });
  add("tolerance 0.05", [](Autoscaler& a) { a.tolerance = 0.05; });
  add("tolerance 0.2", [](Autoscaler& a) { a.tolerance = 0.2; });
  add("tolerance strict", [](Autoscaler& a) { a.tolerance_strict = true; });
  for (const std::size_t window : {0U, 1U, 10U, 19U, 21U, 40U}) {
    add("window " + std::to_string(window), [&](Autoscaler& a) { a.window = window; });
  }
  add("window min", [](Autoscaler& a) { a.window_min = true; });
  add("window forgets", [](Autoscaler& a) { a.window_forgets = true; });
  add("status resets", [](Autoscaler& a) { a.status_resets = true; });
  add("round", [](Autoscaler& a) { a.rounding = 0; });
  add("floor", [](Autoscaler& a) { a.rounding = -1; });
  for (const double percent : {50, 90, 150, 1000}) {
    add("up " + std::to_string(percent), [&](Autoscaler& a) { a.up_percent = percent; });
  }
  for (const double pods : {3, 5}) {
    add("pods " + std::to_string(pods), [&](Autoscaler& a) { a.up_pods = pods; });
  }
  add("up min", [](Autoscaler& a) { a.up_min = true; });
  for (const double percent : {10, 50, 90}) {
    add("down " + std::to_string(percent), [&](Autoscaler& a) { a.down_percent = percent; });
  }
  add("least 2", [](Autoscaler& a) { a.least = 2; });
  add("most 99", [](Autoscaler& a) { a.most = 99; });
  add("most 101", [](Autoscaler& a) { a.most = 101; });
  add("missing is 0", [](Autoscaler& a) { a.missing = 1; });
  add("missing is much", [](Autoscaler& a) { a.missing = 2; });
  add("target 51", [](Autoscaler& a) { a.target = 51; });
  add("up latch", [](Autoscaler& a) { a.up_latch = true; });
  return {"autoscaler", grid, good, mutants};
}

// ---- The paper's web server, rebuilt: eight groups of (action, property) ----

struct WebRule {
  int group;
  int property;   // density, files, dispersion
  int adjective;  // low, medium, high
  int utility;
  int guard = 0;  // 1 size > 512, 2 size <= 512, 3 servers > 50, 4 servers <= 50
};

inline const std::vector<WebRule>& web_rules() {
  static const std::vector<WebRule> rules = {
      {0, 2, 0, 2},    {0, 2, 1, 2},    {0, 2, 2, 0},    {1, 2, 0, 0},    {1, 2, 1, 1},
      {1, 2, 2, 2},    {2, 0, 0, 0},    {2, 0, 1, 2},    {2, 0, 2, 2},    {3, 0, 0, 2},
      {3, 0, 1, 0},    {3, 0, 2, 0},    {4, 1, 0, 0},    {4, 1, 1, 0},    {4, 1, 2, 2},
      {5, 1, 0, 2, 1}, {5, 1, 1, 1, 1}, {5, 1, 1, 0, 2}, {5, 1, 2, 0},    {6, 0, 0, 0},
      {6, 0, 1, 1},    {6, 0, 2, 2},    {7, 0, 0, 2},    {7, 0, 1, 1, 3}, {7, 0, 1, 0, 4},
      {7, 0, 2, 0}};
  return rules;
}

struct WebServer {
  std::vector<WebRule> rules = web_rules();
  std::array<std::array<int, 3>, 3> passed = {{{0, 1, 2}, {0, 1, 2}, {0, 1, 2}}};
  std::array<int, 3> sensed = {0, 1, 2};
  double scale = 1;

  static double fits(int property, int adjective, double value) {
    const double x = property == 2 ? value : value / 1000;
    const double low = property == 2 ? 0.2 : 0.05;
    const double from = property == 2 ? 0.4 : 0.2;
    const double to = property == 2 ? 0.6 : 0.4;
    const double high = property == 2 ? 0.8 : 0.7;
    const auto rise = [&](double a, double b) { return std::clamp((x - a) / (b - a), 0.0, 1.0); };
    if (adjective == 0) return 1 - rise(low, from);
    if (adjective == 2) return rise(to, high);
    return std::min(rise(low, from), 1 - rise(to, high));
  }

  Variants operator()(const Contexts& contexts) const {
    Variants variants;
    bool cache = false;
    double size = 256;
    double servers = 1;
    for (const std::vector<double>& context : contexts) {
      std::array<std::array<double, 3>, 3> fit{};
      for (std::size_t p = 0; p < 3; ++p) {
        const double value = context[static_cast<std::size_t>(sensed[p])] * (p == 0 ? scale : 1);
        for (std::size_t a = 0; a < 3; ++a) {
          fit[p][static_cast<std::size_t>(passed[p][a])] +=
              fits(static_cast<int>(p), static_cast<int>(a), value);
        }
      }
      const auto utility = [&](int first, int second) {
        double sum = 0;
        double weight = 0;
        for (const WebRule& rule : rules) {
          if (rule.group != first && rule.group != second) continue;
          if ((rule.guard == 1 && size <= 512) || (rule.guard == 2 && size > 512) ||
              (rule.guard == 3 && servers <= 50) || (rule.guard == 4 && servers > 50)) {
            continue;
          }
          const double fires = fit[static_cast<std::size_t>(rule.property)]
                                  [static_cast<std::size_t>(rule.adjective)];
          sum += fires * rule.utility / 2;
          weight += fires;
        }
        return weight > 0 ? sum / weight : 0;
      };
      const bool add_cache = !cache && utility(0, 2) >= 0.6;
      const bool remove_cache = cache && utility(1, 3) >= 0.6;
      const bool grow = cache && size < 1024 && utility(4, 4) >= 0.6;
      const bool shrink = cache && size > 256 && utility(5, 5) >= 0.6;
      const bool more = servers < 100 && utility(6, 6) >= 0.6;
      const bool fewer = servers > 1 && utility(7, 7) >= 0.6;
      cache = (cache || add_cache) && !remove_cache;
      size = std::clamp(size + (grow ? 256 : 0) - (shrink ? 256 : 0), 256.0, 1024.0);
      servers += (more ? 1 : 0) - (fewer ? 1 : 0);
      variants.push_back((cache ? 1 : 0) + 10 * size + 1e6 * servers);
    }
    return variants;
  }
};

inline Museum web_server() {
  std::vector<std::pair<std::string, StandIn>> mutants;
  const auto add = [&](std::string name, auto change) {
    WebServer bad;
    change(bad);
    mutants.emplace_back(std::move(name), bad);
  };
  add("F1 order", [](WebServer& w) { w.sensed = {1, 0, 2}; });
  add("F1 order", [](WebServer& w) { w.sensed = {2, 1, 0}; });
  add("F1 scale", [](WebServer& w) { w.scale = 0.1; });
  for (std::size_t p = 0; p < 3; ++p) {
    std::array<int, 3> order = {0, 1, 2};
    while (std::ranges::next_permutation(order).found) {
      add("F2", [&](WebServer& w) { w.passed[p] = order; });
    }
    for (std::size_t a = 0; a < 3; ++a) {
      add("F2", [&](WebServer& w) { w.passed[p][a] = static_cast<int>((a + 1) % 3); });
    }
  }
  for (std::size_t i = 0; i < web_rules().size(); ++i) {
    for (int by = 1; by < 3 && web_rules()[i].property != 1; ++by) {
      add("F3", [&](WebServer& w) { w.rules[i].adjective = (w.rules[i].adjective + by) % 3; });
    }
    for (std::size_t j = 0; j < i; ++j) {
      if (web_rules()[i].group != web_rules()[j].group ||
          web_rules()[i].adjective == web_rules()[j].adjective) {
        continue;
      }
      add("F4", [&](WebServer& w) { std::swap(w.rules[i].adjective, w.rules[j].adjective); });
    }
  }
  return {"web", web_grid(20), WebServer{}, mutants};
}

}  // namespace poise::shake::stand_ins
