// Shrunk flows of random policies: they fail, change as little as any flow that fails, cannot spare
// a tick, and fail again when they are replayed. Flows are executed by the plain evaluator.

#include <algorithm>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/shake/oracle/expectations.h"
#include "poise/shake/shake.h"
#include "poise/shake/subjects/reference.h"
#include "poise/shake/subjects/trace.h"

namespace poise::shake {
namespace {

constexpr std::size_t kTicks = 20;

std::string random_policy(Random& random) {
  const auto below = [&](std::uint64_t count) { return random.below(count); };
  const auto condition = [&]() -> std::string {
    switch (below(4)) {
      case 0: return fmt::format("a > {}", below(3));
      case 1: return fmt::format("(a < {}) held {}s", 1 + below(3), 1 + below(3));
      case 2: return random.coin() ? "b" : "not b";
      default: return fmt::format("a > {} and not b", below(3));
    }
  };
  std::string text = "model Random\nsense a : int 0..3\nsense b : bool\n";
  text += "variant n : int 0..4 = 1\nvariant on : bool = false\n";
  const char* assigned[] = {"n := min(4, n + 1)", "n := max(0, n - 1)", "on := not on", "n := a"};
  for (std::uint64_t i = 0; i < 2 + below(2); ++i) {
    text += fmt::format("option o{}: {} when {}", i, assigned[below(4)], condition());
    if (below(3) == 0) text += fmt::format(" cooldown {}s", 2 + below(3));
    text += "\n";
  }
  text += fmt::format("expect few: at most {} changes in {}s\n", 1 + below(3), 4 + below(6));
  text += fmt::format("expect calm: stable within {}s\n", 1 + below(4));
  text += fmt::format("expect low: {} implies n < {}\n", condition(), 2 + below(3));
  return text;
}

std::size_t changes_of(const Flow& flow) {
  std::size_t changes = 0;
  for (std::size_t i = 1; i < flow.size(); ++i) changes += std::size_t{flow[i] != flow[i - 1]};
  return changes;
}

class Proof {
 public:
  Proof(const model::Model& model, const Report& report, std::string_view name)
      : grid_(report.grid),
        expectations_(model, report.grid, report.fields),
        subject_(model, report.grid) {
    for (const model::ExpectationId id : model.policy.expectations.ids()) {
      if (model.policy.expectations[id].name == name) expectation_ = id;
    }
  }

  bool fails(const Flow& flow) {
    const Trace trace = trace_of(subject_, grid_, flow);
    return expectations_.judgement(expectation_, flow, trace).violation.has_value();
  }

  // The fewest changes of any flow of kTicks that fails, as far as that is less than two.
  std::size_t fewest_changes() {
    std::vector<Instance> contexts;
    for (Index a = 0; a < 4; ++a) {
      for (Index b = 0; b < 2; ++b) contexts.push_back({a, b});
    }
    for (const Instance& context : contexts) {
      if (fails(Flow(kTicks, context))) return 0;
    }
    for (const Instance& first : contexts) {
      for (const Instance& second : contexts) {
        for (std::size_t ticks = 1; ticks < kTicks; ++ticks) {
          Flow flow(ticks, first);
          flow.resize(kTicks, second);
          if (fails(flow)) return 1;
        }
      }
    }
    return 2;
  }

 private:
  const Grid& grid_;
  Expectations expectations_;
  ReferencePolicy subject_;
  model::ExpectationId expectation_;
};

bool fails_again(const model::Model& model, const Report& report, const Failing& failing) {
  KeptFailure kept{.model = model.name, .failure = failing.name, .contexts = {}};
  for (const Instance& instance : failing.smallest) {
    std::vector<std::string>& values = kept.contexts.emplace_back();
    for (std::size_t i = 0; i < instance.size(); ++i) {
      values.push_back(report.grid.properties[i].texts[instance[i]]);
    }
  }
  Options options;
  options.search.flows = 0;
  options.quakes = {kept};
  const Result<Report> again = run({.model = model}, options);
  return again && std::ranges::any_of(again->failures, [&](const Failing& one) {
           return one.name == failing.name && one.kept == 1;
         });
}

TEST(ShrinkPolicies, FailMinimallyAndAgain) {
  Random random(5);
  std::size_t shrunk = 0;
  std::size_t constant = 0;
  for (int repeat = 0; repeat < 25; ++repeat) {
    const std::string text = random_policy(random);
    lang::Parsed parsed = lang::parse({.name = "random.poise", .text = text});
    ASSERT_TRUE(parsed.model) << text;
    Options options;
    options.search.flows = 12;
    options.search.length = kTicks;
    const Result<Report> report = run({.model = *parsed.model}, options);
    ASSERT_TRUE(report) << text;
    for (const Failing& failing : report->failures) {
      if (failing.kind != Failing::Kind::Expectation) continue;
      Proof proof(*parsed.model, *report, failing.name);
      const Flow& flow = failing.smallest;
      EXPECT_TRUE(proof.fails(flow)) << text << failing.name;
      EXPECT_EQ(std::min<std::size_t>(changes_of(flow), 2), proof.fewest_changes())
          << text << failing.name;
      for (std::size_t i = 0; i < flow.size() && flow.size() > 1; ++i) {
        Flow rest = flow;
        rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(i));
        EXPECT_FALSE(proof.fails(rest)) << text << failing.name << " without tick " << i;
      }
      EXPECT_TRUE(fails_again(*parsed.model, *report, failing)) << text << failing.name;
      ++shrunk;
      constant += std::size_t{changes_of(flow) == 0};
    }
  }
  EXPECT_GT(shrunk, 20U);
  EXPECT_GT(constant, 3U);
  EXPECT_LT(constant, shrunk);
}

}  // namespace
}  // namespace poise::shake
