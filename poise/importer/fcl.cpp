#include "poise/importer/fcl.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/base/rational.h"
#include "poise/base/text.h"
#include "poise/importer/controller.h"

namespace poise::importer {

namespace {

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }
bool is_sign(char c) {
  return c == '(' || c == ')' || c == ',' || c == ';' || c == ':' || c == '=';
}

class FclReader {
 public:
  explicit FclReader(std::string_view text) : text_(text), controller_(true) { read_words(); }

  Imported imported() {
    while (!at_end() && !controller_.has_given_up()) section();
    for (const auto& [words, span] : rules_) {
      if (controller_.has_given_up()) break;
      if (const auto rule = controller_.split_rule(words, span)) controller_.add_rule(*rule);
    }
    return std::move(controller_).imported();
  }

 private:
  // ---- Words ----

  void add_word(std::size_t begin, std::size_t end) {
    words_.push_back({text_.substr(begin, end - begin),
                      {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)}});
  }

  // The place behind a comment that starts at `at`; `at` itself if none does.
  [[nodiscard]] std::size_t behind_comment(std::size_t at) {
    const std::string_view rest = text_.substr(at);
    if (rest.starts_with("//")) return std::min(text_.find('\n', at), text_.size());
    for (const auto& [open, close] : {std::pair{"(*", "*)"}, std::pair{"/*", "*/"}}) {
      if (!rest.starts_with(open)) continue;
      const std::size_t end = text_.find(close, at + 2);
      if (end != std::string_view::npos) return end + 2;
      controller_.wrong({static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at + 2)},
                        "the comment is not closed");
      return text_.size();
    }
    return at;
  }

  void read_words() {
    for (std::size_t at = 0; at < text_.size();) {
      if (const std::size_t behind = behind_comment(at); behind != at || is_space(text_[at])) {
        at = std::max(behind, at + 1);
        continue;
      }
      std::size_t end = at + 1;
      if (text_.substr(at).starts_with(":=") || text_.substr(at).starts_with("..")) {
        end = at + 2;
      } else if (!is_sign(text_[at])) {
        const auto goes_on = [&](std::size_t i) {
          // `0..1` is three words.
          return !is_space(text_[i]) && !is_sign(text_[i]) && !text_.substr(i).starts_with("..") &&
                 !text_.substr(i).starts_with("//") && !text_.substr(i).starts_with("/*");
        };
        while (end < text_.size() && goes_on(end)) ++end;
      }
      add_word(at, end);
      at = end;
    }
  }

  [[nodiscard]] bool at_end() const { return at_ >= words_.size(); }
  [[nodiscard]] bool at(std::string_view word) const {
    return !at_end() && equals_ignoring_case(words_[at_].text, word);
  }
  [[nodiscard]] Word here() const {
    if (!at_end()) return words_[at_];
    const auto end = static_cast<std::uint32_t>(text_.size());
    return {{}, {end, end}};
  }
  Word next() {
    const Word word = here();
    if (!at_end()) ++at_;
    return word;
  }
  bool accept(std::string_view word) {
    if (!at(word)) return false;
    ++at_;
    return true;
  }
  // If the word is not next, adds a mistake and skips the rest of the statement.
  bool expect(std::string_view word) {
    if (accept(word)) return true;
    controller_.wrong(here().span, fmt::format("here stands `{}`", word));
    skip_statement();
    return false;
  }
  void skip_statement() {
    while (!at_end() && !at(";") && !at_section_end()) ++at_;
    accept(";");
  }
  [[nodiscard]] bool at_section_end() const {
    return !at_end() && words_[at_].text.size() > 4 &&
           equals_ignoring_case(words_[at_].text.substr(0, 4), "end_");
  }

  // ---- Sections ----

  void section() {
    const Word word = next();
    const auto is = [&](std::string_view name) { return equals_ignoring_case(word.text, name); };
    if (is("function_block")) {
      if (has_block_) controller_.unsupported(word.span, "a second function block");
      has_block_ = true;
      if (!at("var_input") && !at("var_output")) controller_.set_name(next().text);
    } else if (is("end_function_block")) {
      return;
    } else if (is("var_input") || is("var_output")) {
      statements("end_var", [&] { declaration(is("var_output")); });
    } else if (is("fuzzify") || is("defuzzify")) {
      const Word name = next();
      ForeignVariable* const variable = controller_.variable(name.text);
      const bool output = is("defuzzify");
      if (variable == nullptr || variable->output != output) {
        controller_.wrong(name.span, output ? "this is no output" : "this is no input");
      }
      const bool known = variable != nullptr && variable->output == output;
      statements(output ? "end_defuzzify" : "end_fuzzify",
                 [&] { known ? of_variable(*variable) : skip_statement(); });
      if (known) complete(*variable);
    } else if (is("ruleblock")) {
      next();
      statements("end_ruleblock", [&] { of_rules(); });
    } else {
      controller_.wrong(word.span, "no section starts with this");
      skip_statement();
    }
  }

  template <class Statement>
  void statements(std::string_view end, const Statement& statement) {
    const Word start = words_[at_ > 0 ? at_ - 1 : 0];
    while (!at_end() && !at_section_end() && !controller_.has_given_up()) {
      const std::size_t before = at_;
      statement();
      if (at_ == before) ++at_;
    }
    if (!accept(end)) {
      controller_.wrong(at_end() ? start.span : here().span, fmt::format("here stands `{}`", end));
      if (!at_end()) ++at_;
    }
  }

  // name : REAL;
  void declaration(bool output) {
    const Word name = next();
    if (!expect(":")) return;
    if (!at("real")) {
      controller_.unsupported(here().span, "a type that is not REAL");
      return skip_statement();
    }
    next();
    if (accept("(")) {  // REAL (LOW .. HIGH): a dialect
      ForeignVariable* const variable = controller_.add_variable(name, output);
      if (variable != nullptr && range(*variable)) expect(";");
      return;
    }
    controller_.add_variable(name, output);
    expect(";");
  }

  void of_variable(ForeignVariable& variable) {
    const Word key = next();
    const auto is = [&](std::string_view name) { return equals_ignoring_case(key.text, name); };
    if (is("term")) {
      term(variable);
    } else if (is("range")) {
      if (expect(":=") && expect("(") && range(variable)) expect(";");
    } else if (variable.output && is("default")) {
      if (!expect(":=")) return;
      const Word value = next();
      if (equals_ignoring_case(value.text, "nc")) {
        controller_.unsupported(value.span, "an output that keeps its value where no rule holds");
      } else if (const auto number = controller_.number(value)) {
        variable.otherwise = *number;
      }
      expect(";");
    } else if (variable.output && is("method")) {
      if (!expect(":")) return;
      const Word method = next();
      const bool cogs = equals_ignoring_case(method.text, "cogs");
      if (!cogs && !equals_ignoring_case(method.text, "cog")) {
        controller_.unsupported(method.span, "a method that is not COG or COGS");
      }
      variable.mamdani = !cogs;
      expect(";");
    } else if (variable.output && is("accu")) {
      setting("max", "an accumulation that is not MAX");
    } else {
      controller_.wrong(key.span, "an unknown word");
      skip_statement();
    }
  }

  // LOW .. HIGH ), after the opening parenthesis.
  bool range(ForeignVariable& variable) {
    const auto low = controller_.number(next());
    if (!low) {
      skip_statement();
      return false;
    }
    if (!expect("..")) return false;
    const auto high = controller_.number(next());
    if (!high) {
      skip_statement();
      return false;
    }
    variable.low = *low;
    variable.high = *high;
    return expect(")");
  }

  // TERM name := 5; or := (x, y) (x, y); or := trian a b c;
  void term(ForeignVariable& variable) {
    const Word name = next();
    if (!expect(":=")) return;
    const Word first = here();
    std::vector<std::string> numbers;
    const auto add = [&](const Word& word) {
      const auto number = controller_.number(word);
      if (number) numbers.push_back(*number);
      return number.has_value();
    };
    if (at("(")) {
      while (accept("(")) {
        if (!add(next())) return skip_statement();
        if (!expect(",")) return;
        if (!add(next())) return skip_statement();
        if (!expect(")")) return;
      }
      if (!expect(";")) return;
      if (const auto shape = controller_.shape_through(numbers, first.span)) {
        controller_.add_term(variable, name, *shape, false);
        for (std::size_t i = 0; i < numbers.size(); i += 2) widen(variable, numbers[i]);
      }
      return;
    }
    const bool triangle = accept("trian");
    const bool trapezoid = !triangle && accept("trape");
    if (!triangle && !trapezoid && !first.text.empty() && !is_digit(first.text.front()) &&
        !decimal_from(first.text)) {
      controller_.unsupported(first.span, "a term that is no number and has no points");
      return skip_statement();
    }
    while (!at(";") && !at_end()) {
      if (!add(next())) return skip_statement();
    }
    if (!expect(";")) return;
    const std::size_t wanted = triangle ? 3 : trapezoid ? 4 : 1;
    if (numbers.size() != wanted)
      return controller_.wrong(first.span, "the term has other numbers");
    std::string shape = triangle ? "triangle" : trapezoid ? "trapezoid" : "singleton";
    for (const std::string& number : numbers) {
      shape += " " + number;
      widen(variable, number);
    }
    controller_.add_term(variable, name, std::move(shape), wanted == 1);
  }

  // Collects the range of a variable's terms, for files without a RANGE.
  void widen(const ForeignVariable& variable, const std::string& number) {
    const auto place = static_cast<std::size_t>(&variable - controller_.variables().data());
    if (widths_.size() <= place) widths_.resize(place + 1);
    auto& [low, high] = widths_[place];
    const auto value = [](const std::string& decimal) {
      const bool negative = decimal.starts_with('-');
      const Rational size =
          Rational::from_decimal(std::string_view(decimal).substr(negative ? 1 : 0));
      return negative ? -size : size;
    };
    if (low.empty() || value(number) < value(low)) low = number;
    if (high.empty() || value(number) > value(high)) high = number;
  }

  void complete(ForeignVariable& variable) {
    const auto place = static_cast<std::size_t>(&variable - controller_.variables().data());
    if (!variable.low.empty() || place >= widths_.size()) return;
    variable.low = widths_[place].first;
    variable.high = widths_[place].second;
  }

  void setting(std::string_view wanted, std::string message) {
    if (!expect(":")) return;
    const Word value = next();
    if (!equals_ignoring_case(value.text, wanted)) {
      controller_.unsupported(value.span, std::move(message));
    }
    expect(";");
  }

  void of_rules() {
    const Word key = next();
    const auto is = [&](std::string_view name) { return equals_ignoring_case(key.text, name); };
    if (is("and")) return setting("min", "an AND that is not MIN");
    if (is("or")) return setting("max", "an OR that is not MAX");
    if (is("act")) return setting("min", "an activation that is not MIN");
    if (is("accu")) return setting("max", "an accumulation that is not MAX");
    if (!is("rule")) {
      controller_.wrong(key.span, "an unknown word");
      return skip_statement();
    }
    next();  // the rule's number
    if (!expect(":")) return;
    std::vector<Word> words;
    while (!at_end() && !at(";") && !at_section_end()) words.push_back(next());
    if (expect(";")) rules_.emplace_back(std::move(words), key.span);
  }

  std::string_view text_;
  Controller controller_;
  std::vector<Word> words_;
  std::size_t at_ = 0;
  bool has_block_ = false;
  std::vector<std::pair<std::string, std::string>> widths_;  // by variable: its terms' range
  std::vector<std::pair<std::vector<Word>, Span>> rules_;
};

}  // namespace

Imported from_fcl(std::string_view text) {
  if (auto refused = refusal(text)) return std::move(*refused);
  return FclReader(text).imported();
}

}  // namespace poise::importer
