// The speed of the engines side by side: the paper's algorithm, the incremental solver, zones, and
// zones for any number of steps.

#include <algorithm>
#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "bench/common/table.h"
#include "bench/peers/one_by_one.h"
#include "bench/verify.h"
#include "bench/worlds/many_cars.h"
#include "poise/base/check.h"

namespace poise::bench {

namespace {

using verify::Engine;

// Whole verifications, but without the values and the odds of single paths.
Done verified(const model::Model& model, Engine engine, std::optional<std::size_t> bound,
              int seconds = kLimitSeconds) {
  verify::Options options;
  options.engine = engine;
  options.bound = bound;
  options.paths = 0;
  options.cures = 0;
  options.odds = false;
  options.limits.time = std::chrono::seconds(seconds);
  const verify::Report report = verify::run(model, options);
  if (!report.extent.stopped.empty()) return {"", report.extent.stopped};
  if (report.verdict == verify::Verdict::Unknown) return {"", report.reason};
  return {sum(report.failing).to_string(), ""};
}

struct Bars {
  double incremental = 5;
  double zones = 500;
};

class Comparison {
 public:
  Comparison(std::size_t bound, std::optional<Bars> bars) : bound_(bound), bars_(bars) {}

  // Whether all engines count the same.
  bool add(const Car& car) {
    const verify::System system = verify::system_of(car.model, verify::Mode::Actual);
    say(car.name + ", one by one");
    const Measured slow = asked(system, Ask::EveryPath);
    const Measured lenient = asked(system, Ask::WhereItCanFail);
    say(car.name + ", incremental");
    const Measured incremental =
        work([&] { return verified(car.model, Engine::Smt, bound_); }, {.runs = 3});
    say(car.name + ", zones");
    const Measured zones = work([&] { return verified(car.model, Engine::Zones, bound_); });
    const Measured all = work([&] { return verified(car.model, Engine::Zones, std::nullopt); });
    table_.add({car.name, grouped(static_cast<std::size_t>(sequences(system, bound_))),
                possible(system), in_short(Integer::from_digits(zones.said)), questions(slow),
                questions(lenient), table_.cell(slow), table_.cell(lenient),
                table_.cell(incremental), table_.cell(zones), table_.cell(all)});
    if (!slow.stopped.empty() || !incremental.stopped.empty() || !zones.stopped.empty()) {
      return true;
    }
    const auto times = [&](const Measured& other) { return cpu_median(slow) / cpu_median(other); };
    ratios_.add({car.name, ratio(times(incremental)),
                 bars_ ? std::string(verdict(times(incremental) >= bars_->incremental)) : "",
                 ratio(times(zones)),
                 bars_ ? std::string(verdict(times(zones) >= bars_->zones)) : "",
                 all.stopped.empty() ? ratio(times(all)) : "–"});
    return failing(slow) == zones.said && failing(lenient) == zones.said &&
           incremental.said == zones.said;
  }

  void print() const {
    table_.print();
    ratios_.print();
  }

 private:
  // Returns, as a text, what fails and how many questions to the solver that took.
  [[nodiscard]] Measured asked(const verify::System& system, Ask ask) const {
    constexpr int kPatience = 120;
    return work(
        [&] {
          const OneByOne found = one_by_one(system, ask, bound_, std::chrono::seconds(kPatience));
          return Done{fmt::format("{} {}", found.failing, found.asked),
                      found.finished ? "" : fmt::format("> {} s", kPatience)};
        },
        {.runs = 3}, kPatience);
  }
  static std::string failing(const Measured& asked) {
    return asked.said.substr(0, asked.said.find(' '));
  }
  static std::string questions(const Measured& asked) {
    const std::string count = asked.said.substr(asked.said.find(' ') + 1);
    return in_short(Integer::from_digits(count));
  }

  [[nodiscard]] std::string possible(const verify::System& system) const {
    Budget budget;
    const auto made = verify::ZoneSystem::of(system);
    const auto& zones = std::get<verify::ZoneSystem>(made);
    return in_short(sum(verify::paths_by_zones(system, zones, bound_, 0, budget).possible));
  }

  std::size_t bound_;
  std::optional<Bars> bars_;
  Table table_{{"car", "sequences of rules", "possible", "failing", "questions",
                "of them where it can fail", "the paper's algorithm", "only where it can fail",
                "incremental Z3", "zones", "zones, all bounds"}};
  Table ratios_{{"times faster than the paper's algorithm", "incremental", "≥ × 5", "zones",
                 "≥ × 500", "all bounds"}};
};

bool print_comparison(const std::vector<Car>& all, bool sparse, std::size_t bound) {
  fmt::print("{} cars, bound {}:\n\n", sparse ? "Sparse" : "Dense", bound);
  Comparison comparison(bound, sparse ? std::optional(Bars{}) : std::nullopt);
  bool agree = true;
  for (const Car& car : all) {
    const bool fits = car.name.substr(0, 2) != "02";
    if (car.sparse == sparse && fits) agree = comparison.add(car) && agree;
  }
  comparison.print();
  return agree;
}

}  // namespace

bool print_engines(const VerifyBench& bench) {
  fmt::print(
      "## Engines\n\n"
      "The same counts by four ways, in processor time, without values and odds of single paths. "
      "*The paper's algorithm* asks a solver that is made anew about every sequence of rules, "
      "possible or not; beside it the same without the sequences whose last rule cannot fail, "
      "which is not in the paper. *Incremental* is `--engine smt`, *zones* `--engine "
      "zones`, both with the bound; *all bounds* is zones without one: verdict and hazards for any "
      "number of steps.\n\n");
  constexpr std::size_t kDenseBound = 6;
  const std::vector<Car> all = cars(bench);
  bool agree = print_comparison(all, true, kPaperBound);
  agree = print_comparison(all, false, kDenseBound) && agree;
  fmt::print("All that got to their end count the same counterexamples: {}.\n\n",
             agree ? "yes" : "NO");
  return agree;
}

namespace {

// The verdict, the hazards, and the shortest path to each.
Done searched(const model::Model& model) {
  const verify::System system = verify::system_of(model, verify::Mode::Actual);
  const auto made = verify::ZoneSystem::of(system);
  Budget budget({.time = std::chrono::seconds(kLimitSeconds)});
  const verify::Reached reached =
      verify::reached(system, std::get<verify::ZoneSystem>(made), budget);
  if (!reached.finished) return {"", reached.stopped.empty() ? "does not fit" : reached.stopped};
  return {fmt::format("{} {}", reached.hazards.size(), reached.zones), ""};
}

Done verified_with_all(const model::Model& model) {
  verify::Options options;
  options.engine = Engine::Zones;
  options.odds = false;
  options.limits.time = std::chrono::seconds(kLimitSeconds);
  const verify::Report report = verify::run(model, options);
  return {"", report.extent.stopped};
}

void add_all_bounds(Table& table, const ManyCars& which) {
  const std::string what = fmt::format("{}, {}", which.paths == Paths::Sparse ? "sparse" : "dense",
                                       which.margins == Margins::Safe ? "safe" : "unsafe");
  say(fmt::format("{} rules, {}, {} margins", which.rules, what, which.varied));
  const model::Model model = model_of("car", car(which));
  POISE_CHECK(model.rules.size() == which.rules);
  const Measured search = work([&] { return searched(model); });
  const Measured confirmed =
      work([&] { return verified(model, Engine::Zones, std::nullopt); }, {.runs = 3});
  const Measured all = work([&] { return verified_with_all(model); }, {.runs = 3});
  const double bar_ms = which.rules == 40 ? 50 : 500;
  const bool met = search.stopped.empty() && cpu_median(search) < bar_ms;
  const std::size_t space = std::min(search.said.find(' '), search.said.size());  // if stopped
  table.add({std::to_string(which.rules), what, std::to_string(which.varied),
             search.said.substr(0, space),
             search.said.substr(std::min(space + 1, search.said.size())), table.cell(search),
             milliseconds(bar_ms), std::string(verdict(met)), table.cell(confirmed),
             table.cell(all), fmt::format("{:.0f} MB", std::max(confirmed.peak_mb, all.peak_mb))});
}

}  // namespace

bool print_all_bounds(const VerifyBench&) {
  fmt::print(
      "## All bounds\n\n"
      "Cars made by chance (`bench/worlds/many_cars.h`), for any number of steps. *Search* gives "
      "the "
      "verdict, all hazards and a shortest path to each: bars are for this. *Confirmed* also has "
      "the invariant of safe cars confirmed by a solver, and counts the paths of up to 10 steps to "
      "the hazards of unsafe ones. *All* also has values for each of their hazards, and cures. "
      "*Margins*: among how many distances each comparison draws its own.\n\n");
  Table table({"rules", "paths", "margins", "hazards", "octagons", "search", "bar", "", "confirmed",
               "all", "memory"});
  for (const std::size_t rules : {40U, 400U}) {
    for (const Paths paths : {Paths::Sparse, Paths::Dense}) {
      for (const std::size_t varied : {3U, 10U}) {
        for (const Margins margins : {Margins::Safe, Margins::Unsafe}) {
          add_all_bounds(table, {rules, paths, margins, varied});
        }
      }
    }
  }
  table.print();
  return true;
}

}  // namespace poise::bench
