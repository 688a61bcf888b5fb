// bench/verify: what verification finds in the twelve cars, how fast, and how likely; verify.h
// lists the sections.

#include "bench/verify.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <span>
#include <sstream>

#include <fmt/format.h>

#include "bench/common/sections.h"
#include "bench/common/table.h"
#include "poise/base/check.h"
#include "poise/lang/lang.h"

namespace poise::bench {

model::Model model_of(const std::string& name, const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = name, .text = text});
  POISE_CHECK(parsed.model.has_value());
  return std::move(*parsed.model);
}

std::vector<Car> cars(const VerifyBench& bench) {
  constexpr std::string_view kSparse[] = {"03", "05", "06", "07", "08", "10"};
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(bench.examples + "/robot-cars")) {
    if (entry.path().extension() == ".poise") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<Car> all;
  for (const std::filesystem::path& path : files) {
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const std::string name = path.stem().string();
    const bool sparse = std::ranges::count(kSparse, std::string_view(name).substr(0, 2)) > 0;
    all.push_back({name, path.string(), model_of(path.string(), text.str()), sparse});
  }
  return all;
}

Integer sum(const std::vector<Integer>& counts) {
  Integer sum = 0;
  for (const Integer& count : counts) sum += count;
  return sum;
}

std::string in_short(const Integer& count) {
  constexpr std::int64_t kReadable = 10'000'000;
  if (count < Integer(kReadable)) return grouped(static_cast<std::size_t>(count.to_int64()));
  return fmt::format("{:.1e}", std::stod(count.to_string()));
}

std::string_view verdict(bool met) { return met ? "ok" : "over"; }

void say(const std::string& what) { fmt::print(stderr, "bench: {}\n", what); }

namespace {

constexpr SectionOf<VerifyBench> kSections[] = {
    {"table1", print_table1},         {"table2", print_table2},
    {"table3", print_table3},         {"engines", print_engines},
    {"all_bounds", print_all_bounds}, {"calibration", print_calibration},
    {"reference", print_reference},
};

int run(std::span<const std::string_view> words) {
  if (words.size() < 2) {
    fmt::print(stderr, "usage: poise_bench_verify POISE EXAMPLES [SECTION...]\n");
    return 2;
  }
  const VerifyBench bench{std::string(words[0]), std::string(words[1])};
  return run_sections<VerifyBench>(kSections, bench, words.subspan(2));
}

}  // namespace

}  // namespace poise::bench

int main(int count, char** words) {
  const std::vector<std::string_view> arguments(words + 1, words + count);
  return poise::bench::run(arguments);
}
