#include "poise/check/cures/cures.h"

#include <algorithm>
#include <memory>
#include <tuple>
#include <utility>

#include "poise/check/cures/candidates.h"
#include "poise/check/cures/trial.h"
#include "poise/finding/groups.h"

namespace poise::check {

namespace {

using finding::Cure;
using finding::Fault;
using finding::FaultKind;
using finding::Group;
using finding::Treatment;
using model::Model;
using model::StateId;

// So many candidates of one fault are tried, those first that change the least.
constexpr std::size_t kMostTried = 16;

// What the cures of a report may take, in steps: less than the check took, which has looked at each
// rule many times and fired each listed path.
std::size_t effort_for(const Model& model, const Report& report) {
  constexpr std::size_t kSmall = 30'000;  // some milliseconds, whatever the model is
  constexpr std::size_t kPerRule = 50;
  constexpr std::size_t kPerFiring = 4;
  std::size_t firings = 0;
  for (const Fault& fault : report.faults) firings += fault.rules.size();
  return std::max(kSmall, kPerRule * model::rule_count(model) + kPerFiring * firings);
}

// What the cure of one fault may take of what is left for so many, so that one that is hard to try
// leaves something for others.
std::size_t share_of(std::size_t left, std::size_t faults) {
  constexpr std::size_t kLeast = 6'000;
  return std::min(left, std::max(kLeast, 2 * left / faults));
}

Complaint complaint_of(const Group& group) {
  const Fault& fault = group.best();
  Complaint complaint{.kind = fault.kind, .state = fault.state, .rules = fault.rules};
  if (fault.kind == FaultKind::DeadRule && fault.cause == finding::DeadCause::Shadowed) {
    for (const Fault* member : group.faults) complaint.dead_in.push_back(member->state);
  }
  return complaint;
}

class Search {
 public:
  Search(const Model& model, const Report& report, const Prepared& prepared)
      : model_(model),
        report_(report),
        prepared_(prepared),
        left_(effort_for(model, report)),
        alone_(model, prepared, report.reachable, effort_),
        reachable_(report.reachable) {}

  // For the first of so many groups for which a cure is still to be sought.
  Treatment treatment(const Group& group, std::size_t groups) {
    const std::size_t share = share_of(left_, groups);
    effort_ = share;
    Treatment found{.fault = static_cast<std::size_t>(&group.best() - report_.faults.data())};
    std::vector<Cure> cures = candidates(model_, report_.faults, group);
    if (!cures.empty()) seek(complaint_of(group), std::move(cures), found);
    left_ -= share - effort_;
    return found;
  }

 private:
  void seek(const Complaint& complaint, std::vector<Cure> cures, Treatment& found) {
    found.outcome = Treatment::Outcome::NotTried;
    if (!alone_.measure(cures)) return;
    std::ranges::stable_sort(cures, {}, [&](const Cure& cure) {
      return std::tuple(cure.elsewhere, cure.kind, text_size(cure), cure.priority < 0,
                        cure.priority);
    });
    if (cures.size() > kMostTried) cures.resize(kMostTried);
    found.outcome = Treatment::Outcome::NoneFound;
    for (const Cure& cure : cures) {
      Verdict verdict = alone_.verdict(complaint, cure);
      if (verdict == Verdict::NoCure) continue;
      if (verdict == Verdict::Cure) verdict = together(complaint, cure);
      if (verdict == Verdict::Cure) {
        found.outcome = Treatment::Outcome::Cured;
        found.cure = cure;
        return;
      }
      // One that could not be tried might have been a cure.
      if (verdict == Verdict::GaveUp) found.outcome = Treatment::Outcome::NotTried;
      if (effort_ == 0) return;
      if (found.outcome == Treatment::Outcome::NoneFound) {
        found.outcome = Treatment::Outcome::Excluded;
      }
    }
  }

  [[nodiscard]] std::size_t text_size(const Cure& cure) const {
    return cure.kind == Cure::Kind::Condition ? model::to_text(model_, cure.condition).size() : 0;
  }

  // The verdict on a cure on top of those that were accepted. If it is one, it is accepted as well.
  Verdict together(const Complaint& complaint, const Cure& cure) {
    const auto same = [&](const Cure& other) { return same_change(cure, other); };
    if (std::ranges::any_of(accepted_, same)) return all_->kept_cure(complaint);
    if (!all_) all_ = std::make_unique<Trial>(model_, prepared_, report_.reachable, effort_);
    const bool apart = reachable_ == report_.reachable && !alone_.looked_at_any(touched_);
    if (!apart) {
      const Verdict verdict = all_->verdict(complaint, cure);
      if (verdict != Verdict::Cure) return verdict;
    }
    reachable_ = (apart ? alone_ : *all_).reachable_then();
    all_->keep(complaint, cure, reachable_);
    accepted_.push_back(cure);
    const std::vector<StateId> states = changed_states(model_, cure);
    touched_.insert(touched_.end(), states.begin(), states.end());
    if (cure.kind == Cure::Kind::Target) touched_.push_back(cure.to);
    return Verdict::Cure;
  }

  const Model& model_;
  const Report& report_;
  const Prepared& prepared_;
  std::size_t left_;        // of the effort for all
  std::size_t effort_ = 0;  // of the share of the present fault
  Trial alone_;
  std::unique_ptr<Trial> all_;  // with all accepted cures
  std::vector<Cure> accepted_;
  std::vector<bool> reachable_;  // by state, with all accepted cures
  // The states whose rules accepted cures change, and those that they lead to. What was found
  // without looking at any of these holds with the accepted cures, too, if the same states can be
  // reached.
  std::vector<StateId> touched_;
};

}  // namespace

std::vector<Treatment> treatments(const Model& model, const Options& options, const Report& report,
                                  Budget budget) {
  std::vector<Group> shown;
  // Most serious first, as a text report shows them.
  for (const FaultKind kind :
       {FaultKind::Cycle, FaultKind::Nondeterminism, FaultKind::Race, FaultKind::UnreachableState,
        FaultKind::DeadState, FaultKind::DeadRule}) {
    std::vector<Group> groups = finding::groups(report.faults, kind);
    if (groups.size() > finding::kGroupsShown) groups.resize(finding::kGroupsShown);
    std::erase_if(groups, [](const Group& group) { return group.best().harmless; });
    shown.insert(shown.end(), groups.begin(), groups.end());
  }
  std::vector<Treatment> found;
  // Of constraints that contradict each other, the report says that and nothing else.
  const bool contradictory = report.size.situations && report.size.situations->sign() == 0;
  if (shown.empty() || contradictory) return found;
  Result<Prepared> prepared = Prepared::of(model, options, budget);
  if (!prepared || report.reachable.empty()) {
    for (const Group& group : shown) {
      found.push_back({.fault = static_cast<std::size_t>(&group.best() - report.faults.data()),
                       .outcome = Treatment::Outcome::NotTried});
    }
    return found;
  }
  Search search(model, report, *prepared);
  for (const Group& group : shown) {
    found.push_back(search.treatment(group, shown.size() - found.size()));
  }
  return found;
}

}  // namespace poise::check
