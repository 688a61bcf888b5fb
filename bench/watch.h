#pragma once

// What the tables of monitors have in common: logs through a monitor, with any evaluator, and how
// long that takes.

#include <chrono>
#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/peers/ire.h"
#include "poise/model/model.h"
#include "poise/watch/monitor.h"

namespace poise::bench {

enum class Technique {
  Rebuilt,      // trees built anew: the paper's NI
  Full,         // everything again, without trees
  Tree,         // the paper's IRE
  Incremental,  // ours
  Counting,     // ours, with counters also where they do not pay
};
// Those that are compared with the paper's.
inline constexpr Technique kTechniques[] = {Technique::Rebuilt, Technique::Full, Technique::Tree,
                                            Technique::Incremental};
[[nodiscard]] std::string_view name(Technique technique);

// The counts, which only trees change, must outlive the monitor.
[[nodiscard]] std::unique_ptr<watch::Monitor> monitor_with(Technique technique,
                                                           const model::Model& model,
                                                           NodeCounts& counts,
                                                           const watch::Options& options = {});

[[nodiscard]] model::Model model_of(std::string name, std::string text);
[[nodiscard]] model::Model model_from(const std::string& path);

// Processor time of this thread: what the clock would show if nobody else used the machine.
class Stopwatch {
 public:
  Stopwatch() : begin_(now()) {}
  [[nodiscard]] double seconds() const { return now() - begin_; }

 private:
  [[nodiscard]] static double now();
  double begin_;
};
// The least of some runs: others on the machine only ever add to it.
[[nodiscard]] double least(int runs, const std::function<double()>& measured);
[[nodiscard]] std::string millions(std::size_t events, double seconds);

using Lines = std::vector<std::string>;

struct Watched {
  double seconds = 0;  // of processor time, from the lines on: reading included
  watch::Summary summary;
  NodeCounts nodes;

  [[nodiscard]] std::size_t faults() const {
    return summary.faults[0] + summary.faults[1] + summary.faults[2];
  }
};
[[nodiscard]] Watched watched(const model::Model& model, const Lines& lines, Technique technique);

// How long single things took, in nanoseconds by the clock, which is quicker to read.
using Clock = std::chrono::steady_clock;
class Durations {
 public:
  explicit Durations(std::size_t expected) { all_.reserve(expected); }
  void add(Clock::duration duration) {
    all_.push_back(std::chrono::duration_cast<std::chrono::nanoseconds>(duration).count());
  }
  void sort();
  void add(const Durations& others) {
    all_.insert(all_.end(), others.all_.begin(), others.all_.end());
  }
  // Of the same things once more, not sorted yet: of each the quicker time, since others on the
  // machine only ever add to it.
  void keep_least(const Durations& again);
  // Sorted: so many in a hundred took no longer.
  [[nodiscard]] double at(std::size_t percent) const;
  [[nodiscard]] double mean() const;

 private:
  std::vector<std::int64_t> all_;
};

// The same with the time of each line but the first, not sorted; measuring adds some 50 ns to each.
struct Timed {
  Watched watched;
  Durations lines;
};
[[nodiscard]] Timed timed(const model::Model& model, const Lines& lines, Technique technique);

// When a line happens, by its own words; and from the first one to the last.
[[nodiscard]] double seconds_in(const std::string& line);
[[nodiscard]] double seconds_of_log(const Lines& lines);

// All that a monitor says of a log, adaptations too, a text each.
[[nodiscard]] std::vector<std::string> said_of(const model::Model& model, const Lines& lines,
                                               Technique technique);

// A fault by its names, so that it is the same in two models: where it starts and the rules.
struct FaultName {
  std::string kind;
  std::string state;
  std::vector<std::string> rules;
  friend auto operator<=>(const FaultName&, const FaultName&) = default;
};
[[nodiscard]] FaultName fault_name(const model::Model& model, const watch::Occurrence& what);
using FaultCounts = std::map<FaultName, std::size_t>;
// How often each occurs in a log.
[[nodiscard]] FaultCounts faults_of(const model::Model& model, const Lines& lines);
// As a table.
void print_faults(const FaultCounts& faults);

// The two rules of watch_rules.cpp, with small windows, as all find them satisfied.
[[nodiscard]] bool print_rules_agreement();

// Sections, by the folder of the example models. Each prints a heading, a few words and tables, and
// says whether what must agree does.
bool print_rules(const std::string& examples);         // watch_rules.cpp
bool print_pairs(const std::string& examples);         // watch_pairs.cpp
bool print_applications(const std::string& examples);  // watch_applications.cpp
bool print_instances(const std::string& examples);     // watch_applications.cpp
bool print_agreement(const std::string& examples);     // watch_agree.cpp
bool print_table1(const std::string& examples);        // watch_effectiveness.cpp
bool print_table2(const std::string& examples);        // watch_trees.cpp
bool print_nodes(const std::string& examples);         // watch_trees.cpp
bool print_scale(const std::string& examples);         // watch_trees.cpp
bool print_car(const std::string& examples);           // watch_trees.cpp

}  // namespace poise::bench
