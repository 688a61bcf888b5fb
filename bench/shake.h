#pragma once

// Shared by the tables of bench/shake: the four policies with their mutants, and which flows kill
// which mutants.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/flows/search.h"
#include "poise/shake/grid/flow.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/mutants/equivalence.h"
#include "poise/shake/mutants/matrix.h"
#include "poise/shake/mutants/mutants.h"
#include "poise/shake/subjects/machine.h"

namespace poise::bench {

inline constexpr std::size_t kCores = 2;
inline constexpr std::size_t kTicks = 60;  // of a flow, as in the paper
// Generators were developed with seeds below these, so that the tables are no fit to their seeds.
inline constexpr std::uint64_t kFirstSeed = 101;
inline constexpr std::uint64_t kSeeds = 20;
// POISE_BENCH_SEED, if it is set: for trying other seeds by hand.
[[nodiscard]] std::uint64_t first_seed(std::uint64_t usual);

[[nodiscard]] std::string text_of(const std::string& path);
[[nodiscard]] model::Model model_of(std::string name, std::string text);

// A policy, the grid of the contexts that it senses, and its mutants.
struct Shaken {
  std::string name;
  model::Model model;
  shake::Grid grid;
  std::vector<shake::Mutant> mutants;
};

inline constexpr std::string_view kWebServer = "web-server";
inline constexpr std::string_view kPolicies[] = {kWebServer, "kubernetes-hpa", "thermostat",
                                                 "battery-failsafe"};

[[nodiscard]] Shaken shaken(const std::string& examples, std::string_view policy,
                            const shake::MutantOptions& options = {});
// The web server with the paper's 90 mutants.
[[nodiscard]] Shaken papers(const std::string& examples);
// That one, and each of the four policies with all mutants that there are.
[[nodiscard]] std::vector<Shaken> all_shaken(const std::string& examples);

// The machine of a mutant; of the policy itself if it is null.
[[nodiscard]] std::unique_ptr<shake::PolicyMachine> machine_of(const Shaken& shaken,
                                                               const shake::Mutant* mutant);

// The flows that `poise shake` would take: the portfolio is told what can be known of the policy.
[[nodiscard]] shake::GeneratedFlows flows_by(const Shaken& shaken, shake::Generator generator,
                                             std::size_t flows, std::uint64_t seed);

[[nodiscard]] shake::KillMatrix matrix_of(const Shaken& shaken, std::span<const shake::Flow> flows);
// By mutant: the number of the first flow that kills it; the number of flows if none does.
[[nodiscard]] std::vector<std::size_t> first_kills(const shake::KillMatrix& matrix);

[[nodiscard]] std::vector<shake::Verdict> verdicts_of(const Shaken& shaken);
[[nodiscard]] std::size_t count(std::span<const shake::Verdict> verdicts,
                                shake::Verdict::Kind kind);

struct Spread {
  double mean = 0;
  double deviation = 0;  // standard deviation of a sample
};
[[nodiscard]] Spread spread_of(std::span<const double> values);
[[nodiscard]] std::string to_text(const Spread& spread);  // "12.3 ± 0.4"

// Seconds of processor time of this process, of all its threads.
[[nodiscard]] double cpu_seconds();

[[nodiscard]] std::string_view verdict(bool met);  // "ok", "over"
// Says on standard error what is being measured.
void say(const std::string& what);

// Each section prints a heading, a few words and tables. It returns false if answers that must
// agree do not; a bar that is not met is only printed.
bool print_paper(const std::string& examples);        // shake_paper.cpp
bool print_generators(const std::string& examples);   // shake_paper.cpp
bool print_budgets(const std::string& examples);      // shake_budgets.cpp
bool print_hints(const std::string& examples);        // shake_budgets.cpp
bool print_equivalence(const std::string& examples);  // shake_speed.cpp
bool print_tuples(const std::string& examples);       // shake_speed.cpp
bool print_museum(const std::string& examples);       // shake_museum.cpp
bool print_shrink(const std::string& examples);       // shake_museum.cpp
bool print_speed(const std::string& examples);        // shake_speed.cpp

}  // namespace poise::bench
