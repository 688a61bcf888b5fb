#include "poise/report/text/check.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/finding/assumed.h"
#include "poise/finding/groups.h"
#include "poise/model/latest.h"
#include "poise/report/text/assumed.h"
#include "poise/report/text/cure.h"
#include "poise/report/text/implication.h"
#include "poise/report/text/layout.h"

namespace poise::report {

namespace {

using finding::Fault;
using finding::FaultKind;
using finding::Group;
using model::Model;
using model::RuleId;
using model::StateId;

struct Section {
  FaultKind kind;
  Tint tint;
  std::string_view one;  // name of a single fault
  std::string_view several;
  std::string_view meaning;
};

// Most serious first. A cycle never comes to rest; a choice by chance cannot be predicted; a race
// comes to rest, but passes through states that nobody asked for; dead rules and states do no harm
// by themselves.
constexpr Section kSections[] = {
    {FaultKind::Cycle, Tint::Serious, "cycle", "cycles",
     "rules set off one another without end, while nothing around changes"},
    {FaultKind::Nondeterminism, Tint::Serious, "nondeterministic choice",
     "nondeterministic choices", "several rules are triggered at once, and chance decides"},
    {FaultKind::Race, Tint::Mild, "race", "races", "states are left as soon as they are entered"},
    {FaultKind::UnreachableState, Tint::Mild, "unreachable state", "unreachable states",
     "no chain of live rules leads there"},
    {FaultKind::DeadState, Tint::Mild, "dead state", "dead states",
     "rules lead out, but none of them can ever fire"},
    {FaultKind::DeadRule, Tint::Mild, "dead rule", "dead rules",
     "never triggered, whatever the context"},
};

// The arguments that nearly all functions below need.
struct Page {
  const Model& model;
  const check::Report& report;
  const TextOptions& options;

  [[nodiscard]] std::size_t room(std::size_t indent) const {
    constexpr std::size_t kNarrowest = 30;
    return std::max(options.width, kNarrowest + indent) - indent;
  }
};

bool asked(const TextOptions& options, FaultKind kind) {
  return options.kinds.empty() || std::ranges::find(options.kinds, kind) != options.kinds.end();
}

std::size_t count_of(const check::Report& report, FaultKind kind) {
  return static_cast<std::size_t>(std::ranges::count(report.faults, kind, &Fault::kind));
}

bool has_more(const check::Report& report, FaultKind kind) {
  return (kind == FaultKind::Nondeterminism && report.more_choices) ||
         (kind == FaultKind::Race && report.more_races) ||
         (kind == FaultKind::Cycle && report.more_cycles);
}

// Whether unstable rules are shown instead of races and cycles.
bool shows_unstable(const Page& page) {
  return page.options.paths == Paths::NotAsked && !page.report.unstable.empty() &&
         (asked(page.options, FaultKind::Race) || asked(page.options, FaultKind::Cycle));
}

std::vector<const check::Overlap*> overlaps_shown(const Page& page) {
  std::vector<const check::Overlap*> shown;
  for (const check::Overlap& overlap : page.report.overlaps) {
    if (overlap.asked_for) shown.push_back(&overlap);
  }
  return shown;
}

std::string pairs_text(std::size_t count) {
  return counted(count, "pair of rules", "pairs of rules");
}

bool is_contradictory(const check::Report& report) {
  return report.size.situations && report.size.situations->sign() == 0;
}

std::string share_text(const Page& page, const Integer& count) {
  const std::optional<Integer>& all = page.report.size.situations;
  if (page.options.counted == Counted::OverItsAtoms || !all) return situations_text(count);
  return fmt::format("{} of {}", with_commas(count), situations_text(*all));
}

std::vector<std::string> names(const Model& model, std::span<const StateId> states) {
  std::vector<std::string> found;
  for (const StateId state : states) found.push_back(model.states[state].name);
  return found;
}

template <class T>
void add_once(std::vector<T>& list, const T& item) {
  if (std::ranges::find(list, item) == list.end()) list.push_back(item);
}

// ---- Lines ----

constexpr std::size_t kTitleIndent = 2;
constexpr std::size_t kDetailIndent = 10;

std::string detail(const Page& page, std::string_view label, std::string_view text) {
  std::string lines;
  for (const std::string& line : wrapped(text, page.room(kDetailIndent))) {
    const bool first = lines.empty();
    lines += fmt::format(
        "    {}{}\n",
        tinted(fmt::format("{:<6}", first ? label : ""), Tint::Faint, page.options.color), line);
  }
  return lines;
}

// "phone.poise:78 ActivateMeeting, :83 DeactivateMeeting"
std::string places(const Model& model, std::span<const RuleId> rules) {
  constexpr std::size_t kMaxPlaces = 6;
  std::vector<RuleId> distinct;
  for (const RuleId rule : rules) add_once(distinct, rule);
  std::vector<std::string> parts;
  for (const RuleId rule : std::span(distinct).first(std::min(distinct.size(), kMaxPlaces))) {
    parts.push_back(fmt::format("{}:{} {}", parts.empty() ? model.file : "",
                                model.rules[rule].at.line, model.rules[rule].name));
  }
  const std::size_t left = distinct.size() - parts.size();
  return joined(parts, ", ") + (left == 0 ? "" : fmt::format(" and {} more", left));
}

// ---- The situation ----

// Some columns are lost where the first line breaks, since words stay whole.
std::size_t two_lines(const Page& page) {
  constexpr std::size_t kLostAtBreak = 10;
  return 2 * page.room(kDetailIndent) - kLostAtBreak;
}

std::string when_lines(const Page& page, const Fault& fault) {
  const std::string share = fmt::format(" ({})", share_text(page, fault.situations));
  const std::size_t room = two_lines(page) - std::min<std::size_t>(share.size(), 40);
  if (!fault.when) return detail(page, "when", "not worked out" + share);
  return detail(page, "when", shortened(page.model, *fault.when, fault.witness, room) + share);
}

// The variables that matter to a fault, those first that its own rules read: the rules that
// compete, or fire.
std::vector<model::VariableId> most_telling_first(const Model& model, const Fault& fault) {
  std::vector<model::FormulaId> guards;
  for (const RuleId rule : fault.rules) guards.push_back(model.rules[rule].guard);
  std::set<model::VariableId> own;
  for (const model::AtomId atom : model::atoms_of(model, std::move(guards))) {
    for (const model::SlotId slot : model.atoms[atom].slots) {
      own.insert(model.slots[slot].variable);
    }
  }
  std::vector<model::VariableId> variables = finding::variables_that_matter(model, fault);
  std::stable_partition(variables.begin(), variables.end(),
                        [&](model::VariableId id) { return own.contains(id); });
  return variables;
}

std::string example_lines(const Page& page, const Fault& fault) {
  if (!fault.witness) return "";
  const std::string values = values_text(page.model, *fault.witness,
                                         most_telling_first(page.model, fault), two_lines(page));
  return values.empty() ? "" : detail(page, "e.g.", values);
}

std::string assumption_lines(const Page& page, const Fault& fault) {
  const std::string free = free_conditions_text(
      page.model, finding::assumed_free(page.model, fault), 2 * page.room(kDetailIndent));
  return free.empty() ? "" : detail(page, "note", "taken as free: " + free);
}

// ---- Kinds ----

std::vector<StateId> other_starts(const Group& group) {
  std::vector<StateId> starts;
  for (const Fault* fault : std::span(group.faults).subspan(1)) add_once(starts, fault->state);
  std::ranges::sort(starts);
  return starts;
}

// As many names as fit, but at least one: "Outdoor, Jogging …".
std::string fitted(std::span<const std::string> all, std::size_t room) {
  constexpr std::string_view kCut = " …";
  std::size_t kept = all.size();
  while (kept > 1 && display_width(joined(all.first(kept), ", ")) +
                             (kept < all.size() ? display_width(kCut) : 0) >
                         room) {
    --kept;
  }
  return joined(all.first(kept), ", ").append(kept < all.size() ? kCut : "");
}

// The other faults of a group: "and 3 more ways from Outdoor, Jogging …". At most `room` columns
// unless a single name is longer.
std::string rest_text(const Page& page, const Group& group, std::size_t room) {
  const std::size_t count = group.faults.size() - 1;
  if (count == 0) return "";
  const auto with = [&](const std::string& start, std::span<const std::string> all) {
    return start + fitted(all, room - std::min(room, display_width(start)));
  };
  const std::string more = "and " + std::to_string(count) + " more ";
  switch (group.best().kind) {
    case FaultKind::Cycle:
    case FaultKind::Race:
      return with(more + (count == 1 ? "way from " : "ways from "),
                  names(page.model, other_starts(group)));
    case FaultKind::Nondeterminism: {
      std::vector<std::string> rules;
      for (const RuleId rule : rules_of(group)) rules.push_back(page.model.rules[rule].name);
      return with(more + (count == 1 ? "choice" : "choices") + " among ", rules);
    }
    case FaultKind::DeadRule:
    case FaultKind::DeadState:
    case FaultKind::UnreachableState: break;  // the title names all states
  }
  return "";
}

// `General ─ActivateHome→ Home or ─ActivateOffice→ Office`
std::string drawn_choice(const Model& model, const Fault& fault, diag::Color color) {
  constexpr std::size_t kMaxChoices = 4;
  std::string text = tinted(model.states[fault.state].name, Tint::Strong, color);
  for (std::size_t i = 0; i < std::min(fault.rules.size(), kMaxChoices); ++i) {
    const model::Rule& rule = model.rules[fault.rules[i]];
    text += fmt::format("{} ─{}→ {}", i == 0 ? "" : " or", rule.name,
                        tinted(model.states[rule.to].name, Tint::Strong, color));
  }
  if (fault.rules.size() > kMaxChoices) {
    text += fmt::format(" or {} more", fault.rules.size() - kMaxChoices);
  }
  return text;
}

std::string title(const Page& page, const Group& group, diag::Color color) {
  const Model& model = page.model;
  const Fault& best = group.best();
  const std::size_t room = page.room(kTitleIndent + 2);
  std::vector<StateId> states;
  for (const Fault* fault : group.faults) add_once(states, fault->state);
  const std::string all_states = enumerated(names(model, states), 6);
  switch (best.kind) {
    case FaultKind::Cycle: return drawn_path(model, best.state, best.rules, room, color) + " ↺";
    case FaultKind::Race: return drawn_path(model, best.state, best.rules, room, color);
    case FaultKind::Nondeterminism: return drawn_choice(model, best, color);
    case FaultKind::DeadRule: {
      const model::Rule& rule = model.rules[best.rules.front()];
      return fmt::format("{} ─{}→ {}", tinted(all_states, Tint::Strong, color), rule.name,
                         tinted(model.states[rule.to].name, Tint::Strong, color));
    }
    case FaultKind::DeadState:
    case FaultKind::UnreachableState: return tinted(all_states, Tint::Strong, color);
  }
  return "";
}

// When a shadowed rule loses to one of its winners. If its guard implies the winner's, always. If
// its guard is a disjunction, in those of its parts that imply the winner's guard. Else this gives
// the winner's guard.
std::string lost_when(const Model& model, RuleId loser, RuleId winner, std::size_t room) {
  const model::FormulaId mine = model.rules[loser].guard;
  const model::FormulaId theirs = model.rules[winner].guard;
  if (implies(model, mine, theirs).value_or(false)) return "whenever it holds";
  std::vector<std::string> parts;
  if (model.formulas[mine].op == model::Op::Or) {
    for (const model::FormulaId part : model.formulas[mine].parts) {
      if (!implies(model, part, theirs).value_or(false)) continue;
      parts.push_back(model::to_text(model, part, room));
    }
  }
  const std::string covered = joined(parts, " or ");
  if (covered.empty() || display_width(covered) > room) {
    return fmt::format("when {}", model::to_text(model, theirs, room));
  }
  return fmt::format("when {}", covered);
}

std::string priority_text(const model::Rule& rule) {
  return rule.priority ? fmt::format("priority {}", *rule.priority) : "no priority";
}

std::string winner_lines(const Page& page, const Fault& fault) {
  constexpr std::size_t kMaxWinners = 4;
  const Model& model = page.model;
  std::string lines;
  for (const RuleId winner : std::span(fault.by).first(std::min(fault.by.size(), kMaxWinners))) {
    const std::string who =
        fmt::format("to {} ({}) ", model.rules[winner].name, priority_text(model.rules[winner]));
    const std::size_t room = 2 * page.room(kDetailIndent) - 2 * display_width(who);
    lines += detail(page, lines.empty() ? "loses" : "",
                    who + lost_when(model, fault.rules.front(), winner, room));
  }
  if (fault.by.size() > kMaxWinners) {
    lines += detail(page, "", fmt::format("and to {} more", fault.by.size() - kMaxWinners));
  }
  return lines;
}

std::string dead_rule_lines(const Page& page, const Group& group) {
  const Fault& fault = group.best();
  const Model& model = page.model;
  const model::Rule& rule = model.rules[fault.rules.front()];
  std::vector<RuleId> involved = fault.rules;
  involved.insert(involved.end(), fault.by.begin(), fault.by.end());
  std::string lines;
  if (fault.cause == finding::DeadCause::Shadowed) {
    lines += winner_lines(page, fault);
    lines += example_lines(page, fault);
  } else {
    const char* contexts = model.constraints.empty() ? "no context" : "no feasible context";
    const std::string guard = model::to_text(model, rule.guard, page.room(kDetailIndent));
    lines += detail(page, "why", fmt::format("{} satisfies its guard `{}`", contexts, guard));
  }
  return lines + detail(page, "at", places(model, involved));
}

std::set<StateId> unreachable_states(const check::Report& report) {
  std::set<StateId> states;
  for (const Fault& fault : report.faults) {
    if (fault.kind == FaultKind::UnreachableState) states.insert(fault.state);
  }
  return states;
}

// Each rule that would lead to an unreachable state, and why it does not help: it starts in a state
// that is unreachable too, or else it must be dead.
std::string entrance_lines(const Page& page, StateId target) {
  constexpr std::size_t kMaxEntrances = 4;
  const Model& model = page.model;
  const std::set<StateId> unreachable = unreachable_states(page.report);
  std::vector<std::string> reasons;
  std::vector<RuleId> entrances;
  for (const RuleId id : model.rules.ids()) {
    const model::Rule& rule = model.rules[id];
    if (rule.to != target) continue;
    for (const StateId from : rule.from) {
      if (from == target) continue;
      if (entrances.empty() || entrances.back() != id) entrances.push_back(id);
      const std::string& start = model.states[from].name;
      reasons.push_back(
          unreachable.contains(from)
              ? fmt::format("{} starts in {}, which is unreachable too", rule.name, start)
              : fmt::format("{} is dead in {}", rule.name, start));
    }
  }
  const std::string why =
      reasons.empty() ? "no rule leads to it" : enumerated(reasons, kMaxEntrances);
  const std::string place = fmt::format("{}:{} state {}", model.file, model.states[target].at.line,
                                        model.states[target].name);
  std::string rules;
  for (const RuleId rule : std::span(entrances).first(std::min(entrances.size(), kMaxEntrances))) {
    rules += fmt::format(", :{} {}", model.rules[rule].at.line, model.rules[rule].name);
  }
  return detail(page, "why", why) + detail(page, "at", place + rules);
}

std::string particulars(const Page& page, const Group& group) {
  const Fault& best = group.best();
  switch (best.kind) {
    case FaultKind::Cycle:
    case FaultKind::Race:
    case FaultKind::Nondeterminism:
      return when_lines(page, best) + example_lines(page, best) + assumption_lines(page, best) +
             detail(page, "at", places(page.model, best.rules));
    case FaultKind::DeadRule: return dead_rule_lines(page, group);
    case FaultKind::UnreachableState: return entrance_lines(page, best.state);
    case FaultKind::DeadState:
      return detail(page, "at", places(page.model, page.model.states[best.state].rules));
  }
  return "";
}

// The title and the other faults of the group, in one line if there is room.
std::string title_lines(const Page& page, const Group& group) {
  constexpr std::size_t kGap = 2;
  const Fault& best = group.best();
  const diag::Color color = page.options.color;
  const bool apart = !best.reachable && best.kind != FaultKind::UnreachableState;
  const std::string_view note = apart ? "  (in a state that cannot be reached)" : "";
  const std::string line =
      folded("  " + title(page, group, color) + std::string(note), page.room(0));
  const std::size_t width =
      kTitleIndent + display_width(title(page, group, diag::Color::No)) + note.size() + kGap;
  const std::size_t room = page.room(0) - std::min(width, page.room(0));
  const std::string rest = rest_text(page, group, room);
  if (rest.empty()) return line + '\n';
  if (display_width(rest) <= room) {
    return fmt::format("{}{:{}}{}\n", line, "", kGap, tinted(rest, Tint::Faint, color));
  }
  const std::string below = tinted(rest_text(page, group, page.room(4)), Tint::Faint, color);
  return line + '\n' + folded("    " + below, page.room(0)) + '\n';
}

std::string remedy_lines(const Page& page, const Group& group) {
  const auto fault = static_cast<std::size_t>(&group.best() - page.report.faults.data());
  const auto& treatments = page.report.treatments;
  const auto treatment = std::ranges::find(treatments, fault, &finding::Treatment::fault);
  const Remedy said =
      remedy(page.model, group, treatment == treatments.end() ? nullptr : &*treatment);
  return detail(page, said.label, said.text);
}

std::string group_lines(const Page& page, const Group& group) {
  const std::string lines = title_lines(page, group) + particulars(page, group);
  if (group.best().harmless) {
    return lines + detail(page, "note", "harmless: whichever rule fires, the same happens");
  }
  return lines + remedy_lines(page, group);
}

// ---- The whole ----

std::string kind_count(const check::Report& report, const Section& section) {
  const std::size_t count = count_of(report, section.kind);
  const std::string text = counted(count, section.one, section.several);
  return has_more(report, section.kind) ? "at least " + text : text;
}

// "38 races to 8 states": many faults may have few causes.
std::string core_count(std::size_t count, FaultKind kind, std::span<const Group> found) {
  if (found.size() == count) return "";
  if (kind == FaultKind::Cycle) return " into " + counted(found.size(), "loop");
  if (kind == FaultKind::Race) return " to " + counted(found.size(), "state");
  return "";
}

std::string heading(const Page& page, const std::string& count, Tint tint,
                    std::string_view meaning) {
  const std::string text =
      fmt::format("\n{}: {}\n", tinted(count, tint, page.options.color), meaning);
  return folded(text, page.room(0));
}

std::string section_text(const Page& page, const Section& section) {
  const std::vector<Group> found = groups(page.report.faults, section.kind);
  if (found.empty()) return "";
  const std::string count = kind_count(page.report, section) +
                            core_count(count_of(page.report, section.kind), section.kind, found);
  std::string text = heading(page, count, section.tint, section.meaning);
  const std::size_t shown = std::min(found.size(), finding::kGroupsShown);
  for (const Group& group : std::span(found).first(shown)) text += group_lines(page, group);
  if (shown < found.size()) {
    text +=
        folded(fmt::format("  … and {} more like these; --only {} --format json lists them all\n",
                           found.size() - shown, finding::name(section.kind)),
               page.room(0));
  }
  return text;
}

std::string unstable_text(const Page& page) {
  if (!shows_unstable(page)) return "";
  const Model& model = page.model;
  const std::string count = counted(page.report.unstable.size(), "unstable rule");
  std::string text =
      heading(page, count, Tint::Mild,
              "where they lead, a rule is satisfied at once: a race or a cycle starts");
  for (const check::Unstable& unstable : page.report.unstable) {
    const RuleId path[] = {unstable.rule};
    text += folded(
        fmt::format("  {} ({})  {}:{}\n",
                    drawn_path(model, unstable.state, path, page.options.width, page.options.color),
                    share_text(page, unstable.situations), model.file,
                    model.rules[unstable.rule].at.line),
        page.room(0));
  }
  return text;
}

std::string overlaps_text(const Page& page) {
  constexpr std::size_t kMaxShown = 100;
  const std::vector<const check::Overlap*> all = overlaps_shown(page);
  if (page.options.paths != Paths::NotAsked || all.empty()) return "";
  const Model& model = page.model;
  std::string text = heading(page, pairs_text(all.size()), Tint::Serious,
                             "both can be triggered at once, and chance decides");
  const std::size_t shown = std::min(all.size(), kMaxShown);
  for (const check::Overlap* overlap : std::span(all).first(shown)) {
    text += folded(
        fmt::format("  {} ({}{})  {}:{}\n",
                    drawn_choice(model, choice_of(*overlap), page.options.color),
                    share_text(page, overlap->situations), overlap->harmless ? ", harmless" : "",
                    model.file, model.rules[overlap->first].at.line),
        page.room(0));
  }
  if (shown < all.size()) {
    text += fmt::format("  … and {} more; --format json lists them all\n", all.size() - shown);
  }
  return text;
}

std::string size_text(const Page& page) {
  const check::Size& size = page.report.size;
  std::string text =
      fmt::format("{} and {}", counted(size.states, "state"), counted(size.rules, "rule"));
  for (const std::string& what : page.options.ignored) text += fmt::format(", {} ignored", what);
  return text;
}

std::string header(const Page& page) {
  const check::Size& size = page.report.size;
  std::string text =
      fmt::format("{} ({}): {}, {}, {}", tinted(page.model.name, Tint::Strong, page.options.color),
                  page.model.file, counted(size.states, "state"), counted(size.rules, "rule"),
                  counted(size.atoms, "atom"));
  if (size.situations) text += ", " + situations_text(*size.situations);
  for (const std::string& what : page.options.ignored) text += fmt::format(", {} ignored", what);
  return folded(text + '\n', page.room(0));
}

std::string paragraph(const Page& page, std::string_view text) {
  std::string lines = "\n";
  for (const std::string& line : wrapped(text, page.room(0))) lines += line + '\n';
  return lines;
}

// What the report does not cover, so that nobody takes a fault that is not listed for one that is
// not there.
std::string gaps_text(const Page& page) {
  std::string text;
  if (!page.report.extent.stopped.empty()) {
    text += paragraph(page, fmt::format("Incomplete: {}. What is listed is true; that something is "
                                        "not listed proves nothing.",
                                        page.report.extent.stopped));
  }
  if (page.options.paths == Paths::NotAsked) return text;
  for (const Section& section : kSections) {
    if (!has_more(page.report, section.kind)) continue;
    const std::size_t count = count_of(page.report, section.kind);
    if (section.kind == FaultKind::Nondeterminism) {
      text += paragraph(
          page, fmt::format("There are more {} than those of the fewest rules, which "
                            "are listed: {}. They are choices among {}, which --format "
                            "json lists in full. --paths all lists every choice.",
                            section.several, count, pairs_text(overlaps_shown(page).size())));
      continue;
    }
    text += paragraph(page, fmt::format("There are more {} than the shortest, which are listed: "
                                        "{}. --paths all lists every one.",
                                        section.several, count));
  }
  return text;
}

std::string contradiction_text(const Page& page) {
  std::vector<std::string> lines;
  for (const model::Constraint& constraint : page.model.constraints) {
    lines.push_back(fmt::format("{}:{}", lines.empty() ? page.model.file : "", constraint.at.line));
  }
  return paragraph(page, fmt::format("The constraints contradict each other: no context satisfies "
                                     "them all, so no rule can ever fire ({}).",
                                     enumerated(lines)));
}

// What is proved where no fault of this kind was found.
std::string_view proof(const Page& page, FaultKind kind) {
  switch (kind) {
    case FaultKind::Cycle: return "every run ends";
    case FaultKind::Nondeterminism: {
      return page.report.overlaps.empty() ? "no choice is left to chance"
                                          : "no choice that is left to chance makes a difference";
    }
    case FaultKind::Race: return "no rule sets off another";
    case FaultKind::UnreachableState: return "every state can be reached";
    case FaultKind::DeadState: return "every state with rules can be left";
    case FaultKind::DeadRule: return "every rule can fire";
  }
  return "";
}

std::string proved_text(const Page& page) {
  std::vector<std::string> proofs;
  for (const Section& section : kSections) {
    if (asked(page.options, section.kind)) proofs.emplace_back(proof(page, section.kind));
  }
  const bool everywhere =
      page.options.scope == Scope::AllStates || asked(page.options, FaultKind::UnreachableState);
  return (everywhere ? "" : "in every state that can be reached, ") + enumerated(proofs);
}

// That a rule can fire is known only if what its guard asks for can be.
std::string proof_assumption(const Model& model) {
  std::size_t free = 0;
  for (const model::AtomId atom : model.atoms.ids()) {
    if (model::is_free(model, atom)) ++free;
  }
  return free == 0 ? "" : fmt::format(", with {} taken as free", counted(free, "condition"));
}

std::string summary(const Page& page) {
  std::vector<std::string> counts;
  for (const Section& section : kSections) {
    if (count_of(page.report, section.kind) > 0) counts.push_back(kind_count(page.report, section));
  }
  if (const auto pairs = overlaps_shown(page).size();
      page.options.paths == Paths::NotAsked && pairs > 0) {
    counts.push_back(counted(pairs, "overlap"));
  }
  if (shows_unstable(page)) {
    counts.push_back(counted(page.report.unstable.size(), "unstable rule"));
  }
  const diag::Color color = page.options.color;
  const bool stopped = !page.report.extent.stopped.empty();
  std::string text = tinted(page.model.name, Tint::Strong, color) + ": ";
  if (is_contradictory(page.report)) {
    text += tinted("the constraints contradict each other", Tint::Serious, color) + "; ";
  }
  if (!counts.empty()) {
    text += fmt::format("{} in {}", joined(counts, ", "), size_text(page));
  } else if (stopped || is_contradictory(page.report)) {
    text += fmt::format("nothing found in {}", size_text(page));
  } else {
    text += fmt::format("{} in {}: {}{}", tinted("nothing found", Tint::Good, color),
                        size_text(page), proved_text(page), proof_assumption(page.model));
  }
  return text + (stopped ? " (incomplete: a limit ended the search)" : "") + '\n';
}

// Where nobody says how wide a page is, the summary is one line, so that other programs find it.
std::string closing_line(const Page& page) {
  const bool is_narrow = page.options.width < TextOptions{}.width;
  return is_narrow ? folded(summary(page), page.room(0)) : summary(page);
}

}  // namespace

std::string check_text(const Model& model, const check::Report& report,
                       const TextOptions& options) {
  const Page page{.model = model, .report = report, .options = options};
  if (options.detail == Detail::Summary) return summary(page);
  std::string body;
  if (is_contradictory(report)) {
    body = contradiction_text(page);
  } else {
    for (const Section& section : kSections) body += section_text(page, section);
    body += overlaps_text(page) + unstable_text(page);
  }
  body += gaps_text(page);
  if (body.empty()) return closing_line(page);
  return header(page) + body + '\n' + closing_line(page);
}

}  // namespace poise::report
