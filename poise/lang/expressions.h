#pragma once

// Resolves expressions into formulas. An expression is a condition or a value; a value is a number,
// a boolean, a member of an enumeration or a set. Comparisons of values become atoms. Two
// comparisons are the same atom if their texts are equal once `let`s are expanded.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poise/lang/reporter.h"
#include "poise/lang/scope.h"
#include "poise/lang/syntax.h"
#include "poise/model/model.h"

namespace poise::lang {

class Expressions {
 public:
  // Slots that are numbered anew once it is known how many there are. The later value of slot i
  // (`disF'`) is slot kFirstPrimed + i,
  static constexpr std::uint32_t kFirstPrimed = std::uint32_t{1} << 30U;
  // and fields of elements of streams are numbered from here on.
  static constexpr std::uint32_t kFirstPlace = std::uint32_t{1} << 31U;
  static constexpr std::size_t kMaxTextLength = 20'000;  // of an atom, once `let`s are expanded

  // `model` already holds symbols, variables and slots; atoms and formulas are added to it.
  Expressions(const Tree& tree, const Scope& scope, model::Model& model, Reporter& reporter);

  // Checks every `let` once, whether used or not, those first that others need.
  void resolve_lets();

  // Makes a variable of every query in these conditions. Returns the place of each in the source,
  // in the order of the new variables. To be called once, at the end.
  [[nodiscard]] std::vector<Span> add_queries(const std::vector<model::FormulaId>& conditions);

  [[nodiscard]] std::optional<model::FormulaId> condition(NodeId node);

  // A condition between the values before and after an action, and the slots whose later values it
  // mentions, sorted; these are the numbers of the unprimed slots.
  struct ActionCondition {
    model::FormulaId formula;
    std::vector<model::SlotId> primed;
  };
  [[nodiscard]] std::optional<ActionCondition> action_condition(NodeId node);
  [[nodiscard]] std::optional<model::FormulaId> failure_condition(NodeId node);
  [[nodiscard]] std::optional<model::FormulaId> start_condition(NodeId node);
  // A condition about actual values that is no part of the model.
  [[nodiscard]] std::optional<model::FormulaId> claim_condition(NodeId node);

  // About `let`s, for PolicyExpressions: an order in which each comes after those that it uses;
  // whether one uses forms that only policies have, and so is left to them; whether a mistake in it
  // has been reported.
  [[nodiscard]] const std::vector<LetIndex>& let_order() const { return let_order_; }
  [[nodiscard]] bool is_of_policies(LetIndex let) const { return of_policies_[let.index]; }
  [[nodiscard]] bool is_wrong(LetIndex let) const {
    return circular_[let.index] ||
           (lets_[let.index].has_value() && lets_[let.index]->kind == Kind::Wrong);
  }

  // Where a name stands among the members of a type.
  [[nodiscard]] std::optional<std::size_t> member_index(const model::Type& type,
                                                        std::string_view name);
  void report_unknown_member(std::string_view of, const model::Type& type, std::string_view name,
                             Span span) {
    unknown_member(of, type, name, span);
  }
  // "a boolean", "`int 0..9`", "one of {a, b}"
  [[nodiscard]] std::string described(const model::Type& type) const;
  [[nodiscard]] std::string described(const model::Variable& variable) const;

  // A literal as one value per slot of the variable; nothing if it does not fit.
  [[nodiscard]] std::optional<std::vector<Rational>> literal(NodeId node,
                                                             const model::Variable& variable);

 private:
  // What a parameter stands for: an expression and the parameters in it. It is expanded where it is
  // used, so that a member's name can be an argument.
  struct Environment;
  struct Argument {
    NodeId node;
    const Environment* environment;
    std::optional<std::uint32_t> binding = {};  // the element that a quantifier binds
  };
  struct Environment {
    std::vector<std::pair<std::string_view, Argument>> arguments;
  };

  // Where the expression under way stands.
  enum class Part { Rules, Let, Action, Failure, Start, Claim };

  enum class Kind {
    Wrong,    // already reported
    Unknown,  // a name that is not declared: a member's name, perhaps
    Condition,
    Bool,  // a boolean variable or literal: a value that is a condition, too
    Number,
    Enum,  // a variable of an enumeration, or a member of one
    Set,
    Text,
    Element,  // of a stream, as a whole
  };
  struct Operand {
    Kind kind = Kind::Wrong;
    std::optional<model::FormulaId> formula;    // Condition, Bool
    model::Polynomial value;                    // Bool, Number, Enum
    std::vector<model::SlotId> slots;           // that the value reads, sorted
    std::optional<model::VariableId> variable;  // where it is just a variable
    const model::Type* type = nullptr;          // where it is just a variable or a field
    bool primed = false;                        // a variable's later value
    std::string text;                           // in the language
    int binding = 4;  // how tightly the text holds together: 1 sum, 2 product, 3 negation, 4 name
    Span span;
  };

  Operand operand(NodeId id, const Environment* environment);
  Operand operand(const Argument& argument, Span span);
  Operand unchecked_operand(NodeId id, const Environment* environment);
  Operand name(NodeId id, const Environment* environment);
  Operand variable(model::VariableId id, Span span);
  std::optional<model::FormulaId> condition_in(Part part, NodeId node);
  Operand primed(NodeId id, const Environment* environment);
  Operand misplaced_prime(const Node& node, Part part);
  [[nodiscard]] bool in_world() const { return part_ != Part::Rules && part_ != Part::Let; }
  Operand stream_in_world(std::string_view what, Span span, std::vector<diag::Related> related);
  Operand typed(const model::Type& type, std::string_view name, model::SlotId slot, Span span);
  Operand field(std::uint32_t binding, std::string_view name, Span span);
  Operand quantifier(NodeId id, const Environment* environment);
  std::optional<model::StreamId> stream_of(const Node& node);
  template <class Things>
  std::string hint_among(const Things& things, std::string_view name);
  std::optional<model::Window> window_of(const Node& node);
  // What the part of a name before its first dot stands for.
  [[nodiscard]] std::optional<Argument> argument_before_dot(std::string_view name,
                                                            const Environment* environment) const;
  Operand call(NodeId id, const Environment* environment);
  Operand external(NodeId id, const Environment* environment, model::ExternId function);
  static Kind kind_of(const model::Field& parameter);
  bool fits(const Operand& argument, const model::Field& parameter, Span span,
            const model::Extern& function);
  void wrong_count(const Node& node, std::size_t parameters, Span declared);
  Operand sum_or_product(NodeId id, const Environment* environment);
  Operand comparison(NodeId id, const Environment* environment);
  Operand compared(const Node& node, Operand left, Operand right);
  bool are_comparable(const Node& node, const Operand& left, const Operand& right);
  bool have_same_members(const Operand& left, const Operand& right) const;
  std::string without_quotes(const Operand& left, const Operand& right);
  void set_compared(const Node& node, const Operand& left, const Operand& right);
  void conditions_compared(const Node& node);
  Operand membership(NodeId id, const Environment* environment);
  Operand has(NodeId id, const Environment* environment);
  Operand connective(NodeId id, const Environment* environment);

  std::optional<model::FormulaId> as_condition(const Operand& operand);
  bool as_number(const Operand& operand);
  bool as_value(const Operand& operand);

  // The expression behind parameters: what a name in this environment finally stands for.
  Argument followed(NodeId id, const Environment* environment) const;
  std::optional<Operand> member(const model::Type& of, const Argument& argument, Span span);
  Operand operand_or_member(const Argument& argument, const Operand& other, Span span);

  Operand from_formula(model::FormulaId formula, Span span);
  Operand from_atom(model::Atom atom, Span span);
  model::FormulaId formula(model::Formula formula);
  void grow_known_formulas();
  Operand limited(Operand operand);

  void report(diag::Diagnostic diagnostic);
  Operand wrong(diag::Diagnostic diagnostic);
  Operand wrong();
  Operand unknown_name(std::string_view name, Span span);
  void element_as_value(const Operand& operand);
  Operand unknown_function(std::string_view name, Span span);
  Operand unknown_member(std::string_view of, const model::Type& type, std::string_view name,
                         Span span);
  std::string described(const Operand& operand) const;
  std::string described(const model::Field& parameter) const;
  std::vector<std::string_view> member_names(const model::Type& type) const;
  std::vector<LetIndex> lets_in_order();
  void check_names(const LetDeclaration& let);
  [[nodiscard]] std::string form_of_policies(const Node& node) const;
  [[nodiscard]] bool uses_policies(const LetDeclaration& let) const;
  Operand only_in_policies(std::string_view what, Span span,
                           std::vector<diag::Related> related = {});
  std::optional<Span> division(const Node& node) const;

  const Tree& tree_;
  const Scope& scope_;
  model::Model& model_;
  Reporter& reporter_;
  std::vector<std::optional<Operand>> lets_;  // those without parameters, once resolved
  std::vector<LetIndex> let_order_;
  std::vector<bool> circular_;
  std::vector<bool> of_policies_;
  std::vector<bool> lets_that_ask_;  // by `let`: it uses streams or external functions
  bool asks_ = false;                // the expression under way does
  Part part_ = Part::Rules;
  std::vector<model::SlotId> primed_;                     // that the action under way mentions
  std::unordered_map<std::string, model::AtomId> atoms_;  // by text
  // A hash table with open addressing; its size is a power of two, and hash 0 marks an empty entry.
  struct KnownFormula {
    std::uint32_t hash = 0;
    model::FormulaId formula;
  };
  std::vector<KnownFormula> known_formulas_;
  std::vector<int> depths_;  // of formulas
  int depth_ = 0;
  std::size_t expanded_ = 0;         // nodes of the expansion under way
  std::size_t expanded_in_all_ = 0;  // and of all so far
  std::optional<Span> use_;  // the outermost use of a `let` with parameters that is being expanded
  std::unordered_map<const model::Type*, std::unordered_map<std::string_view, std::size_t>>
      member_indices_;

  // Streams. While expressions are resolved, a field of an element has a slot behind all others,
  // and a quantifier, like a call of an external function, is an atom. add_queries() turns these
  // atoms into queries.
  struct Binding {
    model::StreamId stream;
    std::string name;  // unique among those around it
    std::size_t level = 0;
  };
  struct Quantifier {
    model::QueryNode::Op op;
    model::Window window;
    std::uint32_t binding;
    model::FormulaId body;
    Span span;
  };
  struct Call {
    struct Argument {
      std::optional<model::SlotId> slot;  // or
      Rational constant;
    };
    model::ExternId function;
    std::vector<Argument> arguments;
    Span span;
  };
  class QueryBuilder;
  std::vector<Binding> bindings_;       // each quantifier has its own
  std::vector<std::uint32_t> active_;   // the bindings around the expression under way
  std::size_t lowest_used_ = SIZE_MAX;  // the lowest level of a binding that it reads
  std::vector<model::Place> places_;    // by slot, from kFirstPlace on
  std::unordered_map<std::uint64_t, std::uint32_t> place_rows_;
  std::unordered_map<model::AtomId, Quantifier> quantifiers_;
  std::unordered_map<model::AtomId, Call> calls_;
  std::unordered_map<std::string_view, model::TextId> texts_;
};

}  // namespace poise::lang
