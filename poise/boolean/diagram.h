#pragma once

// Reduced ordered binary decision diagrams in an arena of their own: no globals, no reference
// counts. An arena is made for one question (a state and its surroundings), and dropped or cleared
// as a whole, so that each question has the variable order that suits it. docs/decisions/0008 says
// why this is our own.
//
//   Arena arena;
//   const Variable a = arena.add_variable(), b = arena.add_variable();
//   const Node both = arena.conjunction(arena.literal(a), arena.literal(b));
//
// A node is an index; equal functions have equal nodes. An operation that would exceed the limit of
// nodes, or the budget, makes the arena *give up*: from then on its answers mean nothing. Callers
// must look at gave_up() before they believe an answer; it is enough to do so at the end.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "poise/base/budget.h"
#include "poise/base/integer.h"

namespace poise::boolean {

using Node = std::uint32_t;
inline constexpr Node kFalse = 0;
inline constexpr Node kTrue = 1;

// The number of a variable never changes; its place in the order (level) can, when others are
// inserted before it.
using Variable = std::uint32_t;

// The phase of a variable that may be true or false (0 is false, 1 true).
inline constexpr std::uint8_t kFreePhase = 2;

struct ArenaLimits {
  std::size_t nodes = std::size_t{1} << 23;
  // Operations recurse once per variable.
  std::size_t variables = 10'000;
};

class Arena {
 public:
  explicit Arena(ArenaLimits limits = {}, Budget* budget = nullptr);

  // Adds a variable at the end of the order, or right behind or before another. Existing diagrams
  // stay valid, because the order of the variables in them does not change.
  Variable add_variable();
  Variable add_variable_behind(Variable other);
  Variable add_variable_before(Variable other);
  [[nodiscard]] std::size_t variable_count() const { return level_.size() - 1; }
  // The variables, first in the order first.
  [[nodiscard]] const std::vector<Variable>& order() const { return order_; }

  [[nodiscard]] Node literal(Variable variable, bool holds = true);
  [[nodiscard]] Node negation(Node a);
  [[nodiscard]] Node conjunction(Node a, Node b);
  [[nodiscard]] Node disjunction(Node a, Node b);
  [[nodiscard]] Node difference(Node a, Node b);  // a and not b
  [[nodiscard]] Node equivalence(Node a, Node b);
  [[nodiscard]] Node choice(Node condition, Node then, Node otherwise);
  // Whether a and b can hold together; builds no nodes.
  [[nodiscard]] bool meet(Node a, Node b);
  [[nodiscard]] bool implies(Node a, Node b) { return difference(a, b) == kFalse; }

  // Whether `a` can hold while variables have these phases: 0 is false, 1 is true, anything else is
  // free. Indexed by variable; those beyond the end are free. Builds no nodes.
  [[nodiscard]] bool can_hold(Node a, const std::vector<std::uint8_t>& phases);

  // Existential quantification over every variable that is not kept. `kept` is indexed by variable;
  // those beyond its end are not kept.
  [[nodiscard]] Node projection(Node a, const std::vector<bool>& kept);
  // Simultaneous substitution: each variable is replaced by a function, or stays if that is
  // kUnchanged. Indexed by variable; those beyond the end stay.
  static constexpr Node kUnchanged = std::numeric_limits<Node>::max();
  [[nodiscard]] Node composition(Node a, std::span<const Node> replacements);

  // By variable: 0 or 1 if it has this value wherever `a` holds, else 2. `a` must be satisfiable.
  [[nodiscard]] std::vector<std::uint8_t> settled(Node a);
  // The variables it depends on, in the order.
  [[nodiscard]] std::vector<Variable> support(Node a);
  // Whether it depends on the kept variables only.
  [[nodiscard]] bool depends_only_on(Node a, const std::vector<bool>& kept);
  // Model counting: how many assignments to the counted variables satisfy `a`, which must depend on
  // no others.
  [[nodiscard]] Integer count(Node a, const std::vector<bool>& counted);

  // A satisfying assignment in which as few as possible of the variables that weigh are true. Of
  // several the one that comes first if false precedes true, in the variable order. Indexed by
  // variable; variables that do not matter are false. `a` must be satisfiable.
  [[nodiscard]] std::vector<bool> lightest(Node a, const std::vector<bool>& weighs);

  struct Inside {
    Variable variable;
    Node low;
    Node high;
  };
  [[nodiscard]] bool is_constant(Node a) const { return a <= kTrue; }
  [[nodiscard]] Inside inside(Node a) const { return nodes_[a]; }
  [[nodiscard]] std::uint32_t level(Node a) const { return level_[nodes_[a].variable]; }
  [[nodiscard]] std::uint32_t level_of(Variable variable) const { return level_[variable]; }
  [[nodiscard]] Node node(Variable variable, Node low, Node high);

  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  // How many nodes one diagram has, without the constants.
  [[nodiscard]] std::size_t size_of(Node a);
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  // Why, in words.
  [[nodiscard]] std::string_view gave_up_because() const { return because_; }

  // Changes whenever nodes change their meaning, by clear() or collect(). Caches of nodes outside
  // the arena are void then.
  [[nodiscard]] std::uint64_t generation() const { return generation_; }

  // Drops everything, variables included. The cost does not depend on how much there was.
  void clear();
  // Garbage collection: drops all nodes that no root needs, and updates the roots in place, because
  // nodes are renumbered.
  void collect(std::span<Node* const> roots);

 private:
  // An entry of the computed table: an operation and its result. It is a cache without chains; a
  // new entry overwrites the old one in its place.
  struct Cached {
    Node a = kNone;
    Node b = kNone;
    Node c = kNone;
    Node result = kNone;
  };
  static constexpr Node kNone = std::numeric_limits<Node>::max();
  enum class Operation : Node { And, Or, Difference, Equivalence, Not, Meet };

  [[nodiscard]] Node found_or_made(Variable variable, Node low, Node high);
  [[nodiscard]] Cached& cached(Node a, Node b, Node c);
  template <Operation operation>
  [[nodiscard]] Node binary(Node a, Node b);
  template <Operation operation>
  [[nodiscard]] static Node shortcut(Node a, Node b);
  void grow();
  Variable insert_variable(std::size_t place);
  void renumber_from(std::size_t place);
  void give_up(std::string_view because);
  // Seen: the nodes that one traversal has met. Known: the same, with an answer for each. They use
  // arrays of the arena, so only one of them can be in use at a time.
  class Seen;
  template <class Answer>
  class Known;

  template <class Number>
  Number count_as(Node a, const std::vector<std::uint32_t>& place, std::uint32_t places);

  ArenaLimits limits_;
  Budget* budget_;
  std::vector<Inside> nodes_;
  std::vector<std::uint32_t> level_;  // by variable; variable 0 stands for the constants
  std::vector<Variable> order_;
  std::vector<Node> table_;  // the unique table: open addressing, a power of two
  std::vector<Cached> cache_;
  std::size_t table_mask_ = 0;
  std::size_t cache_mask_ = 0;
  std::vector<std::uint32_t> stamps_;  // by node: the stamp of the last traversal that met it
  std::vector<std::uint32_t> places_;  // by node: the index of its answer in that traversal
  std::uint32_t stamp_ = 0;
  std::uint64_t generation_ = 0;
  bool gave_up_ = false;
  std::string_view because_;
};

}  // namespace poise::boolean
