// Measures `poise check` and prints Markdown tables: bench/README.md says what they mean.
//
//   poise_bench_check POISE EXAMPLES [TABLE...]

#include "poise/base/check.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <unistd.h>

#include "bench/common/bench.h"

namespace poise::bench {

std::string name(const Size& size) {
  return fmt::format("({},{},{})", size.states, size.rules, size.variables);
}

std::string Bench::file(const Size& size) const {
  const std::string path = fmt::format("{}/{}-{}-{}{}.poise", folder, size.states, size.rules,
                                       size.variables, fmt::join(size.more, ""));
  if (std::filesystem::exists(path)) return path;
  std::vector<std::string> words = {poise,         "generate",
                                    "--states",    std::to_string(size.states),
                                    "--rules",     std::to_string(size.rules),
                                    "--variables", std::to_string(size.variables),
                                    "--output",    path};
  words.insert(words.end(), size.more.begin(), size.more.end());
  const Measured made = program(words, {.runs = 1});
  POISE_CHECK(made.stopped.empty());
  return path;
}

Measured Bench::check(const std::string& file, const std::vector<std::string>& options,
                      Repeat repeat) const {
  std::vector<std::string> words = {poise,
                                    "check",
                                    "--time-limit",
                                    std::to_string(kLimitSeconds),
                                    "--memory-limit",
                                    fmt::format("{}G", kLimitBytes >> 30U)};
  words.insert(words.end(), options.begin(), options.end());
  words.push_back(file);
  return program(words, repeat);
}

void say(const std::string& what) {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K{}\r", what);
}

namespace {

struct NamedTable {
  std::string_view name;
  void (*print)(const Bench&);
};

constexpr NamedTable kTables[] = {
    {"bars", print_bars},       {"paper", print_paper},
    {"listing", print_listing}, {"growth", print_growth},
    {"paths", print_paths},     {"enumerative", print_enumerative},
    {"jobs", print_jobs},       {"differences", print_differences},
};

std::string processor() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "an unknown processor";
}

void print_machine() {
  const long cores = sysconf(_SC_NPROCESSORS_ONLN);
  const double gb = static_cast<double>(sysconf(_SC_PHYS_PAGES)) *
                    static_cast<double>(sysconf(_SC_PAGESIZE)) / (1U << 30U);
  fmt::print(
      "{}, {} cores, {:.0f} GB of memory; g++ {}. Figures are medians: of processor "
      "time, and where it says so of time by the clock.\n\n",
      processor(), cores, gb, __VERSION__);
}

void warn_if_busy() {
  constexpr double kIdle = 0.5;
  double load = 0;
  if (getloadavg(&load, 1) == 1 && load > kIdle) {
    fmt::print(stderr, "bench: others use this machine (load {:.1f}): figures will be high\n",
               load);
  }
}

int run(std::span<char*> words) {
  if (words.size() < 3) {
    fmt::print(stderr, "usage: poise_bench_check POISE EXAMPLES [TABLE...]\n");
    return 2;
  }
  const std::span<char*> wanted = words.subspan(3);
  for (const std::string_view word : wanted) {
    if (std::ranges::find(kTables, word, &NamedTable::name) != std::end(kTables)) continue;
    fmt::print(stderr, "bench: there is no table `{}`; there are:", word);
    for (const NamedTable& table : kTables) fmt::print(stderr, " {}", table.name);
    fmt::print(stderr, "\n");
    return 2;
  }
  std::string folder = (std::filesystem::temp_directory_path() / "poise-bench-XXXXXX").string();
  POISE_CHECK(mkdtemp(folder.data()) != nullptr);
  const Bench bench = {.poise = words[1], .examples = words[2], .folder = folder};
  warn_if_busy();
  print_machine();
  for (const NamedTable& table : kTables) {
    if (wanted.empty() || std::ranges::count(wanted, table.name,
                                             [](const char* w) { return std::string_view(w); }) > 0)
      table.print(bench);
  }
  std::filesystem::remove_all(folder);
  return 0;
}

}  // namespace

}  // namespace poise::bench

int main(int count, char** words) {
  return poise::bench::run({words, static_cast<std::size_t>(count)});
}
