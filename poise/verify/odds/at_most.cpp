#include "poise/verify/odds/at_most.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <map>
#include <optional>
#include <queue>

#include "poise/base/check.h"
#include "poise/base/infinity.h"
#include "poise/verify/odds/chain_of.h"

namespace poise::verify {

using Sign = Literal::Sign;

namespace {

constexpr std::size_t kMostTerms = 256;
constexpr std::size_t kMostScenarios = 16;
constexpr std::size_t kMostDimensions = 4;
constexpr std::size_t kLittleWork = 1000;
constexpr double kAsGoodAsExact = 1e-7;  // where bounds cost hardly anything

// Branches that count together: at each act one choice in each group. None, if there are too many
// such sets.
using Scenario = std::vector<std::size_t>;
std::optional<std::vector<Scenario>> scenarios_of(const std::vector<PartBranch>& branches,
                                                  const Scenario& among, std::size_t depth) {
  std::map<std::size_t, std::map<std::size_t, Scenario>> deeper;
  std::vector<Scenario> all = {{}};
  for (const std::size_t branch : among) {
    if (branches[branch].groups.size() > depth) {
      deeper[branches[branch].groups[depth]][branches[branch].choices[depth]].push_back(branch);
    } else {
      all.front().push_back(branch);
    }
  }
  for (const auto& [group, choices] : deeper) {
    std::vector<Scenario> longer;
    for (const auto& [choice, members] : choices) {
      const auto below = scenarios_of(branches, members, depth + 1);
      if (!below) return std::nullopt;
      for (const Scenario& one : all) {
        for (const Scenario& more : *below) {
          longer.push_back(one);
          longer.back().insert(longer.back().end(), more.begin(), more.end());
        }
      }
    }
    all = std::move(longer);
    if (all.size() > 1000) return std::nullopt;
  }
  return all;
}

// A part of which only some branches count, and with so few conjunctions that each can be looked
// at: where stages can be passed in too many ways, they are left out, which makes it likelier.
struct Reduced {
  IndependentPart part;
  bool left_out = false;
};
Reduced reduced(const IndependentPart& part, const Scenario& scenario) {
  Reduced made{{part.environment, part.noise, {}}};
  for (const std::size_t branch : scenario) made.part.branches.push_back(part.branches[branch]);
  const std::size_t most = std::max<std::size_t>(1, kMostTerms / scenario.size());
  for (PartBranch& branch : made.part.branches) {
    while (true) {
      std::size_t terms = 1;
      auto widest = branch.stages.end();
      for (auto stage = branch.stages.begin(); stage != branch.stages.end(); ++stage) {
        if (stage->is_certain()) continue;
        terms = std::min(terms * stage->ways.size(), 100 * kMostTerms);
        if (widest == branch.stages.end() || stage->ways.size() > widest->ways.size())
          widest = stage;
      }
      if (terms <= most) break;
      branch.stages.erase(widest);
      made.left_out = true;
    }
  }
  return made;
}

// A box, and what no environment in it exceeds.
struct BoundedBox {
  Box box;
  double high;
  std::size_t widest;  // the number to split it by
  bool operator<(const BoundedBox& other) const { return high < other.high; }
};

class BoxSearch {
 public:
  BoxSearch(const IndependentPart& part, const Scenario& scenario, OpenNumbers open,
            double relative)
      : reduced_(reduced(part, scenario)), part_(reduced_.part), open_(open), relative_(relative) {
    const auto conjunctions = conjunctions_of(part_, 2 * kMostTerms);
    POISE_CHECK(conjunctions);
    for (const Conjunction& one : *conjunctions) add(one);
    find_scales();
    const bool cheap =
        std::ranges::all_of(factors_, [](const FactorBounds& one) { return one.moves() == 0; });
    if (cheap && open == OpenNumbers::Fixed) relative_ = std::min(relative_, kAsGoodAsExact);
  }

  // How many numbers of the environment are to be chosen in advance.
  [[nodiscard]] std::size_t dimensions() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(scales_, [](double scale) { return scale > 0; }));
  }

  // What is reached elsewhere: bounds below it need not be better.
  void set_floor(double reached) { floor_ = reached; }

  // Looks at an environment that somebody else found.
  void consider(const std::vector<double>& environment) {
    if (environment.size() == part_.environment.size()) look_at(environment);
  }

  // What no environment exceeds.
  double high(std::size_t& work, Budget& budget) {
    work_ = work;
    const double most = searched(budget);
    work = work_;
    return most;
  }

  [[nodiscard]] const std::vector<double>& best() const { return best_; }
  [[nodiscard]] const chance::Interval& there() const { return there_; }

 private:
  [[nodiscard]] double searched(Budget& budget) {
    std::priority_queue<BoundedBox> open;
    double settled = 0;
    const auto push = [&](Box box) {
      if (!narrow(box)) return;
      const Bounded one = bound(box);
      if (one.high <= good_enough()) {
        settled = std::max(settled, one.high);
      } else {
        open.push({std::move(box), one.high, one.widest});
      }
    };
    push(everything());
    while (!open.empty() && work_ > 0 && budget.exhausted_now() == Exhausted::No) {
      const BoundedBox top = open.top();
      if (top.high <= good_enough()) break;
      open.pop();
      const auto halves = split(top.box, top.widest);
      if (!halves) {
        settled = std::max(settled, top.high);
        continue;
      }
      push(halves->first);
      push(halves->second);
    }
    if (!open.empty()) settled = std::max(settled, open.top().high);
    return std::min(1.0, settled);
  }

  struct Term {
    std::size_t branch;
    Rows certain;
    Rows noisy;
    std::vector<std::size_t> factors;
    bool log_concave = true;
  };

  void add(const Conjunction& one) {
    Term term{one.branch, one.certain, {}, {}};
    for (const Rows& rows : one.factors) {
      const auto known = std::ranges::find(factor_rows_, rows);
      term.factors.push_back(static_cast<std::size_t>(known - factor_rows_.begin()));
      if (known == factor_rows_.end()) {
        factor_rows_.push_back(rows);
        factors_.emplace_back(part_, rows, open_);
      }
      term.log_concave = term.log_concave && factors_[term.factors.back()].is_log_concave();
      term.noisy.insert(term.noisy.end(), rows.begin(), rows.end());
    }
    terms_.push_back(std::move(term));
  }

  [[nodiscard]] bool is_late(std::size_t number) const {
    return open_ == OpenNumbers::Late && part_.environment[number].open;
  }

  // For each number how much of it makes a difference: about the noise that it is added to. 0 for
  // numbers that are not to be chosen here.
  void find_scales() {
    scales_.assign(part_.environment.size(), 0);
    for (const Term& term : terms_) {
      for (const Rows* rows : {&term.certain, &term.noisy}) {
        for (const AffineRow* row : *rows) {
          const double spread = spread_of(*row);
          for (const AffineRow::Term& one : row->environment) {
            if (is_late(one.index)) continue;
            double& scale = scales_[one.index];
            const double here = spread / std::abs(one.factor);
            if (scale == 0 || (here > 0 && here < scale)) scale = here > 0 ? here : 1;
          }
        }
      }
    }
  }
  [[nodiscard]] double spread_of(const AffineRow& row) const {
    double spread = 0;
    for (const AffineRow::Term& term : row.noise) {
      const chance::Law& law = part_.noise[term.index].law;
      spread += std::abs(term.factor) * (law.high() - law.low()) / 4;
    }
    return spread;
  }

  [[nodiscard]] double good_enough() const {
    return std::max(floor_, there_.low) * (1 + relative_);
  }

  // ---- Boxes ----

  [[nodiscard]] Box everything() const {
    Box box;
    for (const IndependentPart::Environment& number : part_.environment) {
      const double low = number.beyond && !number.apart ? -kInfinity : number.low;
      const double high = number.beyond ? kInfinity : number.high;
      // An equation may leave a range that rounding has turned around.
      box.push_back({std::min(low, high), std::max(low, high)});
    }
    return box;
  }

  // Leaves out environments in which no term can happen. False if none is left.
  bool narrow(Box& box) const {
    std::optional<Box> hull;
    for (const Term& term : terms_) {
      Box one = box;
      if (!narrow(term, one)) continue;
      if (!hull) {
        hull = std::move(one);
        continue;
      }
      for (std::size_t i = 0; i < one.size(); ++i) {
        (*hull)[i] = {std::min((*hull)[i].from, one[i].from), std::max((*hull)[i].to, one[i].to)};
      }
    }
    if (hull) box = std::move(*hull);
    return hull.has_value();
  }

  bool narrow(const Term& term, Box& box) const {
    for (int round = 0; round < 2; ++round) {
      for (const Rows* rows : {&term.certain, &term.noisy}) {
        for (const AffineRow* row : *rows) {
          if (!narrow(*row, box)) return false;
        }
      }
      for (const PartStage& stage : part_.branches[term.branch].stages) {
        if (!stage.is_certain()) continue;
        const bool possible = std::ranges::any_of(stage.ways, [&](const auto& way) {
          Box one = box;
          const bool fits =
              std::ranges::all_of(way, [&](const AffineRow& row) { return narrow(row, one); });
          if (fits && stage.ways.size() == 1) box = std::move(one);
          return fits;
        });
        if (!possible) return false;
      }
    }
    return true;
  }

  // What the noise, and numbers that are chosen late, can add to a row.
  [[nodiscard]] BoxSide added(const AffineRow& row, const Box& box) const {
    BoxSide sum{0, 0};
    const auto add = [&](double factor, double low, double high) {
      sum.from += std::min(factor * low, factor * high);
      sum.to += std::max(factor * low, factor * high);
    };
    for (const AffineRow::Term& term : row.noise) {
      const IndependentPart::Noise& noise = part_.noise[term.index];
      add(term.factor, noise.law.low(), noise.law.high());
    }
    for (const AffineRow::Term& term : row.environment) {
      if (is_late(term.index)) add(term.factor, box[term.index].from, box[term.index].to);
    }
    return sum;
  }

  bool narrow(const AffineRow& row, Box& box) const {
    const BoxSide extra = added(row, box);
    if (!narrow_side(row, 1, extra.from, box)) return false;
    return row.sign != Sign::Equal || narrow_side(row, -1, -extra.to, box);
  }

  // sign * (constant + environment) + least <= 0 leaves each number what the others leave it.
  bool narrow_side(const AffineRow& row, double sign, double least, Box& box) const {
    double sum = sign * row.constant + least;
    double size = std::abs(sum);
    int infinite = 0;
    const auto least_of = [&](const AffineRow::Term& term) {
      const double factor = sign * term.factor;
      return factor * (factor > 0 ? box[term.index].from : box[term.index].to);
    };
    for (const AffineRow::Term& term : row.environment) {
      if (is_late(term.index)) continue;
      const double one = least_of(term);
      if (std::isinf(one)) {
        ++infinite;
      } else {
        sum += one;
        size = std::max(size, std::abs(one));
      }
    }
    if (std::isinf(sum)) return sum < 0;
    const double slack = 1e-12 * (1 + size);
    if (infinite == 0 && sum > slack) return false;
    for (const AffineRow::Term& term : row.environment) {
      if (is_late(term.index)) continue;
      const double own = least_of(term);
      if (infinite > (std::isinf(own) ? 1 : 0)) continue;
      const double factor = sign * term.factor;
      const double limit = -(std::isinf(own) ? sum : sum - own) / factor;
      const double margin = slack / std::abs(factor);
      BoxSide& side = box[term.index];
      if (factor > 0) side.to = std::min(side.to, limit + margin);
      if (factor < 0) side.from = std::max(side.from, limit - margin);
      if (!tidy(term.index, side)) return false;
    }
    return true;
  }

  // A whole number has a whole range. False if the range is empty.
  bool tidy(std::size_t index, BoxSide& side) const {
    const IndependentPart::Environment& number = part_.environment[index];
    if (number.whole) {
      side = {std::ceil(side.from - 1e-9), std::floor(side.to + 1e-9)};
      const auto is_gap = [&](double value) {
        return std::ranges::find(number.gaps, value) != number.gaps.end();
      };
      while (side.from <= side.to && is_gap(side.from)) ++side.from;
      while (side.from <= side.to && is_gap(side.to)) --side.to;
    }
    return side.from <= side.to;
  }

  // The number whose side is longest, in its scale.
  [[nodiscard]] std::size_t widest(const Box& box) const {
    std::size_t widest = 0;
    double most = -1;
    for (std::size_t i = 0; i < box.size(); ++i) {
      if (scales_[i] == 0) continue;
      const double width = (box[i].to - box[i].from) / scales_[i];
      if (width > most) {
        most = width;
        widest = i;
      }
    }
    return widest;
  }

  // Halves; none if the side is hardly more than a point. Nobody looks for the worst environment
  // with late choices, so there is nothing to compare a bound with, and small boxes have to do.
  [[nodiscard]] std::optional<std::pair<Box, Box>> split(const Box& box,
                                                         std::size_t longest) const {
    if (box.empty()) return std::nullopt;
    const double least = (open_ == OpenNumbers::Late ? 5e-3 : 1e-9) * scales_[longest];
    if (!(box[longest].to - box[longest].from > least)) return std::nullopt;
    const auto [from, to] = box[longest];
    const double far = 8 * scales_[longest];
    double middle = (from + to) / 2;
    if (std::isinf(from) && std::isinf(to)) {
      middle = 0;
    } else if (std::isinf(from)) {
      middle = to - std::max(far, std::abs(to));
    } else if (std::isinf(to)) {
      middle = from + std::max(far, std::abs(from));
    }
    if (std::abs(middle) > 1e15) return std::nullopt;
    const bool whole = part_.environment[longest].whole;
    if (whole) middle = std::floor(middle);
    std::pair<Box, Box> halves{box, box};
    halves.first[longest].to = middle;
    halves.second[longest].from = whole ? middle + 1 : middle;
    return halves;
  }

  // ---- Bounds ----

  using Values = std::vector<chance::Interval>;  // by factor
  [[nodiscard]] Values values_in(const Box& box) {
    Values values;
    for (const FactorBounds& factor : factors_) {
      values.push_back(factor.bounds(box));
      work_ -= std::min(work_, cost_of(factor.moves()));
    }
    return values;
  }

  // A chain takes a node times a piece for each move but the last, and a few microseconds without.
  static std::size_t cost_of(std::size_t moves) { return moves == 0 ? 1 : 10 + 130 * (moves - 1); }

  static chance::Interval product(const Term& term, const Values& values) {
    chance::Interval all{1, 1};
    for (const std::size_t factor : term.factors) {
      all.low *= values[factor].low;
      all.high *= values[factor].high;
    }
    return all;
  }

  struct Bounded {
    double high;
    std::size_t widest;  // where the bound is most off: the number to split the box by
  };
  [[nodiscard]] Bounded bound(const Box& box) {
    std::vector<double> highs;
    const Values values = values_in(box);
    double sum = 0;
    for (const Term& term : terms_) {
      highs.push_back(product(term, values).high);
      sum += highs.back();
    }
    const Bounded plain{std::min(1.0, sum), widest(box)};
    if (sum <= good_enough()) return plain;
    std::vector<double> middle;
    for (std::size_t i = 0; i < box.size(); ++i) {
      const BoxSide& side = box[i];
      if (scales_[i] == 0) {  // of no importance here
        middle.push_back(std::clamp(0.0, side.from, side.to));
        continue;
      }
      if (std::isinf(side.from) || std::isinf(side.to)) return plain;
      const double between = (side.from + side.to) / 2;
      middle.push_back(part_.environment[i].whole ? std::floor(between) : between);
    }
    const Values here = look_at(middle);
    const bool useful = std::ranges::any_of(
        terms_, [&](const Term& one) { return one.log_concave && product(one, here).low > 0; });
    return useful ? secant_bound(box, middle, here, highs) : plain;
  }

  // By concavity of the logarithm; see the header.
  [[nodiscard]] Bounded secant_bound(const Box& box, const std::vector<double>& middle,
                                     const Values& here, const std::vector<double>& highs) {
    std::vector<double> rises(terms_.size());  // of the logarithm, above the middle
    std::size_t steepest = widest(box);
    double most_in_all = 0;
    for (std::size_t i = 0; i < box.size(); ++i) {
      const double reach = std::max(box[i].to - middle[i], middle[i] - box[i].from);
      if (scales_[i] == 0 || reach == 0) continue;
      std::vector<double> most(terms_.size());
      for (const double sign : {-1.0, 1.0}) {
        std::vector<double> at = middle;
        at[i] += sign * reach;
        const Values there = values_in(point(at));
        for (std::size_t j = 0; j < terms_.size(); ++j) {
          const double low = product(terms_[j], there).low;
          const double rise = std::log(product(terms_[j], here).high) - std::log(low);
          most[j] = std::max(most[j], low > 0 ? rise : kInfinity);
        }
      }
      const double rise_here = std::ranges::max(most);
      if (rise_here > most_in_all && rise_here < kInfinity) {
        most_in_all = rise_here;
        steepest = i;
      }
      for (std::size_t j = 0; j < terms_.size(); ++j) rises[j] += most[j];
    }
    double sum = 0;
    for (std::size_t j = 0; j < terms_.size(); ++j) {
      const chance::Interval at_middle = product(terms_[j], here);
      const bool applies = terms_[j].log_concave && at_middle.low > 0;
      sum += applies ? std::min(highs[j], at_middle.high * std::exp(rises[j])) : highs[j];
    }
    const bool all_known = std::ranges::all_of(rises, [](double rise) { return rise < kInfinity; });
    return {std::min(1.0, sum), all_known ? steepest : widest(box)};
  }

  [[nodiscard]] static Box point(const std::vector<double>& environment) {
    Box box;
    for (const double value : environment) box.push_back({value, value});
    return box;
  }

  // The values in an environment, which may be the best so far.
  Values look_at(const std::vector<double>& environment) {
    Values values = values_in(point(environment));
    if (reduced_.left_out || open_ == OpenNumbers::Late) return values;
    chance::Interval sum{0, 0};
    for (const Term& term : terms_) {
      const bool rows_hold = std::ranges::all_of(
          term.certain, [&](const AffineRow* row) { return missed(*row, environment) == 0; });
      if (!rows_hold || missed(part_.branches[term.branch], environment) > 0) continue;
      const chance::Interval one = product(term, values);
      sum.low += one.low;
      sum.high += one.high;
    }
    if (sum.low > there_.low && is_allowed(environment)) {
      best_ = environment;
      there_ = {std::min(1.0, sum.low), std::min(1.0, sum.high)};
    }
    return values;
  }

  [[nodiscard]] bool is_allowed(const std::vector<double>& environment) const {
    for (std::size_t i = 0; i < environment.size(); ++i) {
      const IndependentPart::Environment& number = part_.environment[i];
      const bool in_range = environment[i] >= number.low && environment[i] <= number.high;
      const bool gap = std::ranges::find(number.gaps, environment[i]) != number.gaps.end();
      if (!in_range || gap) return false;
    }
    return true;
  }

  Reduced reduced_;
  const IndependentPart& part_;
  OpenNumbers open_;
  double relative_;
  double floor_ = 0;
  std::vector<Term> terms_;
  std::vector<Rows> factor_rows_;
  std::deque<FactorBounds> factors_;
  std::vector<double> scales_;
  std::size_t work_ = 0;
  std::vector<double> best_;
  chance::Interval there_ = {0, 0};
};

}  // namespace

AtMost at_most(const IndependentPart& part, const AtMostOptions& options, Budget& budget) {
  Scenario all(part.branches.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  const auto scenarios = scenarios_of(part.branches, all, 0);
  if (!scenarios) return {1, {}, {0, 0}};
  const auto is_fixed = [&](const Scenario& one) {
    return std::ranges::any_of(one, [&](std::size_t i) { return part.branches[i].fixed; });
  };
  const bool any_open = std::ranges::any_of(part.environment, &IndependentPart::Environment::open);
  // With open numbers chosen late, values that are fixed in advance are covered, too.
  double late = any_open ? 0 : 1;
  std::size_t work = options.work;
  for (const Scenario& scenario : *scenarios) {
    if (is_fixed(scenario) || !any_open) continue;
    BoxSearch search(part, scenario, OpenNumbers::Late, options.relative);
    search.set_floor(options.reached);
    late = std::max(late, search.high(work, budget));
  }
  // In advance: each scenario may use its share of the work, and what others left.
  AtMost result{0, {}, {0, 0}};
  std::size_t left = options.work;
  for (std::size_t i = 0; i < scenarios->size(); ++i) {
    BoxSearch search(part, (*scenarios)[i], OpenNumbers::Fixed, options.relative);
    search.set_floor(std::max(options.reached, result.there.low));
    search.consider(options.known);
    const bool few = scenarios->size() <= kMostScenarios && search.dimensions() <= kMostDimensions;
    std::size_t share = few ? left / (scenarios->size() - i) : kLittleWork;
    left -= std::min(left, share);
    const double high = search.high(share, budget);
    left += share;
    result.high = std::max(result.high, std::min(late, high));
    if (search.there().low > result.there.low) {
      result.environment = search.best();
      result.there = search.there();
    }
  }
  return result;
}

}  // namespace poise::verify
