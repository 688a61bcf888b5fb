// The paper's experiment: 90 mutants of the web server, and three sets of a hundred flows.

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/shake.h"
#include "poise/shake/covering/coverage.h"
#include "poise/shake/flows/metrics.h"

namespace poise::bench {

namespace {

constexpr std::size_t kSets = 3;
constexpr std::size_t kFlows = 100;

std::string percent(double share) { return fmt::format("{:.0f} %", share * 100); }

}  // namespace

bool print_paper(const std::string& examples) {
  say("paper");
  const Shaken web = papers(examples);
  const std::vector<shake::Verdict> verdicts = verdicts_of(web);
  std::vector<bool> equivalent;
  for (const shake::Verdict& one : verdicts) {
    equivalent.push_back(one.kind == shake::Verdict::Kind::Equivalent);
  }
  const auto killable = static_cast<std::size_t>(std::ranges::count(equivalent, false));
  fmt::print(
      "## The paper's experiment\n\n91 programs, {} sets of {} flows (seeds {} to {}), {} ticks: "
      "{} simulations for every generator. {} of the 90 mutants are equivalent, by exhaustive "
      "search. Killed by all, and by more than 60 %, are shares of all 90, of flows on average "
      "over "
      "the sets. The paper: 96 % killed, the others equivalent; 56 % killed by all flows.\n\n",
      kSets, kFlows, kFirstSeed, kFirstSeed + kSets - 1, kTicks, 91 * kSets * kFlows,
      90 - killable);
  Table table({"generator", "F1", "F2", "F3", "F4", "killed", "of those that can be",
               "killed by all flows", "by more than 60 %"});
  std::vector<std::string> all = {"there are"};
  std::vector<std::string> can = {"can be killed"};
  bool fine = web.mutants.size() == 90;
  for (const shake::Generator generator : shake::kGenerators) {
    std::vector<shake::Flow> flows;
    for (std::size_t set = 0; set < kSets; ++set) {
      shake::GeneratedFlows made = flows_by(web, generator, kFlows, kFirstSeed + set);
      std::ranges::move(made.flows, std::back_inserter(flows));
    }
    const shake::KillMatrix matrix = matrix_of(web, flows);
    const shake::Analysis analysis = shake::analysis_of(matrix);
    std::vector<std::string> row = {std::string(shake::name_of(generator))};
    for (const shake::GroupKills& group : shake::kills_by_group(matrix, web.mutants, equivalent)) {
      row.push_back(std::to_string(group.killed));
      if (generator == shake::kGenerators[0]) {
        all.push_back(std::to_string(group.mutants));
        can.push_back(std::to_string(group.mutants - group.equivalent));
      }
      fine = fine && group.killed + group.equivalent <= group.mutants;
    }
    const auto often = std::ranges::count_if(
        analysis.kills, [&](std::size_t kills) { return kills * 10 > flows.size() * 6; });
    row.push_back(std::to_string(analysis.killed));
    row.push_back(percent(shake::mutation_score(matrix, equivalent)));
    row.push_back(percent(static_cast<double>(analysis.killed_by_all) / 90));
    row.push_back(percent(static_cast<double>(often) / 90));
    if (generator == shake::kGenerators[0]) {
      for (std::vector<std::string>* head : {&all, &can}) {
        head->push_back(std::to_string(head == &all ? 90 : killable));
        head->resize(row.size());
        table.add(*head);
      }
    }
    table.add(std::move(row));
  }
  table.print();
  return fine;
}

bool print_generators(const std::string& examples) {
  say("generators");
  const Shaken web = papers(examples);
  fmt::print(
      "## Generators\n\nThe web server and the paper's mutants, {} flows of {} ticks, means over "
      "{} "
      "seeds. A signature is a set of flows that kill a mutant: the more there are, the better "
      "faults "
      "are told apart.\n\n",
      kFlows, kTicks, kSeeds);
  Table table({"generator", "pairs covered", "cell transitions", "earthquake profiles of a flow",
               "oscillation", "violent steps", "shapes of 81", "killed", "killed by all flows",
               "signatures"});
  for (const shake::Generator generator : shake::kGenerators) {
    const shake::ContextSpace space(web.grid);
    std::map<std::string, std::vector<double>> figures;
    for (std::uint64_t seed = kFirstSeed; seed < kFirstSeed + kSeeds; ++seed) {
      const std::vector<shake::Flow> flows = flows_by(web, generator, kFlows, seed).flows;
      const shake::FlowCoverage covered = shake::coverage(web.grid, flows);
      const auto share = [](const shake::Coverage& one) {
        return static_cast<double>(one.covered) / static_cast<double>(one.feasible);
      };
      figures["pairs"].push_back(share(covered.pairs));
      figures["transitions"].push_back(share(covered.transitions));
      for (const shake::Flow& flow : flows) {
        figures["profiles"].push_back(static_cast<double>(shake::earthquake_profiles(space, flow)));
        figures["oscillation"].push_back(shake::oscillation(space, flow));
        const std::vector<shake::StepKind> kinds = shake::step_kinds(space, flow);
        figures["violent"].push_back(
            static_cast<double>(std::ranges::count(kinds, shake::StepKind::Violent)) /
            static_cast<double>(kinds.size()));
      }
      figures["shapes"].push_back(static_cast<double>(shake::shape_cells(space, flows).count()));
      const shake::Analysis analysis = shake::analysis_of(matrix_of(web, flows));
      figures["killed"].push_back(static_cast<double>(analysis.killed));
      figures["by all"].push_back(static_cast<double>(analysis.killed_by_all));
      figures["signatures"].push_back(static_cast<double>(analysis.signatures));
    }
    const auto mean = [&](const std::string& name) { return spread_of(figures[name]).mean; };
    table.add({std::string(shake::name_of(generator)), fmt::format("{:.1f} %", mean("pairs") * 100),
               percent(mean("transitions")), fmt::format("{:.1f}", mean("profiles")),
               fmt::format("{:.2f}", mean("oscillation")), percent(mean("violent")),
               fmt::format("{:.1f}", mean("shapes")), to_text(spread_of(figures["killed"])),
               fmt::format("{:.1f}", mean("by all")), fmt::format("{:.1f}", mean("signatures"))});
  }
  table.print();
  return true;
}

}  // namespace poise::bench
