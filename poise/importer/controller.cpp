#include "poise/importer/controller.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "poise/base/rational.h"
#include "poise/base/text.h"
#include "poise/base/utf8.h"

namespace poise::importer {

namespace {

constexpr std::size_t kMostDiagnostics = 100;
constexpr int kMostParentheses = 100;

// Keywords of the language, and words that have a meaning where a name may stand.
constexpr std::array<std::string_view, 40> kReserved = {
    "model",    "sense",   "var",     "let",    "constraint", "stream",   "extern", "action",
    "failure",  "state",   "rule",    "when",   "do",         "priority", "if",     "and",
    "or",       "not",     "implies", "iff",    "in",         "has",      "is",     "true",
    "false",    "variant", "option",  "prefer", "expect",     "tick",     "term",   "utility",
    "previous", "rate",    "max",     "min",    "mean",       "exists",   "all",    "step"};

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Makes a name of the language that is not in `taken`, and adds it there.
std::string named(std::string_view foreign, std::set<std::string, std::less<>>& taken) {
  std::string name;
  for (const char c : foreign.substr(0, 200)) name += is_letter_or_digit(c) ? c : '_';
  if (name.empty() || is_digit(name.front())) name.insert(name.begin(), '_');
  const auto is_free = [&](const std::string& candidate) {
    return std::ranges::find(kReserved, candidate) == kReserved.end() && !taken.contains(candidate);
  };
  std::string candidate = name;
  for (std::size_t i = 2; !is_free(candidate); ++i) candidate = fmt::format("{}_{}", name, i);
  taken.insert(candidate);
  return candidate;
}

Rational value_of(std::string_view decimal) {
  const bool negative = decimal.starts_with('-');
  const Rational size = Rational::from_decimal(decimal.substr(negative ? 1 : 0));
  return negative ? -size : size;
}

std::string quoted(std::string_view foreign) {
  std::size_t length = std::min<std::size_t>(foreign.size(), 60);
  // Does not cut a code point in two.
  while (length < foreign.size() &&
         (static_cast<unsigned char>(foreign[length]) & 0xC0U) == 0x80U) {
    --length;
  }
  std::string text = "`";
  for (const char c : foreign.substr(0, length)) {
    text += static_cast<unsigned char>(c) < 0x20 || c == '`' ? '?' : c;
  }
  return text + (length < foreign.size() ? "…`" : "`");
}

}  // namespace

std::optional<Imported> refusal(std::string_view text) {
  if (text.size() > kMaxImportSize) {
    return Imported{{}, {{diag::Code::FileTooLarge, {}, "the file is larger than 16 MiB"}}};
  }
  if (const auto invalid = first_invalid_byte(text)) {
    const auto at = static_cast<std::uint32_t>(*invalid);
    return Imported{
        {}, {{diag::Code::InvalidUtf8, {at, at + 1}, "the file is not UTF-8 text", {}, {}}}};
  }
  return std::nullopt;
}

bool is_one(std::string_view decimal) { return value_of(decimal) == Rational(1); }

bool equals_ignoring_case(std::string_view a, std::string_view wanted) {
  return std::ranges::equal(a, wanted, {}, lower, lower);
}

std::optional<std::string> decimal_from(std::string_view foreign) {
  constexpr std::size_t kLongest = 400;
  if (foreign.size() > kLongest) return std::nullopt;
  std::size_t at = 0;
  const bool negative = foreign.starts_with('-');
  if (negative || foreign.starts_with('+')) ++at;
  std::string digits;
  std::optional<std::size_t> point;
  for (; at < foreign.size() && (is_digit(foreign[at]) || foreign[at] == '.'); ++at) {
    if (foreign[at] != '.') {
      digits += foreign[at];
    } else if (point) {
      return std::nullopt;
    } else {
      point = digits.size();
    }
  }
  if (digits.empty()) return std::nullopt;
  int exponent = 0;
  if (at < foreign.size()) {
    if (lower(foreign[at]) != 'e') return std::nullopt;
    ++at;
    const bool down = at < foreign.size() && foreign[at] == '-';
    if (at < foreign.size() && (foreign[at] == '-' || foreign[at] == '+')) ++at;
    if (at == foreign.size()) return std::nullopt;
    for (; at < foreign.size(); ++at) {
      if (!is_digit(foreign[at]) || exponent > static_cast<int>(kLongest)) return std::nullopt;
      exponent = exponent * 10 + (foreign[at] - '0');
    }
    if (exponent > static_cast<int>(kLongest)) return std::nullopt;
    if (down) exponent = -exponent;
  }
  auto place = static_cast<std::ptrdiff_t>(point.value_or(digits.size())) + exponent;
  if (place <= 0) {
    digits.insert(0, static_cast<std::size_t>(1 - place), '0');
    place = 1;
  }
  if (place > static_cast<std::ptrdiff_t>(digits.size())) {
    digits.append(static_cast<std::size_t>(place) - digits.size(), '0');
  }
  std::string whole = digits.substr(0, static_cast<std::size_t>(place));
  const std::string rest = digits.substr(static_cast<std::size_t>(place));
  if (!rest.empty()) whole += "." + rest;
  return negative ? "-" + whole : whole;
}

void Controller::set_name(std::string_view name) {
  std::set<std::string, std::less<>> none;
  if (!name.empty()) name_ = named(name, none);
}

// ---- Mistakes ----

void Controller::wrong(Span at, std::string message) {
  if (!has_given_up()) {
    diagnostics_.push_back({diag::Code::ImportSyntax, at, std::move(message)});
  }
}

void Controller::unsupported(Span at, std::string message) {
  if (!has_given_up()) {
    diagnostics_.push_back({diag::Code::ImportUnsupported, at, std::move(message)});
  }
}

bool Controller::has_given_up() const { return diagnostics_.size() >= kMostDiagnostics; }

// ---- Variables ----

std::string Controller::key(std::string_view foreign) const {
  std::string made(foreign);
  if (ignores_case_) std::ranges::transform(made, made.begin(), lower);
  return made;
}

ForeignVariable* Controller::add_variable(const Word& name, bool output) {
  if (name.text.empty()) {
    wrong(name.span, "a variable without a name");
    return nullptr;
  }
  const auto [place, is_new] = variable_of_.try_emplace(key(name.text), variables_.size());
  if (!is_new) {
    wrong(name.span, fmt::format("{} is declared twice", quoted(name.text)));
    return nullptr;
  }
  ForeignVariable made{named(name.text, taken_), name.span, {}, {}};
  made.output = output;
  variables_.push_back(std::move(made));
  return &variables_.back();
}

ForeignVariable* Controller::variable(std::string_view name) {
  const auto found = variable_of_.find(key(name));
  return found == variable_of_.end() ? nullptr : &variables_[found->second];
}

void Controller::add_term(ForeignVariable& variable, const Word& name, std::string shape,
                          bool singleton) {
  if (name.text.empty()) return wrong(name.span, "a term without a name");
  const auto [place, is_new] = variable.term_of.try_emplace(key(name.text), variable.terms.size());
  if (!is_new) return wrong(name.span, fmt::format("{} is a term already", quoted(name.text)));
  variable.terms.push_back(
      {named(name.text, variable.taken), std::move(shape), singleton, name.span});
}

std::optional<std::string> Controller::number(const Word& word) {
  std::optional<std::string> decimal = decimal_from(word.text);
  if (decimal) return decimal;
  for (const std::string_view endless : {"inf", "+inf", "-inf", "nan", "+nan", "-nan"}) {
    if (!equals_ignoring_case(word.text, endless)) continue;
    unsupported(word.span, fmt::format("{} is no number of the language", quoted(word.text)));
    return std::nullopt;
  }
  wrong(word.span, fmt::format("{} is no number", quoted(word.text)));
  return std::nullopt;
}

std::optional<std::vector<std::string>> Controller::numbers(std::span<const Word> words) {
  std::vector<std::string> made;
  for (const Word& word : words) {
    auto read = number(word);
    if (!read) return std::nullopt;
    made.push_back(std::move(*read));
  }
  return made;
}

std::optional<std::string> Controller::shape_through(const std::vector<std::string>& points,
                                                     Span at) {
  if (points.size() < 2 || points.size() % 2 != 0) {
    wrong(at, "points come in pairs of numbers");
    return std::nullopt;
  }
  const std::size_t count = points.size() / 2;
  const auto x = [&](std::size_t i) -> const std::string& { return points[2 * i]; };
  const auto y = [&](std::size_t i) { return value_of(points[2 * i + 1]); };
  bool ascends = true;
  for (std::size_t i = 0; i < count; ++i) {
    if (y(i) < Rational(0) || y(i) > Rational(1)) {
      wrong(at, fmt::format("{} is not between 0 and 1", points[2 * i + 1]));
      return std::nullopt;
    }
    if (i == 0) continue;
    ascends = ascends && value_of(x(i - 1)) < value_of(x(i));
    if (value_of(x(i)) < value_of(x(i - 1))) {
      wrong(at, fmt::format("{} lies before {}", x(i), x(i - 1)));
      return std::nullopt;
    }
  }
  const bool has_width = value_of(x(0)) < value_of(x(count - 1));
  const auto heights = [&](std::initializer_list<int> wanted) {
    if (wanted.size() != count || !has_width) return false;
    std::size_t i = 0;
    return std::ranges::all_of(wanted, [&](int height) { return y(i++) == Rational(height); });
  };
  if (heights({0, 1})) return fmt::format("ramp {} {}", x(0), x(1));
  if (heights({1, 0})) return fmt::format("ramp {} {}", x(1), x(0));
  if (heights({0, 1, 0})) return fmt::format("triangle {} {} {}", x(0), x(1), x(2));
  if (heights({0, 1, 1, 0})) {
    return fmt::format("trapezoid {} {} {} {}", x(0), x(1), x(2), x(3));
  }
  if (!ascends) {
    unsupported(at, "two heights at one place");
    return std::nullopt;
  }
  std::string shape = "table";
  for (std::size_t i = 0; i < count; ++i) {
    shape += fmt::format(" ({} {})", x(i), points[2 * i + 1]);
  }
  return shape;
}

// ---- Rules ----

std::optional<ForeignRule> Controller::split_rule(std::span<const Word> words, Span at) {
  const auto find = [&](std::string_view word) {
    return static_cast<std::size_t>(
        std::ranges::find_if(words,
                             [&](const Word& w) { return equals_ignoring_case(w.text, word); }) -
        words.begin());
  };
  const std::size_t then = find("then");
  if (words.empty() || !equals_ignoring_case(words.front().text, "if") || then == words.size()) {
    wrong(at, "a rule is written `if CONDITION then CONCLUSION`");
    return std::nullopt;
  }
  ForeignRule rule;
  rule.condition.assign(words.begin() + 1, words.begin() + static_cast<std::ptrdiff_t>(then));
  std::size_t end = find("with");
  if (end < words.size()) {
    if (end + 2 != words.size()) {
      wrong(words[end].span, "behind `with` stands one number");
      return std::nullopt;
    }
    rule.weight = words[end + 1];
  }
  if (end <= then) {
    wrong(words[end].span, "`with` stands behind the conclusion");
    return std::nullopt;
  }
  rule.conclusion.assign(words.begin() + static_cast<std::ptrdiff_t>(then) + 1,
                         words.begin() + static_cast<std::ptrdiff_t>(end));
  for (const Word& word : rule.condition) {
    rule.has_and = rule.has_and || equals_ignoring_case(word.text, "and");
    rule.has_or = rule.has_or || equals_ignoring_case(word.text, "or");
  }
  return rule;
}

std::optional<std::size_t> Controller::term_behind(std::span<const Word> words, std::size_t at,
                                                   const ForeignVariable& variable,
                                                   std::string& term, bool& negated) {
  const Span last = words[at - 1].span;
  if (at >= words.size() || !equals_ignoring_case(words[at].text, "is")) {
    wrong(at < words.size() ? words[at].span : last, "here stands `is`");
    return std::nullopt;
  }
  ++at;
  while (at < words.size() && equals_ignoring_case(words[at].text, "not")) {
    negated = !negated;
    ++at;
  }
  if (at >= words.size()) {
    wrong(last, "a term is missing");
    return std::nullopt;
  }
  const auto found = variable.term_of.find(key(words[at].text));
  if (found == variable.term_of.end()) {
    for (const std::string_view hedge :
         {"any", "extremely", "seldom", "somewhat", "very", "more_or_less"}) {
      if (!equals_ignoring_case(words[at].text, hedge)) continue;
      unsupported(words[at].span, fmt::format("{} is a hedge, and the language has none but `not`",
                                              quoted(words[at].text)));
      return std::nullopt;
    }
    wrong(words[at].span,
          fmt::format("{} is no term of `{}`", quoted(words[at].text), variable.name));
    return std::nullopt;
  }
  term = variable.terms[found->second].name;
  return at + 1;
}

// Translated word by word, which is right because `not`, `and` and `or` have the same precedence in
// both languages.
std::optional<std::string> Controller::condition(std::span<const Word> words) {
  std::string text;
  int depth = 0;
  bool wants_operand = true;
  for (std::size_t at = 0; at < words.size();) {
    const Word& word = words[at];
    const auto is = [&](std::string_view other) { return equals_ignoring_case(word.text, other); };
    if (wants_operand && (is("(") || is("not"))) {
      if (is("(") && ++depth > kMostParentheses) {
        wrong(word.span, "parentheses are nested too deeply");
        return std::nullopt;
      }
      text += is("(") ? "(" : "not ";
      ++at;
    } else if (!wants_operand && is(")") && depth > 0) {
      --depth;
      text += ")";
      ++at;
    } else if (!wants_operand && (is("and") || is("or"))) {
      text += is("and") ? " and " : " or ";
      wants_operand = true;
      ++at;
    } else if (wants_operand && !is(")") && !is("and") && !is("or") && !is("is")) {
      const ForeignVariable* const of = variable(word.text);
      if (of == nullptr) {
        wrong(word.span, fmt::format("{} is no variable", quoted(word.text)));
        return std::nullopt;
      }
      if (of->output) {
        unsupported(word.span,
                    fmt::format("the condition asks for the output {}", quoted(word.text)));
        return std::nullopt;
      }
      std::string term;
      bool negated = false;
      const auto next = term_behind(words, at + 1, *of, term, negated);
      if (!next) return std::nullopt;
      text += fmt::format("{}{} is {}", negated ? "not " : "", of->name, term);
      wants_operand = false;
      at = *next;
    } else {
      wrong(word.span, fmt::format("{} does not fit here", quoted(word.text)));
      return std::nullopt;
    }
  }
  if (wants_operand || depth > 0) {
    const Span end = words.empty() ? Span{} : words.back().span;
    wrong(end, depth > 0 && !wants_operand ? "a parenthesis is not closed"
                                           : "the condition is not complete");
    return std::nullopt;
  }
  return text;
}

void Controller::add_rule(const ForeignRule& rule) {
  const std::optional<std::string> when = condition(rule.condition);
  if (!when) return;
  std::string weight;
  if (rule.weight) {
    const std::optional<std::string> read = number(*rule.weight);
    if (!read) return;
    if (value_of(*read) <= Rational(0))
      return unsupported(rule.weight->span, "the weight is not more than 0");
    if (value_of(*read) != Rational(1)) weight = " weight " + *read;
  }
  for (std::size_t at = 0; at < rule.conclusion.size();) {
    const Word& word = rule.conclusion[at];
    const ForeignVariable* const output = variable(word.text);
    if (output == nullptr || !output->output) {
      return wrong(word.span, fmt::format("{} is no output", quoted(word.text)));
    }
    std::string term;
    bool negated = false;
    const auto next = term_behind(rule.conclusion, at + 1, *output, term, negated);
    if (!next) return;
    if (negated) return unsupported(word.span, "a conclusion with `not`");
    preferences_ += fmt::format("prefer set_{} {}{} when {}\n", output->name, term, weight, *when);
    at = *next;
    if (at == rule.conclusion.size()) return;
    const bool joined =
        equals_ignoring_case(rule.conclusion[at].text, "and") || rule.conclusion[at].text == ",";
    if (!joined) {
      return wrong(rule.conclusion[at].span,
                   fmt::format("{} does not fit here", quoted(rule.conclusion[at].text)));
    }
    ++at;
  }
  wrong(rule.conclusion.empty() ? rule.condition.back().span : rule.conclusion.back().span,
        "the conclusion is not complete");
}

// ---- The text ----

std::string Controller::text() const {
  std::string text;
  for (const ImportRemark& note : notes_) text += "# " + note.message + "\n";
  if (!name_.empty()) text += fmt::format("model {}\n\n", name_);
  const auto terms = [&](const ForeignVariable& variable) {
    std::string list;
    for (const ForeignTerm& term : variable.terms) {
      list += fmt::format("{}{} = {}", list.empty() ? "" : ", ", term.name, term.shape);
    }
    return list.empty() ? list : "\n  term " + list;
  };
  for (const ForeignVariable& variable : variables_) {
    if (variable.output) continue;
    text += fmt::format("sense {} : real {}..{}{}\n", variable.name, variable.low, variable.high,
                        terms(variable));
  }
  for (const ForeignVariable& output : variables_) {
    if (!output.output) continue;
    const std::string& otherwise = output.otherwise.empty() ? output.low : output.otherwise;
    text += fmt::format("\nvariant {} : real {}..{} = {}\n", output.name, output.low, output.high,
                        otherwise);
    text += fmt::format("option set_{0}: {0} := utility\n", output.name);
    text +=
        fmt::format("utility of set_{} : real {}..{} = {} {}{}\n", output.name, output.low,
                    output.high, otherwise, output.mamdani ? "mamdani" : "sugeno", terms(output));
  }
  if (!preferences_.empty()) text += "\n" + preferences_;
  return text;
}

Imported Controller::imported() && {
  // Checks for missing parts only without mistakes: a part may be missing because of one.
  if (is_wrong()) return {{}, diag::in_source_order(std::move(diagnostics_))};
  bool has_output = false;
  for (const ForeignVariable& variable : variables_) {
    has_output = has_output || variable.output;
    if (variable.low.empty() || variable.high.empty()) {
      wrong(variable.at, "the variable has no range");
      continue;
    }
    if (value_of(variable.low) > value_of(variable.high)) {
      wrong(variable.at, "the range ends before it starts");
    }
    if (!variable.output) continue;
    if (variable.terms.empty()) wrong(variable.at, "the output has no terms");
    if (!variable.otherwise.empty() && (value_of(variable.otherwise) < value_of(variable.low) ||
                                        value_of(variable.otherwise) > value_of(variable.high))) {
      unsupported(variable.at, "the default lies outside of the range");
    }
    for (const ForeignTerm& term : variable.terms) {
      if (term.singleton == variable.mamdani) {
        unsupported(term.at, variable.mamdani ? "a singleton has no area, and no centroid"
                                              : "the weighted average is of singletons");
      }
    }
  }
  if (!has_output && !is_wrong()) wrong({}, "there is no output");
  if (is_wrong()) return {{}, diag::in_source_order(std::move(diagnostics_))};
  std::ranges::stable_sort(notes_, {}, [](const ImportRemark& note) { return note.at.begin; });
  return {text(), {}, std::move(notes_)};
}

}  // namespace poise::importer
