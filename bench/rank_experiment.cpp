#include "bench/rank_experiment.h"

#include <algorithm>
#include <fstream>
#include <memory>
#include <sstream>

#include "bench/worlds/household.h"
#include "bench/worlds/person.h"
#include "poise/base/check.h"
#include "poise/base/random.h"
#include "poise/check/cases.h"
#include "poise/finding/groups.h"
#include "poise/lang/lang.h"
#include "poise/log/json_lines.h"
#include "poise/rank/projection.h"
#include "poise/rank/quality.h"
#include "poise/rank/ranking.h"
#include "poise/rank/replay.h"

namespace poise::bench {

std::string_view name(Contender contender) {
  switch (contender) {
    case Contender::Paper: return "paper";
    case Contender::Situations: return "likelihood, no replay";
    case Contender::Likelihood: return "likelihood";
  }
  return "";
}

namespace {

Subject subject_from(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  lang::Parsed parsed = lang::parse({.name = path, .text = text.str()});
  POISE_CHECK(parsed.model.has_value());
  Subject subject{.name = name,
                  .model = std::move(*parsed.model),
                  .faults = {},
                  .cases = {},
                  .life = {},
                  .sizes = {}};
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

}  // namespace

Subject phone_subject(const std::string& examples, const std::string& name) {
  Subject subject = subject_from(examples + "/" + name + ".poise", name);
  subject.life = [line = name == "tasker" ? tasker_line : phone_adapter_line](std::uint64_t seed) {
    return [line, person = std::make_shared<Person>(seed)] { return line(person->next()); };
  };
  subject.sizes = {200, 400, 800, 1517, 2500, 4000};
  // The paper's phone wrote 1,517 entries in two weeks, of the 4,032 that there could be.
  subject.kept = 1517;
  subject.of = 4032;
  return subject;
}

// A home has a controller that is always on: every reading is in its log.
Subject home_subject(const std::string& examples) {
  constexpr std::size_t kWeek = 7 * 288;
  Subject subject = subject_from(examples + "/../bench/worlds/smart-home.poise", "smart-home");
  subject.life = [](std::uint64_t seed) {
    return [home = std::make_shared<Household>(seed)] { return smart_home_line(home->next()); };
  };
  subject.sizes = {kWeek, 2 * kWeek, 4 * kWeek, 8 * kWeek, 16 * kWeek};
  return subject;
}

namespace {

// All that is made of a log as it is read.
class Reading {
 public:
  explicit Reading(const Subject& subject)
      : subject_(subject),
        reader_(subject.model),
        projection_(subject.model),
        replay_(subject.model) {}

  void add(const std::string& line) {
    const Result<const log::Entry*> entry = reader_.read(++lines_, line);
    POISE_CHECK(entry && *entry != nullptr);
    projection_.add(**entry);
    replay_.add(**entry);
  }
  [[nodiscard]] std::size_t lines() const { return lines_; }
  [[nodiscard]] Known known() const {
    return {projection_.evidence(), replay_.executed(subject_.faults, subject_.cases)};
  }

 private:
  const Subject& subject_;
  log::JsonLines reader_;
  rank::Projection projection_;
  rank::Replay replay_;
  std::size_t lines_ = 0;
};

}  // namespace

Life life(const Subject& subject, std::uint64_t seed) {
  const std::function<std::string()> next = subject.life(seed);
  Random chance(seed, 1);
  Reading all(subject);
  Reading kept(subject);
  Life life;
  for (std::size_t i = 0; i < subject.readings; ++i) {
    const std::string line = next();
    all.add(line);
    if (kept.lines() >= subject.sizes.back() || chance.below(subject.of) >= subject.kept) continue;
    kept.add(line);
    if (std::ranges::find(subject.sizes, kept.lines()) != subject.sizes.end()) {
      life.logs[kept.lines()] = kept.known();
    }
  }
  life.whole = all.known();
  return life;
}

namespace {

std::vector<bool> truths_of(const Subject& subject, const Known& known, TruthOf truth) {
  std::vector<bool> truths;
  if (truth == TruthOf::Fault) {
    for (const rank::Happened& one : known.executed.happened) truths.push_back(one.times > 0);
    return truths;
  }
  std::vector<const finding::Conjunction*> situations;
  for (const finding::Case& one : subject.cases) situations.push_back(&one.situation);
  for (const rank::Seen& seen : rank::seen(known.evidence, situations)) {
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

rank::Ranking ranking_of(const Subject& subject, const Known& log, Contender contender) {
  const rank::Options options{.method = contender == Contender::Paper ? rank::Method::Paper
                                                                      : rank::Method::Likelihood};
  return {subject.cases, log.evidence, options,
          contender == Contender::Likelihood ? log.executed : rank::Executed{}};
}

Outcome outcome_of(const Subject& subject, const rank::Ranking& ranking,
                   const std::vector<bool>& truths) {
  Outcome outcome{};
  outcome.truths = static_cast<std::size_t>(std::ranges::count(truths, true));
  outcome.qualities = rank::qualities(ranking, truths);
  std::vector<bool> order;
  for (const rank::Ranked& one : ranking.ranked()) order.push_back(truths[one.the_case]);
  outcome.first_ten = rank::precision(order, 10);
  outcome.first_twenty = rank::precision(order, 20);
  outcome.left_after = left_after_mending(subject, ranking, truths);
  return outcome;
}

}  // namespace

std::vector<Outcome> outcomes(const Subject& subject, std::uint64_t lives) {
  std::vector<Outcome> all;
  for (std::uint64_t seed = 1; seed <= lives; ++seed) {
    const Life lived = life(subject, seed);
    for (const TruthOf truth : {TruthOf::Situation, TruthOf::Fault}) {
      const std::vector<bool> truths = truths_of(subject, lived.whole, truth);
      for (const auto& [entries, log] : lived.logs) {
        const std::vector<bool> known = truths_of(subject, log, truth);
        for (const Contender contender :
             {Contender::Paper, Contender::Situations, Contender::Likelihood}) {
          Outcome outcome = outcome_of(subject, ranking_of(subject, log, contender), truths);
          outcome.truth = truth;
          outcome.contender = contender;
          outcome.entries = entries;
          outcome.seed = seed;
          outcome.known = static_cast<std::size_t>(std::ranges::count(known, true));
          all.push_back(std::move(outcome));
        }
      }
    }
  }
  return all;
}

}  // namespace poise::bench
