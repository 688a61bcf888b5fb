#include "poise/report/text/shake.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/report/shake_words.h"
#include "poise/report/text/layout.h"

namespace poise::report {

using shake::Failing;
using shake::MutantResult;
using shake::ShownTick;

namespace {

constexpr std::size_t kShownMissing = 6;   // of what was not covered
constexpr std::size_t kShownMutants = 12;  // of those that survived
constexpr std::size_t kShownTicks = 24;    // of a flow; the others in the middle are left out
constexpr std::size_t kShapes = 81;

std::string out_of(std::size_t some, std::size_t all) {
  return fmt::format("{}/{}", with_commas(Integer(static_cast<std::int64_t>(some))),
                     with_commas(Integer(static_cast<std::int64_t>(all))));
}

std::string property_text(const shake::Property& property, shake::Index index) {
  return index == shake::kNoValue ? "-" : property.texts[index];
}

std::size_t shapes_of(const shake::Report& report) {
  std::vector<bool> seen(kShapes);
  for (const shake::FlowFacts& facts : report.facts) seen[facts.cell] = true;
  return static_cast<std::size_t>(std::ranges::count(seen, true));
}

// A table as lines of text; each column is as wide as its widest cell.
std::string laid_out(const std::vector<std::vector<std::string>>& rows, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (const std::vector<std::string>& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], display_width(row[i]));
    }
  }
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    std::string line(indent, ' ');
    for (std::size_t i = 0; i < row.size(); ++i) line += padded(row[i], widths[i]) + "  ";
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string ticks_text(const ShownTick& shown) {
  return shown.ticks == 1 ? fmt::format("{}", shown.first + 1)
                          : fmt::format("{}-{}", shown.first + 1, shown.first + shown.ticks);
}

class ShakeWriter {
 public:
  ShakeWriter(const model::Model& model, const shake::Report& report,
              const ShakeTextOptions& options)
      : model_(model), report_(report), options_(options) {}

  std::string text() {
    if (options_.detail == Detail::Full) {
      add_head();
      add_flows();
      add_values();
      add_coverage();
      add_judged();
      if (report_.mutation) add_mutants(*report_.mutation);
      text_ += "\n";
      for (std::size_t i = 0; i < report_.failures.size(); ++i) add_failure(i);
      for (const shake::Judging& judging : report_.expectations) {
        if (judging.judged == 0) add_not_judged(judging);
      }
    }
    text_ += fmt::format("{}: {}\n", tinted(model_.name, Tint::Strong), shake_summary(report_));
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string tinted(std::string_view words, Tint tint) const {
    return report::tinted(words, tint, options_.color);
  }

  void add_line(std::string_view label, const std::string& words) {
    const std::size_t indent = 4 + kLabelWidth;
    const auto lines = wrapped(words, std::max<std::size_t>(40, options_.width - indent));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text_ += fmt::format("    {:<{}}{}\n", i == 0 ? label : "", kLabelWidth, lines[i]);
    }
  }

  void add_head() {
    text_ += fmt::format("{} ({}): ", tinted(model_.name, Tint::Strong), model_.file);
    text_ += counted(report_.grid.properties.size(), "property", "properties");
    if (report_.instances) {
      text_ += fmt::format(", {} valid contexts on the grid",
                           with_commas(Integer(static_cast<std::int64_t>(*report_.instances))));
    }
    text_ += "\n\n";
  }

  void add_flows() {
    if (report_.flows.empty()) return;
    const auto quakes = std::ranges::count_if(
        report_.facts, [](const shake::FlowFacts& facts) { return facts.profiles > 0; });
    add_line("flows",
             fmt::format("{} of {} by {}, seed {}; {} of {} shapes, {} with an earthquake",
                         report_.flows.size(), counted(report_.flows.front().size(), "tick"),
                         report_.generator, report_.seed, shapes_of(report_), kShapes, quakes));
  }

  void add_values() {
    std::vector<std::string> all;
    for (const shake::Property& property : report_.grid.properties) {
      if (property.kind != shake::Property::Kind::Number) continue;
      all.push_back(fmt::format("{} {}", property.name, joined(property.texts, " ")));
    }
    if (!all.empty()) add_line("values", joined(all, "; "));
  }

  void add_coverage() {
    std::vector<std::string> all;
    std::vector<std::string> missing;
    for (const shake::Criterion& one : report_.coverage) {
      all.push_back(fmt::format("{} {}", one.what, out_of(one.covered, one.feasible)));
      // There can be hundreds of transitions between cells; JSON lists them.
      const bool many = one.what.starts_with("cell");
      if (one.covered == one.feasible || one.missing.empty() || many) continue;
      std::vector<std::string> some = one.missing;
      if (some.size() > kShownMissing) some.resize(kShownMissing);
      const std::size_t left = one.feasible - one.covered - some.size();
      missing.push_back(fmt::format("{}: {}{}", one.what, joined(some, "; "),
                                    left > 0 ? fmt::format(" and {} more", left) : ""));
    }
    all.push_back(counted(report_.reached.size(), "different variant") + " reached");
    add_line("covered", joined(all, "; "));
    for (const std::string& one : missing) add_line("not", one);
  }

  void add_judged() {
    if (report_.expectations.empty()) return;
    std::vector<std::string> all;
    for (const shake::Judging& judging : report_.expectations) {
      all.push_back(fmt::format("{} {}", model_.policy.expectations[judging.expectation].name,
                                with_commas(Integer(static_cast<std::int64_t>(judging.judged)))));
    }
    add_line("judged", joined(all, "; "));
  }

  void add_not_judged(const shake::Judging& judging) {
    const model::Expectation& expectation = model_.policy.expectations[judging.expectation];
    text_ += tinted(fmt::format("`{}` was never judged", expectation.name), Tint::Mild) + "\n";
    add_line("why", why_not_judged(model_, report_, judging));
    add_line("at", fmt::format("{}:{}", model_.file, expectation.at.line));
    text_ += "\n";
  }

  void add_mutants(const shake::MutationReport& mutation) {
    struct Counts {
      std::size_t all = 0;
      std::size_t killed = 0;
      std::size_t equivalent = 0;
    };
    std::map<std::string, Counts> groups;
    for (const MutantResult& mutant : mutation.mutants) {
      Counts& group = groups[mutant.group];
      ++group.all;
      group.killed += std::size_t{mutant.status == MutantResult::Status::Killed};
      group.equivalent += std::size_t{mutant.status == MutantResult::Status::Equivalent};
    }
    std::vector<std::string> words;
    for (const auto& [name, group] : groups) {
      words.push_back(fmt::format(
          "{} {}{}", name, out_of(group.killed, group.all),
          group.equivalent > 0 ? fmt::format(" ({} equivalent)", group.equivalent) : ""));
    }
    add_line("mutants", joined(words, "; "));
    add_line("", fmt::format("{} different sets of flows kill them; {} enough for all",
                             mutation.signatures,
                             mutation.minimal_flows.size() == 1
                                 ? "1 flow is"
                                 : counted(mutation.minimal_flows.size(), "flow") + " are"));
    std::size_t shown = 0;
    for (const MutantResult& mutant : mutation.mutants) {
      const bool alive = mutant.status == MutantResult::Status::Survived ||
                         mutant.status == MutantResult::Status::Killable;
      if (!alive || ++shown > kShownMutants) continue;
      add_line("alive",
               fmt::format("{} {}:{} {}{}{}", mutant.id, model_.file, mutant.at.line,
                           mutant.description, mutant.reason.empty() ? "" : "; ", mutant.reason));
    }
    if (shown > kShownMutants) add_line("", fmt::format("and {} more", shown - kShownMutants));
  }

  void add_failure(std::size_t number) {
    const Failing& failing = report_.failures[number];
    text_ += tinted(heading(failing), Tint::Serious) + "\n";
    add_line("what", failing.text);
    add_line("flow", fmt::format("{} of {} {} it{}; the smallest has {}", failing.flows,
                                 counted(report_.flows.size(), "flow"),
                                 failing.flows == 1 ? "shows" : "show",
                                 failing.kept > 0 ? fmt::format(", and {} kept", failing.kept) : "",
                                 counted(failing.smallest.size(), "tick")));
    text_ += flow_table(report_, failing.shown, 4 + kLabelWidth);
    if (failing.at) add_line("at", fmt::format("{}:{}", model_.file, failing.at->line));
    if (number < options_.replays.size()) add_line("replay", options_.replays[number]);
    text_ += "\n";
  }

  static std::string heading(const Failing& failing) {
    switch (failing.kind) {
      case Failing::Kind::Expectation: return fmt::format("`{}` is broken", failing.name);
      case Failing::Kind::Range: return fmt::format("{} leaves its range", failing.name);
      case Failing::Kind::Difference: return fmt::format("differs from {}", failing.name);
      case Failing::Kind::Ended: return "the program fails";
    }
    return {};
  }

  const model::Model& model_;
  const shake::Report& report_;
  const ShakeTextOptions& options_;
  std::string text_;
};

std::string mutation_summary(const shake::MutationReport& mutation) {
  std::string text =
      fmt::format("{} killed, {} equivalent", out_of(mutation.killed, mutation.mutants.size()),
                  mutation.equivalent);
  if (mutation.undecided > 0) text += fmt::format(", {} undecided", mutation.undecided);
  return text + fmt::format("; by random flows {}",
                            out_of(mutation.killed_by_random, mutation.mutants.size()));
}

}  // namespace

std::string flow_table(const shake::Report& report, const std::vector<ShownTick>& shown,
                       std::size_t indent) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> head = {"tick"};
  for (const shake::Property& property : report.grid.properties) head.push_back(property.name);
  head.emplace_back("│");
  for (const shake::Field& field : report.fields) head.push_back(field.name);
  rows.push_back(std::move(head));
  for (std::size_t i = 0; i < shown.size(); ++i) {
    if (shown.size() > kShownTicks && i >= kShownTicks / 2 && i + kShownTicks / 2 < shown.size()) {
      if (i == kShownTicks / 2) rows.push_back({"…"});
      continue;
    }
    const ShownTick& tick = shown[i];
    std::vector<std::string> row = {ticks_text(tick)};
    for (std::size_t p = 0; p < tick.instance.size(); ++p) {
      row.push_back(property_text(report.grid.properties[p], tick.instance[p]));
    }
    row.emplace_back("│");
    for (std::size_t f = 0; f < tick.actual.size(); ++f) {
      const std::string actual = shake::to_text(report.fields[f], tick.actual[f]);
      const bool differs = tick.expected && (*tick.expected)[f] != tick.actual[f];
      row.push_back(differs ? fmt::format("{} (expected {})", actual,
                                          shake::to_text(report.fields[f], (*tick.expected)[f]))
                            : actual);
    }
    std::string acted = joined(tick.acted, ", ");
    if (tick.expected && tick.acted != tick.expected_acted) {
      acted +=
          fmt::format("{}(expected {})", acted.empty() ? "" : " ",
                      tick.expected_acted.empty() ? "nothing" : joined(tick.expected_acted, ", "));
    }
    row.push_back(std::move(acted));
    rows.push_back(std::move(row));
  }
  return laid_out(rows, indent);
}

std::string shake_summary(const shake::Report& report) {
  std::vector<std::string> parts;
  if (!report.failures.empty()) {
    parts.push_back(counted(report.failures.size(), "failure"));
  } else {
    parts.emplace_back("nothing failed");
    if (report.confidence_bound) {
      parts.back() +=
          fmt::format(" in {} (such a flow fails in at most {:.2g} %, with 95 % certainty)",
                      counted(report.flows.size(), "flow"), 100 * *report.confidence_bound);
    }
  }
  if (const std::size_t count = not_judged(report); count > 0) {
    parts.push_back(fmt::format("{} never judged", counted(count, "expectation")));
  }
  if (report.mutation) parts.push_back(mutation_summary(*report.mutation));
  for (const shake::Criterion& one : report.coverage) {
    if (one.what == "pairs") parts.push_back("pairs " + out_of(one.covered, one.feasible));
  }
  parts.push_back(fmt::format("seed {}", report.seed));
  if (!report.extent.complete) parts.push_back("not complete: " + report.extent.stopped);
  return joined(parts, "; ");
}

std::string shake_text(const model::Model& model, const shake::Report& report,
                       const ShakeTextOptions& options) {
  return ShakeWriter(model, report, options).text();
}

}  // namespace poise::report
