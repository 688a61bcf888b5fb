#include "poise/report/text/verify.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "poise/base/figures.h"
#include "poise/base/text.h"
#include "poise/report/text/layout.h"
#include "poise/report/text/simulation.h"
#include "poise/report/vacuous_words.h"
#include "poise/report/verify_words.h"

namespace poise::report {

using model::Model;
using model::SlotId;

namespace {

constexpr std::size_t kShownSteps = 6;
constexpr std::size_t kShownCases = 3;     // of what always holds
constexpr std::size_t kShownVacuous = 20;  // of what never happens

// A value of a trace, which may be exact but hard to read (1/3, 0.123456789): real numbers that are
// long or no decimals are cut to three decimals, with "≈" in front.
std::string number_text(const Model& model, SlotId slot, const Rational& value) {
  const std::string exact = model::to_text(model, slot, value);
  constexpr std::size_t kLong = 9;
  if (exact.size() <= kLong && exact.find('/') == std::string::npos) return exact;
  const model::Type& type = model.variables[model.slots[slot].variable].type;
  if (type.kind != model::TypeKind::Real) return exact;
  const Rational thousandths = value * Rational(1000);
  const Rational rounded(thousandths.floor(), Integer(1000));
  return "≈" + rounded.to_string();
}

class VerifyWriter {
 public:
  VerifyWriter(const Model& model, const verify::Report& report, const VerifyTextOptions& options)
      : model_(model), report_(report), options_(options) {}

  std::string text() {
    if (options_.detail == Detail::Full) {
      add_head();
      for (const verify::Hazard& hazard : report_.hazards) add_hazard(hazard);
      add_counts();
      add_invariants();
      add_vacuous();
      add_mission();
      if (report_.simulation) {
        text_ += simulation_text(model_, report_, {options_.color, options_.width});
      }
    }
    add_verdict();
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string tinted(std::string_view words, Tint tint) const {
    return report::tinted(words, tint, options_.color);
  }

  void add_head() {
    text_ += fmt::format("{} ({}): {}, {}, {}, {}", tinted(model_.name, Tint::Strong), model_.file,
                         counted(model_.states.size(), "state"),
                         counted(model::rule_count(model_), "rule"),
                         counted(model_.world.actions.size(), "action"),
                         counted(model_.world.failures.size(), "failure"));
    if (report_.mode != verify::Mode::Actual) text_ += fmt::format("; {}", name(report_.mode));
    text_ += "\n";
    if (!report_.linear)
      text_ += "variables are multiplied with each other: no promise of an answer\n";
    text_ += "\n";
  }

  void add_line(std::string_view label, const std::string& words,
                std::size_t column = kLabelWidth) {
    const std::size_t indent = 4 + column;
    const auto lines = wrapped(words, std::max<std::size_t>(40, options_.width - indent));
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text_ += fmt::format("    {:<{}}{}\n", i == 0 ? label : "", column, lines[i]);
    }
  }

  void add_hazard(const verify::Hazard& hazard) {
    const model::WorldFailure& failure = model_.world.failures[hazard.failure];
    const std::string& rule = model_.rules[hazard.rule].name;
    text_ += tinted(fmt::format("{} after {} of {} in {}", failure.name,
                                act_words(model_, hazard.rule, hazard.act), rule,
                                model_.states[hazard.state].name),
                    Tint::Serious);
    text_ += fmt::format(", first with {}\n", steps_text(hazard.first, hazard.first_exact));
    add_line("path", drawn_path(model_, model_.initial, hazard.shortest,
                                std::max<std::size_t>(40, options_.width - 14), options_.color));
    const verify::Counterexample* const example = shortest(hazard);
    add_example(example != nullptr ? example->trace : hazard.trace);
    add_odds_of_shortest(hazard);
    if (hazard.probability && hazard.likeliest != hazard.shortest) {
      add_line("likeliest",
               drawn_path(model_, model_.initial, hazard.likeliest,
                          std::max<std::size_t>(40, options_.width - 14), options_.color));
      add_line("", odds_text(*hazard.probability));
    }
    if (hazard.mission) add_line("mission", mission_text(*hazard.mission));
    if (!hazard.paths.empty()) add_line("paths", paths_text(hazard.paths));
    if (!hazard.repairs.empty()) add_line("cure", cure_text(hazard));
    const Position at = model_.rules[hazard.rule].at;
    add_line("at", fmt::format("{}:{} {}", model_.file, at.line, rule));
    text_ += "\n";
  }

  [[nodiscard]] std::string cure_text(const verify::Hazard& hazard) const {
    std::vector<std::string> ways;
    for (const verify::Repair& repair : hazard.repairs) ways.push_back(text_of(model_, repair));
    return fmt::format("{} needs {}", model_.rules[hazard.rule].name, joined(ways, ", or "));
  }

  [[nodiscard]] const verify::Counterexample* shortest(const verify::Hazard& hazard) const {
    for (const verify::Counterexample& example : report_.counterexamples) {
      const bool here = example.failure == hazard.failure && example.act == hazard.act;
      if (here && example.path == hazard.shortest) return &example;
    }
    return nullptr;
  }

  static std::string counted(std::size_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
  }

  // A line for each step: the values that its guard reads, what was sensed where that differs, and
  // what its actions changed. Steps in the middle of a long trace are left out.
  void add_example(const verify::Trace& trace) {
    const std::size_t count = trace.size();
    for (std::size_t i = 0; i < count; ++i) {
      if (count > kShownSteps && i == kShownSteps / 2) {
        add_line("", fmt::format("… {} more …", count - kShownSteps));
        i = count - kShownSteps / 2;
      }
      add_line(i == 0 ? "e.g." : "", step_text(trace[i]));
    }
  }

  // That the shortest path fails here; and, if it may fail after other acts of its last rule
  // instead, that it fails after any of them.
  void add_odds_of_shortest(const verify::Hazard& hazard) {
    const bool here = hazard.probability && hazard.likeliest == hazard.shortest;
    if (here) add_line("odds", odds_text(*hazard.probability));
    const auto path =
        std::ranges::find_if(report_.counterexamples, [&](const verify::Counterexample& example) {
          return example.failure == hazard.failure && example.path == hazard.shortest;
        });
    if (path == report_.counterexamples.end() || !path->probability) return;
    if (!here) add_line("odds", odds_text(*path->probability));
    if (here && path->probability->value != hazard.probability->value) {
      add_line("", "after whichever action: " + odds_text(*path->probability));
    }
  }

  // What was found, and what no environment exceeds, which is not rounded down.
  [[nodiscard]] std::string odds_text(const verify::Likelihood& odds) const {
    std::string text = found_text(odds) + " in the worst environment";
    if (!verify::is_exact(odds)) {
      text += fmt::format(" found; at most {} in any", figure_up(odds.at_most, 3));
    }
    if (verify::is_loose(odds)) text += ", a bound that may be far off";
    if (report_.decisions_per_hour) {
      const double rate = *report_.decisions_per_hour;
      text += fmt::format("; at most {} in an hour with {} decisions",
                          figure_up(verify::per_hour(odds.at_most, rate), 3), rate);
    }
    return text;
  }

  static std::string found_text(const verify::Likelihood& odds) {
    if (odds.value == 0 && odds.error == 0) return "0";
    if (odds.value <= odds.error) return "below " + figure_up(odds.value + odds.error, 3);
    if (verify::is_exact(odds)) return "exactly " + figure(odds.value);
    if (odds.error == 0) return figure(odds.value);
    return fmt::format("{} ± {}", figure(odds.value), figure_up(odds.error, 2));
  }

  [[nodiscard]] std::string step_text(const verify::StepTrace& step) const {
    std::vector<std::string> parts;
    for (const SlotId slot : slots_read(step.rule)) {
      if (!has_value(model_, step.actual, slot)) continue;
      const Rational& actual = step.actual[slot.index];
      const Rational& sensed = step.sensed[slot.index];
      std::string part = value_text(slot, actual);
      if (sensed != actual) {
        part += fmt::format(", sensed as {}", number_text(model_, slot, sensed));
      }
      parts.push_back(std::move(part));
    }
    std::string text = joined(parts, "; ");
    verify::Values before = step.actual;
    for (const verify::ActTrace& act : step.acts) {
      std::vector<std::string> changes;
      for (const auto& [slot, done] : act.done) {
        changes.push_back(value_text(slot, done));
      }
      text += text.empty() ? "" : "; ";
      text += act.text;
      if (!changes.empty()) text += fmt::format(" with {}", joined(changes, ", "));
      const std::string after = changes_text(before, act.actual);
      if (!after.empty()) text += " → " + after;
      before = act.actual;
    }
    return text;
  }

  [[nodiscard]] std::string changes_text(const verify::Values& before,
                                         const verify::Values& after) const {
    std::vector<std::string> parts;
    for (const SlotId slot : model_.slots.ids()) {
      const bool had = has_value(model_, before, slot);
      if (had && before[slot.index] == after[slot.index]) continue;
      if (has_value(model_, after, slot)) parts.push_back(value_text(slot, after[slot.index]));
    }
    return joined(parts, ", ");
  }

  [[nodiscard]] std::string value_text(SlotId slot, const Rational& value) const {
    return fmt::format("{} = {}", slot_name(model_, slot), number_text(model_, slot, value));
  }

  // The slots that the guard of a rule reads.
  [[nodiscard]] std::vector<SlotId> slots_read(model::RuleId rule) const {
    std::vector<SlotId> slots;
    for (const model::AtomId atom : model::atoms_of(model_, {model_.rules[rule].guard})) {
      slots.insert(slots.end(), model_.atoms[atom].slots.begin(), model_.atoms[atom].slots.end());
    }
    std::ranges::sort(slots);
    slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
    return slots;
  }

  [[nodiscard]] std::string paths_text(const std::vector<Integer>& counts) const {
    const Integer all = sum(counts);
    return fmt::format("{} here, with at most {}",
                       all == Integer(1) ? "1 fails" : with_commas(all) + " fail",
                       counted(report_.bound ? counted_steps() : counts.size(), "step"));
  }

  // The bound, or, if counting was stopped, the last length whose paths were all counted.
  [[nodiscard]] std::size_t counted_steps() const {
    const std::size_t steps = report_.paths.size();
    return report_.extent.complete ? report_.bound.value_or(steps) : steps;
  }

  static Integer sum(const std::vector<Integer>& counts) {
    Integer all = 0;
    for (const Integer& count : counts) all = all + count;
    return all;
  }

  void add_counts() {
    if (!report_.bound || report_.paths.empty()) return;
    const auto of = [](const std::vector<Integer>& counts, std::string_view what) {
      const Integer all = sum(counts);
      return fmt::format("{} {}{}", with_commas(all), what, all == Integer(1) ? "" : "s");
    };
    text_ += fmt::format("{} of at most {}, {}\n\n", of(report_.paths, "path"),
                         counted(counted_steps(), "step"), of(report_.failing, "counterexample"));
  }

  [[nodiscard]] std::string mission_text(const verify::Within& bounds) const {
    const std::string within =
        fmt::format("within {}", counted(report_.mission->decisions, "decision"));
    if (bounds.high == 0) return fmt::format("0 {}", within);
    const verify::Within cut = cut_outward(bounds, 4);
    return fmt::format("between {:.4g} and {:.4g} {}", cut.low, cut.high, within);
  }

  void add_mission() {
    if (!report_.mission) return;
    if (const auto& bounds = report_.mission->failure) {
      text_ += fmt::format("any failure: {}\n\n", mission_text(*bounds));
    } else {
      text_ += fmt::format("the odds of a mission are not known: {}\n\n", report_.mission->reason);
    }
  }

  void add_invariants() {
    if (report_.invariants.empty()) return;
    text_ += fmt::format("{}{}\n", tinted("what always holds", Tint::Good),
                         report_.invariants_checked ? ", confirmed by a solver" : "");
    std::size_t longest = 0;
    for (const model::State& state : model_.states) longest = std::max(longest, state.name.size());
    const std::size_t column =
        std::clamp(longest + 2, kLabelWidth, std::max(kLabelWidth, options_.width / 3));
    for (const verify::Invariant& invariant : report_.invariants) {
      std::string_view label = model_.states[invariant.state].name;
      if (label.size() + 2 > column) {
        text_ += fmt::format("    {}\n", label);
        label = "";
      }
      add_line(label, holds_text(invariant), column);
    }
    text_ += "\n";
  }

  // What never happens. A guard that never holds is said with its rule.
  void add_vacuous() {
    if (!report_.vacuous) {
      if (report_.verdict == verify::Verdict::Safe) {
        text_ += "whether all its rules fire was not found out\n\n";
      }
      return;
    }
    // Short paths do not get far. Who has hazards to read about does not need a list of that.
    if (report_.bound && report_.verdict != verify::Verdict::Safe) return;
    std::vector<std::pair<std::string, std::string>> lines;
    for (const verify::Vacuous& one : *report_.vacuous) {
      if (one.what == verify::Vacuous::What::Guard) continue;
      std::string label = fmt::format("{} {}", name(one.what), vacuous_name(model_, one));
      if (one.state) label += fmt::format(" in {}", model_.states[*one.state].name);
      lines.emplace_back(std::move(label), why_never(model_, report_, one));
    }
    if (lines.empty()) return;
    text_ += fmt::format("{} {}\n", tinted("never happens", Tint::Mild),
                         report_.bound ? fmt::format("within {}", counted(*report_.bound, "step"))
                                       : "in this world");
    for (std::size_t i = 0; i < lines.size() && i < kShownVacuous; ++i) {
      for (const std::string& line : wrapped(fmt::format("{}: {}", lines[i].first, lines[i].second),
                                             std::max<std::size_t>(40, options_.width - 4))) {
        text_ += fmt::format("    {}\n", line);
      }
    }
    if (lines.size() > kShownVacuous) {
      text_ += fmt::format("    … and {} more, which JSON has\n", lines.size() - kShownVacuous);
    }
    text_ += "\n";
  }

  static std::string holds_text(const verify::Invariant& invariant) {
    const std::vector<std::string>& cases = invariant.brief;
    if (cases.empty()) return "is never reached";
    if (std::ranges::find(cases, invariant.in_all) != cases.end()) return invariant.in_all;
    if (cases.size() <= kShownCases) return joined(cases, " or ");
    return fmt::format("{} ({} cases)", invariant.in_all, cases.size());
  }

  void add_verdict() {
    text_ += fmt::format("{}: ", model_.name);
    switch (report_.verdict) {
      case verify::Verdict::Safe:
        text_ += tinted("safe", Tint::Good);
        text_ += report_.bound ? fmt::format(" within {}; more were not looked at",
                                             counted(*report_.bound, "step"))
                               : " at every depth, because of what always holds";
        break;
      case verify::Verdict::Unsafe: {
        text_ += tinted("unsafe", Tint::Serious);
        text_ += fmt::format(", first with {}; {}", first_failure_text(report_),
                             counted(report_.hazards.size(), "hazard"));
        // With a bound, and no limit that ended the search, all hazards up to the bound are known:
        // what is incomplete then is the list of counterexamples.
        const bool open =
            !report_.extent.complete && (!report_.bound || !report_.extent.stopped.empty());
        if (open) text_ += " and maybe more";
        break;
      }
      case verify::Verdict::Unknown:
        text_ += tinted("unknown", Tint::Mild) + ": " + report_.reason;
        break;
    }
    text_ += "\n";
  }

  const Model& model_;
  const verify::Report& report_;
  const VerifyTextOptions& options_;
  std::string text_;
};

}  // namespace

std::string verify_text(const Model& model, const verify::Report& report,
                        const VerifyTextOptions& options) {
  return VerifyWriter(model, report, options).text();
}

}  // namespace poise::report
