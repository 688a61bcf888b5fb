#pragma once

// Eq. 5 of the AFChecker paper for many cases: the information that a verdict on one gives about
// all others. As it stands, the sum takes a step for each pair of cases.
//
// A verdict changes the confidence of what its case violates. To the cases that relate to a given
// set of constraints, only what lies in this set matters. There are few sets, and within each there
// are few different things that can be violated: what they do to the whole set is worked out once.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace poise::rank {

// In bits, of something that is true with probability p.
[[nodiscard]] double entropy(double p);
// Eqs. 2 and 3.
[[nodiscard]] double probability_of(double conflict, double weight);

// Which of the constraints, a bit each.
using Bits = std::vector<std::uint64_t>;

class Gains {
 public:
  struct Set {
    Bits related;
    double weight;
  };
  // Cases that relate to the same constraints and violate the same.
  struct Class {
    std::uint32_t set;
    Bits violated;
    double conflict;
    std::size_t open;  // how many without a verdict
  };
  // What either verdict adds to the confidence of a constraint that the case violates.
  struct Change {
    double if_confirmed = 0;
    double if_rejected = 0;
    void operator+=(const Change& other) {
      if_confirmed += other.if_confirmed;
      if_rejected += other.if_rejected;
    }
  };

  // All must outlive it. After so many steps, gains are left open.
  Gains(const std::vector<Change>& changes, const std::vector<Set>& sets,
        const std::vector<Class>& classes, std::size_t most_steps);

  // Of one case of the class.
  [[nodiscard]] std::optional<double> of(std::uint32_t the_class);

 private:
  // Of all open cases of a set, the sums of entropies after a verdict.
  using Entropies = Change;
  // By what is violated in the set; open hashing.
  struct Known {
    std::vector<std::uint64_t> keys;  // one after another
    std::vector<Entropies> entropies;
    std::vector<std::uint32_t> table;
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
  std::vector<double> now_;                          // by set: the sum of their entropies
  std::vector<Known> known_;                         // by set
  Bits key_;
};

}  // namespace poise::rank
