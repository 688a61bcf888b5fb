#pragma once

// What acts do to the value of a mission, backwards: from the value after an act to the value
// before it. An act makes of each number a multiple of one number, plus something that the
// adversary chooses in a range, plus errors of the act.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "poise/verify/mission/comparison.h"
#include "poise/verify/mission/field.h"
#include "poise/verify/mission/line_maps.h"
#include "poise/verify/mission/numbers.h"

namespace poise::verify {

// The way in which the later value of one number comes from another one, or from none: it lies
// between factor * from + low and factor * from + high, and errors add to both. Noted so that the
// grid can have nodes where conditions come from.
struct Link {
  std::size_t to = 0;
  std::optional<std::size_t> from;
  double factor = 1;
  double low = 0;
  double high = 0;
  std::vector<double> errors = {};  // where the density of an error bends or jumps
  friend auto operator<=>(const Link&, const Link&) = default;
};

class Effects {
 public:
  Effects(const System& system, const MissionNumbers& numbers, Workshop& shop)
      : system_(system), numbers_(numbers), shop_(shop) {}

  // The value before an act that makes of the values what the comparisons say.
  [[nodiscard]] Field before(const Act& act, const Comparisons& comparisons, Field value);

  // Not empty: something was met that cannot be calculated, and no value counts.
  [[nodiscard]] const std::string& why() const { return why_; }
  // Of all acts so far.
  [[nodiscard]] std::set<Link> take_links() { return std::move(links_); }

 private:
  // The later value of a number: see Link.
  struct Change {
    std::size_t to = 0;
    std::optional<std::size_t> from;
    double factor = 1;
    double low = -kInfinity;
    double high = kInfinity;
    bool low_open = false;
    bool high_open = false;
    std::vector<Comparison::ErrorTerm> errors;
    // Both bounds are of the same form, so that they have the source and the errors in common.
    bool has_form = false;

    [[nodiscard]] bool moves() const {
      return from != to || factor != 1 || low != 0 || high != 0 || !errors.empty();
    }
  };
  // Errors in one part of their range are bounded by the worst and the best of them, for each
  // number by itself.
  struct Bin {
    model::SlotId slot;
    double low;
    double high;
  };
  struct Step {
    std::size_t from;
    std::size_t to;
    double shift;
  };

  [[nodiscard]] Change unchanged(const Act& act, std::size_t axis) const;
  void note(const Comparison& comparison, Change& change);
  void note_link(const Change& change);
  [[nodiscard]] Field through(const std::vector<Change>& changes, const Field& value);
  [[nodiscard]] Field through(const std::vector<Change>& changes, Field value,
                              const std::optional<Bin>& bin);
  [[nodiscard]] Field through(const Change& change, Field value, std::size_t place,
                              const std::optional<Bin>& bin);
  [[nodiscard]] Field through(const Comparison::ErrorTerm& error, const Field& value,
                              std::size_t place, const Step& step, const std::optional<Bin>& bin);
  [[nodiscard]] Field through_bins(model::SlotId slot, const std::vector<Change>& changes,
                                   const Field& value);
  [[nodiscard]] const Blur& blur_of(model::SlotId slot, double factor, const Step& step);
  [[nodiscard]] const Reach& reach_of(std::size_t from, std::size_t to, const Reach::Window& window,
                                      Reach::Chooser chooser = Reach::Chooser::Adversary);

  const System& system_;
  const MissionNumbers& numbers_;
  Workshop& shop_;
  std::string why_;
  std::set<Link> links_;
  std::map<std::tuple<model::SlotId, double, std::size_t, std::size_t, double>, Blur> blurs_;
  std::map<std::tuple<std::size_t, std::size_t, double, double, double, std::pair<bool, bool>,
                      Reach::Chooser>,
           Reach>
      reaches_;
};

}  // namespace poise::verify
