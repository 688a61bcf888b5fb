// Faults that people had, put back into the policies: who finds them, with how many flows; and what
// is left of a flow that shows a fault.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bench/shake.h"
#include "bench/table.h"
#include "poise/base/check.h"
#include "poise/shake/shake.h"
#include "poise/shake/shrink.h"

namespace poise::bench {

namespace {

constexpr std::size_t kFlows = 20;
// Those of the other tables were looked at while generators were improved.
constexpr std::uint64_t kMuseumSeed = 201;

struct Bug {
  std::string_view policy;
  std::string_view what;
  struct Edit {
    std::string_view from;  // empty: appended
    std::string_view to;
  };
  std::vector<Edit> edits;
};

const std::vector<Bug>& bugs() {
  static const std::vector<Bug> kBugs = {
      {"thermostat",
       "home-assistant/core#79667: without tolerances the heater toggles at the target",
       {{"target > sensor.temperature + 0.3", "target >= sensor.temperature"},
        {"target < sensor.temperature - 0.3", "target <= sensor.temperature"},
        // A tick is one look at the sensor, and one decision.
        {"when heater and too_hot", "when previous of heater and too_hot"}}},
      {"battery-failsafe", "it never fires", {{"< 10.5 held 10s", "< 10.5 held 1000s"}}},
      {"battery-failsafe", "it waits a second too long", {{"< 10.5 held 10s", "< 10.5 held 11s"}}},
      {"battery-failsafe",
       "it is not latched",
       {{"", "option recover: mode := stabilize when mode == return_to_launch and not low\n"}}},
      {"battery-failsafe", "`<=` instead of `<`", {{"< 10.5 held 10s", "<= 10.5 held 10s"}}},
      {"battery-failsafe",
       "ardupilot#7581: it returns to launch where it should land",
       {{"option land: mode := land when", "option land: mode := return_to_launch when"}}},
      {"kubernetes-hpa",
       "kubernetes#16275: it scales down after 1 minute instead of 5",
       {{"over 5m", "over 1m"}}},
  };
  return kBugs;
}

model::Model model_with(const std::string& examples, const Bug& bug) {
  const std::string path = fmt::format("{}/policies/{}.poise", examples, bug.policy);
  std::string text = text_of(path);
  for (const Bug::Edit& edit : bug.edits) {
    if (edit.from.empty()) {
      text += edit.to;
      continue;
    }
    const std::size_t at = text.find(edit.from);
    if (at == std::string::npos) say(fmt::format("`{}` is not in {}", edit.from, path));
    POISE_CHECK(at != std::string::npos);
    text.replace(at, edit.from.size(), edit.to);
  }
  return model_of(path, std::move(text));
}

// By seed: the first flow that shows it, from 1; none if no flow does.
using Firsts = std::vector<std::optional<std::size_t>>;

struct Seen {
  Firsts difference;   // from the policy as it should be
  Firsts expectation;  // of the policy, without a reference
};

Seen seen(const model::Model& wrong, const model::Model& right, shake::Generator generator) {
  Seen result;
  for (std::uint64_t seed = kMuseumSeed; seed < kMuseumSeed + kSeeds; ++seed) {
    shake::Options options;
    options.search = {
        .generator = generator, .flows = kFlows, .length = kTicks, .seed = seed, .jobs = kCores};
    const Result<shake::Report> report = shake::run({.model = wrong, .reference = &right}, options);
    POISE_CHECK(report.has_value());
    std::optional<std::size_t> difference;
    std::optional<std::size_t> expectation;
    for (const shake::Failing& failing : report->failures) {
      std::optional<std::size_t>& first =
          failing.kind == shake::Failing::Kind::Difference ? difference : expectation;
      first = std::min(first.value_or(failing.flow + 1), failing.flow + 1);
    }
    result.difference.push_back(difference);
    result.expectation.push_back(expectation);
  }
  return result;
}

std::size_t found(const Firsts& firsts) {
  return static_cast<std::size_t>(
      std::ranges::count_if(firsts, [](const auto& first) { return first.has_value(); }));
}

// "20, the last at 7": of how many seeds, and the number of flows that was enough for all of them.
std::string to_text(const Firsts& firsts) {
  if (found(firsts) == 0) return "0";
  std::size_t last = 0;
  for (const auto& first : firsts) last = std::max(last, first.value_or(0));
  return fmt::format("{} (by flow {})", found(firsts), last);
}

}  // namespace

bool print_museum(const std::string& examples) {
  fmt::print(
      "## Museum\n\nFaults that people had, put back. On how many of {} seeds ({} to {}) {} flows "
      "show them, "
      "and "
      "the flow by which all of those have: against the policy as it should be, and for the "
      "portfolio "
      "also by what the policy says is expected, without a reference. Bar: all seeds, with a "
      "reference.\n\n",
      kSeeds, kMuseumSeed, kMuseumSeed + kSeeds - 1, kFlows);
  std::vector<std::string> head = {"fault", "bar", "portfolio, no reference"};
  for (const shake::Generator generator : shake::kGenerators) {
    head.emplace_back(shake::name_of(generator));
  }
  Table table(head);
  for (const Bug& bug : bugs()) {
    say(std::string(bug.what));
    const std::string path = fmt::format("{}/policies/{}.poise", examples, bug.policy);
    const model::Model right = model_of(path, text_of(path));
    const model::Model wrong = model_with(examples, bug);
    std::vector<std::string> row = {fmt::format("{}: {}", bug.policy, bug.what)};
    for (const shake::Generator generator : shake::kGenerators) {
      const Seen all = seen(wrong, right, generator);
      if (generator == shake::Generator::Portfolio) {
        row.emplace_back(verdict(found(all.difference) == kSeeds));
        row.push_back(to_text(all.expectation));
      }
      row.push_back(to_text(all.difference));
    }
    table.add(std::move(row));
  }
  table.print();
  return true;
}

bool print_shrink(const std::string& examples) {
  say("shrink");
  fmt::print(
      "## Shrinking\n\nEvery mutant that 20 flows of the portfolio kill (seed {}): the first flow "
      "that "
      "does, up to the difference, and what is left of it. The shortest is what exhaustive search "
      "finds. Processor time, one thread.\n\n",
      kFirstSeed);
  Table table({"policy", "flows", "ticks before", "after", "the shortest", "longer than that",
               "executions of a flow", "longest time of a flow", "all together"});
  bool fine = true;
  for (const Shaken& shaken : all_shaken(examples)) {
    const std::vector<shake::Flow> flows =
        shake::flows_of(shaken.grid, {.flows = kFlows, .length = kTicks, .seed = kFirstSeed}).flows;
    const shake::KillMatrix matrix = matrix_of(shaken, flows);
    const std::vector<std::size_t> first = first_kills(matrix);
    const std::vector<shake::Verdict> verdicts = verdicts_of(shaken);
    const auto original = machine_of(shaken, nullptr);
    std::vector<double> before;
    std::vector<double> after;
    std::vector<double> shortest;
    std::vector<double> executions;
    std::size_t longer = 0;
    double longest = 0;
    double together = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i] == flows.size()) continue;
      shake::Flow flow = flows[first[i]];
      flow.resize(matrix.tick(i, first[i]) + 1);
      const auto mutant = machine_of(shaken, &shaken.mutants[i]);
      const auto kills = [&](const shake::Flow& one) {
        return shake::first_difference(trace_of(*original, shaken.grid, one),
                                       trace_of(*mutant, shaken.grid, one))
            .has_value();
      };
      const double begin = cpu_seconds();
      const shake::Shrunk small = shake::shrunk(shaken.grid, flow, kills);
      const double ms = (cpu_seconds() - begin) * 1000;
      longest = std::max(longest, ms);
      together += ms;
      fine = fine && small.is_minimal && kills(small.flow);
      before.push_back(static_cast<double>(flow.size()));
      after.push_back(static_cast<double>(small.flow.size()));
      executions.push_back(static_cast<double>(small.executions));
      if (verdicts[i].kind == shake::Verdict::Kind::Killable) {
        shortest.push_back(static_cast<double>(verdicts[i].flow.size()));
        longer += std::size_t{small.flow.size() > verdicts[i].flow.size()};
      }
    }
    const auto mean = [](const std::vector<double>& values) {
      return fmt::format("{:.1f}", spread_of(values).mean);
    };
    table.add({shaken.name, std::to_string(before.size()), mean(before), mean(after),
               fmt::format("{} (of {})", mean(shortest), shortest.size()), std::to_string(longer),
               mean(executions), milliseconds(longest), milliseconds(together)});
  }
  table.print();
  return fine;
}

}  // namespace poise::bench
