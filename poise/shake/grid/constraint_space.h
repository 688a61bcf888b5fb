#pragma once

// The grid as a constraint satisfaction problem, for finding valid instances. The values that a
// property may still have are the bits of its *domain*; a constraint on two properties is a table
// of bits. Each assignment is propagated at once: values that nothing supports any more are removed
// (arc consistency). So a search seldom runs into a dead end; never if the constraints form a tree,
// such as a chain a <= b <= c.
//
// A property with a guard has one more value than in the grid, its last: "no value". So a guard is
// a constraint on two properties like any other. A constraint on three properties or more is
// propagated once at most 4,096 combinations of its values are left; when all have one value, it is
// checked.
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
  // How many values a property has; the second counts "no value", too.
  [[nodiscard]] std::size_t values(std::size_t property) const {
    return grid_->properties[property].values.size();
  }
  [[nodiscard]] std::size_t values_and_none(std::size_t property) const {
    return counts_[property];
  }
  // A value as the grid has it.
  [[nodiscard]] Index outward(std::size_t property, std::size_t value) const {
    return value < values(property) ? static_cast<Index>(value) : kNoValue;
  }

  // Components of properties that constraints and guards connect. Each can be solved by itself.
  [[nodiscard]] std::uint32_t component(std::size_t property) const { return component_[property]; }
  [[nodiscard]] const std::vector<std::vector<std::size_t>>& components() const {
    return components_;
  }
  // A constraint that reads no property is false: no instance is valid.
  [[nodiscard]] bool contradiction() const { return contradiction_; }

  // A constraint on three properties or more.
  struct Wide {
    std::vector<std::size_t> scope;
    const GridConstraint* constraint;
    std::vector<bool> table;  // by combination, the last property fastest; empty: too large
  };
  // `values`: one for each property of the scope.
  [[nodiscard]] bool allows(const Wide& wide, std::span<const std::size_t> values) const;

  // All constraints on two properties in one direction: for each value of `from`, the values of
  // `to` that are allowed with it. Each link has its reverse.
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
  // Where the words of a property's domain begin, in an array of the domains of all properties.
  [[nodiscard]] std::size_t offset(std::size_t property) const { return offsets_[property]; }
  // The domains that constraints on one property leave.
  [[nodiscard]] const std::vector<std::uint64_t>& domains() const { return domains_; }

 private:
  void add(const GridConstraint& constraint);
  template <class Allows>
  void add_link(std::size_t first, std::size_t second, const Allows& allows);
  Link& link(std::size_t from, std::size_t to);
  [[nodiscard]] double value(std::size_t property, std::size_t value) const;
  void find_components();

  const Grid* grid_;
  std::vector<std::size_t> counts_;  // by property: values, and "no value"
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

// The domains after some assignments. Every change goes on a trail; undo() goes back to a mark.
class SpaceSearch {
 public:
  inline static constexpr std::uint64_t kNoLimit = UINT64_MAX;
  explicit SpaceSearch(const ConstraintSpace& space, std::uint64_t steps = kNoLimit);

  // False if propagation showed at the start that no instance is valid.
  [[nodiscard]] bool possible() const { return possible_; }
  [[nodiscard]] std::size_t count(std::size_t property) const { return counts_[property]; }
  [[nodiscard]] bool has(std::size_t property, std::size_t value) const {
    return ((words_[space_->offset(property) + value / 64] >> (value % 64)) & 1) != 0;
  }
  [[nodiscard]] std::size_t first(std::size_t property) const;  // of what is left

  // Change a domain and propagate. False if some domain got empty; then undo() must follow.
  bool assign(std::size_t property, std::size_t value);
  bool remove(std::size_t property, std::size_t value);
  bool restrict_to(std::size_t property, std::span<const std::uint64_t> allowed);

  using Mark = std::size_t;
  [[nodiscard]] Mark mark() const { return trail_.size(); }
  void undo(Mark mark);

  // Assigns all properties that have several values left, of one component or all. Unless the
  // answer is Yes, everything is as before. `prefer` rotates the order in which values are tried,
  // so that different searches find different instances.
  enum class Answer { Yes, No, OutOfSteps };
  Answer complete(std::size_t prefer = 0);
  Answer complete(std::uint32_t component, std::size_t prefer = 0);

  [[nodiscard]] std::uint64_t steps_left() const { return steps_; }
  void set_steps(std::uint64_t steps) { steps_ = steps; }

  // The instance; every domain must have exactly one value left.
  [[nodiscard]] Instance instance() const;

 private:
  struct Change {  // a word of a domain, as it was before
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
  std::vector<std::size_t> queue_;  // properties whose domains shrank, to be propagated
  std::vector<bool> queued_;
  std::uint64_t steps_;  // assignments that may still be tried
  bool possible_ = true;
};

}  // namespace poise::shake
