#include "poise/shake/covering/coverage.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/text.h"
#include "poise/shake/covering/plain_search.h"

namespace poise::shake {

namespace {

// The tuples of one combination of properties: which are covered, and which are feasible.
class Combination {
 public:
  Combination(const Grid& grid, std::vector<std::size_t> properties)
      : grid_(grid), properties_(std::move(properties)) {
    std::size_t size = 1;
    for (const std::size_t property : properties_) size *= grid.properties[property].values.size();
    covered_.resize(size, false);
    feasible_.resize(size, false);
  }

  void cover(const Instance& instance) {
    if (const std::optional<std::size_t> at = place(instance)) {
      covered_[*at] = true;
      feasible_[*at] = true;
    }
  }
  void show_feasible(const Instance& instance) {
    if (const std::optional<std::size_t> at = place(instance)) feasible_[*at] = true;
  }

  [[nodiscard]] std::size_t size() const { return covered_.size(); }
  [[nodiscard]] bool is_covered(std::size_t at) const { return covered_[at]; }
  [[nodiscard]] bool is_feasible(std::size_t at) const { return feasible_[at]; }
  [[nodiscard]] const std::vector<std::size_t>& properties() const { return properties_; }

  [[nodiscard]] std::vector<Index> values(std::size_t at) const {
    std::vector<Index> values(properties_.size());
    for (std::size_t i = properties_.size(); i-- > 0;) {
      const std::size_t count = grid_.properties[properties_[i]].values.size();
      values[i] = static_cast<Index>(at % count);
      at /= count;
    }
    return values;
  }

  [[nodiscard]] std::string text(std::size_t at) const {
    std::vector<std::string> parts;
    const std::vector<Index> chosen = values(at);
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const Property& property = grid_.properties[properties_[i]];
      parts.push_back(fmt::format("{} = {}", property.name,
                                  chosen[i] < property.texts.size()
                                      ? property.texts[chosen[i]]
                                      : fmt::format("{:.12g}", property.values[chosen[i]])));
    }
    return joined(parts, ", ");
  }

 private:
  [[nodiscard]] std::optional<std::size_t> place(const Instance& instance) const {
    std::size_t at = 0;
    for (const std::size_t property : properties_) {
      if (instance[property] == kNoValue) return std::nullopt;
      at = at * grid_.properties[property].values.size() + instance[property];
    }
    return at;
  }

  const Grid& grid_;
  std::vector<std::size_t> properties_;
  std::vector<bool> covered_;
  std::vector<bool> feasible_;
};

class Checker {
 public:
  Checker(const Grid& grid, std::vector<Instance> instances, const CoverageOptions& options)
      : grid_(grid),
        instances_(std::move(instances)),
        options_(options),
        search_(grid, options.steps) {
    enumerated_ = search_.for_each_valid(
        options.enumerated, [&](const Instance& instance) { known_.push_back(instance); });
  }

  Coverage run(unsigned strength) {
    std::vector<std::size_t> properties;
    choose(strength, properties);
    return std::move(result_);
  }

 private:
  void choose(unsigned strength, std::vector<std::size_t>& properties) {
    if (properties.size() == strength) {
      check(Combination(grid_, properties));
      return;
    }
    const std::size_t next = properties.empty() ? 0 : properties.back() + 1;
    for (std::size_t i = next; i < grid_.properties.size(); ++i) {
      properties.push_back(i);
      choose(strength, properties);
      properties.pop_back();
    }
  }

  void check(Combination combination) {
    for (const Instance& instance : instances_) combination.cover(instance);
    for (const Instance& instance : known_) combination.show_feasible(instance);
    for (std::size_t at = 0; at < combination.size(); ++at) {
      if (!combination.is_feasible(at) && !enumerated_) search_for(combination, at);
      if (!combination.is_feasible(at)) continue;
      ++result_.feasible;
      if (combination.is_covered(at)) {
        ++result_.covered;
      } else if (result_.missing.size() < options_.listed) {
        result_.missing.push_back(combination.text(at));
      }
    }
    result_.infeasible = (total_ += combination.size()) - result_.feasible - result_.undecided;
  }

  void search_for(Combination& combination, std::size_t at) {
    PlainSearch::Choices choices = search_.everything();
    const std::vector<Index> values = combination.values(at);
    for (std::size_t i = 0; i < values.size(); ++i) {
      choices[combination.properties()[i]] = {values[i]};
    }
    if (const std::optional<Instance> found = search_.instance(std::move(choices))) {
      POISE_CHECK(is_valid(grid_, *found));
      combination.show_feasible(*found);
      known_.push_back(*found);
    } else if (search_.gave_up()) {
      ++result_.undecided;
    }
  }

  const Grid& grid_;
  std::vector<Instance> instances_;
  CoverageOptions options_;
  PlainSearch search_;
  bool enumerated_ = false;      // then all valid instances are known
  std::vector<Instance> known_;  // valid instances, whether given or not
  std::size_t total_ = 0;
  Coverage result_;
};

}  // namespace

Coverage coverage(const Grid& grid, std::span<const Instance> instances, unsigned strength,
                  const CoverageOptions& options) {
  POISE_CHECK(strength >= 1 && strength <= 4);
  std::vector<Instance> valid;
  std::size_t invalid = 0;
  for (const Instance& instance : instances) {
    if (is_valid(grid, instance)) {
      valid.push_back(instance);
    } else {
      ++invalid;
    }
  }
  std::ranges::sort(valid);
  valid.erase(std::unique(valid.begin(), valid.end()), valid.end());
  Coverage result = Checker(grid, std::move(valid), options).run(strength);
  result.invalid = invalid;
  return result;
}

}  // namespace poise::shake
