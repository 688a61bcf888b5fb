// Whether all evaluators report the same: on simulated logs, and on random logs for a model with
// every operator, every kind of window, variables inside queries and nested quantifiers.

#include <algorithm>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/watch.h"
#include "bench/worlds/robot_car.h"
#include "bench/worlds/warehouse.h"
#include "poise/base/random.h"

namespace poise::bench {

namespace {

constexpr std::string_view kEverything = R"(
stream a { k: int 0..3, n: int 0..9 }
stream b { k: int 0..3, n: int 0..9 }
sense limit : int 0..9
sense armed : bool
var level : int 0..9 = 3

state s0 initial, s1, s2, s3

rule r1: s0 -> s1
  when exists x in a[last 5s]: x.n > limit and (all y in b[last 3s]: not y.k == x.k)
rule r2: s1 -> s2 when all x in a[next 4s]: exists y in b[next 2s]: x.k == y.k iff x.n < y.n
rule r3: s0, s2 -> s3 when exists x in a: exists y in b: x.k == y.k and x.n != y.n
  do level := 5
rule r4: s3 -> s0
  when all x in a[last 3s]: x.n >= level implies (exists z in a[last 3s]: z.k == x.k and z.n < x.n)
rule r5: s2 -> s0 when exists x in b[next 3s]: not (x.k == 1 or x.n > 7) and (all y in a: y.n < x.n)
rule r6: s1, s3 -> s0 when armed and (exists y in b: y.n > limit) do level := 2
rule r7: s0 -> s2 when all x in a: (exists z in b[last 2s]: z.n == x.n) or x.k == 0 or armed
rule r8: s1 -> s3
  when (all x in b[last 4s]: all y in b[next 2s]: x.k == y.k implies (x.n < y.n iff armed))
)";

std::string random_change(Random& random) {
  const auto value = [&] {
    return fmt::format(R"("value": {{"k": {}, "n": {}}})", random.below(4), random.below(10));
  };
  const char stream = random.coin() ? 'a' : 'b';
  switch (random.below(10)) {
    case 0: return R"("set": {"armed": )" + std::string(random.coin() ? "true}" : "false}");
    case 1: return fmt::format(R"("set": {{"limit": {}}})", random.below(10));
    case 2:
    case 3:
    case 4: return fmt::format(R"("remove": "{}", {})", stream, value());
    default: return fmt::format(R"("add": "{}", {})", stream, value());
  }
}

// Few different values, so that elements are often alike, and `remove` often finds one.
Lines random_log(std::uint64_t seed, std::size_t count) {
  Random random(seed);
  Lines lines;
  std::uint64_t tenths = 0;
  while (lines.size() < count) {
    tenths += random.below(8);
    const std::string time = fmt::format(R"("t": {}.{})", tenths / 10, tenths % 10);
    lines.push_back(random.below(12) == 0 ? fmt::format("{{{}}}", time)
                                          : fmt::format("{{{}, {}}}", time, random_change(random)));
  }
  return lines;
}

// How many occurrences are reported, if all techniques report the same; else nothing.
std::optional<std::size_t> agreed(const model::Model& model, const Lines& lines,
                                  const std::string& log) {
  const std::vector<std::string> expected = said_of(model, lines, Technique::Full);
  for (const Technique technique : kTechniques) {
    const std::vector<std::string> said = said_of(model, lines, technique);
    const auto [wanted, got] = std::ranges::mismatch(expected, said);
    if (wanted == expected.end() && got == said.end()) continue;
    fmt::print(stderr, "bench: {}: full says\n  {}\nand {}\n  {}\n", log,
               wanted == expected.end() ? "no more" : *wanted, name(technique),
               got == said.end() ? "no more" : *got);
    return std::nullopt;
  }
  return expected.size();
}

struct Case {
  std::string name;
  const model::Model& model;
  std::function<Lines(std::uint64_t seed)> log;
  std::uint64_t seeds;
};

}  // namespace

bool print_agreement(const std::string& examples) {
  fmt::print(
      "## Agreement\n\nEvery adaptation and every fault, from all evaluators: trees built anew, "
      "full, trees and incremental.\n\n");
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  const model::Model car = model_from(examples + "/robot-car-watch.poise");
  const model::Model everything = model_of("everything.poise", std::string(kEverything));
  using Options = WarehouseOptions;
  const Case cases[] = {
      {"one forklift", stock,
       [](auto seed) { return warehouse_run({.seed = seed, .transports = 10}).lines; }, 5},
      {"three forklifts", stock,
       [](auto seed) {
         return warehouse_run({.seed = seed, .transports = 5, .scale = 3, .boxes = 20}).lines;
       },
       3},
      {"a convoy of two", stock,
       [](auto seed) {
         return warehouse_run(
                    Options{
                        .seed = seed, .transports = 4, .scale = 2, .forklifts = Forklifts::Convoy})
             .lines;
       },
       3},
      {"robot car", car, [](auto seed) { return robot_car_run({.seed = seed}).lines; }, 10},
      {"random", everything, [](auto seed) { return random_log(seed, 400); }, 100},
  };
  Table table({"logs", "how many", "adaptations and faults", "all the same"});
  bool same = true;
  for (const Case& one : cases) {
    std::size_t said = 0;
    bool here = true;
    for (std::uint64_t seed = 1; seed <= one.seeds; ++seed) {
      const auto count =
          agreed(one.model, one.log(seed), fmt::format("{}, seed {}", one.name, seed));
      said += count.value_or(0);
      here = here && count;
    }
    same = same && here;
    table.add({one.name, grouped(one.seeds), grouped(said), here ? "yes" : "no"});
  }
  table.print();
  return print_rules_agreement() && same;
}

}  // namespace poise::bench
