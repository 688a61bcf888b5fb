#pragma once

// A short disjunction of conjunctions (cubes) for a function given as a diagram. First an
// irredundant sum of products by the recursion of Minato and Morreale. Then, if there are few
// cubes, each is widened: literals are dropped while the cube stays within the don't-cares, and
// cubes that became superfluous are dropped. Some functions are short only in their negation, so
// that may be covered instead.

#include <cstdint>
#include <optional>
#include <vector>

#include "poise/boolean/diagram.h"

namespace poise::boolean {

struct VariableLiteral {
  Variable variable;
  bool holds;
  friend bool operator==(const VariableLiteral&, const VariableLiteral&) = default;
};
using Cube = std::vector<VariableLiteral>;  // in the arena's order

// Answers for parts of functions are kept from call to call, until the arena drops nodes. So
// functions that share much, such as the conditions of paths with a common prefix, are covered
// faster one after another.
class Covers {
 public:
  explicit Covers(Arena& arena) : arena_(arena) {}

  // Cubes that cover `on` and stay within `allowed`, which contains `on`; what is between the two
  // is don't-care. None can be left out. If there are few cubes, or no don't-cares, none can lose a
  // literal either. Nothing if there are more than `most`, or if the arena gave up.
  [[nodiscard]] std::optional<std::vector<Cube>> of(Node on, Node allowed, std::size_t most);

  struct Cover {
    std::vector<Cube> cubes;
    bool of_opposite = false;  // the cubes cover the negation of the function
  };
  // The same, or a cover of the negation if that has fewer cubes and the function itself has many.
  [[nodiscard]] std::optional<Cover> shorter_of(Node on, Node allowed, std::size_t most);

 private:
  // The cubes of a function as a graph that shares common parts, much like a zero-suppressed
  // diagram: a list consists of cubes with the variable false, with it true, and without it. List 0
  // has no cube, list 1 has one empty cube.
  using ListId = std::uint32_t;
  struct List {
    Variable variable = 0;
    ListId low = 0;
    ListId high = 0;
    ListId both = 0;          // the cubes without the variable
    std::uint32_t count = 0;  // of cubes; saturates at 2^30
  };
  struct Answer {
    Node function = kFalse;  // the disjunction of the cubes
    ListId list = 0;
  };

  // A hash table with open addressing. The key is both bounds; 0, for false and false, is never
  // looked up and marks a free entry.
  struct Known {
    std::uint64_t key = 0;
    Answer answer;
  };

  // between() with a limit of steps; nothing if it takes more.
  [[nodiscard]] std::optional<Answer> between_within(std::size_t steps, Node on, Node allowed);
  // The recursion of Minato and Morreale: a cover of some function between `on` and `allowed`.
  [[nodiscard]] Answer between(Node on, Node allowed);
  [[nodiscard]] Known& known(std::uint64_t key);
  void grow();
  [[nodiscard]] std::uint32_t count(ListId list) const;
  void unfold(ListId list, Cube& prefix, std::vector<Cube>& cubes) const;
  void forget();
  void forget_if_stale();

  Arena& arena_;
  std::uint64_t generation_ = 0;  // of the arena, when the answers were found
  std::vector<Known> known_;      // a power of two
  std::size_t known_count_ = 0;
  std::vector<List> lists_;  // from ListId 2 on
  std::size_t steps_left_ = 0;
  bool out_of_steps_ = false;
};

}  // namespace poise::boolean
