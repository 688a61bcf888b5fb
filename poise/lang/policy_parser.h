#pragma once

// The declarations of policies, and what policies add to those of variables. Like the rest of the
// parser: entered behind the keyword, left behind the last token; reader.h says how a mistake
// travels.

#include <optional>
#include <string_view>
#include <vector>

#include "poise/lang/expression_parser.h"
#include "poise/lang/reader.h"
#include "poise/lang/syntax.h"

namespace poise::lang {

class PolicyParser {
 public:
  // Both must outlive it.
  PolicyParser(Reader& reader, ExpressionParser& expressions)
      : reader_(reader), expressions_(expressions) {}

  std::optional<TickDeclaration> tick();
  std::optional<UtilityDeclaration> utility();
  std::optional<OptionDeclaration> option();
  std::optional<PreferDeclaration> prefer();
  std::optional<ExpectDeclaration> expect();

  // `step`, `scale`, `weight` and `term` of a sense, or `step` of a variant.
  bool variable_clauses(VariableDeclaration& variable);

 private:
  bool second(std::string_view of, std::optional<Span> first);
  bool variable_clause(VariableDeclaration& variable);
  bool scale(VariableDeclaration& variable);
  bool terms(std::vector<TermClause>& terms, std::string_view of);
  std::optional<TermClause> term();
  bool points(TermClause& term);
  bool assignment(OptionDeclaration& option);
  bool expectation(ExpectDeclaration& read);
  bool changes(ExpectDeclaration& read);
  bool tendency(ExpectDeclaration& read);
  bool expect_word(std::string_view word, std::string_view shape);

  Reader& reader_;
  ExpressionParser& expressions_;
};

}  // namespace poise::lang
