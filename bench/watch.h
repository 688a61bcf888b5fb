#pragma once

// Shared by the tables of bench/watch: runs a log through a monitor, with any evaluator, and
// measures how long that takes.

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
  Rebuilt,      // trees built anew with each question: the paper's NI
  Full,         // the full evaluator: everything again, without trees
  Tree,         // trees that are kept and adjusted: the paper's IRE
  Incremental,  // the default of `poise watch`
  Counting,     // the same, with counters even where a scan is cheaper
};
// Those in the tables that are compared with the paper's.
inline constexpr Technique kTechniques[] = {Technique::Rebuilt, Technique::Full, Technique::Tree,
                                            Technique::Incremental};
[[nodiscard]] std::string_view name(Technique technique);

// The counts must outlive the monitor. Only trees change them.
[[nodiscard]] std::unique_ptr<watch::Monitor> monitor_with(Technique technique,
                                                           const model::Model& model,
                                                           NodeCounts& counts,
                                                           const watch::Options& options = {});

[[nodiscard]] model::Model model_of(std::string name, std::string text);
[[nodiscard]] model::Model model_from(const std::string& path);

// Processor time of this thread, so that other programs on the machine disturb less.
class Stopwatch {
 public:
  Stopwatch() : begin_(now()) {}
  [[nodiscard]] double seconds() const { return now() - begin_; }

 private:
  [[nodiscard]] static double now();
  double begin_;
};
// The least of some runs: other programs only ever add to a time.
[[nodiscard]] double least(int runs, const std::function<double()>& measured);
[[nodiscard]] std::string millions(std::size_t events, double seconds);

using Lines = std::vector<std::string>;

struct Watched {
  double seconds = 0;  // of processor time; reading the lines is included
  watch::Summary summary;
  NodeCounts nodes;

  [[nodiscard]] std::size_t faults() const {
    return summary.faults[0] + summary.faults[1] + summary.faults[2];
  }
};
[[nodiscard]] Watched watched(const model::Model& model, const Lines& lines, Technique technique);

// Durations of single things, in nanoseconds. By the clock, which is quicker to read than processor
// time.
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
  // `again` has the same things measured once more, in the same order, not sorted yet. Keeps the
  // shorter time of each.
  void keep_least(const Durations& again);
  // The percentile; they must be sorted.
  [[nodiscard]] double at(std::size_t percent) const;
  [[nodiscard]] double mean() const;

 private:
  std::vector<std::int64_t> all_;
};

// Watched, with the time of each line but the first, not sorted. Measuring adds some 50 ns to each.
struct Timed {
  Watched watched;
  Durations lines;
};
[[nodiscard]] Timed timed(const model::Model& model, const Lines& lines, Technique technique);

// The time that a line says it happened at; and the time from the first line to the last.
[[nodiscard]] double seconds_in(const std::string& line);
[[nodiscard]] double seconds_of_log(const Lines& lines);

// All that a monitor reports about a log, adaptations included, each as a text.
[[nodiscard]] std::vector<std::string> said_of(const model::Model& model, const Lines& lines,
                                               Technique technique);

// A fault by names, so that it can be compared between two models: its kind, the state in which it
// starts, and its rules.
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

// Compares how often all peers find the two rules of watch_rules.cpp satisfied, in small windows.
[[nodiscard]] bool print_rules_agreement();

// Each section gets the folder of the example models, and prints a heading, a few words and tables.
// It returns false if answers that must agree do not.
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
