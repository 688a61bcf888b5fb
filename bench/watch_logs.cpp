// Prints a simulated log for `poise watch`, and on standard error what happened in it:
//
//   poise_bench_logs stock SEED [TRANSPORTS] [SCALE] [convoy]
//   poise_bench_logs car SEED
//
// warehouse.h and robot_car.h say what is simulated. TRANSPORTS is 50 and SCALE is 1 unless told.

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "bench/worlds/robot_car.h"
#include "bench/worlds/warehouse.h"

namespace poise::bench {
namespace {

constexpr std::string_view kUsage =
    "usage: poise_bench_logs stock SEED [TRANSPORTS] [SCALE] [convoy]\n"
    "       poise_bench_logs car SEED\n";

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int> positive(std::string_view text) {
  const auto value = number<int>(text);
  return value && *value > 0 ? value : std::nullopt;
}

void print(const std::vector<std::string>& lines) {
  for (const std::string& line : lines) fmt::print("{}\n", line);
}

int usage() {
  fmt::print(stderr, "{}", kUsage);
  return 2;
}

// The arguments after `stock` and `car`.

int stock(std::span<const std::string_view> arguments) {
  WarehouseOptions options;
  if (!arguments.empty() && arguments.back() == "convoy") {
    options.forklifts = Forklifts::Convoy;
    arguments = arguments.first(arguments.size() - 1);
  }
  if (arguments.empty() || arguments.size() > 3) return usage();
  const auto seed = number<std::uint64_t>(arguments[0]);
  const auto transports = arguments.size() > 1 ? positive(arguments[1]) : options.transports;
  const auto scale = arguments.size() > 2 ? positive(arguments[2]) : options.scale;
  if (!seed || !transports || !scale) return usage();
  options.seed = *seed;
  options.transports = *transports;
  options.scale = *scale;
  const WarehouseRun run = warehouse_run(options);
  print(run.lines);
  fmt::print(stderr,
             "{} transports of {} boxes in all, {} cross readings, {} missing readings; used "
             "elsewhere: forklift {}, pallet {}\n"
             "left without pallet {}, pallet came first {}, proceeded with missing {}\n",
             run.counts.transports, run.counts.boxes, run.counts.cross_readings,
             run.counts.missing_readings, run.counts.forklift_used, run.counts.pallet_used,
             run.counts.left_without_pallet, run.counts.pallet_came_first,
             run.counts.proceeded_with_missing);
  return 0;
}

int car(std::span<const std::string_view> arguments) {
  if (arguments.size() != 1) return usage();
  const auto seed = number<std::uint64_t>(arguments[0]);
  if (!seed) return usage();
  const RobotCarRun run = robot_car_run({.seed = *seed});
  print(run.lines);
  fmt::print(stderr,
             "{} rounds, {} of them in the left half; no reading {}, wrong echo {}; avoidance "
             "calls {}, stuck {}, {} cm driven\n",
             run.counts.rounds, run.counts.rounds_in_left_half, run.counts.no_reading,
             run.counts.wrong_echo, run.counts.avoidance_calls, run.counts.stuck,
             run.counts.centimetres);
  return 0;
}

}  // namespace
}  // namespace poise::bench

int main(int count, char** words) {
  const std::vector<std::string_view> arguments(words + 1, words + count);
  if (arguments.empty()) return poise::bench::usage();
  const auto rest = std::span(arguments).subspan(1);
  if (arguments[0] == "stock") return poise::bench::stock(rest);
  if (arguments[0] == "car") return poise::bench::car(rest);
  return poise::bench::usage();
}
