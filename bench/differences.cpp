// How time grows with the number of variables that are compared with each other.

#include <fstream>

#include <fmt/format.h>

#include "bench/common/bench.h"
#include "bench/common/table.h"

namespace poise::bench {

namespace {

// Each variable is compared with the next, and in a ring the last with the first: then the first
// one stays in view all the way.
std::string chain_file(const Bench& bench, std::size_t length, const std::string& type, bool ring) {
  const std::string path =
      fmt::format("{}/chain-{}-{}{}.poise", bench.folder, length, type.substr(0, 3), ring);
  std::ofstream file(path);
  for (std::size_t i = 0; i < length; ++i) file << fmt::format("sense s{} : {}\n", i, type);
  file << "state S initial\nstate T, U\n";
  for (std::size_t i = 0; i + 1 < length; ++i) {
    file << fmt::format("rule r{}: S -> {} priority {} when s{} < s{}\n", i, i % 2 == 0 ? "T" : "U",
                        i / 2, i, i + 1);
  }
  file << fmt::format("rule back: T -> S when s{} > s{} + 5\n", ring ? 0 : length - 2, length - 1);
  return path;
}

}  // namespace

void print_differences(const Bench& bench) {
  fmt::print(
      "## Variables compared with each other\n\n"
      "Chains in which each variable is compared with the next, and rings in which the last one is "
      "compared with the first as well. Whole processes with all that `check` lists by default, "
      "one thread, the hybrid engine. By trying values, three ints of this range were too "
      "many.\n\n");
  Table table({"variables", "chain, int 0..1439", "chain, real 0..100", "ring, int 0..1439",
               "ring, real 0..100"});
  for (const std::size_t length : {5U, 10U, 20U, 40U, 80U}) {
    std::vector<std::string> row = {grouped(length)};
    for (const bool ring : {false, true}) {
      for (const std::string type : {"int 0..1439", "real 0..100"}) {
        say(fmt::format("{} of {}", length, type));
        row.push_back(
            table.cell(bench.check(chain_file(bench, length, type, ring), {"--jobs", "1"})));
      }
    }
    table.add(std::move(row));
  }
  table.print();
}

}  // namespace poise::bench
