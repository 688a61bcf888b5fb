#pragma once

// The syntax tree: what stands in a model's text, before names and types are looked at. The parser
// builds it, the resolver reads it. Texts are views into the source, which must outlive the tree.
//
// Expressions live in one table and refer to each other by id. Chains of `and`, `or`, sums and
// products are one node with many children, so that a long chain is not a deep tree; depth is at
// most kMaxDepth everywhere, so whoever walks a tree may recurse.
//
// A model of a million rules has many millions of nodes, so a node holds no text, no number and no
// vector of its own; ask the tree:
//
//   for (NodeId child : tree.children(node)) ... tree.nodes[child].kind ...
//   tree.text(node), tree.number(node)

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

#include "poise/base/rational.h"
#include "poise/base/source.h"
#include "poise/base/table.h"

namespace poise::lang {

inline constexpr int kMaxDepth = 400;

using NodeId = Id<struct NodeTag>;

enum class NodeKind : std::uint8_t {
  Number,   // 5, 0.25; also 350ms, 60s, 5m, 2h: then a number of seconds
  Boolean,  // true, false
  Text,     // "x17"
  Name,     // gps.speed, home
  Primed,   // disF', without a blank
  Call,     // near(a, b): children are the arguments
  Braces,   // {a, b}: children are Name, Boolean, Number or Negate of a Number; only behind
            // `in`, `:=` and `=`, and behind `in` always
  Negate,   // -x
  Sum,      // a + b - c: a child that is `subtracted` stands behind a minus
  Product,  // a * b / c: a child that is `divided` stands behind a slash
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,  // two children
  In,
  Has,
  Is,   // two children; the second is Braces behind `in`, else a Name
  Not,  // one child
  And,
  Or,  // two or more children
  Implies,
  Iff,  // two children
  Exists,
  All,  // exists b in B[last 60s]: … has three children: a Name, a Name, Last or Next, a condition
  Last,
  Next,  // B[last 60s]: a Name and a Number, which is a duration; only in a quantifier
  // Of policies:
  If,    // if C then A else B: three children
  Held,  // C held 10s: a condition and a Number
  Past,  // rate of x over 60s: a value and, if there is one, a Number; the operator is the word
         // before `of`: rate, max, min, mean or previous
};

struct Node {
  NodeKind kind;
  bool parenthesized = false;
  bool subtracted = false;  // the parent is a Sum and this is one of its terms behind a `-`
  bool divided = false;     // the parent is a Product and this stands behind a `/`
  Span span;                // all of it, without enclosing parentheses
  Span operator_span = {};  // the operator or the callee's name; in a chain the first operator
  std::uint32_t first_child = 0;  // a row of Tree::links; read with Tree::children
  std::uint32_t child_count = 0;
};

struct Name {
  std::string_view text;
  Span span;
};

struct BoolType {};
struct NumberType {
  bool whole;           // int, else real
  bool bounded = true;  // else it has no range: only of a `var`
  Rational low;
  Rational high;
  Span low_span;
  Span high_span;
};
struct MembersType {
  bool set;  // set {...}, else an enumeration
  std::vector<Name> members;
};
struct Type {
  std::variant<BoolType, NumberType, MembersType> shape;
  Span span;
};

struct Bound {
  Rational value;
  Span span;
};
struct ErrorClause {  // error LOW..HIGH [LAW]
  Bound low;
  Bound high;
  enum class Law { Uniform, Gauss, Triangle, Table };
  Law law = Law::Uniform;
  Span law_span;               // its word, if there is one
  std::vector<Bound> numbers;  // Gauss: the deviation; Table: the weights
  Span span;
};

struct TermClause {  // NAME = SHAPE NUMBER ...
  Name name;
  Name shape;                  // trapezoid, triangle, ramp, singleton or table
  std::vector<Bound> numbers;  // of a table x and y in turn
  Span span;
};
struct ScaleClause {  // scale log, scale linear
  bool log;
  Span span;
};

// A declaration's span starts at its keyword and ends with its last token.
//
// sense NAME : TYPE [if NAME] [ERROR] [step N] [scale log] [weight N] [term TERM, ...]
// var NAME : TYPE = VALUE [ERROR]
// variant NAME : TYPE = VALUE [step N]
struct VariableDeclaration {
  bool own;      // var or variant, else sense
  bool variant;  // variant
  Name name;
  Type type;
  std::optional<Name> guard;
  std::optional<NodeId> initial;  // a literal, a member's name or Braces
  std::optional<ErrorClause> error;
  std::optional<Bound> step;
  std::optional<ScaleClause> scale;
  std::optional<Bound> weight;
  std::vector<TermClause> terms;
  Span span;
};
struct LetDeclaration {  // let NAME [(NAME, ...)] = EXPR
  Name name;
  std::vector<Name> parameters;
  bool has_parameters;  // let f() = ... is not let f = ...
  NodeId body;
  Span span;
};
struct ConstraintDeclaration {  // constraint [NAME:] EXPR
  std::optional<Name> name;
  NodeId condition;
  Span span;
};
struct StartDeclaration {  // start [NAME:] EXPR
  std::optional<Name> name;
  NodeId condition;
  Span span;
};
struct FieldDeclaration {  // NAME: TYPE
  Name name;
  std::optional<Type> type;  // none for `string`
};
struct StreamDeclaration {  // stream NAME { FIELD, ... }
  Name name;
  std::vector<FieldDeclaration> fields;
  Span span;
};
struct ExternDeclaration {  // extern NAME(PARAMETER: TYPE, ...)
  Name name;
  std::vector<FieldDeclaration> parameters;  // the range of a number says nothing
  Span span;
};
struct ActionDeclaration {  // action NAME: CONDITION
  Name name;
  NodeId condition;
  Span span;
};
struct FailureCase {  // CONDITION after ACTION
  NodeId condition;
  Name after;
  Span span;
};
struct FailureDeclaration {  // failure NAME: CASE, ...
  Name name;
  std::vector<FailureCase> cases;
  Span span;
};
struct StateDeclaration {  // one per name: state A initial, B is two
  Name name;
  bool initial;
  bool final;
  Span marker;  // the word initial or final, whichever came last
};
struct Action {  // NAME := LITERAL, or NAME
  Name name;
  std::optional<NodeId> value;
  Span span;
};
struct RuleDeclaration {
  Name name;
  std::vector<Name> from;
  Name to;
  std::optional<std::int64_t> priority;
  NodeId when;
  std::vector<Action> actions;
  Span span;
};

// ---- Policies ----

struct TickDeclaration {  // tick DURATION
  Bound duration;
  Span span;
};
struct UtilityDeclaration {  // utility [of OPTION] : real LOW..HIGH [= VALUE] [METHOD] [term TERM,
                             // ...]
  std::optional<Name> option;
  NumberType range;
  Span range_span;
  std::optional<Bound> otherwise;
  std::optional<Name> method;  // sugeno or mamdani
  std::vector<TermClause> terms;
  Span span;
};
struct OptionAssignment {  // NAME := EXPR
  Name name;
  NodeId value;
  Span span;
};
struct OptionDeclaration {  // option NAME: ASSIGNMENT, ... [when EXPR] [cooldown DURATION]
  Name name;
  std::vector<OptionAssignment> assignments;
  std::optional<NodeId> when;
  std::optional<Bound> cooldown;
  Span span;
};
struct PreferDeclaration {  // prefer OPTION TERM [weight N] when EXPR
  Name option;
  Name term;
  std::optional<Bound> weight;
  NodeId when;
  Span span;
};
struct ExpectDeclaration {  // expect [NAME:] ...
  enum class Kind {
    Holds,    // EXPR
    Stable,   // stable within DURATION
    Changes,  // at most N changes [of VARIANT] in DURATION
    Base,     // base within DURATION
    Rises,    // VARIANT rises with SENSE [within DURATION]
    Falls,    // VARIANT falls with SENSE [within DURATION]
  };
  Kind kind;
  std::optional<Name> name;
  std::optional<NodeId> condition;
  std::optional<Bound> duration;
  std::optional<Bound> count;
  std::optional<Name> variant;
  std::optional<Name> property;
  Span text;  // without `expect` and the name
  Span span;
};

using Declaration =
    std::variant<VariableDeclaration, LetDeclaration, ConstraintDeclaration, StreamDeclaration,
                 ExternDeclaration, ActionDeclaration, FailureDeclaration, StateDeclaration,
                 RuleDeclaration, TickDeclaration, UtilityDeclaration, OptionDeclaration,
                 PreferDeclaration, ExpectDeclaration, StartDeclaration>;

struct Tree {
  std::string_view source;
  std::optional<Name> model;
  std::vector<Declaration> declarations;  // in source order; those with mistakes are left out
  bool whole = true;                      // none was left out
  bool policy = false;  // there is a `variant`, `utility`, `option`, `prefer` or `expect`, or
                        // something that should have been one
  Table<NodeId, Node> nodes;
  std::vector<NodeId> links;  // the children of every node, side by side
  // What the declarations that were left out would have declared, as far as it could be read: a
  // use of such a name is no mistake of its own.
  std::vector<std::string_view> broken_names;

  [[nodiscard]] std::span<const NodeId> children(const Node& node) const;
  // Name, Primed, Call: the name. Text: what is between the quotes. Else all of the expression, as
  // written.
  [[nodiscard]] std::string_view text(const Node& node) const;
  [[nodiscard]] Rational number(
      const Node& node) const;  // of a Number; exact, in seconds if a duration
};

}  // namespace poise::lang
