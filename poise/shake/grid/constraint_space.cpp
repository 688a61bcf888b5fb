#include "poise/shake/grid/constraint_space.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "poise/base/check.h"

namespace poise::shake {

namespace {

// Constraints on three properties or more: up to kTableSize combinations they become a table, and
// they are propagated once at most kLookedAt combinations are left.
constexpr std::size_t kTableSize = std::size_t{1} << 16;
constexpr std::size_t kLookedAt = 4096;

std::uint64_t bit(std::size_t value) { return std::uint64_t{1} << (value % 64); }

// Visits every combination of values below the given counts, the last one fastest.
template <class Visit>
void for_each_combination(std::span<const std::size_t> counts, const Visit& visit) {
  std::vector<std::size_t> values(counts.size(), 0);
  if (std::ranges::find(counts, std::size_t{0}) != counts.end()) return;
  for (;;) {
    visit(std::span<const std::size_t>(values));
    std::size_t place = counts.size();
    while (place > 0 && ++values[place - 1] == counts[place - 1]) values[--place] = 0;
    if (place == 0) return;
  }
}

}  // namespace

// ---- The problem ----

ConstraintSpace::ConstraintSpace(const Grid& grid) : grid_(&grid) {
  for (const Property& property : grid.properties) {
    offsets_.push_back(domains_.size());
    counts_.push_back(property.values.size() + (property.guard ? 1 : 0));
    for (std::size_t value = 0; value < counts_.back(); value += 64) {
      const std::size_t left = counts_.back() - value;
      domains_.push_back(left >= 64 ? ~std::uint64_t{0} : bit(left) - 1);
    }
  }
  links_from_.resize(counts_.size());
  wides_of_.resize(counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (!grid.properties[i].guard) continue;
    const std::size_t guard = *grid.properties[i].guard;
    POISE_CHECK(guard < i);
    add_link(guard, i, [&](std::size_t held, std::size_t guarded) {
      const double truth = value(guard, held);
      return (truth == 1) == (guarded < values(i));
    });
  }
  for (const GridConstraint& constraint : grid.constraints) add(constraint);
  find_components();
}

double ConstraintSpace::value(std::size_t property, std::size_t value) const {
  return value_of(grid_->properties[property], outward(property, value));
}

void ConstraintSpace::add(const GridConstraint& constraint) {
  const std::vector<std::size_t>& scope = constraint.scope;
  for (const std::size_t property : scope) POISE_CHECK(property < counts_.size());
  if (scope.empty()) {
    contradiction_ = contradiction_ || !constraint.allows({});
    return;
  }
  if (scope.size() == 1) {
    const std::size_t property = scope[0];
    for (std::size_t v = 0; v < counts_[property]; ++v) {
      const double number = value(property, v);
      if (!constraint.allows(std::span(&number, 1))) {
        domains_[offsets_[property] + v / 64] &= ~bit(v);
      }
    }
    return;
  }
  if (scope.size() == 2) {
    add_link(scope[0], scope[1], [&](std::size_t a, std::size_t b) {
      const double numbers[] = {value(scope[0], a), value(scope[1], b)};
      return constraint.allows(numbers);
    });
    return;
  }
  Wide wide{.scope = scope, .constraint = &constraint, .table = {}};
  std::size_t size = 1;
  std::vector<std::size_t> counts;
  for (const std::size_t property : scope) {
    counts.push_back(counts_[property]);
    size = size > kTableSize ? size : size * counts_[property];
  }
  if (size <= kTableSize) {
    std::vector<bool> table;
    table.reserve(size);
    for_each_combination(counts, [&](std::span<const std::size_t> values) {
      table.push_back(allows(wide, values));
    });
    wide.table = std::move(table);
  }
  for (const std::size_t property : scope) {
    wides_of_[property].push_back(static_cast<std::uint32_t>(wides_.size()));
  }
  wides_.push_back(std::move(wide));
}

bool ConstraintSpace::allows(const Wide& wide, std::span<const std::size_t> values) const {
  if (wide.table.empty()) {
    std::vector<double> numbers(values.size());
    for (std::size_t i = 0; i < values.size(); ++i) numbers[i] = value(wide.scope[i], values[i]);
    return wide.constraint->allows(numbers);
  }
  std::size_t place = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    place = place * counts_[wide.scope[i]] + values[i];
  }
  return wide.table[place];
}

ConstraintSpace::Link& ConstraintSpace::link(std::size_t from, std::size_t to) {
  for (const std::uint32_t index : links_from_[from]) {
    if (links_[index].to == to) return links_[index];
  }
  links_from_[from].push_back(static_cast<std::uint32_t>(links_.size()));
  Link added{.from = from, .to = to, .rows = {}};
  const auto begin = domains_.begin() + static_cast<std::ptrdiff_t>(offsets_[to]);
  for (std::size_t v = 0; v < counts_[from]; ++v) {
    added.rows.insert(added.rows.end(), begin, begin + static_cast<std::ptrdiff_t>(words(to)));
  }
  links_.push_back(std::move(added));
  return links_.back();
}

// All constraints on the same two properties share a link.
template <class Allows>
void ConstraintSpace::add_link(std::size_t first, std::size_t second, const Allows& allows) {
  std::vector<bool> table;
  table.reserve(counts_[first] * counts_[second]);
  for (std::size_t a = 0; a < counts_[first]; ++a) {
    for (std::size_t b = 0; b < counts_[second]; ++b) table.push_back(allows(a, b));
  }
  const auto rule_out = [&](std::size_t from, std::size_t to) {
    Link& rows = link(from, to);
    for (std::size_t a = 0; a < counts_[from]; ++a) {
      for (std::size_t b = 0; b < counts_[to]; ++b) {
        const std::size_t place = from == first ? a * counts_[second] + b : b * counts_[second] + a;
        if (!table[place]) rows.rows[a * words(to) + b / 64] &= ~bit(b);
      }
    }
  };
  rule_out(first, second);
  rule_out(second, first);
}

void ConstraintSpace::find_components() {
  std::vector<std::size_t> parent(counts_.size());
  std::iota(parent.begin(), parent.end(), std::size_t{0});
  const auto root = [&](std::size_t property) {
    while (parent[property] != property) {
      property = parent[property] = parent[parent[property]];
    }
    return property;
  };
  const auto join = [&](std::size_t a, std::size_t b) {
    const std::size_t first = root(a);
    const std::size_t second = root(b);
    parent[std::max(first, second)] = std::min(first, second);
  };
  for (const Link& link : links_) join(link.from, link.to);
  for (const Wide& wide : wides_) {
    for (const std::size_t property : wide.scope) join(wide.scope.front(), property);
  }
  component_.resize(counts_.size());
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (root(i) == i) {
      component_[i] = static_cast<std::uint32_t>(components_.size());
      components_.emplace_back();
    } else {
      component_[i] = component_[root(i)];
    }
    components_[component_[i]].push_back(i);
  }
}

// ---- The search ----

SpaceSearch::SpaceSearch(const ConstraintSpace& space, std::uint64_t steps)
    : space_(&space), words_(space.domains()), queued_(space.properties(), true), steps_(steps) {
  for (std::size_t i = 0; i < space.properties(); ++i) {
    std::size_t count = 0;
    for (std::size_t w = 0; w < space.words(i); ++w) {
      count += static_cast<std::size_t>(std::popcount(words_[space.offset(i) + w]));
    }
    counts_.push_back(count);
    queue_.push_back(i);
    possible_ = possible_ && count > 0;
  }
  possible_ = possible_ && !space.contradiction() && propagate();
}

std::size_t SpaceSearch::first(std::size_t property) const {
  const std::size_t offset = space_->offset(property);
  std::size_t word = 0;
  while (words_[offset + word] == 0) ++word;
  return word * 64 + static_cast<std::size_t>(std::countr_zero(words_[offset + word]));
}

// Keeps only `bits` in one word of a domain. False if the domain is empty then.
bool SpaceSearch::keep(std::size_t property, std::size_t word, std::uint64_t bits) {
  const std::size_t place = space_->offset(property) + word;
  const std::uint64_t before = words_[place];
  const std::uint64_t after = before & bits;
  if (after == before) return true;
  trail_.push_back({.word = place, .before = before, .property = property});
  words_[place] = after;
  counts_[property] -= static_cast<std::size_t>(std::popcount(before ^ after));
  if (!queued_[property]) {
    queued_[property] = true;
    queue_.push_back(property);
  }
  return counts_[property] > 0;
}

void SpaceSearch::undo(Mark mark) {
  while (trail_.size() > mark) {
    const Change& change = trail_.back();
    counts_[change.property] +=
        static_cast<std::size_t>(std::popcount(change.before ^ words_[change.word]));
    words_[change.word] = change.before;
    trail_.pop_back();
  }
  for (const std::size_t property : queue_) queued_[property] = false;
  queue_.clear();
}

bool SpaceSearch::assign(std::size_t property, std::size_t value) {
  if (steps_ != kNoLimit && steps_ > 0) --steps_;
  for (std::size_t word = 0; word < space_->words(property); ++word) {
    if (!keep(property, word, word == value / 64 ? bit(value) : 0)) return false;
  }
  return propagate();
}

bool SpaceSearch::remove(std::size_t property, std::size_t value) {
  return keep(property, value / 64, ~bit(value)) && propagate();
}

bool SpaceSearch::restrict_to(std::size_t property, std::span<const std::uint64_t> allowed) {
  for (std::size_t word = 0; word < space_->words(property); ++word) {
    if (!keep(property, word, allowed[word])) return false;
  }
  return propagate();
}

bool SpaceSearch::propagate() {
  while (!queue_.empty()) {
    const std::size_t property = queue_.back();
    queue_.pop_back();
    queued_[property] = false;
    for (const std::uint32_t link : space_->links_from(property)) {
      if (!revise(space_->links()[link])) return false;
    }
    for (const std::uint32_t wide : space_->wides_of(property)) {
      if (!revise(space_->wides()[wide])) return false;
    }
  }
  return true;
}

// Removes the values of `to` that no value left of `from` supports.
bool SpaceSearch::revise(const ConstraintSpace::Link& link) {
  const std::size_t from = space_->offset(link.from);
  const std::size_t to = space_->offset(link.to);
  const std::size_t words = space_->words(link.to);
  for (std::size_t target = 0; target < words; ++target) {
    const std::uint64_t wanted = words_[to + target];
    if (wanted == 0) continue;
    std::uint64_t supported = 0;
    for (std::size_t word = 0; word < space_->words(link.from); ++word) {
      for (std::uint64_t left = words_[from + word]; left != 0; left &= left - 1) {
        const std::size_t value = word * 64 + static_cast<std::size_t>(std::countr_zero(left));
        supported |= link.rows[value * words + target];
        if ((wanted & ~supported) == 0) break;
      }
      if ((wanted & ~supported) == 0) break;
    }
    if (!keep(link.to, target, supported)) return false;
  }
  return true;
}

bool SpaceSearch::revise(const ConstraintSpace::Wide& wide) {
  const std::size_t size = wide.scope.size();
  std::size_t combinations = 1;
  for (const std::size_t property : wide.scope) {
    combinations *= counts_[property];
    if (combinations > kLookedAt) return true;
  }
  std::vector<std::vector<std::size_t>> left(size);
  std::vector<std::size_t> counts(size);
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t v = 0; v < space_->values_and_none(wide.scope[i]); ++v) {
      if (has(wide.scope[i], v)) left[i].push_back(v);
    }
    counts[i] = left[i].size();
  }
  std::vector<std::vector<bool>> supported(size);
  for (std::size_t i = 0; i < size; ++i) supported[i].resize(counts[i], false);
  std::vector<std::size_t> values(size);
  for_each_combination(counts, [&](std::span<const std::size_t> places) {
    for (std::size_t i = 0; i < size; ++i) values[i] = left[i][places[i]];
    if (!space_->allows(wide, values)) return;
    for (std::size_t i = 0; i < size; ++i) supported[i][places[i]] = true;
  });
  for (std::size_t i = 0; i < size; ++i) {
    for (std::size_t place = 0; place < counts[i]; ++place) {
      const std::size_t value = left[i][place];
      if (!supported[i][place] && !keep(wide.scope[i], value / 64, ~bit(value))) return false;
    }
  }
  return true;
}

SpaceSearch::Answer SpaceSearch::complete(std::size_t prefer) {
  const Mark before = mark();
  for (const std::vector<std::size_t>& component : space_->components()) {
    const Answer answer = complete(component, prefer);
    if (answer == Answer::Yes) continue;
    undo(before);
    return answer;
  }
  return possible_ ? Answer::Yes : Answer::No;
}

SpaceSearch::Answer SpaceSearch::complete(std::uint32_t component, std::size_t prefer) {
  return complete(space_->components()[component], prefer);
}

// Depth first, the property with the fewest values left next. Without recursion: a grid may have
// many properties.
SpaceSearch::Answer SpaceSearch::complete(std::span<const std::size_t> properties,
                                          std::size_t prefer) {
  if (!possible_) return Answer::No;
  struct Tried {
    Mark before;
    std::size_t property;
    std::size_t value;
  };
  const Mark start = mark();
  std::vector<Tried> choices;
  for (;;) {
    std::size_t next = space_->properties();
    for (const std::size_t property : properties) {
      if (counts_[property] == 1) continue;
      if (next == space_->properties() || counts_[property] < counts_[next]) next = property;
    }
    if (next == space_->properties()) return Answer::Yes;
    if (steps_ == 0) {
      undo(start);
      return Answer::OutOfSteps;
    }
    const std::size_t all = space_->values_and_none(next);
    std::size_t value = (prefer + choices.size()) % all;
    while (!has(next, value)) value = (value + 1) % all;
    choices.push_back({.before = mark(), .property = next, .value = value});
    bool possible = assign(next, value);
    while (!possible) {
      if (choices.empty()) {
        undo(start);
        return Answer::No;
      }
      const Tried choice = choices.back();
      choices.pop_back();
      undo(choice.before);
      possible = remove(choice.property, choice.value);
    }
  }
}

Instance SpaceSearch::instance() const {
  Instance instance;
  for (std::size_t i = 0; i < space_->properties(); ++i) {
    POISE_CHECK(counts_[i] == 1);
    instance.push_back(space_->outward(i, first(i)));
  }
  return instance;
}

}  // namespace poise::shake
