#include "poise/boolean/decided.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

#include <fmt/format.h>

namespace poise::boolean {

// The answers of one form: its segments are divided by one test after another.
class DecidedAnswers::FormAnswers {
 public:
  FormAnswers(DecidedAnswers& owner, const Form& form) : owner_(owner), form_(form) {}

  // Reorders the ways.
  Node of(std::span<Way> ways, std::size_t place = 0) {
    if (ways.empty() || !owner_.may_go_on()) return kFalse;
    if (place == form_.tests.size()) {
      Node any = kFalse;
      for (const Way& way : ways) any = owner_.arena_.disjunction(any, way.later);
      return any;
    }
    return ways.size() == 1 ? only(ways.front(), place) : divided(ways, place);
  }

 private:
  Node divided(std::span<Way> ways, std::size_t place) {
    const std::uint32_t test = form_.tests[place];
    const auto no = std::partition(ways.begin(), ways.end(), [&](const Way& way) {
      return owner_.differences_.answer(test, way.segment);
    });
    const auto yes = static_cast<std::size_t>(no - ways.begin());
    const Node if_yes = of(ways.first(yes), place + 1);
    const Node if_no = of(ways.subspan(yes), place + 1);
    return owner_.arena_.choice(owner_.truths_[test], if_yes, if_no);
  }

  // A segment below all changes that follow is like the lowest one, and one above them all like the
  // highest. Mostly tests are asked from below or from above, and without this a table of thousands
  // of thresholds would take the square of their number.
  Node only(Way way, std::size_t place) {
    if (way.segment != model::Differences::kAbsent) {
      if (way.segment <= form_.lowest[place]) {
        way.segment = 0;
      } else if (way.segment > form_.highest[place]) {
        way.segment = kHighest;
      }
    }
    const std::tuple key(place, way.segment, way.later);
    if (const auto known = only_.find(key); known != only_.end()) return known->second;
    const Node node = divided({&way, 1}, place);
    only_.emplace(key, node);
    return node;
  }

  static constexpr Segment kHighest = model::Differences::kAbsent - 1;
  DecidedAnswers& owner_;
  const Form& form_;
  std::map<std::tuple<std::size_t, Segment, Node>, Node> only_;
};

DecidedAnswers::DecidedAnswers(Arena& arena, Budget& budget, const model::Differences& differences,
                               const std::vector<Node>& truths, std::size_t max_bounds)
    : arena_(arena),
      budget_(budget),
      differences_(differences),
      truths_(truths),
      known_(differences.steps()),
      max_bounds_(max_bounds) {
  for (std::size_t step = 0; step < differences.steps(); ++step) forms_.push_back(form_of(step));
}

DecidedAnswers::Form DecidedAnswers::form_of(std::size_t step) const {
  Form form{differences_.tests(step), {}, {}};
  std::ranges::stable_sort(form.tests, {},
                           [&](std::uint32_t test) { return arena_.level(truths_[test]); });
  form.lowest.resize(form.tests.size());
  form.highest.resize(form.tests.size());
  Segment lowest = model::Differences::kAbsent;
  Segment highest = 0;
  for (std::size_t place = form.tests.size(); place-- > 0;) {
    const std::vector<Segment>& changes = differences_.changes(form.tests[place]);
    if (!changes.empty()) {
      lowest = std::min(lowest, changes.front());
      highest = std::max(highest, changes.back());
    }
    form.lowest[place] = lowest;
    form.highest[place] = highest;
  }
  return form;
}

bool DecidedAnswers::may_go_on() {
  if (!trouble_.empty() || arena_.gave_up()) return false;
  if (const Exhausted exhausted = budget_.exhausted(); exhausted != Exhausted::No) {
    trouble_ = reason(exhausted);
  } else if (bounds_ > max_bounds_) {
    trouble_ = fmt::format(
        "how {} comparisons between variables depend on each other takes more than {} bounds; "
        "compare fewer variables with each other",
        truths_.size(), max_bounds_);
  }
  return trouble_.empty();
}

Node DecidedAnswers::node() { return from(0, model::Differences::start()); }

Node DecidedAnswers::from(std::size_t step, const model::Differences::State& state) {
  if (step == differences_.steps()) return kTrue;
  if (const auto known = known_[step].find(state); known != known_[step].end()) {
    return known->second;
  }
  bounds_ += state.size();
  if (!may_go_on()) return kFalse;
  std::vector<Way> ways;
  for (const model::Differences::Branch& branch : differences_.branches(step, state)) {
    ways.push_back({branch.segment, from(step + 1, branch.state)});
  }
  const Node node = FormAnswers(*this, forms_[step]).of(ways);
  known_[step].emplace(state, node);
  return node;
}

}  // namespace poise::boolean
