#include "poise/report/json/rank.h"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <map>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "cli/io/log_file.h"
#include "cli/io/wrong_lines.h"
#include "cli/options/words.h"
#include "cli/verbs/questions.h"
#include "cli/verbs/verbs.h"
#include "poise/base/text.h"
#include "poise/check/cases.h"
#include "poise/check/check.h"
#include "poise/log/csv.h"
#include "poise/log/json_lines.h"
#include "poise/rank/domain.h"
#include "poise/rank/feedback.h"
#include "poise/rank/projection.h"
#include "poise/rank/ranking.h"
#include "poise/rank/replay.h"
#include "poise/report/fingerprint.h"
#include "poise/report/rank_case.h"
#include "poise/report/text/rank.h"

namespace poise::cli {

namespace {

using finding::FaultKind;
using rank::Verdict;

enum class Prune { Pairs, Exactly };

// The options of a call, as typed values.
struct RankSettings {
  check::Options check;
  rank::Options rank;
  Prune prune = Prune::Exactly;
  std::size_t most_cases = 0;
  Format format = Format::Text;
  ColorChoice color = ColorChoice::Auto;
  report::RankTextOptions text;
};

Result<rank::Method> method_from(std::string_view word) {
  for (const rank::Method method : {rank::Method::Paper, rank::Method::Likelihood}) {
    if (word == rank::name(method)) return method;
  }
  return failure(fmt::format("--method is `paper` or `likelihood`, not `{}`", word));
}

Result<Prune> prune_from(std::string_view word) {
  if (word == "exactly") return Prune::Exactly;
  if (word == "pairs") return Prune::Pairs;
  return failure(fmt::format("--prune is `exactly` or `pairs`, not `{}`", word));
}

Result<RankSettings> rank_settings_from(const RankCall& call, const Environment& environment) {
  RankSettings settings;
  WordReader reader;
  reader.read(method_from(call.method), settings.rank.method);
  reader.read(prune_from(call.prune), settings.prune);
  reader.read(share_from("--support", call.support), settings.rank.thresholds.support);
  reader.read(share_from("--confidence", call.confidence), settings.rank.thresholds.confidence);
  reader.read(share_from("--raise", call.raise), settings.rank.paper.raise);
  reader.read(number_from("--top", call.top), settings.text.top);
  reader.read(number_from("--cases", call.cases), settings.most_cases);
  read_search(reader, call, settings.check);
  reader.read(format_from(call.format), settings.format);
  reader.read(color_from(call.color), settings.color);
  if (!reader.wrong().message.empty()) return Failure(reader.wrong());
  const std::string* inputs[] = {&call.model, &call.log, &call.feedback, &call.truth};
  const auto from_stdin =
      std::ranges::count_if(inputs, [](const std::string* path) { return *path == "-"; });
  if (from_stdin > 1) return failure("standard input can be read only once");
  if (call.interactive && (call.feedback.empty() || from_stdin > 0)) {
    return failure(call.feedback.empty() ? "--interactive needs --feedback FILE, where it "
                                           "keeps the verdicts"
                                         : "--interactive reads answers from standard input");
  }
  if (call.interactive) settings.rank.paper.most_steps = rank::kStepsBetweenAnswers;
  settings.check.show = call.all ? check::Show::All : check::Show::Reachable;
  settings.check.only = {FaultKind::Nondeterminism, FaultKind::Race, FaultKind::Cycle};
  settings.check.explain = check::Explain::Nothing;
  settings.text.color = color_of_out(environment, settings.color, call.output);
  settings.text.width = environment.width;
  settings.text.quiet = call.quiet;
  return settings;
}

// A state of the model goes before the words.
Result<rank::Start> start_from(const std::optional<std::string>& word, const model::Model& model) {
  using Kind = rank::Start::Kind;
  if (!word) return rank::Start{};
  for (const model::StateId state : model.states.ids()) {
    if (model.states[state].name == *word) return rank::Start{Kind::Given, state};
  }
  if (*word == "initial") return rank::Start{};
  if (*word == "any") return rank::Start{Kind::Unknown, {}};
  return failure(
      fmt::format("--start is `initial`, `any` or a state of the model, not `{}`", *word));
}

// ---- The log ----

// Reads a log in JSON Lines or CSV. The first line that can be read decides which; lines before it
// count as damaged.
class LogReader {
 public:
  LogReader(const model::Model& model, rank::Replay& replay)
      : json_(model), csv_(model), projection_(model), replay_(replay) {}

  [[nodiscard]] Result<void> read(std::size_t number, std::string_view line) {
    const std::size_t first = line.find_first_not_of(" \t\r\xEF\xBB\xBF");
    if (first == std::string_view::npos) return {};
    if (!is_csv_ && line[first] != '{') {
      const Result<void> header = csv_.header(line);
      if (!header) return header;
      is_csv_ = true;
      header_line_ = number;
      return {};
    }
    const Result<const log::Entry*> entry =
        is_csv_.value_or(false) ? csv_.read(number, line) : json_.read(number, line);
    if (!entry) return Failure(entry.error());
    if (!is_csv_) is_csv_ = false;
    if (*entry == nullptr) return {};
    projection_.add(**entry);
    replay_.add(**entry);
    return {};
  }
  [[nodiscard]] rank::Evidence evidence() const { return projection_.evidence(); }
  [[nodiscard]] std::optional<log::UnknownName> unknown() const {
    if (!is_csv_.value_or(false)) return json_.first_unknown();
    std::optional<log::UnknownName> column = csv_.first_unknown();
    if (column) column->line = header_line_;
    return column;
  }

 private:
  log::JsonLines json_;
  log::Csv csv_;
  rank::Projection projection_;
  rank::Replay& replay_;
  std::optional<bool> is_csv_;
  std::size_t header_line_ = 0;
};

struct Log {
  rank::Evidence evidence;
  rank::LogSummary summary;
};

// With `strict`, fails at the first wrong line; else wrong lines are skipped and counted.
Result<Log> log_from(const std::string& path, bool strict, const model::Model& model,
                     rank::Replay& replay, const Streams& streams) {
  Result<LineSource> source = LineSource::open(path, streams.in);
  if (!source) return Failure(source.error());
  LogReader reader(model, replay);
  WrongLines wrong(path, streams);
  for (std::size_t number = 1;; ++number) {
    const Result<std::optional<std::string_view>> line = source->next();
    if (!line) {
      if (strict) return Failure(line.error());
      complain(streams, fmt::format("{}; the lines before count", line.error().message));
      break;
    }
    if (!*line) break;
    const Result<void> read = reader.read(number, **line);
    if (read) continue;
    if (strict) return Failure(wrong.at(number, read.error()));
    wrong.add(number, read.error());
  }
  wrong.finish();
  if (const auto unknown = reader.unknown()) {
    complain(streams, fmt::format("{}:{}: the model has no variable `{}`; what the log says about "
                                  "such names is left out",
                                  path, unknown->line, unknown->name));
  }
  Log log;
  log.summary.skipped = wrong.count();
  log.evidence = reader.evidence();
  if (log.evidence.entries() == 0) {
    complain(streams, fmt::format("{}: no entry; nothing is known of the environment", path));
  }
  log.summary.entries = log.evidence.entries();
  log.summary.distinct = log.evidence.moments().size();
  if (log.evidence.has_times()) log.summary.seconds = log.evidence.seconds();
  return log;
}

// ---- The faults ----

// The input of the ranking. Faults are reported with atoms taken as independent, which gives some
// that cannot occur; those are pruned, by types and constraints, and the rest is ranked.
struct Material {
  rank::Report report;                    // its ranking is still empty
  std::vector<finding::Case> left;        // to be ranked
  std::vector<std::uint32_t> index_left;  // of each of them in report.cases; ascending
};

// The limits of the call. The time limit is for all searches together: each gets what is left.
class Limited {
 public:
  explicit Limited(const Limits& limits) : limits_(limits) {}
  [[nodiscard]] Limits left() const {
    Limits left = limits_;
    if (!left.time) return left;
    const auto gone = std::chrono::steady_clock::now() - start_;
    const auto rest = *left.time - std::chrono::duration_cast<std::chrono::milliseconds>(gone);
    left.time = std::max(rest, std::chrono::milliseconds(0));
    return left;
  }

 private:
  Limits limits_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

// The result of one search.
struct Found {
  std::vector<finding::Fault> faults;
  std::vector<finding::Case> cases;
  std::size_t whole = 0;  // the first so many faults have all their cases
  bool stopped = false;   // a limit ended it: any fault or case may be missing
};

// The faults about which the search for possible cases was cut short. That a case of theirs was not
// found does not prove it impossible.
class Doubt {
 public:
  explicit Doubt(const Found& possible) : everywhere_(possible.stopped) {
    for (std::size_t i = possible.whole; i < possible.faults.size(); ++i) {
      faults_.insert(key(possible.faults[i]));
    }
  }
  [[nodiscard]] bool about(const finding::Fault& fault) const {
    return everywhere_ || faults_.contains(key(fault));
  }

 private:
  using Key = std::tuple<FaultKind, model::StateId, std::vector<model::RuleId>>;
  static Key key(const finding::Fault& fault) { return {fault.kind, fault.state, fault.rules}; }

  bool everywhere_;
  std::set<Key> faults_;
};

Material material_from(const model::Model& model, const RankSettings& settings,
                       const Limited& limited) {
  Material material;
  rank::Report& report = material.report;
  report.method = settings.rank.method;
  const auto stop = [&](const std::string& why) {
    if (!why.empty() && report.extent.stopped.empty()) report.extent.stopped = why;
  };
  const auto found = [&](check::Constraints constraints, check::Explain explain) -> Found {
    check::Options options = settings.check;
    options.constraints = constraints;
    options.limits = limited.left();
    check::Report faults = check::run(model, options);
    stop(faults.extent.stopped);
    if (!faults.extent.complete) report.extent.complete = false;
    const bool stopped_early = !faults.extent.stopped.empty();
    options.explain = explain;
    options.limits = limited.left();
    check::Cases cases = check::cases(model, options, faults.faults, settings.most_cases);
    stop(cases.stopped);
    if (cases.more) report.extent.complete = false;
    Found all{std::move(faults.faults), std::move(cases.cases)};
    all.whole = all.faults.size();
    if (cases.more) all.whole = all.cases.empty() ? 0 : all.cases.back().fault;
    all.stopped = stopped_early || !cases.stopped.empty();
    return all;
  };
  Found reported = found(check::Constraints::Ignored, check::Explain::Nothing);
  report.faults = std::move(reported.faults);
  report.cases = std::move(reported.cases);
  const Found possible = found(check::Constraints::Respected, check::Explain::Everything);
  Result<std::vector<rank::Exclusion>> exclusions = rank::exclusions(model, Budget(limited.left()));
  if (exclusions) {
    report.exclusions = std::move(*exclusions);
  } else {
    stop(exclusions.error().message);
  }
  const auto by_pair = rank::pruned_by_pairs(report.cases, report.exclusions);
  const auto match =
      rank::possible_cases({report.faults, report.cases}, {possible.faults, possible.cases});
  const Doubt doubt(possible);
  for (std::uint32_t i = 0; i < report.cases.size(); ++i) {
    const bool impossible =
        by_pair[i] || (!match[i] && !doubt.about(report.faults[report.cases[i].fault]));
    if (by_pair[i]) ++report.pruned_by_pairs;
    if (impossible) ++report.pruned_exactly;
    if (by_pair[i] || (settings.prune == Prune::Exactly && impossible)) {
      report.pruned.push_back({i, by_pair[i]});
      continue;
    }
    if (match[i]) report.cases[i].witness = possible.cases[*match[i]].witness;
    material.left.push_back(report.cases[i]);
    material.index_left.push_back(i);
  }
  report.extent.complete = report.extent.complete && report.extent.stopped.empty();
  return material;
}

// What the replay says about the cases that are left; what it says about others goes into the
// report.
rank::Executed add_replay(const rank::Replay& replay, Material& material) {
  rank::Report& report = material.report;
  const rank::Executed all = replay.executed(report.faults, report.cases);
  rank::Executed left = rank::executed_of(all, material.index_left);
  report.replay = left.summary;
  using End = rank::ReplaySummary::End;
  if (left.summary.end == End::TimeLimit || left.summary.end == End::MemoryLimit) {
    report.extent.complete = false;
    if (report.extent.stopped.empty()) {
      report.extent.stopped = report::not_replayed_text(left.summary);
    }
  }
  if (all.happened.empty()) return left;
  for (rank::Pruned& pruned : report.pruned) pruned.happened = all.happened[pruned.the_case];
  return left;
}

// ---- Verdicts ----

// The last verdict on each fault in a file, by fingerprint. With `may_be_missing`, no file means no
// verdicts.
Result<std::map<std::string, Verdict>> verdicts_from(const std::string& path, bool strict,
                                                     bool may_be_missing, const Streams& streams) {
  std::map<std::string, Verdict> verdicts;
  if (may_be_missing && !std::ifstream(path)) return verdicts;
  Result<LineSource> source = LineSource::open(path, streams.in);
  if (!source) return Failure(source.error());
  WrongLines wrong(path, streams);
  for (std::size_t number = 1;; ++number) {
    const Result<std::optional<std::string_view>> line = source->next();
    if (!line) return Failure(line.error());
    if (!*line) break;
    const auto judgement = rank::judgement_from(**line);
    if (judgement) {
      if (*judgement) verdicts[(*judgement)->fault] = (*judgement)->verdict;
      continue;
    }
    if (strict) return Failure(wrong.at(number, judgement.error()));
    wrong.add(number, judgement.error());
  }
  wrong.finish();
  return verdicts;
}

// From the fingerprint of a case to its index among those that are ranked; nothing for a case that
// was pruned.
using Index = std::map<std::string, std::optional<std::uint32_t>>;

Index index_of(const model::Model& model, const Material& material) {
  Index index;
  const rank::Report& report = material.report;
  const auto id = [&](const finding::Case& one) {
    return report::fingerprint(model, report.faults[one.fault], one.situation);
  };
  for (const rank::Pruned& pruned : report.pruned) index[id(report.cases[pruned.the_case])];
  for (std::uint32_t i = 0; i < material.left.size(); ++i) index[id(material.left[i])] = i;
  return index;
}

void apply(const std::map<std::string, Verdict>& verdicts, const Index& index,
           rank::Ranking& ranking, rank::Report& report) {
  for (const auto& [fault, verdict] : verdicts) {
    if (verdict == Verdict::None) continue;
    const auto found = index.find(fault);
    if (found == index.end()) {
      ++report.verdicts_of_none;
    } else if (!found->second) {
      ++report.verdicts_of_pruned;
    } else {
      ranking.apply(*found->second, verdict);
      ++report.verdicts;
    }
  }
}

void add_ranking(const rank::Ranking& ranking, rank::Ranking::Gains gains,
                 const std::vector<std::uint32_t>& index_left, rank::Report& report) {
  report.ranked = ranking.ranked(gains);
  for (rank::Ranked& ranked : report.ranked) ranked.the_case = index_left[ranked.the_case];
  report.edges = ranking.edges();
}

std::string graph_text(const model::Model& model, const rank::Report& report,
                       const std::string& file) {
  return file.ends_with(".json") ? report::constraint_graph_json(model, report)
                                 : report::constraint_graph_dot(model, report);
}

// "Nothing found" is only said if the search was complete.
Status rank_status(const rank::Report& report) {
  if (!report.extent.stopped.empty()) return Status::LimitReached;
  if (!report.ranked.empty()) return Status::Found;
  return report.extent.complete ? Status::NothingFound : Status::LimitReached;
}

}  // namespace

Result<Status> rank(const RankCall& call, const Streams& streams) {
  const Result<RankSettings> settings = rank_settings_from(call, streams.environment);
  if (!settings) return Failure(settings.error());
  const std::optional<model::Model> model = model_from(call.model, streams, settings->color);
  if (!model) return Status::Wrong;
  const Result<rank::Start> start = start_from(call.start, *model);
  if (!start) return Failure(start.error());
  const Limited limited(settings->check.limits);
  Log log;
  rank::Replay replay(*model, *start, Budget(limited.left()));
  if (!call.log.empty()) {
    Result<Log> read = log_from(call.log, call.strict, *model, replay, streams);
    if (!read) return Failure(read.error());
    log = std::move(*read);
  }
  Material material = material_from(*model, *settings, limited);
  rank::Report& report = material.report;
  report.log = log.summary;
  const rank::Executed executed = add_replay(replay, material);

  rank::Ranking ranking(material.left, log.evidence, settings->rank, executed);
  Index index;
  if (!call.feedback.empty() || !call.truth.empty()) index = index_of(*model, material);
  if (!call.truth.empty()) {
    const auto truth = verdicts_from(call.truth, call.strict, false, streams);
    if (!truth) return Failure(truth.error());
    std::vector<bool> truths(material.left.size(), false);
    for (const auto& [fault, verdict] : *truth) {
      const auto found = index.find(fault);
      if (found == index.end() || !found->second) continue;
      truths[*found->second] = verdict == Verdict::Confirmed;
    }
    report.quality = rank::qualities(ranking, truths);
  }
  if (!call.feedback.empty()) {
    const auto verdicts = verdicts_from(call.feedback, call.strict, call.interactive, streams);
    if (!verdicts) return Failure(verdicts.error());
    apply(*verdicts, index, ranking, report);
  }
  using Gains = rank::Ranking::Gains;
  add_ranking(ranking, settings->format == Format::Json ? Gains::Always : Gains::IfNeeded,
              material.index_left, report);

  if (!report.extent.stopped.empty())
    complain(streams, fmt::format("{}: {}", call.model, report.extent.stopped));
  if (call.interactive) {
    const Result<void> inspected = inspect({.model = *model,
                                            .report = report,
                                            .index_left = material.index_left,
                                            .ranking = ranking,
                                            .feedback = call.feedback,
                                            .text = settings->text},
                                           streams);
    if (!inspected) return Failure(inspected.error());
    return rank_status(report);
  }

  Output output(streams.out, call.output);
  if (!call.explain.empty()) {
    output.write(settings->format == Format::Json
                     ? report::constraints_json(*model, report)
                     : readable(report::constraints_text(*model, report, settings->text),
                                streams.environment.signs));
  } else if (settings->format == Format::Json) {
    output.write(report::rank_json(*model, report));
  } else if (settings->format == Format::Sarif) {
    report::SarifLog sarif({.version = POISE_VERSION});
    sarif.add(*model, report);
    output.write(sarif.json());
  } else {
    output.write(
        readable(report::rank_text(*model, report, settings->text), streams.environment.signs));
  }
  if (!call.graph.empty()) {
    const Result<void> written = write_file(call.graph, graph_text(*model, report, call.graph));
    if (!written) return Failure(written.error());
  }
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  return rank_status(report);
}

}  // namespace poise::cli
