#include "poise/shake/flows/hints.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "poise/shake/grid/flow.h"

namespace poise::shake {

namespace {

// What was seen so far, numbered in the order in which it was first seen.
struct Seen {
  std::map<Variant, std::uint64_t> variants;
  std::map<std::string, std::uint64_t> acts;
  // By number of the variant, and cell of the context for each property.
  std::map<std::pair<std::uint64_t, std::vector<std::uint32_t>>, std::uint64_t> places;
};
// Offsets that keep the three kinds of numbers apart; variants begin at 0.
constexpr std::uint64_t kActs = std::uint64_t{1} << 40U;
constexpr std::uint64_t kPlaces = std::uint64_t{1} << 41U;

// By property: its cell plus one; 0 without a value.
std::vector<std::uint32_t> cells_of(const Grid& grid, const Instance& instance) {
  std::vector<std::uint32_t> cells;
  for (std::size_t i = 0; i < instance.size(); ++i) {
    const std::vector<std::uint32_t>& by_value = grid.properties[i].cells;
    cells.push_back(instance[i] < by_value.size() ? by_value[instance[i]] + 1 : 0);
  }
  return cells;
}

}  // namespace

std::vector<std::size_t> dwells_of(const model::Policy& policy) {
  std::set<std::size_t> ticks;
  Rational longest = 0;
  const auto add = [&](const Rational& seconds) {
    if (seconds.sign() <= 0) return;
    longest = std::max(longest, seconds);
    const Integer count = (seconds / policy.tick).ceil();
    if (count.fits_int64() && count.to_int64() < 1'000'000) {
      ticks.insert(static_cast<std::size_t>(count.to_int64()));
    }
  };
  for (const model::PolicyExpr& expr : policy.exprs) {
    switch (expr.op) {
      case model::PolicyOp::Held:
      case model::PolicyOp::Rate:
      case model::PolicyOp::MaximumOver:
      case model::PolicyOp::MinimumOver:
      case model::PolicyOp::MeanOver: add(expr.number); break;
      default: break;
    }
  }
  for (const model::Option& option : policy.options) add(option.cooldown);
  const Rational wait = longest;
  for (const model::Expectation& expectation : policy.expectations) {
    switch (expectation.kind) {
      case model::Expectation::Kind::Changes: break;
      // A variant that is not stable changes at the end of one more wait.
      case model::Expectation::Kind::Stable: add(expectation.seconds + wait); break;
      case model::Expectation::Kind::Holds:
      case model::Expectation::Kind::Base:
      case model::Expectation::Kind::Rises:
      case model::Expectation::Kind::Falls: add(expectation.seconds); break;
    }
  }
  return {ticks.begin(), ticks.end()};
}

Behaviour behaviour_of(Subject& subject, const Grid& grid) {
  const auto seen = std::make_shared<Seen>();
  return [&subject, &grid, seen](const Flow& flow) {
    std::vector<std::uint64_t> numbers;
    subject.reset();
    for (const Instance& instance : flow) {
      if (!subject.step(values_of(grid, instance))) break;
      numbers.push_back(
          seen->variants.try_emplace(subject.variant(), seen->variants.size()).first->second);
      const std::pair place(numbers.back(), cells_of(grid, instance));
      numbers.push_back(kPlaces +
                        seen->places.try_emplace(place, seen->places.size()).first->second);
      for (std::string& name : subject.acted()) {
        numbers.push_back(kActs +
                          seen->acts.try_emplace(std::move(name), seen->acts.size()).first->second);
      }
    }
    return numbers;
  };
}

}  // namespace poise::shake
