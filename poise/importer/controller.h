#pragma once

// A fuzzy controller: collected while a foreign file is read, then written as a text in the
// language. Each input becomes a `sense`; each output a variant, an option that assigns it, and a
// utility; each rule a preference:
//
//   sense distance : real 0..1
//     term near = ramp 1 0, far = ramp 0 1
//   variant speed : real 0..10 = 0
//   option set_speed: speed := utility
//   utility of set_speed : real 0..10 = 0 mamdani
//     term slow = ramp 10 0, fast = ramp 0 10
//   prefer set_speed slow when distance is near
//
// Numbers are copied digit by digit, so nothing is rounded. Names become names of the language: a
// character that is no letter, digit or `_` becomes `_`, and a name that is taken or reserved gets
// a number behind it (`load_2`).
//
// A reader (fll.cpp, fcl.cpp) adds variables and terms first, then rules, which refer to them, and
// calls imported() at the end. Mistakes are collected; with any of them there is no text.

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

// A piece of a foreign file. The text points into the file, which must outlive it.
struct Word {
  std::string_view text;
  Span span;
};

struct ForeignTerm {
  std::string name;   // in the language
  std::string shape;  // in the language: "triangle 0 1 2"
  bool singleton = false;
  Span at;
};

struct ForeignVariable {
  std::string name;  // in the language
  Span at;
  std::string low;  // a decimal; empty if the file does not give it
  std::string high;
  std::vector<ForeignTerm> terms = {};
  std::map<std::string, std::size_t, std::less<>> term_of = {};  // by foreign name: its place
  std::set<std::string, std::less<>> taken = {};                 // names of terms in the language
  // Outputs:
  bool output = false;
  bool mamdani = true;         // centroid; false: weighted average of singletons (sugeno)
  std::string otherwise = {};  // the default; empty if the file does not give it
};

// A rule, split into its parts. Case does not matter for `is`, `and`, `or`, `not`.
struct ForeignRule {
  std::vector<Word> condition;
  std::vector<Word> conclusion;
  std::optional<Word> weight;
  bool has_and = false;  // the condition has an `and`: its norm must be supported
  bool has_or = false;
};

class Controller {
 public:
  // `ignores_case`: of names of variables and terms.
  explicit Controller(bool ignores_case) : ignores_case_(ignores_case) {}

  void set_name(std::string_view name);
  void note(Span at, std::string text) { notes_.push_back({at, std::move(text)}); }

  // ---- Mistakes ----
  void wrong(Span at, std::string message);        // import-syntax
  void unsupported(Span at, std::string message);  // import-unsupported
  [[nodiscard]] bool has_given_up() const;         // after 100 mistakes: the reader should stop
  [[nodiscard]] bool is_wrong() const { return !diagnostics_.empty(); }

  // ---- Variables ----
  // Null, with a mistake, if there is one of that name. The pointer is valid until the next call.
  ForeignVariable* add_variable(const Word& name, bool output);
  [[nodiscard]] ForeignVariable* variable(std::string_view name);
  void add_term(ForeignVariable& variable, const Word& name, std::string shape, bool singleton);
  [[nodiscard]] std::vector<ForeignVariable>& variables() { return variables_; }

  // A number as the language writes it; nothing, with a mistake, if it is none.
  [[nodiscard]] std::optional<std::string> number(const Word& word);
  [[nodiscard]] std::optional<std::vector<std::string>> numbers(std::span<const Word> words);
  // The shape through points x0 y0 x1 y1 …: a ramp, triangle or trapezoid if it is one, else a
  // table. Nothing, with a mistake, if the points make no shape.
  [[nodiscard]] std::optional<std::string> shape_through(const std::vector<std::string>& points,
                                                         Span at);

  // ---- Rules ----
  // Splits `if CONDITION then CONCLUSION [with WEIGHT]` at its keywords.
  [[nodiscard]] std::optional<ForeignRule> split_rule(std::span<const Word> words, Span at);
  // Adds a preference for each variable of the conclusion. All variables must have been added.
  void add_rule(const ForeignRule& rule);

  [[nodiscard]] Imported imported() &&;

 private:
  [[nodiscard]] std::string key(std::string_view foreign) const;  // of a name, in the maps
  [[nodiscard]] std::optional<std::string> condition(std::span<const Word> words);
  // Reads `is`, any `not`, and a term of the variable, from words[at] on. Returns the place behind.
  [[nodiscard]] std::optional<std::size_t> term_behind(std::span<const Word> words, std::size_t at,
                                                       const ForeignVariable& variable,
                                                       std::string& term, bool& negated);
  [[nodiscard]] std::string text() const;

  bool ignores_case_;
  std::string name_;
  std::vector<ImportRemark> notes_;
  std::vector<ForeignVariable> variables_;
  std::map<std::string, std::size_t, std::less<>> variable_of_;  // by foreign name: its place
  std::set<std::string, std::less<>> taken_;                     // names in the language
  std::string preferences_;                                      // text of the rules so far
  diag::Diagnostics diagnostics_;
};

// The answer for a file that is not read at all, because it is too large or not UTF-8.
[[nodiscard]] std::optional<Imported> refusal(std::string_view text);

[[nodiscard]] bool is_one(std::string_view decimal);
[[nodiscard]] bool equals_ignoring_case(std::string_view a, std::string_view lower);

// A decimal as the language writes it: digits before and behind the point, no exponent, no `+`. So
// `+1.5e-1` becomes `0.15`. Nothing if it is no decimal, or too long.
[[nodiscard]] std::optional<std::string> decimal_from(std::string_view foreign);

}  // namespace poise::importer
