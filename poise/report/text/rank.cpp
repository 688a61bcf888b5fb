#include "poise/report/text/rank.h"

#include <algorithm>
#include <map>
#include <span>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/fingerprint.h"
#include "poise/report/rank_case.h"
#include "poise/report/text/layout.h"

namespace poise::report {

namespace {

using finding::Fault;
using finding::FaultKind;
using model::Model;

constexpr std::size_t kIndent = 6;
constexpr std::size_t kLabel = 8;

std::size_t room(const RankTextOptions& options, std::size_t indent) {
  constexpr std::size_t kNarrowest = 30;
  return std::max(options.width, kNarrowest + indent) - indent;
}

std::string rank_detail(const RankTextOptions& options, std::string_view label,
                        std::string_view text) {
  std::string lines;
  for (const std::string& line : wrapped(text, room(options, kIndent + kLabel))) {
    lines += fmt::format("{:{}}{}{}\n", "", kIndent,
                         tinted(fmt::format("{:<{}}", lines.empty() ? label : "", kLabel),
                                Tint::Faint, options.color),
                         line);
  }
  return lines;
}

std::string rank_title(const Model& model, const Fault& fault, const RankTextOptions& options) {
  if (fault.kind == FaultKind::Nondeterminism) {
    std::vector<std::string> names;
    for (const model::RuleId rule : fault.rules) names.push_back(model.rules[rule].name);
    return fmt::format("{}: {}",
                       tinted(model.states[fault.state].name, Tint::Strong, options.color),
                       enumerated(names));
  }
  return drawn_path(model, fault.state, fault.rules, room(options, kIndent + 16), options.color) +
         (fault.kind == FaultKind::Cycle ? " ↺" : "");
}

std::string head(const Model& model, const rank::Report& report) {
  const std::size_t pruned = report.cases.size() - report.ranked.size();
  std::string text = fmt::format(
      "{} ({}): {} reported, {} pruned, {} ranked by {}", model.name, model.file,
      counted(report.cases.size(), "fault"), pruned, report.ranked.size(),
      report.method == rank::Method::Paper ? "conflict with the log" : "likelihood in the log");
  if (!report.extent.complete) {
    text += report.extent.stopped.empty() ? " (incomplete: there are more)"
                                          : " (incomplete: a limit ended the search)";
  }
  return text + '\n';
}

std::string log_line(const rank::LogSummary& log) {
  std::string text = fmt::format("  log     {}, {}", counted(log.entries, "entry", "entries"),
                                 counted(log.distinct, "distinct situation"));
  if (log.seconds) text += ", " + duration_text(*log.seconds);
  if (log.skipped > 0) text += fmt::format(", {} skipped", counted(log.skipped, "line"));
  return text + '\n';
}

// Wrapped like the lines of a fault.
std::string replay_lines(const rank::ReplaySummary& replay, const RankTextOptions& options) {
  constexpr std::size_t kHeadIndent = 10;
  std::string text;
  for (const std::string& line : wrapped(replay_text(replay), room(options, kHeadIndent))) {
    text += fmt::format("  {:<8}{}\n", text.empty() ? "replay" : "", line);
  }
  return text;
}

// A heading for the places from here on; empty if it is that of the place before.
std::string rank_heading(const rank::Report& report, const rank::Ranked& ranked,
                         std::string_view& last) {
  const auto heading = [&]() -> std::string_view {
    if (ranked.verdict == rank::Verdict::Confirmed) return "Confirmed:";
    if (ranked.verdict == rank::Verdict::Rejected) return "Rejected:";
    if (report.method == rank::Method::Paper) return "By conflict with what is likely:";
    switch (ranked.basis) {
      case rank::Basis::Happened: return "Happened in the log:";
      case rank::Basis::Possible: return "May have happened:";
      case rank::Basis::Situation:
        return ranked.happened ? "Did not happen, but the situation was there:"
                               : "The situation was there:";
      case rank::Basis::Likeness: return "Not even the situation was there:";
    }
    return "";
  }();
  if (heading == last) return "";
  last = heading;
  return fmt::format("{}\n", heading);
}

std::string pruned_line(const rank::Report& report) {
  const std::size_t more = report.pruned_exactly - report.pruned_by_pairs;
  return fmt::format(
      "  pruned  {} by pairs of atoms, {} more by types and constraints as a whole\n",
      report.pruned_by_pairs, more);
}

// How many faults each constraint prunes. A fault that violates several counts for the first only.
std::string pruning_lines(const Model& model, const rank::Report& report,
                          const RankTextOptions& options) {
  constexpr std::size_t kMost = 10;
  std::map<std::uint32_t, std::size_t> counts;
  for (const rank::Pruned& pruned : report.pruned) {
    if (pruned.exclusion) ++counts[*pruned.exclusion];
  }
  std::string text;
  std::size_t shown = 0;
  for (const auto& [exclusion, count] : counts) {
    if (shown++ == kMost) {
      return text +
             fmt::format("          … and {}\n", counted(counts.size() - kMost, "more constraint"));
    }
    text += fmt::format(
        "  {:>6}  {}\n", count,
        tinted(to_text(model, report.exclusions[exclusion]), Tint::Faint, options.color));
  }
  return text;
}

std::string quality_lines(const rank::Report& report) {
  if (report.quality.empty()) return "";
  std::string text =
      "\nAgainst the truth that was given:\n"
      "  ranking   DCG    R-precision  precision of the first tenth\n";
  for (const rank::Quality& quality : report.quality) {
    text += fmt::format("  {:<8}  {:.3f}  {:>9.1f} %  {:>26.1f} %\n", quality.ranking, quality.dcg,
                        quality.top_true * 100, quality.top_tenth * 100);
  }
  return text;
}

}  // namespace

std::string ranked_text(const Model& model, const rank::Report& report, std::size_t place,
                        const RankTextOptions& options) {
  const rank::Ranked& ranked = report.ranked[place];
  const Fault fault = as_fault(report, ranked.the_case);
  std::string text = fmt::format("{:>4}. {}  {}\n", place + 1,
                                 tinted(finding::name(fault.kind), Tint::Serious, options.color),
                                 rank_title(model, fault, options));
  text += rank_detail(options, "when", finding::to_text(model, *fault.when));
  text += rank_detail(options, "log", happened_text(ranked.happened));
  text +=
      rank_detail(options, "seen", seen_text(ranked.seen) + "; " + share_text(ranked.likelihood));
  text += rank_detail(options, "id",
                      fingerprint(model, fault, report.cases[ranked.the_case].situation));
  if (ranked.verdict != rank::Verdict::None) {
    return text + rank_detail(options, "verdict", name(ranked.verdict));
  }
  std::string chance = fmt::format("{:.3f}", ranked.probability);
  if (report.method == rank::Method::Paper && ranked.gain) {
    chance += fmt::format(", information gain {:.3f}", *ranked.gain);
  }
  text += rank_detail(options, "chance", chance);
  const std::vector<std::string> against = objections(model, ranked);
  if (!against.empty()) text += rank_detail(options, "against", joined(against, "; "));
  return text;
}

std::string rank_text(const Model& model, const rank::Report& report,
                      const RankTextOptions& options) {
  std::string text = head(model, report);
  if (options.quiet) return text;
  const std::vector<std::size_t> groups = groups_of_ranked(report);
  std::map<std::size_t, std::size_t> sizes;
  for (const std::size_t group : groups) ++sizes[group];
  text += log_line(report.log) + replay_lines(report.replay, options) + pruned_line(report) +
          pruning_lines(model, report, options);
  if (report.verdicts + report.verdicts_of_none + report.verdicts_of_pruned > 0) {
    text += fmt::format("  judged  {}", counted(report.verdicts, "fault"));
    if (report.verdicts_of_pruned > 0) {
      text += fmt::format(", and {} that cannot be", report.verdicts_of_pruned);
    }
    if (report.verdicts_of_none > 0) {
      text += fmt::format(", and {} that are not reported any more", report.verdicts_of_none);
    }
    text += '\n';
  }
  if (!report.ranked.empty()) {
    text += fmt::format("  groups  {}: a verdict on each, with its kin, instead of {} saves {}\n",
                        counted(sizes.size(), "core"), report.ranked.size(),
                        report.ranked.size() - sizes.size());
  }
  text += '\n';
  std::size_t shown = 0;
  std::string_view last;
  for (std::size_t i = 0; i < report.ranked.size() && shown < options.top; ++i) {
    if (groups[i] != shown + 1) continue;  // its group was shown already
    ++shown;
    text += rank_heading(report, report.ranked[i], last);
    text += ranked_text(model, report, i, options);
    const std::size_t kin = sizes[groups[i]] - 1;
    if (kin > 0) text += rank_detail(options, "kin", fmt::format("{} more with this core", kin));
  }
  if (shown < sizes.size()) {
    text += fmt::format("  … and {}; --top shows more, --format json all\n",
                        counted(sizes.size() - shown, "more group"));
  }
  return text + quality_lines(report);
}

std::string constraints_text(const Model& model, const rank::Report& report,
                             const RankTextOptions& options) {
  std::string text = fmt::format("{}: what cannot be\n",
                                 counted(report.exclusions.size(), "deterministic constraint"));
  for (const rank::Exclusion& exclusion : report.exclusions) {
    text += fmt::format("  {}\n", to_text(model, exclusion));
  }
  if (report.log.entries == 0) return text;
  text += fmt::format("\n{}: what the log makes likely\n",
                      counted(report.edges.size(), "probabilistic constraint"));
  text += tinted("  support  confidence\n", Tint::Faint, options.color);
  for (const rank::Edge& edge : report.edges) {
    text += fmt::format("  {:7.3f}  {:10.3f}  {}\n", edge.support, edge.confidence,
                        to_text(model, edge));
  }
  return text;
}

}  // namespace poise::report
