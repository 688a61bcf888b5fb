#include "poise/report/layout.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/model/step.h"

namespace poise::report {

namespace {

using model::Model;
using model::RuleId;
using model::StateId;

std::string_view escape_code(Tint tint) {
  switch (tint) {
    case Tint::Serious: return "\x1b[1;31m";
    case Tint::Mild: return "\x1b[1;33m";
    case Tint::Good: return "\x1b[1;32m";
    case Tint::Strong: return "\x1b[1m";
    case Tint::Faint: return "\x1b[2m";
  }
  return "";
}

// One firing of a drawn path, or the gap where firings are left out.
std::string firing_text(const Model& model, RuleId rule, diag::Color color) {
  const model::Rule& fired = model.rules[rule];
  return fmt::format(" {}{}{} {}", tinted("─", Tint::Faint, color), fired.name,
                     tinted("→", Tint::Faint, color),
                     tinted(model.states[fired.to].name, Tint::Strong, color));
}

// The first `head` firings and the last `tail` ones.
std::string cut_path(const Model& model, StateId start, std::span<const RuleId> path,
                     std::pair<std::size_t, std::size_t> kept, diag::Color color) {
  const auto [head, tail] = kept;
  std::string text = tinted(model.states[start].name, Tint::Strong, color);
  for (const RuleId rule : path.first(head)) text += firing_text(model, rule, color);
  if (head + tail < path.size()) {
    const StateId from = model.rules[path[path.size() - tail - 1]].to;
    text += fmt::format(" … {} more … {}", path.size() - head - tail,
                        tinted(model.states[from].name, Tint::Strong, color));
  }
  for (const RuleId rule : path.last(tail)) text += firing_text(model, rule, color);
  return text;
}

// What holds says more than what does not, so it comes first.
finding::Conjunction with_positives_first(finding::Conjunction conjunction) {
  std::stable_partition(conjunction.begin(), conjunction.end(),
                        [](const finding::Literal& literal) { return literal.holds; });
  return conjunction;
}

bool holds(const Model& model, const finding::Conjunction& conjunction,
           const model::Context& context) {
  return std::ranges::all_of(conjunction, [&](const finding::Literal& literal) {
    return model::holds(model.atoms[literal.atom], context) == literal.holds;
  });
}

// Breaks off after whole literals: "a and b and 3 more conditions".
std::string cut_conjunction(const Model& model, const finding::Conjunction& conjunction,
                            std::size_t room) {
  for (std::size_t kept = conjunction.size(); kept > 0; --kept) {
    const finding::Conjunction head(conjunction.begin(),
                                    conjunction.begin() + static_cast<std::ptrdiff_t>(kept));
    std::string text = finding::to_text(model, head);
    if (kept < conjunction.size()) {
      text += " and " + counted(conjunction.size() - kept, "more condition");
    }
    if (kept == 1 || display_width(text) <= room) return text;
  }
  return "always";
}

std::string value_text(const Model& model, const model::Variable& variable,
                       const model::Context& context) {
  if (variable.type.kind != model::TypeKind::Set) {
    return model::to_text(model, variable.first_slot, context[variable.first_slot.index]);
  }
  std::vector<std::string> members;
  for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
    const model::Value& in = context[variable.first_slot.index + i];
    if (in && in->sign() != 0) members.push_back(model.symbols[variable.type.members[i]]);
  }
  return "{" + joined(members, ", ") + "}";
}

}  // namespace

std::string tinted(std::string_view text, Tint tint, diag::Color color) {
  if (color == diag::Color::No) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape_code(tint), text);
}

std::vector<std::string> wrapped(std::string_view text, std::size_t room) {
  std::vector<std::string> lines;
  std::string line;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!line.empty() && display_width(line) + 1 + display_width(word) > room) {
      lines.push_back(std::exchange(line, {}));
    }
    if (!line.empty()) line += ' ';
    line += word;
  }
  if (!line.empty() || lines.empty()) lines.push_back(line);
  return lines;
}

std::string drawn_path(const Model& model, StateId start, std::span<const RuleId> path,
                       std::size_t room, diag::Color color) {
  const auto width = [&](std::pair<std::size_t, std::size_t> kept) {
    return display_width(cut_path(model, start, path, kept, diag::Color::No));
  };
  std::pair<std::size_t, std::size_t> kept = {path.size(), 0};
  if (path.size() > 2 && width(kept) > room) {
    kept = {1, 1};
    while (kept.first + kept.second < path.size()) {
      std::pair<std::size_t, std::size_t> longer = kept;
      ++(longer.first <= longer.second ? longer.first : longer.second);
      if (width(longer) > room) break;
      kept = longer;
    }
  }
  return cut_path(model, start, path, kept, color);
}

std::string shortened(const Model& model, const finding::Condition& condition,
                      const std::optional<model::Context>& example, std::size_t room) {
  if (condition.empty()) return "never";
  struct Way {
    bool strange = false;  // not that of the example
    std::size_t width = 0;
    finding::Conjunction conjunction;
  };
  std::vector<Way> ways;
  for (const finding::Conjunction& conjunction : condition) {
    Way way;
    way.strange = example && !holds(model, conjunction, *example);
    way.width = display_width(finding::to_text(model, conjunction));
    way.conjunction = with_positives_first(conjunction);
    ways.push_back(std::move(way));
  }
  std::ranges::stable_sort(ways, [](const Way& a, const Way& b) {
    return std::tie(a.strange, a.width) < std::tie(b.strange, b.width);
  });
  const auto rest = [&ways](std::size_t shown) {
    const std::size_t left = ways.size() - shown;
    return left == 0 ? "" : " … or " + counted(left, "other way");
  };
  const std::size_t reserved = display_width(rest(1));
  std::string text = cut_conjunction(model, ways[0].conjunction, room - std::min(room, reserved));
  std::size_t shown = 1;
  for (; shown < ways.size(); ++shown) {
    const std::string longer = text + " or " + finding::to_text(model, ways[shown].conjunction);
    if (display_width(longer) + display_width(rest(shown + 1)) > room) break;
    text = longer;
  }
  return text + rest(shown);
}

std::string enumerated(std::span<const std::string> names, std::size_t limit) {
  if (names.empty()) return "";
  if (names.size() == 1) return names.front();
  if (names.size() > limit) {
    return fmt::format("{} and {} more", joined(names.first(limit - 1), ", "),
                       names.size() - limit + 1);
  }
  return joined(names.first(names.size() - 1), ", ") + " and " + names.back();
}

std::string values_text(const Model& model, const model::Context& context,
                        std::span<const model::VariableId> variables) {
  std::vector<std::string> parts;
  for (const model::VariableId id : variables) {
    const model::Variable& variable = model.variables[id];
    if (!context[variable.first_slot.index]) continue;
    parts.push_back(fmt::format("{} = {}", variable.name, value_text(model, variable, context)));
  }
  return joined(parts, ", ");
}

}  // namespace poise::report
