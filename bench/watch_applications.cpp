#include <fmt/format.h>

#include "bench/robot_car.h"
#include "bench/table.h"
#include "bench/warehouse.h"
#include "bench/watch.h"

namespace poise::bench {

bool print_applications(const std::string& examples) {
  fmt::print(
      "## Applications\n\nFrom the lines of a log in memory, reading included; the best of three "
      "runs.\n\n");
  Table table({"log", "lines", "full", "incremental", "millions of lines a second", "faults"});
  const auto add = [&](const std::string& name, const model::Model& model, const Lines& lines) {
    Watched last;
    const auto seconds = [&](Technique technique) {
      return least(3, [&] {
        last = watched(model, lines, technique);
        return last.seconds;
      });
    };
    const double full = seconds(Technique::Full);
    const double incremental = seconds(Technique::Incremental);
    table.add({name, grouped(lines.size()), milliseconds(full * 1e3),
               milliseconds(incremental * 1e3), millions(lines.size(), incremental),
               grouped(last.faults())});
  };
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  for (const int scale : {1, 2, 5, 10}) {
    add(fmt::format("50 transports, {}",
                    scale == 1 ? "one forklift" : fmt::format("{} forklifts", scale)),
        stock, warehouse_run({.seed = 2, .transports = 50, .scale = scale}).lines);
  }
  add("50 transports, a convoy of 10", stock,
      warehouse_run({.seed = 2, .scale = 10, .forklifts = Forklifts::Convoy}).lines);
  add("robot car, 2.5 minutes", model_from(examples + "/robot-car-watch.poise"),
      robot_car_run({.seed = 1}).lines);
  table.print();
  return true;
}

bool print_instances(const std::string& examples) {
  const model::Model stock = model_from(examples + "/stock-tracker.poise");
  fmt::print("## Instances\n\nThe stock tracker, forklifts in turn, one transport each.\n\n");
  Table table({"instances", "lines", "millions of lines a second"});
  for (const int scale : {100, 1'000, 10'000}) {
    const Lines lines =
        warehouse_run({.seed = 2, .transports = 1, .scale = scale, .boxes = 10}).lines;
    const double seconds =
        least(3, [&] { return watched(stock, lines, Technique::Incremental).seconds; });
    table.add({grouped(static_cast<std::size_t>(scale)), grouped(lines.size()),
               millions(lines.size(), seconds)});
  }
  table.print();
  return true;
}

}  // namespace poise::bench
