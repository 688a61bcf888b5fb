// Faults that people had, put back into the policies: which generators find them, with how many
// flows; and how much shrinking leaves of a flow that shows a fault.

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/shake.h"
#include "poise/base/check.h"
#include "poise/shake/oracle/shrink.h"
#include "poise/shake/shake.h"

namespace poise::bench {

namespace {

constexpr std::size_t kFlows = 20;
// Not the seeds of the other tables, which were looked at while generators were improved.
constexpr std::uint64_t kMuseumSeed = 201;

// A faulty policy: a file of the museum (`exhibit`), or a policy in which `from` is replaced by
// `to`.
struct Bug {
  std::string_view policy;
  std::string_view what;
  std::string_view exhibit = {};
  std::string_view from = {};
  std::string_view to = {};
};

constexpr Bug kBugs[] = {
    {.policy = "thermostat",
     .what = "home-assistant/core#79667: without tolerances the heater toggles at the target",
     .exhibit = "ha-79667-zero-tolerances"},
    {.policy = "thermostat",
     .what = "it looks again too late (not confirmed upstream)",
     .exhibit = "ha-recheck-delay"},
    {.policy = "battery-failsafe",
     .what = "ardupilot#7581: on a mission it returns to launch where it should land",
     .exhibit = "ardupilot-7581-auto-returns"},
    {.policy = "battery-failsafe",
     .what = "it never fires",
     .from = "< 10.5 held 10s",
     .to = "< 10.5 held 1000s"},
    {.policy = "battery-failsafe",
     .what = "it waits a second too long",
     .from = "< 10.5 held 10s",
     .to = "< 10.5 held 11s"},
    {.policy = "battery-failsafe",
     .what = "it is not latched",
     .from = "\noption land",
     .to = "\noption recover: mode := as_flown when mode == return_to_launch and not low\noption "
           "land"},
    {.policy = "battery-failsafe",
     .what = "`<=` instead of `<`",
     .from = "< 10.5 held 10s",
     .to = "<= 10.5 held 10s"},
    {.policy = "kubernetes-hpa",
     .what = "kubernetes#16275: it scales down after 1 minute instead of 5",
     .exhibit = "kubernetes-16275-one-minute"},
    {.policy = "keda-scaled-object",
     .what = "keda#7770: straight to zero",
     .exhibit = "keda-7770-straight-to-zero"},
    {.policy = "aws-step-scaling", .what = "steps with a gap", .exhibit = "aws-gap"},
};

model::Model policy(const std::string& examples, std::string_view name) {
  const std::string path = fmt::format("{}/policies/{}.poise", examples, name);
  return model_of(path, text_of(path));
}

model::Model wrong_one(const std::string& examples, const Bug& bug) {
  if (!bug.exhibit.empty()) return policy(examples, fmt::format("museum/{}", bug.exhibit));
  const std::string path = fmt::format("{}/policies/{}.poise", examples, bug.policy);
  std::string text = text_of(path);
  const std::size_t at = text.find(bug.from);
  if (at == std::string::npos) say(fmt::format("`{}` is not in {}", bug.from, path));
  POISE_CHECK(at != std::string::npos);
  text.replace(at, bug.from.size(), bug.to);
  return model_of(path, std::move(text));
}

// By seed: the number, from 1, of the first flow that shows the fault; nothing if none does.
using Firsts = std::vector<std::optional<std::size_t>>;

// The oracle is the right policy; without one, only the expectations that the policy itself states.
Firsts firsts(const model::Model& wrong, const model::Model* right, shake::Generator generator) {
  Firsts all;
  for (std::uint64_t i = 0; i < kSeeds; ++i) {
    const std::uint64_t seed = first_seed(kMuseumSeed) + i;
    shake::Options options;
    options.search = {
        .generator = generator, .flows = kFlows, .length = kTicks, .seed = seed, .jobs = kCores};
    const Result<shake::Report> report = shake::run({.model = wrong, .reference = right}, options);
    POISE_CHECK(report.has_value());
    std::optional<std::size_t> first;
    for (const shake::Failing& failing : report->failures) {
      const bool difference = failing.kind == shake::Failing::Kind::Difference;
      if (difference != (right != nullptr)) continue;
      first = std::min(first.value_or(failing.flow + 1), failing.flow + 1);
    }
    all.push_back(first);
  }
  return all;
}

std::size_t found(const Firsts& firsts) {
  return static_cast<std::size_t>(
      std::ranges::count_if(firsts, [](const auto& first) { return first.has_value(); }));
}

// "20 (by flow 7)": with how many seeds it was found, and how many flows were enough for all these.
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
      kSeeds, first_seed(kMuseumSeed), first_seed(kMuseumSeed) + kSeeds - 1, kFlows);
  std::vector<std::string> head = {"fault", "bar", "portfolio, no reference"};
  for (const shake::Generator generator : shake::kGenerators) {
    head.emplace_back(shake::name_of(generator));
  }
  Table table(head);
  for (const Bug& bug : kBugs) {
    say(std::string(bug.what));
    const model::Model right = policy(examples, bug.policy);
    const model::Model wrong = wrong_one(examples, bug);
    std::vector<std::string> row = {fmt::format("{}: {}", bug.policy, bug.what)};
    for (const shake::Generator generator : shake::kGenerators) {
      const Firsts differ = firsts(wrong, &right, generator);
      if (generator == shake::Generator::Portfolio) {
        row.emplace_back(verdict(found(differ) == kSeeds));
        row.push_back(to_text(firsts(wrong, nullptr, generator)));
      }
      row.push_back(to_text(differ));
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
        flows_by(shaken, shake::Generator::Portfolio, kFlows, kFirstSeed).flows;
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
