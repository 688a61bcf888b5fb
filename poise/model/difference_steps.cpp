// How tests become the steps of a search (differences.h): which forms there are, where their cuts
// lie, in which order they are decided, and which slots are open meanwhile.

#include <algorithm>
#include <map>
#include <set>

#include "poise/model/differences.h"

namespace poise::model {

namespace {

// Sums of a few bounds must fit a machine word.
constexpr std::size_t kMostBits = 56;

Integer least_common_multiple(const Integer& a, const Integer& b) {
  return floor_divide(a, gcd(a, b)) * b;
}

}  // namespace

class Differences::Builder {
 public:
  Builder(const Model& model, std::span<const SlotId> slots) {
    for (const SlotId slot : slots) {
      index_of_.emplace(slot, static_cast<std::uint32_t>(made_.slots_.size()));
      Slot& added = made_.slots_.emplace_back();
      added.id = slot;
      ranges_.push_back(range_of(model, slot));
      added.whole = ranges_.back().whole;
    }
    for (Slot& slot : made_.slots_) {
      const std::optional<SlotId> guard = guard_slot(model, slot.id);
      const auto known = guard ? index_of_.find(*guard) : index_of_.end();
      if (known != index_of_.end()) slot.guard = known->second;
    }
  }

  std::optional<Differences> differences(const Model& model,
                                         const std::vector<const Atom*>& tests) {
    made_.tests_.resize(tests.size());
    for (std::uint32_t i = 0; i < tests.size(); ++i) {
      std::optional<Comparison> comparison = comparison_of(model, *tests[i]);
      if (!comparison) return std::nullopt;
      add_test(i, std::move(*comparison), *tests[i]);
    }
    add_guards_and_gaps();
    for (Form& form : forms_) clip(form);
    if (!find_scale()) return std::nullopt;
    for (Form& form : forms_) encode(form);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      made_.slots_[i].above = bound(ranges_[i].high, true);
      made_.slots_[i].below = bound(-ranges_[i].low, true);
    }
    put_in_order();
    find_open_slots();
    return std::move(made_);
  }

 private:
  struct Form {
    Step step;
    std::vector<Cut> cuts;                              // of all its tests, sorted
    std::vector<std::pair<Cut, Cut>> gaps;              // between these lies nothing
    std::map<std::uint32_t, std::vector<Cut>> changes;  // by test
    bool placed = false;
  };
  // What is read as a difference, and all that is read.
  using Key = std::tuple<std::optional<std::uint32_t>, std::optional<std::uint32_t>,
                         std::vector<std::uint32_t>>;

  Form& form_of(const Key& key) {
    const auto [known, fresh] = form_of_.emplace(key, forms_.size());
    if (fresh) {
      Form& form = forms_.emplace_back();
      std::tie(form.step.first, form.step.second, form.step.reads) = key;
    }
    return forms_[known->second];
  }

  void add_test(std::uint32_t index, Comparison comparison, const Atom& atom) {
    Key key;
    if (comparison.pair) std::get<0>(key) = index_of_.at(comparison.pair->first);
    if (comparison.pair && comparison.pair->second) {
      std::get<1>(key) = index_of_.at(*comparison.pair->second);
    }
    for (const SlotId slot : atom.slots) std::get<2>(key).push_back(index_of_.at(slot));
    Form& form = form_of(key);
    form.step.tests.push_back(index);
    form.changes[index] = std::move(comparison.cuts);
    made_.tests_[index].lowest = comparison.lowest;
  }

  // Guards of what is read are decided, whether or not a test asks for them; and no value lies in a
  // gap.
  void add_guards_and_gaps() {
    std::vector<std::uint32_t> open;
    std::vector<bool> known(made_.slots_.size(), false);
    const auto add = [&](std::uint32_t slot) {
      if (!known[slot]) open.push_back(slot);
      known[slot] = true;
    };
    for (const Form& form : forms_) std::ranges::for_each(form.step.reads, add);
    guard_form_.resize(made_.slots_.size());
    for (std::size_t i = 0; i < open.size(); ++i) {
      const std::uint32_t slot = open[i];
      if (const auto guard = made_.slots_[slot].guard) {
        add(*guard);
        Form& form = form_of({*guard, std::nullopt, {*guard}});
        form.step.guards = true;
        form.cuts.push_back({1, false});
        guard_form_[*guard] = static_cast<std::size_t>(&form - forms_.data());
      }
      for (const Range::Gap& gap : ranges_[slot].gaps) {
        form_of({slot, std::nullopt, {slot}})
            .gaps.push_back({Cut{gap.first, false}, Cut{gap.last + 1, false}});
      }
    }
  }

  // Cuts far outside of what the form can be are moved closer, and so need no large numbers.
  void clip(Form& form) {
    if (!form.step.first) return;
    Rational low = ranges_[*form.step.first].low - 1;
    Rational high = ranges_[*form.step.first].high + 1;
    if (form.step.second) {
      low = low - ranges_[*form.step.second].high;
      high = high - ranges_[*form.step.second].low;
    }
    for (auto& [test, cuts] : form.changes) {
      std::vector<Cut> kept;
      for (Cut cut : cuts) {
        if (cut.at > high) cut = {high, false};
        if (cut.at < low) cut = {low, false};
        if (!kept.empty() && kept.back() == cut) {
          kept.pop_back();  // to and fro at the same place
        } else {
          kept.push_back(cut);
        }
      }
      cuts = std::move(kept);
      form.cuts.insert(form.cuts.end(), cuts.begin(), cuts.end());
    }
    for (const auto& [first, last] : form.gaps) {
      form.cuts.push_back(first);
      form.cuts.push_back(last);
    }
    std::ranges::sort(form.cuts);
    form.cuts.erase(std::unique(form.cuts.begin(), form.cuts.end()), form.cuts.end());
  }

  bool find_scale() {
    Integer scale = 1;
    Integer greatest = 1;
    const auto look_at = [&](const Rational& number) {
      if (scale.bits() <= kMostBits) scale = least_common_multiple(scale, number.denominator());
      greatest = std::max(greatest, std::max(number.ceil(), -number.floor()));
    };
    for (const Form& form : forms_) {
      for (const Cut& cut : form.cuts) look_at(cut.at);
    }
    for (const Range& range : ranges_) {
      look_at(range.low);
      look_at(range.high);
    }
    if (scale.bits() + greatest.bits() > kMostBits) return false;
    made_.scale_ = scale.to_int64();
    return true;
  }

  [[nodiscard]] std::int64_t bound(const Rational& number, bool reached) const {
    return 2 * (number * Rational(made_.scale_)).floor().to_int64() + (reached ? 1 : 0);
  }

  void encode(Form& form) {
    const auto is_real = [&](std::optional<std::uint32_t> slot) {
      return slot && !made_.slots_[*slot].whole;
    };
    const bool whole = !is_real(form.step.first) && !is_real(form.step.second);
    for (const Cut& cut : form.cuts) {
      const std::int64_t below = whole ? bound(cut.at - 1, true) : bound(cut.at, cut.closed);
      form.step.cuts.push_back({below, bound(-cut.at, !cut.closed)});
    }
    const auto place_of = [&](const Cut& cut) {
      return static_cast<Segment>(std::ranges::lower_bound(form.cuts, cut) - form.cuts.begin());
    };
    for (const auto& [test, cuts] : form.changes) {
      for (const Cut& cut : cuts) made_.tests_[test].changes.push_back(place_of(cut));
    }
    if (!form.gaps.empty()) form.step.missing.resize(form.cuts.size() + 1, false);
    for (const auto& [first, last] : form.gaps) {
      for (Segment i = place_of(first) + 1; i <= place_of(last); ++i) form.step.missing[i] = true;
    }
    std::ranges::stable_sort(form.step.tests, {}, [&](std::uint32_t test) {
      const std::vector<Segment>& changes = made_.tests_[test].changes;
      return changes.empty() ? 0 : changes.front() + std::size_t{1};
    });
  }

  // ---- The order ----

  void place(std::size_t index) {
    if (forms_[index].placed) return;
    forms_[index].placed = true;
    for (const std::uint32_t slot : forms_[index].step.reads) {
      if (const auto guard = made_.slots_[slot].guard) place(guard_form_[*guard]);
    }
    made_.steps_.push_back(std::move(forms_[index].step));
  }

  // Minimum degree: of the slots whose forms are not all placed, the one that is compared with the
  // fewest others comes next. What it was compared with is then related to each other.
  void put_in_order() {
    std::vector<std::vector<std::size_t>> forms(made_.slots_.size());
    std::vector<std::set<std::uint32_t>> neighbours(made_.slots_.size());
    for (std::size_t i = 0; i < forms_.size(); ++i) {
      const auto [first, second] = std::pair(forms_[i].step.first, forms_[i].step.second);
      if (!first || (forms_[i].step.guards && !second)) continue;  // placed where it is needed
      forms[*first].push_back(i);
      if (!second) continue;
      forms[*second].push_back(i);
      neighbours[*first].insert(*second);
      neighbours[*second].insert(*first);
    }
    std::set<std::pair<std::size_t, std::uint32_t>> queue;
    for (std::uint32_t slot = 0; slot < forms.size(); ++slot) {
      if (!forms[slot].empty()) queue.emplace(neighbours[slot].size(), slot);
    }
    while (!queue.empty()) {
      const std::uint32_t slot = queue.begin()->second;
      queue.erase(queue.begin());
      for (const std::size_t form : forms[slot]) place(form);
      for (const std::uint32_t other : neighbours[slot]) {
        queue.erase({neighbours[other].size(), other});
        neighbours[other].erase(slot);
        for (const std::uint32_t third : neighbours[slot]) {
          if (third != other) neighbours[other].insert(third);
        }
        queue.emplace(neighbours[other].size(), other);
      }
    }
    for (std::size_t i = 0; i < forms_.size(); ++i) place(i);
  }

  // ---- Open slots ----

  void find_open_slots() {
    made_.mixed_ = std::ranges::any_of(made_.slots_, &Slot::whole) &&
                   !std::ranges::all_of(made_.slots_, &Slot::whole);
    std::vector<std::size_t> last_use(made_.slots_.size(), 0);
    for (std::size_t i = 0; i < made_.steps_.size(); ++i) {
      const Step& step = made_.steps_[i];
      for (const auto& slot : {step.first, step.second}) {
        if (slot) last_use[*slot] = i;
      }
      for (const std::uint32_t slot : step.reads) {
        if (const auto guard = made_.slots_[slot].guard) last_use[*guard] = i;
      }
    }
    related_.resize(made_.slots_.size());
    std::vector<std::uint32_t> open;
    for (std::size_t i = 0; i < made_.steps_.size(); ++i) {
      Step& step = made_.steps_[i];
      open_for(step, open);
      step.open = open;
      leave(open, [&](std::uint32_t slot) { return last_use[slot] <= i; });
      step.kept = {0};
      for (std::uint32_t place = 0; place < step.open.size(); ++place) {
        if (std::ranges::find(open, step.open[place]) != open.end()) {
          step.kept.push_back(place + 1);
        }
      }
    }
  }

  // Opens what the step reads, and finds the places.
  void open_for(Step& step, std::vector<std::uint32_t>& open) {
    const auto place_of = [&](std::uint32_t slot) {
      return static_cast<std::uint32_t>(std::ranges::find(open, slot) - open.begin()) + 1;
    };
    for (const auto& slot : {step.first, step.second}) {
      if (!slot || place_of(*slot) <= open.size()) continue;
      step.entering.push_back(*slot);
      open.push_back(*slot);
    }
    if (step.first) step.first_place = place_of(*step.first);
    if (step.second) step.second_place = place_of(*step.second);
    for (const std::uint32_t slot : step.reads) {
      if (const auto guard = made_.slots_[slot].guard) {
        step.guard_places.push_back(place_of(*guard));
      }
    }
    if (step.second) {
      related_[*step.first].insert(*step.second);
      related_[*step.second].insert(*step.first);
    }
  }

  // Removes the slots that nothing reads any more; but whole numbers stay beside open reals.
  template <class Finished>
  void leave(std::vector<std::uint32_t>& open, Finished finished) {
    const auto may_leave = [&](std::uint32_t slot) {
      if (!finished(slot)) return false;
      return !made_.slots_[slot].whole ||
             std::ranges::all_of(related_[slot],
                                 [&](std::uint32_t other) { return made_.slots_[other].whole; });
    };
    for (auto leaving = std::ranges::find_if(open, may_leave); leaving != open.end();
         leaving = std::ranges::find_if(open, may_leave)) {
      const std::uint32_t slot = *leaving;
      open.erase(leaving);
      for (const std::uint32_t other : related_[slot]) {
        related_[other].erase(slot);
        for (const std::uint32_t third : related_[slot]) {
          if (third != other) related_[other].insert(third);
        }
      }
    }
  }

  Differences made_;
  std::vector<Range> ranges_;  // by slot
  std::map<SlotId, std::uint32_t> index_of_;
  std::vector<Form> forms_;
  std::map<Key, std::size_t> form_of_;
  std::vector<std::size_t> guard_form_;           // by slot
  std::vector<std::set<std::uint32_t>> related_;  // by slot: open ones that bounds join it with
};

std::optional<Differences> Differences::of(const Model& model, std::span<const SlotId> slots,
                                           const std::vector<const Atom*>& tests) {
  return Builder(model, slots).differences(model, tests);
}

}  // namespace poise::model
