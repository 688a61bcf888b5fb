#pragma once

// Resolves the expressions of policies into trees of model::PolicyExpr. Policies have the
// expressions of rules and some more (division, `if`, terms, history). They are evaluated as they
// are written instead of being split into atoms, so they have a resolver of their own. An operand
// is a truth, a number, a member of an enumeration or a set. `let`s are expanded where they are
// used, each use a copy.

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "poise/lang/expressions.h"
#include "poise/lang/reporter.h"
#include "poise/lang/scope.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

class PolicyExpressions {
 public:
  // `model` already holds symbols, variables and slots; `expressions` has resolved the `let`s.
  // Expressions are added to model.policy. All must outlive it.
  PolicyExpressions(const Tree& tree, const Scope& scope, model::Model& model, Reporter& reporter,
                    Expressions& expressions, const LineIndex& lines);

  // `utility` may be used in options only.
  enum class Place { Option, Elsewhere };
  [[nodiscard]] std::optional<model::PolicyExprId> condition(NodeId node, Place place);
  // What an option sets a variable to.
  [[nodiscard]] std::optional<model::PolicyExprId> value(NodeId node,
                                                         const model::Variable& target);

  // Whether an expression reads a variant or a variable of the policy.
  [[nodiscard]] bool reads_own_variables(NodeId node) const;

 private:
  // What a parameter stands for, as in Expressions.
  struct Environment;
  struct Argument {
    NodeId node;
    const Environment* environment;
  };
  struct Environment {
    std::vector<std::pair<std::string_view, Argument>> arguments;
  };

  enum class Part { Option, Elsewhere, Let };
  enum class Kind {
    Wrong,    // already reported
    Unknown,  // a name that is not declared: a member's name, perhaps
    Truth,
    Number,
    Enum,
    Set,
  };
  struct Operand {
    Kind kind = Kind::Wrong;
    model::PolicyExprId id = {};                     // Truth, Number, Enum
    const model::Type* type = nullptr;               // Enum, Set
    std::optional<model::VariableId> variable = {};  // Set
    Span span = {};
  };

  void check_lets();
  std::optional<model::PolicyExprId> resolved_condition(NodeId node, Part part);

  // A name is looked up among the members of the `wanted` type first, if there is one.
  Operand operand(NodeId id, const Environment* environment, const model::Type* wanted = nullptr);
  Operand unchecked_operand(NodeId id, const Environment* environment, const model::Type* wanted);
  Operand literal(const Node& node, const Rational& value, Kind kind);
  Operand name(NodeId id, const Environment* environment, const model::Type* wanted);
  Operand variable(model::VariableId id, const Node& node);
  Operand expanded(const LetDeclaration& let, const Environment* inner, Span use);
  Operand call(NodeId id, const Environment* environment);
  Operand function(NodeId id, const Environment* environment);
  Operand negated(NodeId id, const Environment* environment);
  Operand sum(NodeId id, const Environment* environment);
  Operand product(NodeId id, const Environment* environment);
  Operand choice(NodeId id, const Environment* environment, const model::Type* wanted);
  Operand comparison(NodeId id, const Environment* environment);
  bool are_comparable(const Node& node, const Operand& left, const Operand& right);
  Operand membership(NodeId id, const Environment* environment);
  Operand has(NodeId id, const Environment* environment);
  Operand is(NodeId id, const Environment* environment);
  Operand connective(NodeId id, const Environment* environment);
  Operand held(NodeId id, const Environment* environment);
  Operand past(NodeId id, const Environment* environment);

  [[nodiscard]] Argument followed(NodeId id, const Environment* environment) const;
  // The variable that a name stands for, by way of parameters and `let`s.
  [[nodiscard]] std::optional<model::VariableId> variable_of(NodeId id,
                                                             const Environment* environment) const;
  // Whether a name is more likely a member than what it stands for, if the other side is of an
  // enumeration.
  [[nodiscard]] bool may_be_member(NodeId id, const Environment* environment) const;
  std::optional<Rational> duration(NodeId id);

  bool as_truth(const Operand& operand);
  bool as_number(const Operand& operand);
  Operand made(const Node& node, Kind kind, model::PolicyExpr expr);
  model::PolicyExprId added(Span span, model::PolicyExpr expr);

  void report(diag::Diagnostic diagnostic);
  Operand wrong(diag::Diagnostic diagnostic);
  Operand unknown_name(const Operand& operand);
  void wrong_count(const Node& node, std::string_view takes);
  [[nodiscard]] std::string_view text(Span span) const;
  [[nodiscard]] std::string described(const Operand& operand) const;

  const Tree& tree_;
  const Scope& scope_;
  model::Model& model_;
  Reporter& reporter_;
  Expressions& expressions_;
  const LineIndex& lines_;
  std::vector<bool> wrong_lets_;
  std::vector<bool> lets_reading_own_;
  Part part_ = Part::Elsewhere;
  int depth_ = 0;
  std::size_t expanded_ = 0;  // nodes of the `let`s in the expression under way
  std::size_t expanded_in_all_ = 0;
  bool said_too_large_ = false;
  std::optional<Span> use_;  // the outermost use of a `let` that is being expanded
};

}  // namespace poise::lang
