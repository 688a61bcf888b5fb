#pragma once

// Expressions to nodes of the syntax tree, by precedence climbing: one function for all levels of
// binary operators instead of one per level, which keeps the stack small under deep nesting. What
// nests (brackets, prefix operators, the right side of `implies`) is counted and limited; chains
// are loops.

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "poise/lang/reader.h"
#include "poise/lang/syntax.h"

namespace poise::lang {

class ExpressionParser {
 public:
  // Adds nodes to the tree. Both must outlive it.
  ExpressionParser(Reader& reader, Tree& tree) : reader_(reader), tree_(tree) {}

  // Entered at the first token, left behind the last. `what` says in a message what is missing:
  // "a condition".
  std::optional<NodeId> expression(std::string_view what);
  // A condition behind which a word stands that is no operator: `disF <= 0 after walkF`.
  std::optional<NodeId> condition_before(std::string_view word);
  // A literal, a name or {a, b}: what an action sets or a variable starts with.
  std::optional<NodeId> plain_value(std::string_view what);
  // `for 10s` behind a condition, or where one may be: what other languages say for `held`.
  [[nodiscard]] bool at_lasting() const;
  std::nullopt_t lasting();

 private:
  enum class Level { None, Iff, Implies, Or, And, Not, Comparison, Sum, Product, Unary };
  struct Operator;
  class Nesting;

  // An expression that has been read.
  struct Operand {
    NodeId id;
    int height = 0;  // of its tree
    Span outer;      // with its parentheses
  };

  static Operator binary_operator(TokenKind kind);

  std::optional<Operand> binary(Level loosest, std::string_view what);
  std::optional<Operand> to_the_right(const Operand& left, const Operator& sign);
  std::optional<Operand> chain(const Operand& left, const Operator& sign);
  std::optional<Operand> comparison(const Operand& left, const Operator& sign);
  std::optional<Operand> listed_values();
  std::optional<Operand> operand(Level loosest, std::string_view what);
  std::optional<Operand> prefixed(NodeKind kind, Level level, std::string_view what);
  std::optional<Operand> primary(std::string_view what);
  std::optional<Operand> name();
  [[nodiscard]] bool word_follows_name() const;
  std::nullopt_t misplaced_prime();
  std::optional<Operand> quantifier();
  std::optional<Operand> window();
  std::optional<Operand> conditional();
  std::optional<Operand> held(const Operand& condition);
  std::optional<Operand> past();
  std::optional<Operand> parenthesized();
  std::optional<Operand> call(Span callee);
  std::optional<Operand> odd_name();
  std::nullopt_t without_else(Span word, const Operand& condition, const Operand& then);
  std::optional<Operand> braces();
  std::optional<Operand> member_value();
  std::optional<Operand> constant(std::string_view what);

  std::optional<Operand> node(NodeKind kind, Span outer, Span operator_span,
                              std::span<const Operand> children);
  std::optional<Operand> leaf(NodeKind kind);
  std::optional<Operand> pair(NodeKind kind, Span operator_span, const Operand& left,
                              const Operand& right);
  std::nullopt_t too_deep(Span span);

  Reader& reader_;
  Tree& tree_;
  int nesting_ = 0;
  std::string_view word_behind_;  // the expression under way, if one is expected there
  std::vector<Operand> pending_;  // children of the chains and lists that are still open
};

}  // namespace poise::lang
