#include "poise/verify/mission/borders.h"

#include <cstddef>
#include <optional>
#include <utility>

#include "poise/verify/mission/comparison.h"
#include "poise/verify/system/law_of.h"

namespace poise::verify {

using model::SlotId;

namespace {

class BorderFinder {
 public:
  BorderFinder(const System& system, const MissionNumbers& numbers)
      : system_(system), numbers_(numbers), reader_(system, numbers) {
    found_.marks.resize(numbers.axes.size());
    found_.nodes.resize(numbers.axes.size());
  }

  Borders found() {
    for (std::size_t axis = 0; axis < numbers_.axes.size(); ++axis) add_domain(axis);
    for (std::size_t now = 0; now < numbers_.combinations(); ++now) {
      for (const std::vector<Cube>& condition : numbers_.start) add_actual(condition, now);
      for (const std::vector<Cube>& constraint : numbers_.always) add_actual(constraint, now);
      for (std::size_t state = 0; state < numbers_.outcomes.size(); ++state) {
        for (const Outcome& outcome : numbers_.outcomes[state]) {
          for (const Comparisons& all : reader_.read(outcome.cubes, now)) add_sensed(all);
        }
        for (const auto& move : numbers_.acts[state]) {
          for (const ActParts& act : move) {
            add_actual(act.ways, now);
            for (const std::vector<Cube>& failed : act.failed) add_actual(failed, now);
          }
        }
      }
    }
    return std::move(found_);
  }

 private:
  void add_domain(std::size_t axis) {
    const SlotId slot = numbers_.axes[axis];
    if (system_.is_sensed(slot)) {
      const Domain domain = domain_of(system_, slot);
      found_.marks[axis] = {to_double(domain.low), to_double(domain.high)};
    } else {
      found_.marks[axis] = {
          to_double(system_.variable(slot).initial[system_.model->slots[slot].member])};
    }
  }

  void add_actual(const std::vector<Cube>& cubes, std::size_t now) {
    for (const Cube& cube : cubes) {
      for (const Literal& literal : cube) {
        const std::optional<Comparison> read = reader_.read(literal, now, now, nullptr);
        if (!read || read->now.size() + read->later.size() != 1) continue;
        add(read->now.empty() ? read->later.front() : read->now.front(), read->constant, {});
      }
    }
  }

  void add_sensed(const Comparisons& all) {
    for (const Comparison& comparison : all) {
      if (comparison.now.size() != 1) continue;
      const SlotId slot = numbers_.axes[comparison.now.front().axis];
      std::vector<double> kinks;
      if (system_.is_off(slot)) kinks = law_of(system_.variable(slot)).kinks();
      add(comparison.now.front(), comparison.constant, kinks);
    }
  }

  void add(const Comparison::Term& term, const Rational& constant,
           const std::vector<double>& kinks) {
    const double at = to_double(-constant / term.factor);
    const bool bends_only = kinks.size() > 1;
    auto& where = (bends_only ? found_.nodes : found_.marks)[term.axis];
    if (kinks.empty()) where.push_back(at);
    for (const double kink : kinks) where.push_back(at - kink);
  }

  const System& system_;
  const MissionNumbers& numbers_;
  ComparisonReader reader_;
  Borders found_;
};

}  // namespace

Borders borders_of(const System& system, const MissionNumbers& numbers) {
  return BorderFinder(system, numbers).found();
}

}  // namespace poise::verify
