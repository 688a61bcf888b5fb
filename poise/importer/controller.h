#pragma once

// A fuzzy controller, as foreign files describe it, and as a text in the language. Each output
// becomes a variant, an option that assigns it, and a utility; each rule a preference:
//
//   sense distance : real 0..1
//     term near = ramp 1 0, far = ramp 0 1
//   variant speed : real 0..10 = 0
//   option set_speed: speed := utility
//   utility of set_speed : real 0..10 = 0 mamdani
//     term slow = ramp 10 0, fast = ramp 0 10
//   prefer set_speed slow when distance is near
//
// Numbers are copied digit by digit. Names become names of the language: what is no letter, digit
// or
// `_` becomes `_`, and one that is taken or reserved gets a number behind it.

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/importer/imported.h"

namespace poise::importer {

// A piece of a foreign file.
struct Word {
  std::string_view text;
  Span span;
};

struct ForeignTerm {
  std::string name;   // ours
  std::string shape;  // "triangle 0 1 2"
  bool singleton = false;
  Span at;
};

struct ForeignVariable {
  std::string name;  // ours
  Span at;
  std::string low;  // decimals; empty: not said
  std::string high;
  std::vector<ForeignTerm> terms = {};
  std::map<std::string, std::size_t, std::less<>> term_of = {};  // by foreign name
  std::set<std::string, std::less<>> taken = {};
  // Outputs:
  bool output = false;
  bool mamdani = true;
  std::string otherwise = {};  // empty: not said
};

// Of the conditions and conclusions of rules. Case does not matter for `is`, `and`, `or`, `not`.
struct ForeignRule {
  std::vector<Word> condition;
  std::vector<Word> conclusion;
  std::optional<Word> weight;
  bool has_and = false;  // filled in by split_rule
  bool has_or = false;
};

class Controller {
 public:
  explicit Controller(bool ignores_case) : ignores_case_(ignores_case) {}

  void set_name(std::string_view name);
  void note(std::string text) { notes_.push_back(std::move(text)); }  // a comment at the top

  // ---- Mistakes ----
  void wrong(Span at, std::string message);        // import-syntax
  void unsupported(Span at, std::string message);  // import-unsupported
  [[nodiscard]] bool has_given_up() const;         // after so many mistakes nobody reads on
  [[nodiscard]] bool is_wrong() const { return !diagnostics_.empty(); }

  // ---- Variables ----
  // Nothing if there is one of that name; that is said.
  ForeignVariable* add_variable(const Word& name, bool output);
  [[nodiscard]] ForeignVariable* variable(std::string_view name);
  void add_term(ForeignVariable& variable, const Word& name, std::string shape, bool singleton);
  [[nodiscard]] std::vector<ForeignVariable>& variables() { return variables_; }

  // A number as the language writes it; if it is none, that is said.
  [[nodiscard]] std::optional<std::string> number(const Word& word);
  [[nodiscard]] std::optional<std::vector<std::string>> numbers(std::span<const Word> words);
  // The shape through points x0 y0 x1 y1 …
  [[nodiscard]] std::optional<std::string> shape_through(const std::vector<std::string>& points,
                                                         Span at);

  // ---- Rules ----
  // `if CONDITION then CONCLUSION [with WEIGHT]`, from the words between.
  [[nodiscard]] std::optional<ForeignRule> split_rule(std::span<const Word> words, Span at);
  // One preference for each variable of the conclusion. The variables must be known by now.
  void add_rule(const ForeignRule& rule);

  [[nodiscard]] Imported imported() &&;

 private:
  [[nodiscard]] std::string key(std::string_view foreign) const;
  [[nodiscard]] std::optional<std::string> condition(std::span<const Word> words);
  // `is` and a term, from words[at] on, behind a variable; the place behind it.
  [[nodiscard]] std::optional<std::size_t> term_behind(std::span<const Word> words, std::size_t at,
                                                       const ForeignVariable& variable,
                                                       std::string& term, bool& negated);
  [[nodiscard]] std::string text() const;

  bool ignores_case_;
  std::string name_;
  std::vector<std::string> notes_;
  std::vector<ForeignVariable> variables_;
  std::map<std::string, std::size_t, std::less<>> variable_of_;  // by foreign name
  std::set<std::string, std::less<>> taken_;
  std::string preferences_;
  diag::Diagnostics diagnostics_;
};

// Why a file is not even looked at: its size, or bytes that are no text.
[[nodiscard]] std::optional<Imported> refusal(std::string_view text);

[[nodiscard]] bool is_one(std::string_view decimal);
[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view lower);

// A decimal as the language writes it: digits before and behind the point, no exponent, no `+`.
// Nothing for what is no decimal, or too long.
[[nodiscard]] std::optional<std::string> decimal_from(std::string_view foreign);

}  // namespace poise::importer
