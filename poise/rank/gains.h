#pragma once

// Information gain, Eq. 5 of the AFChecker paper, for many cases: by how much a verdict on one case
// is expected to lower the entropy of all others. Taken literally, that is a step for each pair of
// cases.
//
// A verdict on a case c changes the confidence of the constraints that c violates, and of no
// others. Consider all cases that relate to a given set of constraints: what a verdict on c does to
// them depends only on which constraints of this set c violates. There are few sets, and within
// each few such combinations. So the entropy of a whole set after a verdict is worked out once for
// each combination, and the gain of a case is a sum over sets.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace poise::rank {

// The entropy, in bits, of something that is true with probability p.
[[nodiscard]] double entropy(double p);
// The probability of a case by Eqs. 2 and 3: 1 - conflict / weight, and 1 if the weight is 0.
[[nodiscard]] double probability_of(double conflict, double weight);

// A set of constraints, one bit each.
using Bits = std::vector<std::uint64_t>;

class Gains {
 public:
  // Constraints to which some cases relate.
  struct Set {
    Bits related;
    double weight;  // the sum of their confidences
  };
  // Cases that relate to the same constraints and violate the same.
  struct Class {
    std::uint32_t set;
    Bits violated;
    double conflict;   // the sum of the confidences of what is violated
    std::size_t open;  // how many of the cases have no verdict
  };
  // What either verdict adds to the confidence of a constraint, if the case violates it.
  struct Change {
    double if_confirmed = 0;
    double if_rejected = 0;
    void operator+=(const Change& other) {
      if_confirmed += other.if_confirmed;
      if_rejected += other.if_rejected;
    }
  };

  // The vectors must outlive it; `changes` is by constraint. After `most_steps` entropies, gains
  // are left open.
  Gains(const std::vector<Change>& changes, const std::vector<Set>& sets,
        const std::vector<Class>& classes, std::size_t most_steps);

  // The gain of one case of the class; none once the steps are spent.
  [[nodiscard]] std::optional<double> of(std::uint32_t the_class);

 private:
  // The sum of entropies, over the open cases of a set, after either verdict.
  using Entropies = Change;
  // The entropies of a set by the constraints that the inspected case violates in it. A hash table
  // with open addressing.
  struct Known {
    std::vector<std::uint64_t> keys;  // the words of all keys, one key after another
    std::vector<Entropies> entropies;
    std::vector<std::uint32_t> table;  // indices into `entropies`
  };
  [[nodiscard]] const Entropies& entropies(std::uint32_t set, const Bits& violated);
  [[nodiscard]] Change change_of(const Bits& a, const Bits& b) const;
  [[nodiscard]] Entropies entropies_of(const Class& one, const Bits& violated,
                                       const Change& of_weight) const;
  static void grow(Known& known, std::size_t words);

  const std::vector<Change>& changes_;
  const std::vector<Set>& sets_;
  const std::vector<Class>& classes_;
  std::size_t steps_left_;
  std::vector<std::vector<std::uint32_t>> members_;  // by set: classes with open cases
  std::vector<double> now_;                          // by set: their entropies before a verdict
  std::vector<Known> known_;                         // by set
  Bits key_;
};

}  // namespace poise::rank
