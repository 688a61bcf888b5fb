#include "poise/verify/mission/mission.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>

#include "poise/verify/mission/backward.h"
#include "poise/verify/mission/borders.h"
#include "poise/verify/mission/numbers.h"

namespace poise::verify {

namespace {

constexpr double kNear = 0.01;   // bounds that are as close are near enough,
constexpr double kRatio = 1.05;  // but while it is cheap, they should be in this proportion, too
constexpr std::size_t kCheap = 20'000'000;  // work, as Workshop counts it
constexpr std::size_t kDear = 400'000'000;  // for any failure, and again for all hazards together
constexpr std::size_t kParts = 12;          // of a range, at first
constexpr std::size_t kMostWhole = 20'000;  // values of a whole number
constexpr std::size_t kMostBorders = 160;   // nodes for the sake of conditions, of an axis
constexpr double kRounding = 1e-9;          // what sums and products of doubles may be off by

// An axis in the making.
struct AxisPlan {
  bool whole = false;
  double low = 0;  // of the range at the start
  double high = 0;
  std::vector<double> marks;
  std::vector<double> nodes;
};

bool is_listed(const std::vector<double>& numbers, double number) {
  return std::ranges::any_of(numbers, [&](double other) { return is_same(number, other); });
}

class MissionSolver {
 public:
  MissionSolver(const System& system, const MissionNumbers& numbers, std::size_t decisions,
                const Effort& effort)
      : system_(system), numbers_(numbers), decisions_(decisions), effort_(effort) {
    Borders borders = borders_of(system, numbers);
    for (std::size_t i = 0; i < numbers.axes.size(); ++i) {
      AxisPlan& plan = plans_.emplace_back();
      plan.whole = is_whole(system, numbers.axes[i]);
      plan.low = *std::ranges::min_element(borders.marks[i]);
      plan.high = *std::ranges::max_element(borders.marks[i]);
      plan.marks = std::move(borders.marks[i]);
      plan.nodes = std::move(borders.nodes[i]);
      for (std::size_t part = 1; part < kParts; ++part) {
        plan.nodes.push_back(plan.low + (plan.high - plan.low) * static_cast<double>(part) /
                                            static_cast<double>(kParts));
      }
    }
    // A first look, at one decision and all failures: which numbers come from which others.
    Grid grid;
    if (!make(grid)) return;
    Workshop shop = shop_of(grid, kDear);
    const Value first = value_of_mission(system_, numbers_, 1, nullptr, shop);
    why_ = first.why;
    widen(first.links);
    for (const Link& link : first.links) links_.push_back(link);
    follow_borders();
  }

  [[nodiscard]] const std::string& why() const { return why_; }

  // None if it cannot be calculated.
  std::optional<Within> bounds(Objective objective, std::size_t most_work) {
    Grid grid;
    if (!why_.empty() || !make(grid)) return std::nullopt;
    Within best{.low = 0, .high = 1, .complete = false};
    std::size_t spent = 0;
    while (true) {
      Workshop shop = shop_of(grid, most_work - spent);
      const Value value = value_of_mission(system_, numbers_, decisions_, objective, shop);
      if (!value.why.empty()) {
        why_ = value.why;
        return std::nullopt;
      }
      best.low = std::max(best.low, value.span.low * (1 - kRounding));
      best.high = std::min(best.high, value.span.high * (1 + kRounding));
      spent += shop.work;
      const bool near = best.high - best.low <= kNear;
      best.complete = near;
      const std::size_t next = spent + 3 * shop.work;  // if it goes on
      const bool done = near && (best.high <= kRatio * best.low || next > kCheap);
      if (done || next > most_work || shop.gave_up || is_over()) return best;
      if (!refine(grid, shop.moved)) return best;
    }
  }

 private:
  [[nodiscard]] bool is_over() const { return effort_.exhausted() != Exhausted::No; }

  [[nodiscard]] Workshop shop_of(const Grid& grid, std::size_t most_work) const {
    constexpr std::size_t kBytes = 200;  // for a corner: of all fields that there are at a time
    Workshop shop{.grid = &grid,
                  .most_corners = effort_.bytes() / kBytes,
                  .most_work = most_work,
                  .is_over = [this] { return is_over(); }};
    for (const Axis& axis : grid) shop.moved.emplace_back(axis.cells.size());
    return shop;
  }

  bool make(Grid& grid) {
    for (const AxisPlan& plan : plans_) {
      if (!plan.whole) {
        grid.push_back(real_axis(plan.marks, plan.nodes));
        continue;
      }
      const double low = std::floor(std::min(plan.low, std::ranges::min(plan.marks)));
      const double high = std::ceil(std::max(plan.high, std::ranges::max(plan.marks)));
      if (high - low > static_cast<double>(kMostWhole)) {
        why_ = "a whole number has too many values";
        return false;
      }
      grid.push_back(whole_axis(low, high));
    }
    return true;
  }

  // Values may leave the range of the start by what all decisions together can add.
  void widen(const std::set<Link>& links) {
    for (std::size_t i = 0; i < plans_.size(); ++i) {
      double most = 0;
      for (const Link& link : links) {
        if (link.to != i || link.factor != 1 || !link.from) continue;
        for (const double error : link.errors) {
          for (const double bound : {link.low + error, link.high + error}) {
            if (std::isfinite(bound)) most = std::max(most, std::abs(bound));
          }
        }
      }
      AxisPlan& plan = plans_[i];
      const auto count = static_cast<double>(decisions_);
      if (plan.whole) {
        const double by = std::min(std::ceil(most * count), static_cast<double>(kMostWhole) / 4);
        plan.low -= by;
        plan.high += by;
        continue;
      }
      if (most == 0) continue;
      const std::size_t parts = std::min<std::size_t>(decisions_, kParts);
      for (std::size_t part = 1; part <= parts; ++part) {
        const double by = most * count * static_cast<double>(part) / static_cast<double>(parts);
        plan.nodes.push_back(plan.low - by);
        plan.nodes.push_back(plan.high + by);
      }
    }
  }

  // Where a condition changes its truth after an action, the value before it jumps or bends:
  // without errors at one number for each, and with errors where their densities bend. Nodes there
  // make cells in which it is nearly straight.
  void follow_borders() {
    std::vector<std::vector<double>> new_marks;
    std::vector<std::vector<double>> new_nodes;
    for (const AxisPlan& plan : plans_) {
      new_marks.push_back(plan.marks);
      new_nodes.push_back(plan.nodes);
    }
    for (std::size_t round = 0; round < std::min<std::size_t>(decisions_, 8); ++round) {
      std::vector<std::vector<double>> marks(plans_.size());
      std::vector<std::vector<double>> nodes(plans_.size());
      for (const Link& link : links_) {
        if (!link.from || plans_[*link.from].whole) continue;
        AxisPlan& plan = plans_[*link.from];
        for (const double bound : {link.low, link.high}) {
          if (!std::isfinite(bound)) continue;
          const bool exact = link.errors.size() == 1;
          for (const double error : link.errors) {
            for (const double mark : new_marks[link.to]) {
              const double at = (mark - bound - error) / link.factor;
              if (exact && add(plan.marks, at)) marks[*link.from].push_back(at);
              if (!exact && add(plan.nodes, at)) nodes[*link.from].push_back(at);
            }
          }
          if (exact && link.to != *link.from) {
            for (const double node : new_nodes[link.to]) {
              const double at = (node - bound - link.errors.front()) / link.factor;
              if (add(plan.nodes, at)) nodes[*link.from].push_back(at);
            }
          }
        }
      }
      new_marks = std::move(marks);
      new_nodes = std::move(nodes);
    }
  }

  static bool add(std::vector<double>& numbers, double number) {
    if (numbers.size() >= kMostBorders || is_listed(numbers, number)) return false;
    numbers.push_back(number);
    return true;
  }

  // Cuts the cells whose results were moved most, compared by how much of the axis they are: what
  // comes next is mostly a mean. False if there is nothing to cut.
  static bool refine(Grid& grid, std::vector<Moved> moved) {
    double most = 0;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const std::vector<AxisCell>& cells = grid[i].cells;
      const double length = cells.back().low - cells.front().high;
      for (std::size_t j = 0; j < cells.size(); ++j) {
        const bool can_be_cut = cells[j].is_bounded() && !cells[j].is_point();
        moved[i][j] *= can_be_cut ? cells[j].width() / length : 0;
        most = std::max(most, moved[i][j]);
      }
    }
    if (most == 0) return false;
    bool some = false;
    for (std::size_t i = 0; i < grid.size(); ++i) {
      std::vector<bool> chosen;
      for (const double by : moved[i]) chosen.push_back(by >= kWorthIt * most);
      Axis finer = cut(grid[i], chosen);
      some = some || finer.cells.size() > grid[i].cells.size();
      grid[i] = std::move(finer);
    }
    return some;
  }

  static constexpr double kWorthIt = 0.04;

  const System& system_;
  const MissionNumbers& numbers_;
  std::size_t decisions_;
  const Effort& effort_;
  std::vector<AxisPlan> plans_;
  std::vector<Link> links_;
  std::string why_;
};

}  // namespace

MissionOdds mission_odds(const System& system, std::size_t decisions,
                         std::span<const Hazard> hazards, const Effort& effort) {
  MissionOdds made;
  if (system.mode == Mode::AsPrinted) {
    made.why = "as printed, sensed values are tied to each other";
    return made;
  }
  const std::variant<MissionNumbers, std::string> numbers = mission_numbers(system);
  if (const std::string* why = std::get_if<std::string>(&numbers)) {
    made.why = *why;
    return made;
  }
  MissionSolver solver(system, std::get<MissionNumbers>(numbers), decisions, effort);
  made.all = solver.bounds(nullptr, kDear);
  for (const Hazard& hazard : hazards) {
    if (!made.all) break;
    const std::optional<Within> one = solver.bounds(&hazard, kDear / hazards.size());
    if (!one) {
      made.all.reset();
      break;
    }
    // A hazard is a failure, so neither bound says more than both together.
    made.hazards.push_back({one->low, std::min(one->high, made.all->high), one->complete});
    made.all->low = std::max(made.all->low, one->low);
  }
  if (!made.all) {
    made.hazards.clear();
    made.why = solver.why();
  }
  return made;
}

}  // namespace poise::verify
