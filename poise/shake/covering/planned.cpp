#include "poise/shake/covering/planned.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <utility>

#include "poise/base/check.h"

namespace poise::shake {

namespace {

using Wanted = decltype(TuplesOptions::wanted);

void add(Covering& sum, const Covering& more) {
  sum.rows.insert(sum.rows.end(), more.rows.begin(), more.rows.end());
  sum.feasible += more.feasible;
  sum.infeasible += more.infeasible;
  sum.undecided += more.undecided;
  sum.uncovered += more.uncovered;
}

// ---- Sub-models ----

// Some properties of a grid, and which combinations of their values count as the values of one.
struct Element {
  std::vector<std::size_t> properties;  // ascending
  std::vector<Instance> values;         // of these properties
};

class Elements {
 public:
  Elements(const Grid& grid, std::vector<Element> elements)
      : grid_(grid), elements_(std::make_shared<std::vector<Element>>(std::move(elements))) {
    for (std::size_t e = 0; e < elements_->size(); ++e) {
      const std::vector<std::size_t>& properties = (*elements_)[e].properties;
      for (std::size_t i = 0; i < properties.size(); ++i) {
        // A property of several elements is read from the first: they agree.
        place_.try_emplace(properties[i], std::pair(e, i));
      }
    }
  }

  // The grid with a property for each element.
  [[nodiscard]] Grid grid() const {
    Grid made;
    for (const Element& element : *elements_) {
      Property property;
      property.kind = Property::Kind::Label;
      property.values.resize(element.values.size());
      std::iota(property.values.begin(), property.values.end(), 0.0);
      made.properties.push_back(std::move(property));
    }
    for (const GridConstraint& constraint : grid_.constraints) {
      made.constraints.push_back(translated(constraint));
    }
    for (std::size_t b = 1; b < elements_->size(); ++b) {
      for (std::size_t a = 0; a < b; ++a) add_agreement(made, a, b);
    }
    return made;
  }

  // A row of that grid, as a row of the first one.
  [[nodiscard]] Instance row(const Instance& of_elements) const {
    Instance row(grid_.properties.size(), 0);
    for (std::size_t e = 0; e < elements_->size(); ++e) {
      const Element& element = (*elements_)[e];
      for (std::size_t i = 0; i < element.properties.size(); ++i) {
        row[element.properties[i]] = element.values[of_elements[e]][i];
      }
    }
    return row;
  }

  [[nodiscard]] const Element& operator[](std::size_t element) const {
    return (*elements_)[element];
  }

 private:
  [[nodiscard]] GridConstraint translated(const GridConstraint& constraint) const {
    struct Read {  // a property of the scope: from which value of the new scope, and which part
      std::size_t at;
      std::size_t element;
      std::size_t part;
      std::size_t property;
    };
    GridConstraint made{.scope = {}, .allows = {}, .text = constraint.text};
    std::vector<Read> reads;
    for (const std::size_t property : constraint.scope) {
      const auto& [element, part] = place_.at(property);
      made.scope.push_back(element);
      reads.push_back({0, element, part, property});
    }
    std::ranges::sort(made.scope);
    made.scope.erase(std::unique(made.scope.begin(), made.scope.end()), made.scope.end());
    for (Read& read : reads) {
      read.at = static_cast<std::size_t>(std::ranges::lower_bound(made.scope, read.element) -
                                         made.scope.begin());
    }
    made.allows = [elements = elements_, reads, allows = constraint.allows,
                   &grid = grid_](std::span<const double> given) {
      std::vector<double> values;
      for (const Read& read : reads) {
        const Element& element = (*elements)[read.element];
        const auto value = static_cast<std::size_t>(given[read.at]);
        values.push_back(
            value_of(grid.properties[read.property], element.values[value][read.part]));
      }
      return allows(values);
    };
    return made;
  }

  // Two elements with a property in common have the same value of it.
  void add_agreement(Grid& made, std::size_t a, std::size_t b) const {
    std::vector<std::pair<std::size_t, std::size_t>> common;  // places
    for (std::size_t i = 0; i < (*elements_)[a].properties.size(); ++i) {
      for (std::size_t j = 0; j < (*elements_)[b].properties.size(); ++j) {
        if ((*elements_)[a].properties[i] == (*elements_)[b].properties[j]) {
          common.emplace_back(i, j);
        }
      }
    }
    if (common.empty()) return;
    const auto agree = [elements = elements_, common, a, b](std::span<const double> given) {
      const Instance& first = (*elements)[a].values[static_cast<std::size_t>(given[0])];
      const Instance& second = (*elements)[b].values[static_cast<std::size_t>(given[1])];
      return std::ranges::all_of(
          common, [&](const auto& places) { return first[places.first] == second[places.second]; });
    };
    made.constraints.push_back({.scope = {a, b}, .allows = agree, .text = {}});
  }

  const Grid& grid_;
  std::shared_ptr<const std::vector<Element>> elements_;
  std::map<std::size_t, std::pair<std::size_t, std::size_t>> place_;  // element, part
};

// Which tuples are to be covered: with negative values or without.
enum class Sort { Any, Positive, Negative };

class ByParts {
 public:
  ByParts(const Grid& grid, const CombinationPlan& plan, const TuplesOptions& options, Sort sort)
      : grid_(grid), plan_(plan), options_(options), sort_(sort) {}

  Result<Covering> run() {
    TuplesOptions options = options_;
    if (plan_.sub_models.empty()) {
      options.wanted = wanted();
      return covering(grid_, options);
    }
    Covering result;
    std::vector<Element> list;
    std::size_t count = plan_.sub_models.size();
    for (std::size_t p = 0; p < grid_.properties.size(); ++p) {
      if (!is_in_sub_model(p)) ++count;
    }
    options_.strength = static_cast<unsigned>(std::min<std::size_t>(options_.strength, count));
    for (const SubModel& sub_model : plan_.sub_models) {
      Result<Element> made = element_of(sub_model, result);
      if (!made) return Failure(made.error());
      list.push_back(std::move(*made));
    }
    for (std::size_t p = 0; p < grid_.properties.size(); ++p) {
      if (!is_in_sub_model(p)) list.push_back(element_of(p));
    }
    const Elements elements(grid_, std::move(list));
    const Grid combined = elements.grid();
    options.wanted = [&](std::span<const std::size_t> of, std::span<const std::size_t> values) {
      bool negative = false;
      for (std::size_t i = 0; i < of.size(); ++i) {
        const Element& element = elements[of[i]];
        for (std::size_t k = 0; k < element.properties.size(); ++k) {
          negative = negative || is_negative(element.properties[k], element.values[values[i]][k]);
        }
      }
      return fits(negative);
    };
    const Result<Covering> of_elements = covering(combined, options);
    if (!of_elements) return of_elements;
    result.undecided += of_elements->undecided;
    result.uncovered += of_elements->uncovered;
    for (const Instance& row : of_elements->rows) options.given.push_back(elements.row(row));
    options.wanted = wanted();
    const Result<Covering> whole = covering(grid_, options);
    if (!whole) return whole;
    add(result, *whole);
    return result;
  }

 private:
  [[nodiscard]] bool is_in_sub_model(std::size_t property) const {
    return std::ranges::any_of(plan_.sub_models, [&](const SubModel& sub_model) {
      return std::ranges::binary_search(sub_model.properties, property);
    });
  }

  [[nodiscard]] bool is_negative(std::size_t property, std::size_t value) const {
    return !plan_.negative.empty() && plan_.negative[property][value];
  }

  [[nodiscard]] bool fits(bool negative) const {
    return sort_ == Sort::Any || negative == (sort_ == Sort::Negative);
  }

  // Tuples whose properties do not all belong to one sub-model.
  [[nodiscard]] Wanted wanted() const {
    return [this](std::span<const std::size_t> properties, std::span<const std::size_t> values) {
      for (const SubModel& sub_model : plan_.sub_models) {
        if (properties.size() > 1 && std::ranges::includes(sub_model.properties, properties)) {
          return false;
        }
      }
      bool negative = false;
      for (std::size_t i = 0; i < properties.size(); ++i) {
        negative = negative || is_negative(properties[i], values[i]);
      }
      return fits(negative);
    };
  }

  [[nodiscard]] Element element_of(std::size_t property) const {
    Element made{.properties = {property}, .values = {}};
    for (std::size_t v = 0; v < grid_.properties[property].values.size(); ++v) {
      made.values.push_back({static_cast<Index>(v)});
    }
    return made;
  }

  // The rows of a sub-model, and what was not decided or covered in it.
  Result<Element> element_of(const SubModel& sub_model, Covering& sum) const {
    TuplesOptions options = options_;
    if (sub_model.strength > 0) options.strength = sub_model.strength;
    options.strength =
        static_cast<unsigned>(std::min<std::size_t>(options.strength, sub_model.properties.size()));
    options.wanted = [&](std::span<const std::size_t> properties, std::span<const std::size_t>) {
      return std::ranges::includes(sub_model.properties, properties);
    };
    const Result<Covering> rows = covering(grid_, options);
    if (!rows) return Failure(rows.error());
    sum.undecided += rows->undecided;
    sum.uncovered += rows->uncovered;
    std::set<Instance> values;
    for (const Instance& row : rows->rows) {
      Instance part;
      for (const std::size_t property : sub_model.properties) part.push_back(row[property]);
      values.insert(std::move(part));
    }
    return Element{sub_model.properties, {values.begin(), values.end()}};
  }

  const Grid& grid_;
  const CombinationPlan& plan_;
  TuplesOptions options_;
  Sort sort_;
};

// ---- Negative values ----

// Whether a value, as constraints see it, is marked in a list by index.
auto is_marked(const Property& property, const std::vector<bool>& marks) {
  return [values = property.values, marks](double value) {
    const auto at = std::ranges::lower_bound(values, value) - values.begin();
    return static_cast<bool>(marks[static_cast<std::size_t>(at)]);
  };
}

bool has_negative(const CombinationPlan& plan, std::size_t property) {
  return std::ranges::any_of(plan.negative[property], std::identity{});
}

Grid without_negative(Grid grid, const CombinationPlan& plan) {
  for (std::size_t p = 0; p < grid.properties.size(); ++p) {
    if (!has_negative(plan, p)) continue;
    const auto negative = is_marked(grid.properties[p], plan.negative[p]);
    grid.constraints.push_back(
        {.scope = {p},
         .allows = [negative](std::span<const double> given) { return !negative(given[0]); },
         .text = {}});
  }
  return grid;
}

Grid with_one_negative(Grid grid, const CombinationPlan& plan) {
  for (std::size_t b = 1; b < grid.properties.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) {
      if (!has_negative(plan, a) || !has_negative(plan, b)) continue;
      const auto first = is_marked(grid.properties[a], plan.negative[a]);
      const auto second = is_marked(grid.properties[b], plan.negative[b]);
      grid.constraints.push_back({.scope = {a, b},
                                  .allows =
                                      [first, second](std::span<const double> given) {
                                        return !first(given[0]) || !second(given[1]);
                                      },
                                  .text = {}});
    }
  }
  return grid;
}

}  // namespace

Result<Covering> planned_covering(const Grid& grid, const CombinationPlan& plan,
                                  const TuplesOptions& options) {
  POISE_CHECK(!options.wanted && options.given.empty());
  if (plan.empty()) return covering(grid, options);
  if (plan.negative.empty()) return ByParts(grid, plan, options, Sort::Any).run();
  const Grid positive = without_negative(grid, plan);
  Result<Covering> result = ByParts(positive, plan, options, Sort::Positive).run();
  if (!result) return result;
  const Grid negative = with_one_negative(grid, plan);
  const Result<Covering> more = ByParts(negative, plan, options, Sort::Negative).run();
  if (!more) return more;
  add(*result, *more);
  std::erase_if(result->rows, [&, seen = std::set<Instance>()](const Instance& row) mutable {
    return !seen.insert(row).second;
  });
  return result;
}

}  // namespace poise::shake
