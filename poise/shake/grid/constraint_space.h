#pragma once

// The grid as a constraint problem, for those who have to find valid instances: representative
// values are bits of a domain, a constraint over two properties is a table of bits, and what an
// assignment rules out elsewhere is found at once (arc consistency), so that a search seldom runs
// into a dead end: never, where the constraints form a tree, as orders of properties do.
//
// A property with a guard has one value more than the grid says, its last: none. A guard is a
// constraint over two properties like another. Constraints over more are looked at as soon as few
// enough combinations are left; in the end each is looked at with all its values.
//
//   const ConstraintSpace space(grid);
//   SpaceSearch search(space);
//   if (search.assign(0, 3) && search.complete() == SpaceSearch::Answer::Yes) … search.instance() …

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "poise/shake/grid/grid.h"

namespace poise::shake {

class ConstraintSpace {
 public:
  explicit ConstraintSpace(const Grid& grid);  // the grid must outlive it

  [[nodiscard]] const Grid& grid() const { return *grid_; }
  [[nodiscard]] std::size_t properties() const { return counts_.size(); }
  // Without none.
  [[nodiscard]] std::size_t values(std::size_t property) const {
    return grid_->properties[property].values.size();
  }
  [[nodiscard]] std::size_t values_and_none(std::size_t property) const {
    return counts_[property];
  }
  [[nodiscard]] Index outward(std::size_t property, std::size_t value) const {
    return value < values(property) ? static_cast<Index>(value) : kNoValue;
  }

  // Properties that hang together by constraints and guards. What holds within one component says
  // nothing about another.
  [[nodiscard]] std::uint32_t component(std::size_t property) const { return component_[property]; }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& components() const {
    return components_;
  }
  // A constraint without any property fails: nothing is valid.
  [[nodiscard]] bool contradiction() const { return contradiction_; }

  // Whether the values of a constraint's scope are allowed, all of them given.
  struct Wide {
    std::vector<std::size_t> scope;
    const GridConstraint* constraint;
    std::vector<bool> table;  // by combination, the last property fastest; empty: too large
  };
  [[nodiscard]] bool allows(const Wide& wide, std::span<const std::size_t> values) const;

  // Of two properties: for each value of the first, the allowed ones of the second; and back.
  struct Link {
    std::size_t from = 0;
    std::size_t to = 0;
    std::vector<std::uint64_t> rows;  // words(to) for each value of `from`
  };
  [[nodiscard]] const std::vector<Link>& links() const { return links_; }
  [[nodiscard]] const std::vector<Wide>& wides() const { return wides_; }
  [[nodiscard]] const std::vector<std::uint32_t>& links_from(std::size_t property) const {
    return links_from_[property];
  }
  [[nodiscard]] const std::vector<std::uint32_t>& wides_of(std::size_t property) const {
    return wides_of_[property];
  }
  [[nodiscard]] std::size_t words(std::size_t property) const {
    return (counts_[property] + 63) / 64;
  }
  // Where the words of its domain begin, in an array for all properties.
  [[nodiscard]] std::size_t offset(std::size_t property) const { return offsets_[property]; }
  // What constraints over one property leave.
  [[nodiscard]] const std::vector<std::uint64_t>& domains() const { return domains_; }

 private:
  void add(const GridConstraint& constraint);
  template <class Allows>
  void add_link(std::size_t first, std::size_t second, const Allows& allows);
  Link& link(std::size_t from, std::size_t to);
  [[nodiscard]] double value(std::size_t property, std::size_t value) const;
  void find_components();

  const Grid* grid_;
  std::vector<std::size_t> counts_;
  std::vector<std::size_t> offsets_;
  std::vector<std::uint64_t> domains_;
  std::vector<Link> links_;
  std::vector<Wide> wides_;
  std::vector<std::vector<std::uint32_t>> links_from_;
  std::vector<std::vector<std::uint32_t>> wides_of_;
  std::vector<std::uint32_t> component_;
  std::vector<std::vector<std::size_t>> components_;
  bool contradiction_ = false;
};

// What is left of the domains after some assignments. Changes are undone in the order of a stack.
class SpaceSearch {
 public:
  inline static constexpr std::uint64_t kNoLimit = UINT64_MAX;
  explicit SpaceSearch(const ConstraintSpace& space, std::uint64_t steps = kNoLimit);

  // Constraints have not ruled out everything yet.
  [[nodiscard]] bool possible() const { return possible_; }
  [[nodiscard]] std::size_t count(std::size_t property) const { return counts_[property]; }
  [[nodiscard]] bool has(std::size_t property, std::size_t value) const {
    return ((words_[space_->offset(property) + value / 64] >> (value % 64)) & 1) != 0;
  }
  [[nodiscard]] std::size_t first(std::size_t property) const;  // of what is left

  // Both say whether something is left of every domain. If not, undo() must follow.
  bool assign(std::size_t property, std::size_t value);
  bool remove(std::size_t property, std::size_t value);
  bool restrict_to(std::size_t property, std::span<const std::uint64_t> allowed);

  using Mark = std::size_t;
  [[nodiscard]] Mark mark() const { return trail_.size(); }
  void undo(Mark mark);

  // Assigns what is left, in one component or everywhere. Unless the answer is Yes, everything is
  // as before. `prefer` turns the order in which values are tried.
  enum class Answer { Yes, No, OutOfSteps };
  Answer complete(std::size_t prefer = 0);
  Answer complete(std::uint32_t component, std::size_t prefer = 0);

  [[nodiscard]] std::uint64_t steps_left() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }

  // Only if one value is left of every domain.
  [[nodiscard]] Instance instance() const;

 private:
  struct Change {
    std::size_t word;
    std::uint64_t before;
    std::size_t property;
  };
  bool keep(std::size_t property, std::size_t word, std::uint64_t bits);
  bool propagate();
  bool revise(const ConstraintSpace::Link& link);
  bool revise(const ConstraintSpace::Wide& wide);
  Answer complete(std::span<const std::size_t> properties, std::size_t prefer);

  const ConstraintSpace* space_;
  std::vector<std::uint64_t> words_;
  std::vector<std::size_t> counts_;
  std::vector<Change> trail_;
  std::vector<std::size_t> queue_;  // properties of which something was ruled out
  std::vector<bool> queued_;
  std::uint64_t steps_;
  bool possible_ = true;
};

}  // namespace poise::shake
