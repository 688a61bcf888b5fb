#pragma once

// A reconstruction of the paper's web server, and its grid of 20 x 20 x 11 values. (The paper
// prints two of its rules and describes the others.)

#include <cmath>
#include <string_view>
#include <vector>

#include "poise/shake/subjects/hand_made_test.h"

namespace poise::shake {
// Other test headers have the same names.
inline namespace made {

struct WebServer {
  PolicyMaker maker;
  Grid grid;
};

inline WebServer web_server() {
  using model::OptionId;
  using model::PolicyExprId;
  using model::PolicyOp;
  using model::SlotId;
  using Kind = model::Shape::Kind;
  constexpr std::uint32_t kLow = 0;
  constexpr std::uint32_t kMedium = 1;
  constexpr std::uint32_t kHigh = 2;

  WebServer web;
  PolicyMaker& m = web.maker;
  const SlotId density = m.whole("density", 1, 1000);
  m.term(density, "low", Kind::Trapezoid, {"1", "1", "50", "200"});
  m.term(density, "medium", Kind::Triangle, {"100", "300", "600"});
  m.term(density, "high", Kind::Ramp, {"400", "700"});
  const SlotId files = m.whole("files", 1, 1000);
  m.term(files, "low", Kind::Trapezoid, {"1", "1", "30", "100"});
  m.term(files, "medium", Kind::Triangle, {"50", "200", "400"});
  m.term(files, "high", Kind::Ramp, {"300", "500"});
  const SlotId dispersion = m.number("dispersion", "0", "1");
  m.variable(dispersion).step = exact("0.1");
  m.term(dispersion, "low", Kind::Trapezoid, {"0", "0", "0.2", "0.4"});
  m.term(dispersion, "medium", Kind::Triangle, {"0.3", "0.5", "0.7"});
  m.term(dispersion, "high", Kind::Trapezoid, {"0.6", "0.8", "1", "1"});
  const SlotId cache = m.variant(m.flag("cache"), "0");
  const SlotId size = m.variant(m.whole("size", 128, 1024), "512");
  const SlotId servers = m.variant(m.whole("servers", 1, 100), "1");

  const auto changed = [&](PolicyOp bound, std::string_view end, PolicyOp op, SlotId slot,
                           std::string_view by) {
    const PolicyExprId value = m.make(op, {m.read(slot), m.constant(by)});
    return m.make(bound, {m.constant(end), value});
  };
  const OptionId add_cache = m.option("add_cache", cache, m.constant("1"), m.useful("0.6"));
  const OptionId remove_cache = m.option("remove_cache", cache, m.constant("0"), m.useful("0.6"));
  const OptionId grow_cache =
      m.option("grow_cache", size,
               changed(PolicyOp::Minimum, "1024", PolicyOp::Multiply, size, "2"), m.useful("0.6"));
  const OptionId shrink_cache =
      m.option("shrink_cache", size, changed(PolicyOp::Maximum, "128", PolicyOp::Divide, size, "2"),
               m.useful("0.6"));
  const OptionId add_server =
      m.option("add_server", servers,
               changed(PolicyOp::Minimum, "100", PolicyOp::Add, servers, "1"), m.useful("0.6"));
  const OptionId remove_server =
      m.option("remove_server", servers,
               changed(PolicyOp::Maximum, "1", PolicyOp::Add, servers, "-1"), m.useful("0.6"));

  const auto either = [&](SlotId slot, std::uint32_t a, std::uint32_t b) {
    const PolicyExprId first = m.is(slot, a);
    return m.make(PolicyOp::Or, {first, m.is(slot, b)});
  };
  const auto both = [&](PolicyExprId a, PolicyExprId b) { return m.make(PolicyOp::And, {a, b}); };
  const auto no_cache = [&] { return m.make(PolicyOp::Not, {m.read(cache)}); };
  const auto up_to = [&](SlotId slot, std::string_view number) {
    const PolicyExprId value = m.read(slot);
    return m.make(PolicyOp::LessEqual, {value, m.constant(number)});
  };

  m.prefer(add_cache, kHigh, both(either(dispersion, kLow, kMedium), no_cache()));
  m.prefer(add_cache, kLow, both(m.is(dispersion, kHigh), no_cache()));
  m.prefer(remove_cache, kLow, both(m.is(dispersion, kLow), m.read(cache)));
  m.prefer(remove_cache, kMedium, both(m.is(dispersion, kMedium), m.read(cache)));
  m.prefer(remove_cache, kHigh, both(m.is(dispersion, kHigh), m.read(cache)));
  m.prefer(add_cache, kLow, m.is(density, kLow));
  m.prefer(add_cache, kHigh, either(density, kMedium, kHigh));
  m.prefer(remove_cache, kHigh, m.is(density, kLow));
  m.prefer(remove_cache, kLow, either(density, kMedium, kHigh));
  m.prefer(grow_cache, kLow, both(either(files, kLow, kMedium), m.below(size, "1024")));
  m.prefer(grow_cache, kHigh, both(m.is(files, kHigh), m.below(size, "1024")));
  m.prefer(shrink_cache, kHigh, both(m.is(files, kLow), m.above(size, "512")));
  m.prefer(shrink_cache, kMedium, both(m.is(files, kMedium), m.above(size, "512")));
  m.prefer(shrink_cache, kLow, both(m.is(files, kMedium), up_to(size, "512")));
  m.prefer(shrink_cache, kLow, m.is(files, kHigh));
  m.prefer(add_server, kLow, both(m.is(density, kLow), m.below(servers, "100")));
  m.prefer(add_server, kMedium, both(m.is(density, kMedium), m.below(servers, "100")));
  m.prefer(add_server, kHigh, both(m.is(density, kHigh), m.below(servers, "100")));
  m.prefer(remove_server, kHigh, both(m.is(density, kLow), m.above(servers, "1")));
  m.prefer(remove_server, kMedium, both(m.is(density, kMedium), m.above(servers, "50")));
  m.prefer(remove_server, kLow, both(m.is(density, kMedium), up_to(servers, "50")));
  m.prefer(remove_server, kLow, m.is(density, kHigh));

  std::vector<double> many;
  for (int i = 0; i < 20; ++i) many.push_back(std::round(std::pow(1000.0, i / 19.0) + i * 0.4));
  many.back() = 1000;
  std::vector<double> tenths;
  for (int i = 0; i <= 10; ++i) tenths.push_back(i / 10.0);
  web.grid.properties = {property_of(m.model, density, many), property_of(m.model, files, many),
                         property_of(m.model, dispersion, tenths)};
  web.grid.constraints = {{.scope = {0, 1},
                           .allows = [](std::span<const double> v) { return v[1] <= v[0]; },
                           .text = "files <= density"}};
  return web;
}

}  // namespace made
}  // namespace poise::shake
