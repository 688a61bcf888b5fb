#pragma once

// What the tables of shaking have in common: the four policies with their mutants, and which flows
// kill which of them.

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
inline constexpr std::size_t kTicks = 60;  // the paper's
// Generators were made what they are with other seeds.
inline constexpr std::uint64_t kFirstSeed = 101;
inline constexpr std::uint64_t kSeeds = 20;
// POISE_BENCH_SEED, if it is set: for trying other seeds by hand.
[[nodiscard]] std::uint64_t first_seed(std::uint64_t usual);

[[nodiscard]] std::string text_of(const std::string& path);
[[nodiscard]] model::Model model_of(std::string name, std::string text);

// A policy, what it senses, and what could be wrong with it.
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
// The paper's 90.
[[nodiscard]] Shaken papers(const std::string& examples);
// The paper's, and of all four policies all that there are.
[[nodiscard]] std::vector<Shaken> all_shaken(const std::string& examples);

[[nodiscard]] std::unique_ptr<shake::PolicyMachine> machine_of(const Shaken& shaken,
                                                               const shake::Mutant* mutant);

// As `shake` asks for them: it tells the portfolio what it can about the policy.
[[nodiscard]] shake::GeneratedFlows flows_by(const Shaken& shaken, shake::Generator generator,
                                             std::size_t flows, std::uint64_t seed);

[[nodiscard]] shake::KillMatrix matrix_of(const Shaken& shaken, std::span<const shake::Flow> flows);
// By mutant: the first flow that kills it, or as many as there are flows.
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

// Each prints a heading, a few words and tables, and says whether what must agree does; a bar that
// is not met is printed only.
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
