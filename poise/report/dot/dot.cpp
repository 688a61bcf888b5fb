// First the report is inverted. It lists faults and says where each one is; a diagram needs to
// know, for every state and every arrow (a rule in one of its source states), which faults are
// there: the Diagnosis. Then arrows between the same two states with the same marks are bundled
// into one, which has a line of text for each rule, and everything is written as DOT.

#include "poise/report/dot/dot.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/text.h"
#include "poise/finding/finding.h"
#include "poise/finding/groups.h"
#include "poise/report/text/check.h"
#include "poise/report/text/layout.h"
#include "poise/report/xml.h"

namespace poise::report {
namespace {

using finding::Fault;
using finding::FaultKind;
using finding::Group;
using model::Model;
using model::RuleId;
using model::StateId;

constexpr std::size_t kShortGuard = 34;  // columns; a longer guard is only in the tooltip
constexpr std::size_t kTooltipGuard = 300;
constexpr std::size_t kMaxLines = 6;  // rules at one arrow, and faults in a tooltip
constexpr std::size_t kCaptionWidth = 120;

// ---- What is wrong where ----

// Most serious first: the first mark of an arrow gives it its colour.
enum class Mark { Cycle, Choice, Race, Dead, Unreachable };
using Marks = std::set<Mark>;

struct Place {
  Marks marks;
  std::vector<std::string> notes;  // the faults in words
};

struct Diagnosis {
  std::vector<std::vector<Place>> arrows;  // [state][i]: for the i-th of the state's rules
  std::vector<Place> states;
};

Place& arrow(Diagnosis& diagnosis, const Model& model, StateId state, RuleId rule) {
  const std::vector<RuleId>& rules = model.states[state].rules;  // as declared, so ascending
  const auto at = std::ranges::lower_bound(rules, rule);
  POISE_CHECK(at != rules.end() && *at == rule);
  return diagnosis.arrows[state.index][static_cast<std::size_t>(at - rules.begin())];
}

std::string situations_text(const Integer& count) {
  return fmt::format("{} situation{}", count.to_string(), count == Integer(1) ? "" : "s");
}

std::vector<std::string> names_of(const Model& model, std::span<const RuleId> rules) {
  std::vector<std::string> names;
  for (const RuleId rule : rules) names.push_back(model.rules[rule].name);
  return names;
}

void note_choice(Diagnosis& diagnosis, const Model& model, const Fault& fault) {
  const std::string note =
      fmt::format("chance decides between {} ({})", enumerated(names_of(model, fault.rules)),
                  situations_text(fault.situations));
  for (const RuleId rule : fault.rules) {
    Place& place = arrow(diagnosis, model, fault.state, rule);
    place.marks.insert(Mark::Choice);
    place.notes.push_back(note);
  }
}

// A rule that competes only in sets of rules that are not listed has no mark yet.
void note_overlap(Diagnosis& diagnosis, const Model& model, const check::Overlap& overlap) {
  for (const RuleId rule : {overlap.first, overlap.second}) {
    if (arrow(diagnosis, model, overlap.state, rule).marks.contains(Mark::Choice)) continue;
    note_choice(diagnosis, model, choice_of(overlap));
    return;
  }
}

void note_dead_rule(Diagnosis& diagnosis, const Model& model, const Fault& fault) {
  Place& place = arrow(diagnosis, model, fault.state, fault.rules.front());
  place.marks.insert(Mark::Dead);
  place.notes.push_back(fault.cause == finding::DeadCause::Unsatisfiable
                            ? "never fires: no context satisfies it"
                            : fmt::format("never fires: {} always win{}",
                                          enumerated(names_of(model, fault.by)),
                                          fault.by.size() == 1 ? "s" : ""));
}

// A loop is noted once, however many paths lead into it.
void note_cycles(Diagnosis& diagnosis, const Model& model, std::span<const Fault> faults) {
  for (const Group& group : groups(faults, FaultKind::Cycle)) {
    const Fault& fault = group.best();
    const std::vector<StateId> states = finding::visited_states(model, fault);
    const std::span<const RuleId> loop = std::span(fault.rules).subspan(fault.loop);
    const std::string note =
        fmt::format("never comes to rest: {} ↻ ({})",
                    drawn_path(model, states[fault.loop], loop, kTooltipGuard, diag::Color::No),
                    situations_text(fault.situations));
    std::set<const Place*> noted;  // actions can make a loop pass a rule twice
    for (std::size_t i = fault.loop; i < fault.rules.size(); ++i) {
      for (Place* place : {&arrow(diagnosis, model, states[i], fault.rules[i]),
                           &diagnosis.states[states[i].index]}) {
        place->marks.insert(Mark::Cycle);
        if (noted.insert(place).second) place->notes.push_back(note);
      }
    }
  }
}

void note_unstable(Diagnosis& diagnosis, const Model& model, const check::Unstable& unstable) {
  Place& place = arrow(diagnosis, model, unstable.state, unstable.rule);
  place.marks.insert(Mark::Race);
  place.notes.push_back(
      fmt::format("sets off another rule at once ({})", situations_text(unstable.situations)));
}

// Marks an unreachable state. Its rules can never fire, so what was noted about them is replaced.
void fade(Diagnosis& diagnosis, StateId state) {
  diagnosis.states[state.index].marks.insert(Mark::Unreachable);
  diagnosis.states[state.index].notes.emplace_back("no chain of live rules leads here");
  for (Place& place : diagnosis.arrows[state.index]) {
    place = {.marks = {Mark::Unreachable}, .notes = {"cannot happen: its state is unreachable"}};
  }
}

Diagnosis nothing_wrong(const Model& model) {
  Diagnosis diagnosis;
  diagnosis.states.resize(model.states.size());
  for (const model::State& state : model.states) diagnosis.arrows.emplace_back(state.rules.size());
  return diagnosis;
}

Diagnosis diagnosis_of(const Model& model, const check::Report& report) {
  Diagnosis diagnosis = nothing_wrong(model);
  note_cycles(diagnosis, model, report.faults);
  for (const Fault& fault : report.faults) {
    Place& state = diagnosis.states[fault.state.index];
    switch (fault.kind) {
      case FaultKind::Nondeterminism:
        if (!fault.harmless) note_choice(diagnosis, model, fault);
        break;
      case FaultKind::DeadRule: note_dead_rule(diagnosis, model, fault); break;
      case FaultKind::DeadState:
        state.marks.insert(Mark::Dead);
        state.notes.emplace_back("dead: none of its rules can fire");
        break;
      case FaultKind::UnreachableState:
      case FaultKind::Race:  // noted below, as unstable rules
      case FaultKind::Cycle: break;
    }
  }
  for (const check::Overlap& overlap : report.overlaps) {
    if (overlap.asked_for && !overlap.harmless) note_overlap(diagnosis, model, overlap);
  }
  for (const check::Unstable& unstable : report.unstable) {
    note_unstable(diagnosis, model, unstable);
  }
  for (const Fault& fault : report.faults) {
    if (fault.kind == FaultKind::UnreachableState) fade(diagnosis, fault.state);
  }
  return diagnosis;
}

// ---- How it looks ----

// Middle tones, so that lines and words can be read on a light page and on a dark one.
constexpr std::string_view kGrey = "#717b88";
constexpr std::string_view kFaded = "#8b939d";
constexpr std::string_view kRed = "#e03c41";
constexpr std::string_view kOrange = "#c25e08";
constexpr std::string_view kAmber = "#a17a12";

struct Look {
  std::string_view name;     // a class of the SVG element
  std::string_view color;    // of an arrow whose most serious mark this is
  std::string_view width;    // of its line
  std::string_view symbol;   // before the name of a rule
  std::string_view meaning;  // of the symbol, in the key
  std::string_view line;     // attributes of every arrow with this mark
};

Look look_of(Mark mark) {
  switch (mark) {
    case Mark::Cycle: return {"cycle", kRed, "2.6", "↻", "never comes to rest", ""};
    case Mark::Choice:
      return {"choice", kOrange, "1.8", "◇", "chance decides", "dir=both, arrowtail=odiamond, "};
    case Mark::Race:
      return {
          "race", kAmber, "1.2", "»", "sets off another rule at once", "arrowhead=normalnormal, "};
    case Mark::Dead: return {"dead", kGrey, "1.2", "✕", "never fires", "style=dashed, "};
    case Mark::Unreachable: return {"unreachable", kFaded, "1.2", "", "", ""};
  }
  return {};
}

// ---- DOT ----

// Text inside of a quoted string. Graphviz resolves entities there, so what would need a backslash
// becomes one.
std::string escaped(std::string_view text) {
  std::string result;
  for (const char c : xml_escaped(text)) {
    switch (c) {
      case '\\': result += "&#92;"; break;
      case '\n': result += "&#10;"; break;
      default: result += c;
    }
  }
  return result;
}

std::string quoted(std::string_view text) { return fmt::format("\"{}\"", escaped(text)); }

// Text inside of an HTML-like label. There Graphviz replaces \G, \N and the like even where the
// backslash is written as an entity, so a zero-width space separates it from the next letter.
std::string in_label(std::string_view text) {
  std::string result;
  while (true) {
    const std::size_t backslash = std::min(text.find('\\'), text.size());
    result += escaped(text.substr(0, backslash));
    if (backslash == text.size()) return result;
    result += "&#92;&#8203;";
    text.remove_prefix(backslash + 1);
  }
}

std::string small(std::string_view text) {
  return fmt::format("<FONT POINT-SIZE=\"10\">{}</FONT>", in_label(text));
}

// Rows with padding, so that arrows do not touch the words.
std::string table(std::span<const std::string> rows) {
  std::string text = R"(<TABLE BORDER="0" CELLSPACING="0" CELLPADDING="3">)";
  for (const std::string& row : rows) text += fmt::format("<TR><TD>{}</TD></TR>", row);
  return text + "</TABLE>";
}

// At most kMaxLines lines; if there are more, the last one is "and 7 more".
std::vector<std::string> first_lines(std::span<const std::string> lines) {
  if (lines.size() <= kMaxLines) return {lines.begin(), lines.end()};
  std::vector<std::string> shown(lines.begin(), lines.begin() + kMaxLines - 1);
  shown.push_back(fmt::format("and {} more", lines.size() - shown.size()));
  return shown;
}

// Arrows from one state to another that have the same marks; drawn as one.
struct Bundle {
  StateId to;
  Marks marks;
  std::vector<std::size_t> rules;  // indices in the rules of the source state
};

std::vector<Bundle> bundles(const Model& model, StateId from, std::span<const Place> arrows) {
  std::vector<Bundle> result;
  std::map<std::pair<StateId, Marks>, std::size_t> known;
  const std::vector<RuleId>& rules = model.states[from].rules;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const StateId to = model.rules[rules[i]].to;
    const auto [at, is_new] = known.emplace(std::pair(to, arrows[i].marks), result.size());
    if (is_new) result.push_back({.to = to, .marks = arrows[i].marks, .rules = {}});
    result[at->second].rules.push_back(i);
  }
  return result;
}

enum class Size { Small, Large };

std::string rule_label(const Model& model, const model::Rule& rule, const Place& place, Size size) {
  std::string text;
  for (const Mark mark : place.marks) {
    const std::string_view symbol = look_of(mark).symbol;
    if (!symbol.empty()) text += fmt::format("{} ", symbol);
  }
  text += in_label(rule.name);
  if (rule.priority) text += fmt::format(" [{}]", *rule.priority);
  const std::string guard = model::to_text(model, rule.guard, kTooltipGuard);
  if (size == Size::Small && display_width(guard) <= kShortGuard) {
    text += "<BR/>" + small(guard);
  }
  return text;
}

std::string rule_tooltip(const Model& model, const model::Rule& rule, const Place& place) {
  std::string text = rule.name;
  if (rule.priority) text += fmt::format(" priority {}", *rule.priority);
  text += "\nwhen " + model::to_text(model, rule.guard, kTooltipGuard);
  for (const std::string& note : first_lines(place.notes)) text += "\n" + note;
  return text;
}

std::string attributes(const Marks& marks) {
  if (marks.empty()) return "";
  const Look look = look_of(*marks.begin());
  std::string text = fmt::format("class={}, color=\"{}\", fontcolor=\"{}\", penwidth={}, ",
                                 look.name, look.color, look.color, look.width);
  for (const Mark mark : marks) text += look_of(mark).line;
  return text;
}

std::string arrow_text(const Model& model, StateId from, const Bundle& bundle,
                       std::span<const Place> arrows, Size size) {
  std::vector<std::string> labels;
  std::vector<std::string> tooltips;
  for (const std::size_t i : bundle.rules) {
    const model::Rule& rule = model.rules[model.states[from].rules[i]];
    labels.push_back(rule_label(model, rule, arrows[i], size));
    tooltips.push_back(rule_tooltip(model, rule, arrows[i]));
  }
  const std::string ends = fmt::format("{} -> {}", quoted(model.states[from].name),
                                       quoted(model.states[bundle.to].name));
  return fmt::format("  {} [{}tooltip={},\n    label=<{}>];\n", ends, attributes(bundle.marks),
                     quoted(joined(first_lines(tooltips), "\n\n")),
                     table(std::vector{joined(first_lines(labels), "<BR/>")}));
}

std::string state_text(const model::State& state, const Place& place) {
  std::string label = fmt::format("<B>{}</B>", in_label(state.name));
  std::string look;
  if (place.marks.contains(Mark::Unreachable)) {
    label += "<BR/>" + small("unreachable");
    look = fmt::format(
        ", class=unreachable, style=\"rounded,filled,dashed\", color=\"{}\", "
        "fillcolor=\"#e3e6ea\", fontcolor=\"{}\"",
        kFaded, kGrey);
  } else if (place.marks.contains(Mark::Cycle)) {
    look = fmt::format(", class=cycle, color=\"{}\", fillcolor=\"#fdecec\", penwidth=2", kRed);
  }
  if (place.marks.contains(Mark::Dead)) {
    label += "<BR/>" + small("✕ dead");
    if (look.empty()) look = ", class=dead, style=\"rounded,filled,dashed\"";
  }
  if (state.final) look += ", peripheries=2";
  std::string tooltip = state.name;
  for (const std::string& note : first_lines(place.notes)) tooltip += "\n" + note;
  return fmt::format("  {} [label=<{}>{}, tooltip={}];\n", quoted(state.name), label, look,
                     quoted(tooltip));
}

// The summary of `check`, and a key of the symbols that occur.
std::vector<std::string> caption(const Model& model, const check::Report& report,
                                 const Diagnosis& diagnosis) {
  std::vector<std::string> rows;
  const std::string summary = check_text(model, report, {.detail = Detail::Summary});
  for (const std::string& line : wrapped(summary.substr(0, summary.find('\n')), kCaptionWidth)) {
    rows.push_back(in_label(line));
  }
  Marks used;
  for (const std::vector<Place>& arrows : diagnosis.arrows) {
    for (const Place& place : arrows) used.insert(place.marks.begin(), place.marks.end());
  }
  std::vector<std::string> key;
  for (const Mark mark : used) {
    const Look look = look_of(mark);
    if (look.symbol.empty()) continue;
    key.push_back(
        fmt::format("<FONT COLOR=\"{}\">{} {}</FONT>", look.color, look.symbol, look.meaning));
  }
  if (!key.empty()) rows.push_back(joined(key, " &nbsp; "));
  return rows;
}

// Ranks from left to right show where runs go, but Graphviz takes too long to rank a large model.
std::string_view layout(Size size) {
  switch (size) {
    case Size::Small: return "rankdir=LR, nodesep=0.4, ranksep=0.8";
    case Size::Large: return "layout=sfdp, overlap=prism, outputorder=edgesfirst";
  }
  return "";
}

std::string head(const Model& model, std::span<const std::string> caption, Size size) {
  constexpr std::string_view kFont = "fontname=\"Helvetica,Arial,sans-serif\"";
  const std::string name = quoted(model.name);
  std::string text = fmt::format("digraph {} {{\n", name);
  text += fmt::format(
      "  graph [{}, pad=0.2, bgcolor=transparent, {}, fontsize=12, fontcolor=\"{}\", labelloc=b,\n"
      "    tooltip={}, label=<{}>];\n",
      layout(size), kFont, kGrey, name, table(caption));
  text += fmt::format(
      "  node [shape=box, style=\"rounded,filled\", color=\"{}\", fillcolor=\"#f4f6f9\", "
      "fontcolor=\"#1f2733\",\n    {}, fontsize=14, margin=\"0.2,0.12\"];\n",
      kGrey, kFont);
  text += fmt::format(
      "  edge [color=\"{}\", fontcolor=\"{}\", penwidth=1.2, arrowsize=0.8, {}, fontsize=12];\n",
      kGrey, kGrey, kFont);
  // No state can have this name: names have no colon.
  text += fmt::format(
      "  \":initial\" [shape=point, width=0.13, color=\"{}\", fillcolor=\"{}\", "
      "tooltip=\"initial state\"];\n"
      "  \":initial\" -> {} [tooltip=\"initial state\"];\n",
      kGrey, kGrey, quoted(model.states[model.initial].name));
  return text;
}

std::string dot(const Model& model, const Diagnosis& diagnosis,
                std::span<const std::string> caption) {
  const Size size = model::rule_count(model) > kMaxSmallGraph ? Size::Large : Size::Small;
  std::string text = head(model, caption, size);
  for (const StateId state : model.states.ids()) {
    text += state_text(model.states[state], diagnosis.states[state.index]);
  }
  for (const StateId state : model.states.ids()) {
    const std::vector<Place>& arrows = diagnosis.arrows[state.index];
    for (const Bundle& bundle : bundles(model, state, arrows)) {
      text += arrow_text(model, state, bundle, arrows, size);
    }
  }
  return text + "}\n";
}

}  // namespace

std::string graph_dot(const Model& model) {
  return dot(model, nothing_wrong(model), std::vector{in_label(model.name)});
}

std::string graph_dot(const Model& model, const check::Report& report) {
  const Diagnosis diagnosis = diagnosis_of(model, report);
  return dot(model, diagnosis, caption(model, report, diagnosis));
}

}  // namespace poise::report
