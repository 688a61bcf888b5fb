// Bars: times that must not be exceeded. They are for the hybrid engine, which `--engine auto`
// takes.

#include <fmt/format.h>

#include "bench/common/bench.h"
#include "bench/common/table.h"

namespace poise::bench {

namespace {

class Bars {
 public:
  // The median is compared with the bar.
  void add(const std::string& what, double bar_ms, const std::string& jobs,
           const Measured& measured) {
    if (!measured.stopped.empty()) {
      table_.add({what, milliseconds(bar_ms), jobs, table_.clock_cell(measured), "", "", "over"});
      return;
    }
    const double ms = median(measured);
    table_.add({what, milliseconds(bar_ms), jobs, milliseconds(ms), milliseconds(minimum(measured)),
                milliseconds(cpu_median(measured)), ms < bar_ms ? "ok" : "over"});
  }
  void print() const { table_.print(); }

 private:
  Table table_{{"what", "bar", "threads", "median", "minimum", "processor", ""}};
};

}  // namespace

void print_bars(const Bench& bench) {
  fmt::print(
      "## Bars\n\n"
      "The hybrid engine, by the clock; beside it the processor time of all threads together. A "
      "whole process goes from its start to its end: reading the model, the "
      "analysis, conditions and witnesses of what the report shows (JSON: of all faults), the "
      "report. The others are the analysis "
      "alone: faults and their counts; without lists of paths, unless it says so.\n\n");
  Bars bars;
  const auto whole = [&](const std::string& what, double bar_ms, const std::string& file,
                         const std::vector<std::string>& options, const std::string& jobs) {
    say(what);
    // As people call it, with no limit.
    std::vector<std::string> words = {bench.poise, "check", "--jobs", jobs};
    words.insert(words.end(), options.begin(), options.end());
    words.push_back(file);
    bars.add(what, bar_ms, jobs, program(words, {.runs = 20}));
  };
  const auto alone = [&](const std::string& what, double bar_ms, const Size& size,
                         std::optional<std::size_t> paths = 0) {
    for (const std::size_t jobs : {1U, 2U}) {
      say(what);
      bars.add(what, bar_ms, std::to_string(jobs),
               analysis(bench.file(size), {.paths = paths, .jobs = jobs}, {.runs = 20}));
    }
  };
  whole("PhoneAdapter, whole process", 10, bench.phone_adapter(), {}, "1");
  whole("(200,600,200), whole process, no paths", 15, bench.file({200, 600, 200}),
        {"--paths", "none"}, "1");
  alone("(400,3000,400)", 40, {400, 3000, 400});
  alone("(1000,7000,1000)", 100, {1000, 7000, 1000});
  alone("(10,40,15), all paths", 20, {10, 40, 15}, std::nullopt);
  for (const char* jobs : {"1", "2"}) {
    whole("(10,40,15), all paths, whole process", 20, bench.file({10, 40, 15}), {"--paths", "all"},
          jobs);
    whole("(10,40,15), all paths, whole process, JSON", 20, bench.file({10, 40, 15}),
          {"--paths", "all", "--format", "json"}, jobs);
  }
  whole("(30,90,30), all paths, whole process, JSON", 5000, bench.file({30, 90, 30}),
        {"--paths", "all", "--format", "json"}, "2");
  bars.print();

  fmt::print(
      "Variables that are comparisons of a few sensed numbers, so that not every combination of "
      "answers exists. \"20 × 10\" is twenty numbers with ten comparisons each.\n\n");
  bars = {};
  const auto family = [&](const std::string& what, double bar_ms, Size size,
                          const std::string& sensed, bool tied) {
    size.more = {"--sensed", sensed};
    if (tied) size.more.emplace_back("--tied");
    alone(what, bar_ms, size);
  };
  family("(200,600) 20 × 10, tied priorities", 18.4, {200, 600, 200}, "20", true);
  family("(200,600) 10 × 20, tied priorities", 19.8, {200, 600, 200}, "10", true);
  family("(200,600) 40 × 5, tied priorities", 16.2, {200, 600, 200}, "40", true);
  family("(50,300) 5 × 10, tied priorities", 8.4, {50, 300, 50}, "5", true);
  family("(400,3000) 40 × 10", 256, {400, 3000, 400}, "40", false);
  family("(1000,7000) 100 × 10", 582, {1000, 7000, 1000}, "100", false);
  bars.print();
}

}  // namespace poise::bench
