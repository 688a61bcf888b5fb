#include "bench/rank_experiment.h"

#include <algorithm>
#include <fstream>
#include <sstream>

#include "bench/worlds/person.h"
#include "poise/base/check.h"
#include "poise/base/random.h"
#include "poise/check/cases.h"
#include "poise/finding/groups.h"
#include "poise/lang/lang.h"
#include "poise/log/json_lines.h"
#include "poise/rank/projection.h"
#include "poise/rank/ranking.h"

namespace poise::bench {

Subject subject(const std::string& examples, const std::string& name) {
  const std::string path = examples + "/" + name + ".poise";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  lang::Parsed parsed = lang::parse({.name = path, .text = text.str()});
  POISE_CHECK(parsed.model.has_value());
  Subject subject{name, std::move(*parsed.model), {}, {}, nullptr};
  subject.line = name == "tasker" ? tasker_line : phone_adapter_line;
  check::Options options;
  options.show = check::Show::All;
  options.count = check::Count::Start;
  options.explain = check::Explain::Nothing;
  options.only = {finding::FaultKind::Nondeterminism, finding::FaultKind::Race,
                  finding::FaultKind::Cycle};
  subject.faults = check::run(subject.model, options).faults;
  subject.cases = check::cases(subject.model, options, subject.faults, 1'000'000).cases;
  return subject;
}

Life life(const Subject& subject, std::uint64_t person, const std::vector<std::size_t>& sizes) {
  // The paper's phone wrote 1,517 entries in two weeks, of the 4,032 that there could be.
  constexpr std::uint64_t kKept = 1517;
  constexpr std::uint64_t kOf = 4032;
  constexpr std::size_t kTenYears = 10 * 365 * 288;
  Person someone(person);
  Random chance(person, 1);
  log::JsonLines reader(subject.model);
  log::JsonLines kept_reader(subject.model);
  rank::Projection all(subject.model);
  rank::Projection kept(subject.model);
  Life life;
  std::size_t entries = 0;
  for (std::size_t i = 0; i < kTenYears; ++i) {
    const std::string line = subject.line(someone.next());
    const Result<const log::Entry*> entry = reader.read(i + 1, line);
    POISE_CHECK(entry && *entry != nullptr);
    all.add(**entry);
    if (entries >= sizes.back() || chance.below(kOf) >= kKept) continue;
    ++entries;
    const Result<const log::Entry*> again = kept_reader.read(entries, line);
    POISE_CHECK(again && *again != nullptr);
    kept.add(**again);
    if (std::ranges::find(sizes, entries) != sizes.end()) life.logs[entries] = kept.evidence();
  }
  life.ten_years = all.evidence();
  return life;
}

namespace {

std::vector<bool> truths_of(const Subject& subject, const rank::Evidence& evidence) {
  std::vector<const finding::Conjunction*> situations;
  for (const finding::Case& one : subject.cases) situations.push_back(&one.situation);
  std::vector<bool> truths;
  for (const rank::Seen& seen : rank::seen(evidence, situations)) {
    truths.push_back(seen.entries > 0);
  }
  return truths;
}

// The core of each fault, by its number.
std::vector<std::size_t> cores_of(const std::vector<finding::Fault>& faults) {
  std::vector<std::size_t> cores(faults.size());
  std::size_t next = 0;
  for (const finding::FaultKind kind : finding::kAllFaultKinds) {
    for (const finding::Group& group : finding::groups(faults, kind)) {
      for (const finding::Fault* fault : group.faults) {
        cores[static_cast<std::size_t>(fault - faults.data())] = next;
      }
      ++next;
    }
  }
  return cores;
}

// A person inspects cases in the order of the ranking and mends the core of each of the first three
// that are confirmed. All cases of that core are gone then.
std::vector<std::size_t> left_after_mending(const Subject& subject, rank::Ranking ranking,
                                            const std::vector<bool>& truths) {
  const std::vector<std::size_t> cores = cores_of(subject.faults);
  std::vector<std::size_t> mended;
  std::vector<std::size_t> left = {subject.cases.size()};
  while (left.size() < 4) {
    const auto next = ranking.best();
    if (!next) break;
    ranking.apply(*next, truths[*next] ? rank::Verdict::Confirmed : rank::Verdict::Rejected);
    const std::size_t core = cores[subject.cases[*next].fault];
    if (!truths[*next] || std::ranges::find(mended, core) != mended.end()) continue;
    mended.push_back(core);
    left.push_back(static_cast<std::size_t>(
        std::ranges::count_if(subject.cases, [&](const finding::Case& one) {
          return std::ranges::find(mended, cores[one.fault]) == mended.end();
        })));
  }
  return left;
}

}  // namespace

std::vector<Outcome> outcomes(const Subject& subject, std::uint64_t people,
                              const std::vector<std::size_t>& sizes) {
  std::vector<Outcome> all;
  for (std::uint64_t person = 1; person <= people; ++person) {
    const Life lived = life(subject, person, sizes);
    const std::vector<bool> truths = truths_of(subject, lived.ten_years);
    for (const std::size_t entries : sizes) {
      const rank::Evidence& evidence = lived.logs.at(entries);
      const std::vector<bool> seen = truths_of(subject, evidence);
      for (const rank::Method method : {rank::Method::Paper, rank::Method::Likelihood}) {
        const rank::Ranking ranking(subject.cases, evidence, {.method = method});
        Outcome outcome{method, entries, person, 0, 0, {}, {}};
        outcome.truths = static_cast<std::size_t>(std::ranges::count(truths, true));
        outcome.seen = static_cast<std::size_t>(std::ranges::count(seen, true));
        outcome.qualities = rank::qualities(ranking, truths);
        if (entries == 1517) outcome.left_after = left_after_mending(subject, ranking, truths);
        all.push_back(std::move(outcome));
      }
    }
  }
  return all;
}

}  // namespace poise::bench
