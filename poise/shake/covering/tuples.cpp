#include "poise/shake/covering/tuples.h"

#include <algorithm>
#include <array>
#include <utility>

#include "poise/base/check.h"
#include "poise/base/random.h"
#include "poise/shake/covering/feasible.h"

namespace poise::shake {

namespace {

// After this many dead ends a row is completed without regard to what it covers.
constexpr std::size_t kMostDeadEnds = 500;

class Generator {
 public:
  Generator(const ConstraintSpace& space, FeasibleTuples tuples, const TuplesOptions& options)
      : space_(space),
        numbers_(std::move(tuples.numbers)),
        strength_(numbers_.strength()),
        uncovered_(std::move(tuples.feasible)),
        left_(tuples.count),
        search_(space, options.budget),
        random_(options.seed) {
    for (std::size_t i = 0; i < space.properties(); ++i) {
      first_value_.push_back(gains_.size());
      gains_.resize(gains_.size() + space.values(i), 0);
    }
    demand_.resize(gains_.size(), 0);
    open_.resize(numbers_.combinations(), 0);
    for_each_combination_of(space.properties(), strength_,
                            [&](std::size_t rank, std::span<const std::size_t> properties) {
                              std::vector<std::size_t> values(properties.size(), 0);
                              for (std::size_t at = numbers_.offset(rank);
                                   at < numbers_.offset(rank + 1); ++at) {
                                if (uncovered_[at]) {
                                  ++open_[rank];
                                  for (std::size_t i = 0; i < values.size(); ++i) {
                                    ++demand_[first_value_[properties[i]] + values[i]];
                                  }
                                }
                                for (std::size_t place = values.size(); place-- > 0;) {
                                  if (++values[place] < space.values(properties[place])) break;
                                  values[place] = 0;
                                }
                              }
                            });
  }

  Covering run(std::vector<Instance> given) {
    Covering result;
    for (const Instance& row : given) cover(row);
    result.rows = std::move(given);
    while (left_ > 0) {
      const std::size_t tuple = next_tuple();
      if (!begin_row(numbers_.tuple(tuple)) || !complete_row()) {
        give_up(tuple);
        ++result.uncovered;
      } else {
        result.rows.push_back(search_.instance());
        cover(result.rows.back());
      }
      end_row();
    }
    return result;
  }

 private:
  // A random uncovered tuple of the combination of properties that has most of them.
  std::size_t next_tuple() {
    const auto most = std::ranges::max_element(open_);
    const auto rank = static_cast<std::size_t>(most - open_.begin());
    const std::size_t begin = numbers_.offset(rank);
    const std::size_t size = numbers_.offset(rank + 1) - begin;
    std::size_t at = random_.below(size);
    while (!uncovered_[begin + at]) at = (at + 1) % size;
    return begin + at;
  }

  void give_up(std::size_t tuple) {
    const TupleNumbers::Tuple given_up = numbers_.tuple(tuple);
    uncover(numbers_.rank(given_up.properties), tuple, given_up.properties, given_up.values);
  }

  bool begin_row(const TupleNumbers::Tuple& tuple) {
    taken_.clear();
    is_taken_.assign(space_.properties(), false);
    std::ranges::fill(gains_, 0);
    for (std::size_t i = 0; i < tuple.properties.size(); ++i) {
      if (!search_.has(tuple.properties[i], tuple.values[i])) return false;
      if (!search_.assign(tuple.properties[i], tuple.values[i])) return false;
    }
    take_what_is_decided();
    return true;
  }

  bool complete_row() {
    struct Tried {
      SpaceSearch::Mark before;
      std::size_t taken;
      std::size_t property;
      std::size_t value;
    };
    const SpaceSearch::Mark start = search_.mark();
    std::vector<Tried> choices;
    std::size_t dead_ends = 0;
    while (taken_.size() < space_.properties()) {
      const auto [property, value] = best();
      choices.push_back(
          {.before = search_.mark(), .taken = taken_.size(), .property = property, .value = value});
      bool possible = search_.assign(property, value);
      while (!possible) {
        const bool enough = ++dead_ends > kMostDeadEnds || search_.steps_left() == 0;
        if (enough || choices.empty()) {
          search_.undo(start);
          return search_.complete(random_.below(1024)) == SpaceSearch::Answer::Yes;
        }
        const Tried choice = choices.back();
        choices.pop_back();
        search_.undo(choice.before);
        while (taken_.size() > choice.taken) give_back();
        possible = search_.remove(choice.property, choice.value);
      }
      take_what_is_decided();
    }
    return true;
  }

  void end_row() { search_.undo(0); }

  // The property and value with the greatest gain; then with the greatest demand; then at random.
  std::pair<std::size_t, std::size_t> best() {
    std::pair<std::size_t, std::size_t> choice{space_.properties(), 0};
    std::pair<std::int64_t, std::int64_t> most{-1, -1};
    std::uint64_t equal = 0;
    for (std::size_t p = 0; p < space_.properties(); ++p) {
      if (is_taken_[p]) continue;
      for (std::size_t v = 0; v < space_.values_and_none(p); ++v) {
        if (!search_.has(p, v)) continue;
        const bool none = v == space_.values(p);
        const std::size_t at = first_value_[p] + v;
        const std::pair<std::int64_t, std::int64_t> worth{none ? 0 : gains_[at],
                                                          none ? 0 : demand_[at]};
        if (worth < most) continue;
        if (worth > most) equal = 0;
        most = worth;
        if (random_.below(++equal) == 0) choice = {p, v};
      }
    }
    POISE_CHECK(choice.first < space_.properties());
    return choice;
  }

  void take_what_is_decided() {
    for (std::size_t p = 0; p < space_.properties(); ++p) {
      if (!is_taken_[p] && search_.count(p) == 1) take(p);
    }
  }

  void take(std::size_t property) {
    is_taken_[property] = true;
    const std::size_t value = search_.first(property);
    taken_.push_back({.property = property, .value = value});
    add_gains(1);
  }

  void give_back() {
    add_gains(-1);
    is_taken_[taken_.back().property] = false;
    taken_.pop_back();
  }

  struct Assigned {
    std::size_t property;
    std::size_t value;
  };

  // Updates the gains of values that are not taken, after a property was taken: one more for each
  // uncovered tuple that has the property's value and now lacks that value only.
  void add_gains(int by) {
    const Assigned& last = taken_.back();
    if (last.value >= space_.values(last.property)) return;
    std::array<Assigned, kMostStrength> tuple;
    tuple[0] = last;
    add_gains(by, tuple, 1, taken_.size() - 1);
  }

  // `size` of the tuple's properties are chosen; more come from the first `end` of taken_.
  void add_gains(int by, std::array<Assigned, kMostStrength>& tuple, std::size_t size,
                 std::size_t end) {
    if (size + 1 > strength_) return;  // strength 1: there are no gains, demand decides
    if (size + 1 == strength_) {
      for (std::size_t p = 0; p < space_.properties(); ++p) {
        if (!is_taken_[p]) add_gains_of(p, by, tuple);
      }
      return;
    }
    for (std::size_t i = 0; i < end; ++i) {
      if (taken_[i].value >= space_.values(taken_[i].property)) continue;
      tuple[size] = taken_[i];
      add_gains(by, tuple, size + 1, i);
    }
  }

  void add_gains_of(std::size_t property, int by, std::array<Assigned, kMostStrength> tuple) {
    tuple[strength_ - 1] = {.property = property, .value = 0};
    std::sort(tuple.begin(), tuple.begin() + strength_,
              [](const Assigned& a, const Assigned& b) { return a.property < b.property; });
    std::size_t rank = 0;
    std::size_t at = 0;
    std::size_t stride = 1;
    for (std::size_t i = 0; i < strength_; ++i) {
      const std::size_t count = space_.values(tuple[i].property);
      rank += numbers_.binomial(i, tuple[i].property);
      at = at * count + tuple[i].value;
      stride = tuple[i].property == property ? 1 : stride * count;
    }
    if (open_[rank] == 0) return;
    at += numbers_.offset(rank);
    for (std::size_t v = 0; v < space_.values(property); ++v, at += stride) {
      if (uncovered_[at]) gains_[first_value_[property] + v] += by;
    }
  }

  void cover(const Instance& row) {
    std::vector<std::size_t> present;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (row[i] != kNoValue) present.push_back(i);
    }
    std::vector<std::size_t> properties(strength_);
    std::vector<std::size_t> values(strength_);
    for_each_combination_of(present.size(), strength_,
                            [&](std::size_t, std::span<const std::size_t> chosen) {
                              std::size_t at = 0;
                              for (std::size_t i = 0; i < strength_; ++i) {
                                properties[i] = present[chosen[i]];
                                values[i] = row[properties[i]];
                                at = at * space_.values(properties[i]) + values[i];
                              }
                              const std::size_t rank = numbers_.rank(properties);
                              uncover(rank, numbers_.offset(rank) + at, properties, values);
                            });
  }

  // Removes a tuple from those that are still to be covered.
  void uncover(std::size_t rank, std::size_t tuple, std::span<const std::size_t> properties,
               std::span<const std::size_t> values) {
    if (!uncovered_[tuple]) return;
    uncovered_[tuple] = false;
    --left_;
    --open_[rank];
    for (std::size_t i = 0; i < strength_; ++i) --demand_[first_value_[properties[i]] + values[i]];
  }

  const ConstraintSpace& space_;
  TupleNumbers numbers_;
  unsigned strength_;
  std::vector<bool> uncovered_;    // feasible, and no row has it
  std::size_t left_;               // how many are uncovered
  std::vector<std::size_t> open_;  // by combination of properties: how many are uncovered
  SpaceSearch search_;
  Random random_;
  std::vector<std::size_t> first_value_;  // by property: its first place in gains_ and demand_
  std::vector<std::int32_t> gains_;       // by value: new tuples that the row gets by taking it
  std::vector<std::int32_t> demand_;      // by value: uncovered tuples that have it
  std::vector<Assigned> taken_;           // the row so far, in the order of choice
  std::vector<bool> is_taken_;
};

// Leaves out of the lists what is not wanted.
void keep_wanted(FeasibleTuples& tuples, const TuplesOptions& options) {
  if (!options.wanted) return;
  std::size_t unwanted = 0;
  for (std::size_t i = 0; i < tuples.numbers.size(); ++i) {
    const TupleNumbers::Tuple tuple = tuples.numbers.tuple(i);
    if (options.wanted(tuple.properties, tuple.values)) continue;
    ++unwanted;
    if (tuples.feasible[i]) --tuples.count;
    if (tuples.open[i]) --tuples.undecided;
    tuples.feasible[i] = tuples.open[i] = false;
  }
  tuples.infeasible = tuples.numbers.size() - unwanted - tuples.count - tuples.undecided;
}

}  // namespace

Result<Covering> covering(const Grid& grid, const TuplesOptions& options) {
  POISE_CHECK(options.strength >= 1 && options.strength <= kMostStrength);
  if (grid.properties.empty()) return Covering{};
  const ConstraintSpace space(grid);
  const auto strength =
      static_cast<unsigned>(std::min<std::size_t>(options.strength, grid.properties.size()));
  Result<FeasibleTuples> tuples = feasible_tuples(space, strength, options.budget);
  if (!tuples) return Failure(tuples.error());
  keep_wanted(*tuples, options);
  const std::size_t feasible = tuples->count;
  const std::size_t infeasible = tuples->infeasible;
  const std::size_t undecided = tuples->undecided;
  Covering result = Generator(space, std::move(*tuples), options).run(options.given);
  result.feasible = feasible;
  result.infeasible = infeasible;
  result.undecided = undecided;
  return result;
}

}  // namespace poise::shake
