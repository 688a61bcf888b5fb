#include "poise/importer/fll.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/importer/controller.h"

namespace poise::importer {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

class FllReader {
 public:
  explicit FllReader(std::string_view text) : text_(text), controller_(false) {}

  Imported imported() {
    for (std::size_t begin = 0; begin < text_.size() && !controller_.has_given_up();) {
      const std::size_t end = std::min(text_.find('\n', begin), text_.size());
      line(begin, end);
      begin = end + 1;
    }
    for (const Block& block : blocks_) rules(block);
    return std::move(controller_).imported();
  }

 private:
  enum class Part { None, Engine, Input, Output, Rules };
  struct Block {
    Span at;
    bool enabled = true;
    std::optional<Word> conjunction = {};
    std::optional<Word> disjunction = {};
    std::optional<Word> implication = {};
    std::vector<std::pair<std::vector<Word>, Span>> rules = {};
  };

  [[nodiscard]] Word word(std::size_t begin, std::size_t end) const {
    while (begin < end && is_blank(text_[begin])) ++begin;
    while (end > begin && is_blank(text_[end - 1])) --end;
    return {text_.substr(begin, end - begin),
            {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}};
  }

  // The words of a value. Each parenthesis is a word.
  [[nodiscard]] std::vector<Word> words(const Word& of) const {
    std::vector<Word> made;
    const std::size_t end = of.span.end;
    for (std::size_t at = of.span.begin; at < end;) {
      if (is_blank(text_[at])) {
        ++at;
        continue;
      }
      const auto is_bracket = [&](std::size_t i) { return text_[i] == '(' || text_[i] == ')'; };
      std::size_t next = at + 1;
      if (!is_bracket(at)) {
        while (next < end && !is_blank(text_[next]) && !is_bracket(next)) ++next;
      }
      made.push_back(word(at, next));
      at = next;
    }
    return made;
  }

  void line(std::size_t begin, std::size_t end) {
    for (std::size_t at = begin; at < end; ++at) {
      if (text_[at] == '#') end = at;
    }
    const Word whole = word(begin, end);
    if (whole.text.empty()) return;
    const std::size_t colon = whole.text.find(':');
    if (colon == std::string_view::npos) {
      return controller_.wrong(whole.span, "a line is written `KEY: VALUE`");
    }
    const Word key = word(whole.span.begin, whole.span.begin + colon);
    const Word value = word(whole.span.begin + colon + 1, whole.span.end);
    if (key.text == "Engine") {
      part_ = Part::Engine;
      controller_.set_name(value.text);
    } else if (key.text == "InputVariable" || key.text == "OutputVariable") {
      part_ = key.text == "InputVariable" ? Part::Input : Part::Output;
      variable_.reset();
      if (controller_.add_variable(value, part_ == Part::Output) != nullptr) {
        variable_ = controller_.variables().size() - 1;
      }
    } else if (key.text == "RuleBlock") {
      part_ = Part::Rules;
      blocks_.push_back({.at = key.span});
    } else {
      property(key, value);
    }
  }

  void property(const Word& key, const Word& value) {
    if (key.text == "description") return;
    switch (part_) {
      case Part::None: return controller_.wrong(key.span, "this belongs to nothing");
      case Part::Engine: return unknown(key);
      case Part::Input:
      case Part::Output:
        if (variable_) of_variable(controller_.variables()[*variable_], key, value);
        return;
      case Part::Rules: return of_rules(blocks_.back(), key, value);
    }
  }

  void unknown(const Word& key) { controller_.wrong(key.span, "an unknown key"); }

  // Nothing, with a mistake, if it is neither `true` nor `false`.
  std::optional<bool> truth(const Word& value) {
    if (value.text == "true" || value.text == "false") return value.text == "true";
    controller_.wrong(value.span, "this is neither `true` nor `false`");
    return std::nullopt;
  }

  void of_variable(ForeignVariable& variable, const Word& key, const Word& value) {
    const std::vector<Word> parts = words(value);
    const bool output = variable.output;
    if (key.text == "enabled") {
      if (truth(value) == false) controller_.unsupported(value.span, "a disabled variable");
    } else if (key.text == "range") {
      if (parts.size() != 2) return controller_.wrong(value.span, "a range is two numbers");
      const auto range = controller_.numbers(parts);
      if (!range) return;
      variable.low = (*range)[0];
      variable.high = (*range)[1];
    } else if (key.text == "lock-range") {
      // Ignored: inputs stay in their range anyway, and so does what is computed from terms within
      // it.
      (void)truth(value);
    } else if (key.text == "term") {
      term(variable, parts, value);
    } else if (output && key.text == "default") {
      if (value.text == "nan") {
        controller_.note(value.span,
                         fmt::format("{} has no default: where no rule holds it is at its low end",
                                     variable.name));
      } else if (const auto number = controller_.number(value)) {
        variable.otherwise = *number;
      }
    } else if (output && (key.text == "lock-previous" || key.text == "lock-valid")) {
      if (truth(value) == true) {
        controller_.unsupported(value.span, "an output that keeps its value where no rule holds");
      }
    } else if (output && (key.text == "aggregation" || key.text == "accumulation")) {
      if (value.text != "Maximum" && value.text != "none" && !value.text.empty()) {
        controller_.unsupported(value.span, "an aggregation that is not Maximum");
      }
    } else if (output && key.text == "defuzzifier") {
      defuzzifier(variable, parts, value);
    } else {
      unknown(key);
    }
  }

  void defuzzifier(ForeignVariable& variable, const std::vector<Word>& parts, const Word& value) {
    const std::string_view name = parts.empty() ? "" : parts.front().text;
    if (name == "Centroid") {
      variable.mamdani = true;
      if (parts.size() == 2 && parts[1].text != "100") {
        controller_.note(parts[1].span,
                         fmt::format("{}: the centroid is that of 100 points", variable.name));
      }
    } else if (name == "WeightedAverage") {
      variable.mamdani = false;
    } else {
      controller_.unsupported(value.span, "a defuzzifier that is not Centroid or WeightedAverage");
    }
  }

  void term(ForeignVariable& variable, const std::vector<Word>& parts, const Word& value) {
    if (parts.size() < 3) {
      return controller_.wrong(value.span, "a term is written `NAME SHAPE NUMBERS`");
    }
    const std::string_view kind = parts[1].text;
    const std::size_t count = kind == "Triangle"                      ? 3
                              : kind == "Trapezoid"                   ? 4
                              : kind == "Constant"                    ? 1
                              : kind == "Ramp" || kind == "Rectangle" ? 2
                                                                      : 0;
    if (count == 0 && kind != "Discrete") {
      return controller_.unsupported(parts[1].span, "a shape that the language does not have");
    }
    std::vector<Word> rest(parts.begin() + 2, parts.end());
    // A height may follow the numbers; without one it is 1. After the pairs of a Discrete term it
    // is the odd number.
    const bool has_height =
        kind == "Discrete" ? rest.size() % 2 == 1 : kind != "Constant" && rest.size() == count + 1;
    if (has_height) {
      const auto height = controller_.number(rest.back());
      if (!height) return;
      if (!is_one(*height)) {
        return controller_.unsupported(rest.back().span, "a height that is not 1");
      }
      rest.pop_back();
    }
    const auto numbers = controller_.numbers(rest);
    if (!numbers) return;
    if (kind == "Discrete") {
      const auto shape = controller_.shape_through(*numbers, value.span);
      if (shape) controller_.add_term(variable, parts[0], *shape, false);
      return;
    }
    if (numbers->size() != count) {
      return controller_.wrong(value.span, fmt::format("a {} has {} numbers", kind, count));
    }
    const std::vector<std::string>& n = *numbers;
    std::string shape;
    if (kind == "Triangle") shape = fmt::format("triangle {} {} {}", n[0], n[1], n[2]);
    if (kind == "Trapezoid") shape = fmt::format("trapezoid {} {} {} {}", n[0], n[1], n[2], n[3]);
    if (kind == "Rectangle") shape = fmt::format("trapezoid {0} {0} {1} {1}", n[0], n[1]);
    if (kind == "Ramp") shape = fmt::format("ramp {} {}", n[0], n[1]);
    if (kind == "Constant") shape = fmt::format("singleton {}", n[0]);
    controller_.add_term(variable, parts[0], std::move(shape), kind == "Constant");
  }

  void of_rules(Block& block, const Word& key, const Word& value) {
    if (key.text == "enabled") {
      block.enabled = truth(value).value_or(true);
    } else if (key.text == "conjunction") {
      block.conjunction = value;
    } else if (key.text == "disjunction") {
      block.disjunction = value;
    } else if (key.text == "implication") {
      block.implication = value;
    } else if (key.text == "activation") {
      // fuzzylite 5 writes the implication here.
      if (value.text == "Minimum") {
        block.implication = value;
      } else if (value.text != "General" && value.text != "none" && !value.text.empty()) {
        controller_.unsupported(value.span, "an activation that is not General");
      }
    } else if (key.text == "rule") {
      block.rules.emplace_back(words(value), value.span);
    } else {
      unknown(key);
    }
  }

  void rules(const Block& block) {
    if (!block.enabled) {
      return controller_.note(block.at, "a disabled block of rules was left out");
    }
    const auto is_not = [](const std::optional<Word>& norm, std::string_view wanted) {
      return norm && norm->text != wanted;
    };
    bool said = false;
    const auto say = [&](const std::optional<Word>& norm, std::string message) {
      if (!said) controller_.unsupported(norm->span, std::move(message));
      said = true;
    };
    bool mamdani = false;
    for (const ForeignVariable& variable : controller_.variables()) {
      mamdani = mamdani || (variable.output && variable.mamdani);
    }
    for (const auto& [parts, span] : block.rules) {
      if (controller_.has_given_up()) return;
      const auto rule = controller_.split_rule(parts, span);
      if (!rule) continue;
      if (rule->has_and && is_not(block.conjunction, "Minimum")) {
        say(block.conjunction, "a conjunction that is not Minimum");
      }
      if (rule->has_or && is_not(block.disjunction, "Maximum")) {
        say(block.disjunction, "a disjunction that is not Maximum");
      }
      if (mamdani && is_not(block.implication, "Minimum")) {
        say(block.implication, "an implication that is not Minimum");
      }
      controller_.add_rule(*rule);
    }
  }

  std::string_view text_;
  Controller controller_;
  Part part_ = Part::None;
  std::optional<std::size_t> variable_;
  std::vector<Block> blocks_;
};

}  // namespace

Imported from_fll(std::string_view text) {
  if (auto refused = refusal(text)) return std::move(*refused);
  return FllReader(text).imported();
}

}  // namespace poise::importer
