// bench/shake: which flows find which faults, and how fast; shake.h lists the sections.

#include "bench/shake.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "bench/common/sections.h"
#include "poise/base/check.h"
#include "poise/lang/lang.h"
#include "poise/shake/flows/deviations.h"
#include "poise/shake/flows/hints.h"

namespace poise::bench {

std::string text_of(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

model::Model model_of(std::string name, std::string text) {
  lang::Parsed parsed = lang::parse({.name = std::move(name), .text = std::move(text)});
  POISE_CHECK(parsed.model.has_value());
  return std::move(*parsed.model);
}

Shaken shaken(const std::string& examples, std::string_view policy,
              const shake::MutantOptions& options) {
  const std::string path = fmt::format("{}/policies/{}.poise", examples, policy);
  Shaken made{std::string(policy), model_of(path, text_of(path)), {}, {}};
  made.grid = shake::grid_of(made.model);
  made.mutants = shake::mutants_of(made.model, made.grid, options);
  return made;
}

Shaken papers(const std::string& examples) {
  Shaken made = shaken(examples, kWebServer,
                       {.groups = {shake::kPaperGroups.begin(), shake::kPaperGroups.end()}});
  made.name += ", the paper's 90";
  return made;
}

std::vector<Shaken> all_shaken(const std::string& examples) {
  std::vector<Shaken> all;
  all.push_back(papers(examples));
  for (const std::string_view policy : kPolicies) all.push_back(shaken(examples, policy));
  all[1].name += ", all";
  return all;
}

std::unique_ptr<shake::PolicyMachine> machine_of(const Shaken& shaken,
                                                 const shake::Mutant* mutant) {
  if (mutant == nullptr) return std::make_unique<shake::PolicyMachine>(shaken.model, shaken.grid);
  return std::make_unique<shake::PolicyMachine>(mutant->model, shaken.grid, mutant->sensor,
                                                mutant->terms);
}

std::uint64_t first_seed(std::uint64_t usual) {
  const char* given = std::getenv("POISE_BENCH_SEED");
  return given == nullptr ? usual : std::strtoull(given, nullptr, 10);
}

shake::GeneratedFlows flows_by(const Shaken& shaken, shake::Generator generator, std::size_t flows,
                               std::uint64_t seed) {
  const std::unique_ptr<shake::PolicyMachine> machine = machine_of(shaken, nullptr);
  shake::Deviations deviations;
  shake::SearchOptions options{.generator = generator,
                               .flows = flows,
                               .length = kTicks,
                               .seed = seed,
                               .dwells = shake::dwells_of(shaken.model.policy),
                               .jobs = kCores};
  if (generator == shake::Generator::Portfolio) {
    deviations.add(shaken.model, shaken.grid);
    options.deviations = &deviations;
    options.behaviour = shake::behaviour_of(*machine, shaken.grid);
  }
  return shake::flows_of(shaken.grid, options);
}

shake::KillMatrix matrix_of(const Shaken& shaken, std::span<const shake::Flow> flows) {
  const std::unique_ptr<shake::PolicyMachine> original = machine_of(shaken, nullptr);
  std::vector<shake::Contexts> contexts;
  std::vector<shake::Trace> expected;
  for (const shake::Flow& flow : flows) {
    contexts.push_back(shake::contexts_of(shaken.grid, flow));
    expected.push_back(shake::trace_of(*original, contexts.back()));
  }
  return shake::kill_matrix(contexts, expected, shaken.mutants.size(),
                            [&](std::size_t i) { return machine_of(shaken, &shaken.mutants[i]); },
                            {.jobs = kCores});
}

std::vector<std::size_t> first_kills(const shake::KillMatrix& matrix) {
  std::vector<std::size_t> first(matrix.mutants, matrix.flows);
  for (std::size_t mutant = 0; mutant < matrix.mutants; ++mutant) {
    std::size_t& flow = first[mutant];
    flow = 0;
    while (flow < matrix.flows && !matrix.kills(mutant, flow)) ++flow;
  }
  return first;
}

std::vector<shake::Verdict> verdicts_of(const Shaken& shaken) {
  return shake::equivalence(shaken.model, shaken.mutants, shaken.grid,
                            [&](const shake::Mutant* mutant) { return machine_of(shaken, mutant); },
                            {.jobs = kCores});
}

std::size_t count(std::span<const shake::Verdict> verdicts, shake::Verdict::Kind kind) {
  return static_cast<std::size_t>(std::ranges::count(verdicts, kind, &shake::Verdict::kind));
}

Spread spread_of(std::span<const double> values) {
  Spread spread;
  for (const double value : values) spread.mean += value;
  spread.mean /= static_cast<double>(values.size());
  for (const double value : values) spread.deviation += std::pow(value - spread.mean, 2);
  spread.deviation = std::sqrt(spread.deviation / static_cast<double>(values.size() - 1));
  return spread;
}

std::string to_text(const Spread& spread) {
  return fmt::format("{:.1f} ± {:.1f}", spread.mean, spread.deviation);
}

double cpu_seconds() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

std::string_view verdict(bool met) { return met ? "ok" : "over"; }

void say(const std::string& what) { fmt::print(stderr, "bench: {}\n", what); }

namespace {

constexpr SectionOf<std::string> kSections[] = {
    {"paper", print_paper},   {"generators", print_generators},   {"budgets", print_budgets},
    {"hints", print_hints},   {"equivalence", print_equivalence}, {"tuples", print_tuples},
    {"museum", print_museum}, {"shrink", print_shrink},           {"speed", print_speed},
};

int run(std::span<const std::string_view> words) {
  if (words.empty()) {
    fmt::print(stderr, "usage: poise_bench_shake EXAMPLES [SECTION...]\n");
    return 2;
  }
  return run_sections<std::string>(kSections, std::string(words[0]), words.subspan(1));
}

}  // namespace

}  // namespace poise::bench

int main(int count, char** words) {
  const std::vector<std::string_view> arguments(words + 1, words + count);
  return poise::bench::run(arguments);
}
