// bench/watch: how fast monitors are, and what they find; watch.h lists the sections.

#include "bench/watch.h"

#include <span>
#include <vector>

#include <fmt/format.h>

#include "bench/common/sections.h"

namespace poise::bench {

namespace {

constexpr SectionOf<std::string> kSections[] = {
    {"agree", print_agreement},
    {"rules", print_rules},
    {"applications", print_applications},
    {"pairs", print_pairs},
    {"instances", print_instances},
    {"table1", print_table1},
    {"table2", print_table2},
    {"nodes", print_nodes},
    {"scale", print_scale},
    {"car", print_car},
};

int run(std::span<const std::string_view> words) {
  if (words.empty()) {
    fmt::print(stderr, "usage: poise_bench_watch EXAMPLES [SECTION...]\n");
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
