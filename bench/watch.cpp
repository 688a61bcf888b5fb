// bench/watch: how fast monitors are, and what they find; watch.h lists the sections.

#include "bench/watch.h"

#include <algorithm>
#include <iterator>
#include <span>

#include <fmt/format.h>

namespace poise::bench {

namespace {

constexpr Section kSections[] = {
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
  const std::span<const std::string_view> wanted = words.subspan(1);
  for (const std::string_view word : wanted) {
    if (std::ranges::find(kSections, word, &Section::name) != std::end(kSections)) continue;
    fmt::print(stderr, "bench: there is no section `{}`; there are:", word);
    for (const Section& section : kSections) fmt::print(stderr, " {}", section.name);
    fmt::print(stderr, "\n");
    return 2;
  }
  bool fine = true;
  for (const Section& section : kSections) {
    if (!wanted.empty() && std::ranges::count(wanted, section.name) == 0) continue;
    fine = section.print(std::string(words[0])) && fine;
  }
  return fine ? 0 : 1;
}

}  // namespace

}  // namespace poise::bench

int main(int count, char** words) {
  const std::vector<std::string_view> arguments(words + 1, words + count);
  return poise::bench::run(arguments);
}
