#include "poise/report/text/layout.h"

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

// One firing of a drawn path: " ─ActivateMeeting→ Meeting".
std::string firing_text(const Model& model, RuleId rule, diag::Color color) {
  const model::Rule& fired = model.rules[rule];
  return fmt::format(" {}{}{} {}", tinted("─", Tint::Faint, color), fired.name,
                     tinted("→", Tint::Faint, color),
                     tinted(model.states[fired.to].name, Tint::Strong, color));
}

// The first and the last firings of a path, as many as `kept` says, with a count of those between.
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

// Positive literals first: they say more than negated ones.
// Without escape codes of colours.
std::size_t visible_width(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      i = std::min(text.find('m', i), text.size());
    } else {
      plain += text[i];
    }
  }
  return display_width(plain);
}

std::string folded_line(std::string_view line, std::size_t width) {
  const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
  std::string lines(line.substr(0, indent));
  std::size_t column = indent;
  std::string_view rest = line.substr(indent);
  bool first = true;  // on its line
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::size_t taken = visible_width(word);
    if (!first && column + 1 + taken > width) {
      lines += '\n' + std::string(indent + 2, ' ');
      column = indent + 2;
      first = true;
    }
    if (!first) lines += ' ';
    lines += word;
    column += taken + std::size_t{!first};
    first = false;
  }
  return lines;
}

finding::Conjunction with_positives_first(finding::Conjunction conjunction) {
  std::stable_partition(conjunction.begin(), conjunction.end(),
                        [](const finding::Literal& literal) { return literal.holds; });
  return conjunction;
}

bool holds(const Model& model, const finding::Conjunction& conjunction,
           const finding::Witness& witness) {
  return std::ranges::all_of(conjunction, [&](const finding::Literal& literal) {
    const auto value = [&](model::SlotId slot) -> const model::Value& { return witness[slot]; };
    return model::holds(model.atoms[literal.atom], value) == literal.holds;
  });
}

// As many whole parts as fit, at least one: "a and b and 3 more conditions". text_of(i) is the i-th
// part; it is not called for parts that come long after the room is used up.
template <class TextOf>
std::string cut(std::size_t parts, TextOf text_of, std::size_t room) {
  std::string head;
  std::string best;
  for (std::size_t kept = 1; kept <= parts; ++kept) {
    if (kept > 1) head += " and ";
    head += text_of(kept - 1);
    std::string text = head;
    if (kept < parts) text += " and " + counted(parts - kept, "more condition");
    if (kept == 1 || display_width(text) <= room) best = std::move(text);
    if (display_width(head) > room) break;
  }
  return best;
}

std::string cut_conjunction(const Model& model, const finding::Conjunction& conjunction,
                            std::size_t room) {
  if (conjunction.empty()) return "always";
  const auto text_of = [&](std::size_t i) {
    return finding::to_text(model, finding::Conjunction{conjunction[i]});
  };
  return cut(conjunction.size(), text_of, room);
}

std::string value_text(const Model& model, const model::Variable& variable,
                       const finding::Witness& witness) {
  if (variable.type.kind != model::TypeKind::Set) {
    return model::to_text(model, variable.first_slot, witness[variable.first_slot]);
  }
  std::vector<std::string> members;
  for (std::uint32_t i = 0; i < variable.slot_count; ++i) {
    const model::Value& in = witness[model::SlotId{variable.first_slot.index + i}];
    if (in && in->sign() != 0) members.push_back(model.symbols[variable.type.members[i]]);
  }
  return "{" + joined(members, ", ") + "}";
}

}  // namespace

std::string tinted(std::string_view text, Tint tint, diag::Color color) {
  if (color == diag::Color::No) return std::string(text);
  return fmt::format("{}{}\x1b[0m", escape_code(tint), text);
}

std::string folded(std::string_view text, std::size_t width) {
  std::string lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    lines += visible_width(line) <= width ? std::string(line) : folded_line(line, width);
    if (end < text.size()) lines += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
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
                      const std::optional<finding::Witness>& example, std::size_t room) {
  if (condition.form == finding::Condition::Form::AllOfAlternatives) {
    const auto text_of = [&](std::size_t i) {
      return finding::alternative_text(model, condition.parts[i]);
    };
    return cut(condition.parts.size(), text_of, room);
  }
  if (condition.parts.empty()) return "never";
  struct Way {
    bool strange = false;  // does not hold in the example
    std::size_t width = 0;
    finding::Conjunction conjunction;
  };
  std::vector<Way> ways;
  for (const finding::Conjunction& conjunction : condition.parts) {
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

std::string padded(const std::string& text, std::size_t width) {
  const std::size_t used = display_width(text);
  return text + std::string(used < width ? width - used : 0, ' ');
}

std::string figure(double value) { return fmt::format("{:.3g}", value); }

std::string with_commas(const Integer& number) {
  std::string digits = number.to_string();
  for (std::size_t at = digits.size(); at > 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

std::string situations_text(const Integer& count) {
  return with_commas(count) + (count == Integer(1) ? " situation" : " situations");
}

std::string values_text(const Model& model, const finding::Witness& witness,
                        std::span<const model::VariableId> variables, std::size_t room) {
  std::vector<std::string> parts;
  for (const model::VariableId id : variables) {
    const model::Variable& variable = model.variables[id];
    if (!witness[variable.first_slot]) continue;
    parts.push_back(fmt::format("{} = {}", variable.name, value_text(model, variable, witness)));
  }
  if (std::string all = joined(parts, ", "); parts.size() < 2 || display_width(all) <= room) {
    return all;
  }
  const auto rest = [&](std::size_t kept) {
    return " and " + counted(parts.size() - kept, "more value");
  };
  std::size_t width = display_width(parts.front()) + display_width(rest(1));
  std::size_t kept = 1;
  while (kept + 1 < parts.size() && width + 2 + display_width(parts[kept]) <= room) {
    width += 2 + display_width(parts[kept++]);
  }
  return joined(std::span(parts).first(kept), ", ") + rest(kept);
}

}  // namespace poise::report
