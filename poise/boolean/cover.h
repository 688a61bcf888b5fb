#pragma once

// A short disjunction of conjunctions for a function given as a diagram: an irredundant sum of
// products (Minato and Morreale), then every conjunction widened as far as the don't-cares let it.
// Some functions have a short one only for their opposite.

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

// Functions that have much in common, such as the conditions of paths with a common beginning, are
// covered the faster for it: what is known of their parts is kept.
class Covers {
 public:
  explicit Covers(Arena& arena) : arena_(arena) {}

  // Cubes that hold wherever `on` does and nowhere outside `allowed`, which contains `on`. No cube
  // can lose a literal and none can be left out, as long as there are few; nothing where there are
  // more than `most`, or the arena gave up.
  [[nodiscard]] std::optional<std::vector<Cube>> of(Node on, Node allowed, std::size_t most);

  struct Cover {
    std::vector<Cube> cubes;
    bool of_opposite = false;  // these say where it does not hold
  };
  // The same, or of the opposite where there are many cubes and fewer of these.
  [[nodiscard]] std::optional<Cover> shorter_of(Node on, Node allowed, std::size_t most);

 private:
  // The cubes of a function, in a shared form: a list branches by a variable's two literals and its
  // absence. List 0 is empty, list 1 is one empty cube.
  using ListId = std::uint32_t;
  struct List {
    Variable variable = 0;
    ListId low = 0;
    ListId high = 0;
    ListId both = 0;
    std::uint32_t count = 0;  // of cubes; no more than 2^30
  };
  struct Answer {
    Node function = kFalse;
    ListId list = 0;
  };

  // Open hashing by both bounds; 0 is no key, since nothing is asked between false and false.
  struct Known {
    std::uint64_t key = 0;
    Answer answer;
  };

  // Nothing where it takes more than so many steps.
  [[nodiscard]] std::optional<Answer> between_within(std::size_t steps, Node on, Node allowed);
  [[nodiscard]] Answer between(Node on, Node allowed);
  [[nodiscard]] Known& known(std::uint64_t key);
  void grow();
  [[nodiscard]] std::uint32_t count(ListId list) const;
  void unfold(ListId list, Cube& prefix, std::vector<Cube>& cubes) const;
  void forget();
  void forget_if_stale();

  Arena& arena_;
  std::uint64_t generation_ = 0;
  std::vector<Known> known_;
  std::size_t known_count_ = 0;
  std::vector<List> lists_;  // from ListId 2 on
  std::size_t steps_left_ = 0;
  bool out_of_steps_ = false;
};

}  // namespace poise::boolean
