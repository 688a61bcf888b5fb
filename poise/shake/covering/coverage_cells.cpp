// The coverage of cells by flows: cells, transitions and orders. Feasible cells are listed first;
// transitions and orders are then bits in a square table over them.

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/shake/covering/coverage.h"
#include "poise/shake/covering/plain_search.h"

namespace poise::shake {

namespace {

constexpr std::uint32_t kNoCell = UINT32_MAX;
// The search for feasible cells gives up after this many visits per cell that may be counted.
constexpr std::size_t kVisits = 64;

using Cell = std::vector<std::uint32_t>;  // by property

std::uint32_t cell_of(const Property& property, Index value) {
  if (value == kNoValue) return kNoCell;
  return value < property.cells.size() ? property.cells[value] : 0;
}

Cell cell_of(const Grid& grid, const Instance& instance) {
  Cell cell(instance.size());
  for (std::size_t i = 0; i < instance.size(); ++i) {
    cell[i] = cell_of(grid.properties[i], instance[i]);
  }
  return cell;
}

// Names the cells of all properties but those that have one cell only.
std::string text(const Grid& grid, const Cell& cell) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < cell.size(); ++i) {
    const Property& property = grid.properties[i];
    const bool single = std::ranges::all_of(
        property.cells, [&](std::uint32_t other) { return other == property.cells.front(); });
    if (single && !property.guard) continue;
    std::string name = "none";
    if (cell[i] != kNoCell) {
      name = cell[i] < property.cell_names.size() ? property.cell_names[cell[i]]
                                                  : fmt::format("cell {}", cell[i]);
    }
    parts.push_back(property.name + " " + name);
  }
  return parts.empty() ? "anywhere" : joined(parts, ", ");
}

// All cells that a valid instance lies in; nothing if there are too many, or if the search gave up.
class FeasibleCells {
 public:
  FeasibleCells(const Grid& grid, const CoverageOptions& options)
      : grid_(grid), options_(options), search_(grid, options.steps) {}

  std::optional<std::set<Cell>> find() {
    const bool all = search_.for_each_valid(options_.enumerated, [&](const Instance& instance) {
      if (cells_.size() <= options_.cells) cells_.insert(cell_of(grid_, instance));
    });
    if (!all) visit(0, search_.everything());
    if (stopped_ || cells_.size() > options_.cells) return std::nullopt;
    return std::move(cells_);
  }

 private:
  // Tries the cells of one property after another; recursion is as deep as there are properties.
  void visit(std::size_t property, PlainSearch::Choices choices) {
    stopped_ = stopped_ || ++visited_ > kVisits * options_.cells;
    if (stopped_ || !search_.narrow(choices)) return;
    while (property < choices.size() && choices[property].size() == 1) ++property;
    if (property >= choices.size()) {
      const std::optional<Instance> found = search_.instance(std::move(choices));
      if (found) cells_.insert(cell_of(grid_, *found));
      stopped_ = search_.gave_up() || cells_.size() > options_.cells;
      return;
    }
    std::map<std::uint32_t, std::vector<Index>> parts;
    for (const Index value : choices[property]) {
      parts[cell_of(grid_.properties[property], value)].push_back(value);
    }
    for (const auto& [cell, values] : parts) {
      PlainSearch::Choices narrowed = choices;
      narrowed[property] = values;
      visit(property + 1, std::move(narrowed));
    }
  }

  const Grid& grid_;
  CoverageOptions options_;
  PlainSearch search_;
  std::set<Cell> cells_;
  std::size_t visited_ = 0;
  bool stopped_ = false;
};

class CellCoverage {
 public:
  CellCoverage(const Grid& grid, const std::set<Cell>& feasible, const CoverageOptions& options)
      : grid_(grid), options_(options), cells_(feasible.begin(), feasible.end()) {
    for (const Cell& cell : cells_) numbers_.emplace(cell, numbers_.size());
    const std::size_t count = cells_.size();
    covered_.resize(count, false);
    transitions_.resize(count * count, false);
    orders_.resize(count * count, false);
  }

  void add(const Flow& flow) {
    std::vector<std::size_t> before;  // each once
    std::vector<bool> was_before(cells_.size(), false);
    constexpr std::size_t kNone = SIZE_MAX;
    std::size_t previous = kNone;
    for (const Instance& instance : flow) {
      if (!is_valid(grid_, instance)) {
        previous = kNone;
        continue;
      }
      const std::size_t now = numbers_.at(cell_of(grid_, instance));
      covered_[now] = true;
      if (previous != kNone) transitions_[previous * cells_.size() + now] = true;
      // While the flow stays in a cell, nothing new comes before it. The second tick of the first
      // stay still counts: there the cell comes before itself.
      if (previous != now || !orders_[now * cells_.size() + now]) {
        for (const std::size_t earlier : before) orders_[earlier * cells_.size() + now] = true;
      }
      if (!was_before[now]) {
        was_before[now] = true;
        before.push_back(now);
      }
      previous = now;
    }
  }

  [[nodiscard]] Coverage cells() const {
    return counted(covered_, [&](std::size_t at) { return text(grid_, cells_[at]); });
  }
  [[nodiscard]] Coverage transitions() const { return pairs(transitions_, " -> "); }
  [[nodiscard]] Coverage orders() const { return pairs(orders_, " … "); }

 private:
  [[nodiscard]] Coverage pairs(const std::vector<bool>& covered, const char* arrow) const {
    return counted(covered, [&](std::size_t at) {
      return text(grid_, cells_[at / cells_.size()]) + arrow +
             text(grid_, cells_[at % cells_.size()]);
    });
  }

  template <class Text>
  [[nodiscard]] Coverage counted(const std::vector<bool>& covered, const Text& text_of) const {
    Coverage result;
    result.feasible = covered.size();
    for (std::size_t at = 0; at < covered.size(); ++at) {
      if (covered[at]) {
        ++result.covered;
      } else if (result.missing.size() < options_.listed) {
        result.missing.push_back(text_of(at));
      }
    }
    return result;
  }

  const Grid& grid_;
  CoverageOptions options_;
  std::vector<Cell> cells_;
  std::map<Cell, std::size_t> numbers_;
  std::vector<bool> covered_;
  std::vector<bool> transitions_;  // by cell and next cell
  std::vector<bool> orders_;       // by cell and later cell
};

}  // namespace

FlowCoverage coverage(const Grid& grid, std::span<const Flow> flows,
                      const CoverageOptions& options) {
  std::vector<Instance> instances;
  for (const Flow& flow : flows) instances.insert(instances.end(), flow.begin(), flow.end());
  FlowCoverage result;
  result.values = coverage(grid, instances, 1, options);
  result.pairs = coverage(grid, instances, 2, options);
  const std::optional<std::set<Cell>> feasible = FeasibleCells(grid, options).find();
  if (!feasible) {
    result.cells.counted = result.transitions.counted = result.orders.counted = false;
    return result;
  }
  CellCoverage cells(grid, *feasible, options);
  for (const Flow& flow : flows) cells.add(flow);
  result.cells = cells.cells();
  result.transitions = cells.transitions();
  result.orders = cells.orders();
  return result;
}

}  // namespace poise::shake
