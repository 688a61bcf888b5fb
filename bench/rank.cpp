// bench/rank: the experiment of the AFChecker paper on simulated people and households, and how
// long ranking takes.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <stdlib.h>

#include "bench/common/measure.h"
#include "bench/common/plot.h"
#include "bench/common/table.h"
#include "bench/rank_experiment.h"
#include "bench/worlds/person.h"
#include "poise/base/check.h"
#include "poise/base/random.h"
#include "poise/check/cases.h"
#include "poise/generate/generate.h"
#include "poise/lang/lang.h"
#include "poise/rank/ranking.h"

namespace poise::bench {

namespace {

using rank::Method;

// ---- The experiment ----

struct Mean {
  double mean = 0;
  double spread = 0;  // standard deviation over lives
};

Mean mean_of(const std::vector<double>& values) {
  Mean result;
  for (const double value : values) result.mean += value / static_cast<double>(values.size());
  for (const double value : values) {
    result.spread += (value - result.mean) * (value - result.mean);
  }
  result.spread =
      std::sqrt(result.spread / static_cast<double>(std::max<std::size_t>(2, values.size()) - 1));
  return result;
}

using Measure = std::function<double(const Outcome&)>;

// What one table is about.
struct Results {
  const Subject& subject;
  TruthOf truth;
  std::vector<Outcome> all;

  [[nodiscard]] Mean mean(Contender contender, std::size_t entries, const Measure& measure) const {
    std::vector<double> values;
    for (const Outcome& outcome : all) {
      if (outcome.truth == truth && outcome.contender == contender && outcome.entries == entries) {
        values.push_back(measure(outcome));
      }
    }
    return mean_of(values);
  }
};

// Qualities of the static, the dynamic, a random and the ideal ranking.
enum Which : std::size_t { kStatic, kDynamic, kRandom, kIdeal };

Measure dcg(Which which) {
  return [which](const Outcome& outcome) { return outcome.qualities[which].dcg; };
}
Measure r_precision(Which which) {
  return [which](const Outcome& outcome) { return outcome.qualities[which].top_true; };
}
double top_tenth(const Outcome& outcome) { return outcome.qualities[kStatic].top_tenth; }
double first_ten(const Outcome& outcome) { return outcome.first_ten; }
double first_twenty(const Outcome& outcome) { return outcome.first_twenty; }

std::string text(const Mean& mean) {
  return fmt::format("{:.3f} ± {:.3f}", mean.mean, mean.spread);
}

std::string title(const Results& results) {
  return fmt::format("{}: the {} occurs", results.subject.name,
                     results.truth == TruthOf::Situation ? "situation" : "fault");
}

void print_results(const Results& results) {
  const auto count = [](std::size_t Outcome::*what) {
    return [what](const Outcome& outcome) { return static_cast<double>(outcome.*what); };
  };
  const std::size_t any = results.subject.sizes.front();
  const Mean truths = results.mean(Contender::Paper, any, count(&Outcome::truths));
  fmt::print(
      "### {}\n\n{} faults, each in one situation, of which {:.0f} ± {:.0f} are true. A ranking "
      "by chance has a DCG of {} and an R-precision of {}.\n\n",
      title(results), results.subject.cases.size(), truths.mean, truths.spread,
      text(results.mean(Contender::Paper, any, dcg(kRandom))),
      text(results.mean(Contender::Paper, any, r_precision(kRandom))));
  Table table({"entries", "true in the log", "method", "DCG static", "dynamic",
               "R-precision static", "dynamic", "first tenth", "first ten", "first twenty"});
  for (const std::size_t entries : results.subject.sizes) {
    for (const Contender contender :
         {Contender::Paper, Contender::Situations, Contender::Likelihood}) {
      const auto cell = [&](const Measure& measure) {
        return text(results.mean(contender, entries, measure));
      };
      table.add(
          {grouped(entries),
           fmt::format("{:.0f}", results.mean(contender, entries, count(&Outcome::known)).mean),
           std::string(name(contender)), cell(dcg(kStatic)), cell(dcg(kDynamic)),
           cell(r_precision(kStatic)), cell(r_precision(kDynamic)), cell(top_tenth),
           cell(first_ten), cell(first_twenty)});
    }
  }
  table.print();
}

constexpr std::string_view color(Contender contender) {
  switch (contender) {
    case Contender::Paper: return "#b23a48";
    case Contender::Situations: return "#2f6fb0";
    case Contender::Likelihood: return "#0b6e4f";
  }
  return "";
}

Chart chart(const Results& results, const std::string& what, const Measure& measure,
            const std::optional<Measure>& random) {
  Chart chart{.title = title(results),
              .x_label = "entries in the log",
              .y_label = what,
              .x = {results.subject.sizes.begin(), results.subject.sizes.end()},
              .series = {},
              .low = 1,
              .high = 1};
  const auto add = [&](std::string_view name, std::string_view color, Contender contender,
                       const Measure& of) {
    Series series{std::string(name), std::string(color), {}, {}};
    for (const std::size_t entries : results.subject.sizes) {
      const Mean mean = results.mean(contender, entries, of);
      series.mean.push_back(mean.mean);
      series.spread.push_back(mean.spread);
      chart.low = std::min(chart.low, mean.mean - mean.spread);
    }
    chart.series.push_back(std::move(series));
  };
  for (const Contender contender :
       {Contender::Likelihood, Contender::Situations, Contender::Paper}) {
    add(name(contender), color(contender), contender, measure);
  }
  if (random) add("by chance", "#777777", Contender::Paper, *random);
  chart.low = std::clamp(chart.low, 0.0, 0.9);
  return chart;
}

Chart mending_chart(const Results& results) {
  Chart chart{.title = title(results),
              .x_label = "confirmed faults mended",
              .y_label = "faults left",
              .x = {0, 1, 2, 3},
              .series = {},
              .low = 0,
              .high = static_cast<double>(results.subject.cases.size())};
  const std::vector<std::size_t>& sizes = results.subject.sizes;
  for (const Contender contender :
       {Contender::Likelihood, Contender::Situations, Contender::Paper}) {
    Series series{std::string(name(contender)), std::string(color(contender)), {}, {}};
    for (std::size_t i = 0; i < 4; ++i) {
      const Mean mean = results.mean(contender, sizes[sizes.size() / 2], [&](const Outcome& one) {
        return static_cast<double>(one.left_after[std::min(i, one.left_after.size() - 1)]);
      });
      series.mean.push_back(mean.mean);
      series.spread.push_back(mean.spread);
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

void write(const std::string& path, const std::string& content) {
  std::ofstream file(path);
  file << content;
  POISE_CHECK(file.good());
}

void print_experiment(const std::string& examples, const std::string& plots, std::uint64_t lives) {
  fmt::print(
      "## The experiment\n\n"
      "{} simulated people and as many households (docs/rank-simulation.md). What is true is "
      "known from ten years of their life, in two ways: the situation of a fault occurs, or the "
      "fault itself does when the model is executed on all readings. Means and standard "
      "deviations over lives. DCG is normalised. R-precision is the share of true faults among "
      "the first so many as are true; the last columns are the shares among the first tenth, "
      "ten and twenty of the static ranking.\n\n",
      lives);
  std::map<std::string, std::vector<std::vector<Chart>>> figures;
  for (const Subject& subject : {phone_subject(examples, "phone-adapter-ranked"),
                                 phone_subject(examples, "tasker"), home_subject(examples)}) {
    Results results{subject, TruthOf::Situation, outcomes(subject, lives)};
    std::map<std::string, std::vector<Chart>> row;
    for (const TruthOf truth : {TruthOf::Situation, TruthOf::Fault}) {
      results.truth = truth;
      print_results(results);
      row["rank-dcg"].push_back(chart(results, "normalised DCG", dcg(kStatic), dcg(kRandom)));
      row["rank-r-precision"].push_back(
          chart(results, "R-precision", r_precision(kStatic), r_precision(kRandom)));
      row["rank-first-twenty"].push_back(
          chart(results, "true among the first twenty", first_twenty, std::nullopt));
      row["rank-mending"].push_back(mending_chart(results));
    }
    for (auto& [name, charts] : row) figures[name].push_back(std::move(charts));
  }
  if (plots.empty()) return;
  for (const auto& [name, rows] : figures) write(plots + "/" + name + ".svg", svg(rows));
}

// ---- Speed ----

double ms_of(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start)
      .count();
}

double median_ms(std::size_t runs, const std::function<void()>& work) {
  std::vector<double> all;
  for (std::size_t i = 0; i < runs; ++i) all.push_back(ms_of(work));
  std::ranges::sort(all);
  return all[all.size() / 2];
}

void write_log(const std::string& path, std::size_t entries) {
  Person person(1);
  std::ofstream file(path);
  for (std::size_t i = 0; i < entries; ++i) file << phone_adapter_line(person.next()) << '\n';
  POISE_CHECK(file.good());
}

// A random model with many faults, and a log in which a few scenes follow one another, with noise.
struct Many {
  model::Model model;
  std::vector<finding::Case> cases;
  rank::Evidence evidence;
};

Many many_cases(std::size_t most) {
  const Result<std::string> source = generate::model_text(
      {.states = 12, .rules = 48, .variables = 14, .priorities = generate::Priorities::Tied});
  lang::Parsed parsed = lang::parse({.name = "many.poise", .text = *source});
  Many many{std::move(*parsed.model), {}, {}};
  check::Options options;
  options.count = check::Count::Start;
  options.explain = check::Explain::Nothing;
  options.paths = most;
  const check::Report report = check::run(many.model, options);
  many.cases = check::cases(many.model, options, report.faults, most).cases;
  Random random(1);
  std::vector<std::vector<Truth>> scenes(40);
  for (std::vector<Truth>& scene : scenes) {
    for (std::size_t k = 0; k < many.model.atoms.size(); ++k) {
      scene.push_back(random.below(k % 4 + 2) == 0 ? Truth::True : Truth::False);
    }
  }
  std::vector<Truth> truths = scenes.front();
  for (std::size_t i = 0; i < 5000; ++i) {
    if (random.below(10) == 0) truths = scenes[random.below(scenes.size())];
    if (random.below(20) == 0) {
      Truth& one = truths[random.below(truths.size())];
      one = one == Truth::True ? Truth::False : Truth::True;
    }
    many.evidence.add(truths, i + 1, static_cast<double>(i) * 300);
  }
  many.evidence.finish();
  return many;
}

// The faults of PhoneAdapter, each in every situation of the whole model, with one person's two
// weeks; again and again, as if as many phones were looked at together.
Many many_phones(const std::string& examples, std::size_t most) {
  Subject phone = phone_subject(examples, "phone-adapter-ranked");
  phone.sizes = {1517};
  phone.readings = 4500;
  check::Options options;
  options.show = check::Show::All;
  options.count = check::Count::All;
  options.explain = check::Explain::Nothing;
  std::vector<finding::Case> cases = check::cases(phone.model, options, phone.faults, most).cases;
  const std::size_t once = cases.size();
  for (std::size_t i = 0; cases.size() < most; ++i) cases.push_back(finding::Case(cases[i % once]));
  rank::Evidence evidence = life(phone, 1).logs.at(1517).evidence;
  return {std::move(phone.model), std::move(cases), std::move(evidence)};
}

void print_speed(const std::string& poise, const std::string& examples) {
  std::string folder = (std::filesystem::temp_directory_path() / "poise-bench-XXXXXX").string();
  POISE_CHECK(mkdtemp(folder.data()) != nullptr);
  const std::string small = folder + "/small.jsonl";
  const std::string large = folder + "/large.jsonl";
  write_log(small, 1517);
  write_log(large, 1'000'000);
  fmt::print("## Speed\n\nBy the clock, one thread.\n\n");
  Table table({"what", "bar", "median", ""});
  const auto add = [&](const std::string& what, double bar, double ms) {
    table.add({what, milliseconds(bar), milliseconds(ms), ms < bar ? "ok" : "over"});
  };
  const auto whole = [&](const std::string& log, std::vector<std::string> options,
                         std::size_t runs) {
    std::vector<std::string> words = {poise,    "rank",  examples + "/phone-adapter-ranked.poise",
                                      "--all",  "--log", log,
                                      "--jobs", "1"};
    words.insert(words.end(), options.begin(), options.end());
    return median(program(words, {.runs = runs}));
  };
  add("PhoneAdapter, 1,517 entries, whole process", 30, whole(small, {}, 20));
  add("the same by the paper's method", 30, whole(small, {"--method", "paper"}, 20));
  add("PhoneAdapter, 1,000,000 lines, whole process", 3000, whole(large, {}, 3));

  const auto add_gains = [&](const std::string& whose, const Many& many) {
    for (const Method method : {Method::Paper, Method::Likelihood}) {
      std::size_t open = 0;
      const double ms = median_ms(3, [&] {
        const rank::Ranking ranking(many.cases, many.evidence, {.method = method});
        const auto all = ranking.ranked(rank::Ranking::Gains::Always);
        open = static_cast<std::size_t>(
            std::ranges::count_if(all, [](const rank::Ranked& one) { return !one.gain; }));
      });
      add(fmt::format("{} faults of {} ranked with information gain, {} ({} gains left open)",
                      grouped(many.cases.size()), whose, rank::name(method), grouped(open)),
          2000, ms);
    }
  };
  add_gains("many PhoneAdapters", many_phones(examples, 100'000));
  add_gains("a random model", many_cases(10'000));
  add_gains("a random model", many_cases(100'000));
  const Many many = many_cases(10'000);
  for (const Method method : {Method::Paper, Method::Likelihood}) {
    rank::Options options{.method = method};
    options.paper.most_steps = rank::kStepsBetweenAnswers;
    rank::Ranking ranking(many.cases, many.evidence, options);
    std::vector<rank::Ranked> ranked = ranking.ranked();
    bool confirmed = false;
    const double ms = median_ms(20, [&] {
      const auto next = std::ranges::find(ranked, rank::Verdict::None, &rank::Ranked::verdict);
      confirmed = !confirmed;
      ranking.apply(next->the_case, confirmed ? rank::Verdict::Confirmed : rank::Verdict::Rejected);
      ranked = ranking.ranked();
    });
    add(fmt::format("an answer among {} faults, {}", grouped(many.cases.size()),
                    rank::name(method)),
        50, ms);
  }
  table.print();
  std::filesystem::remove_all(folder);
}

int run(std::span<char*> words) {
  if (words.size() < 3) {
    fmt::print(stderr,
               "usage: poise_bench_rank POISE EXAMPLES [speed|experiment] [PLOTS] [LIVES]\n");
    return 2;
  }
  const std::string what = words.size() > 3 ? words[3] : "";
  if (what.empty() || what == "speed") print_speed(words[1], words[2]);
  if (what.empty() || what == "experiment") {
    const std::uint64_t lives = words.size() > 5 ? std::stoull(words[5]) : 20;
    print_experiment(words[2], words.size() > 4 ? words[4] : "", lives);
  }
  return 0;
}

}  // namespace

}  // namespace poise::bench

int main(int count, char** words) {
  return poise::bench::run({words, static_cast<std::size_t>(count)});
}
