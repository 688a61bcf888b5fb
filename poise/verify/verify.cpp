#include "poise/verify/verify.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/figures.h"
#include "poise/model/polynomial.h"
#include "poise/verify/mission/mission.h"
#include "poise/verify/odds/odds.h"
#include "poise/verify/solver/clauses.h"
#include "poise/verify/solver/happenings_by_clauses.h"
#include "poise/verify/solver/invariant.h"
#include "poise/verify/solver/repair.h"
#include "poise/verify/solver/solver_paths.h"
#include "poise/verify/solver/unrolled.h"
#include "poise/verify/system/replay.h"
#include "poise/verify/zones/explore.h"
#include "poise/verify/zones/zones.h"

namespace poise::verify {

namespace {

// One run, from the model to the report. Zones first, unless the solver was asked for: they are
// faster and exact, but they do not fit every model, and without a bound they need not terminate.
// Then a solver takes over: Horn clauses without a bound, one path after another with one.
class Verification {
 public:
  Verification(const model::Model& model, const Options& options)
      : options_(options),
        budget_(options.limits),
        watchdog_(budget_, ticking()),
        system_(system_of(model, options.mode)),
        odds_(system_),
        // A memory limit for the process limits the tables for counting, too.
        effort_(budget_, {&watchdog_, &board_},
                options.limits.memory_bytes.value_or(Effort::kUsualBytes)) {
    report_.mode = options.mode;
    report_.bound = options.bound;
    report_.linear = std::ranges::all_of(
        system_.atoms, [](const model::Atom& atom) { return model::is_linear(atom.value); });
    report_.decisions_per_hour = options.decisions_per_hour;
  }

  Report report() {
    if (options_.engine != Engine::Smt) {
      std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system_, budget_);
      if (auto* zones = std::get_if<ZoneSystem>(&made)) {
        zones_ = std::move(*zones);
      } else {
        why_no_zones_ = std::get<std::string>(made);
      }
    }
    if (budget_.seen() != Exhausted::No) {
      report_.engine = Engine::Zones;
      report_.reason = why_no_zones_;
    } else if (options_.bound) {
      look_at_paths(*options_.bound);
    } else {
      look_at_all();
    }
    if (options_.odds) {
      find_likeliest();
      sort_by_odds();
    }
    if (options_.mission) look_at_mission(*options_.mission);
    note_limits();
    return std::move(report_);
  }

 private:
  // ---- Limits and progress ----

  // Tells the progress from the thread that watches, so that it goes on while a solver works.
  [[nodiscard]] std::function<void()> ticking() {
    if (!options_.progress) return {};
    return [this, start = std::chrono::steady_clock::now()] {
      Progress now = board_.latest();
      now.elapsed = std::chrono::duration_cast<std::chrono::seconds>(
          std::chrono::steady_clock::now() - start);
      options_.progress(now);
    };
  }

  // A limit may end the search, but also what comes after it: cures, traces, odds.
  void note_limits() {
    if (watchdog_.exhausted() != Exhausted::No) budget_.exhausted_now();
    if (budget_.seen() == Exhausted::No || report_.verdict == Verdict::Safe) return;
    report_.extent.complete = false;
    report_.extent.stopped = reason(budget_.seen());
  }

  // ---- Up to a bound ----

  void look_at_paths(std::size_t bound) {
    Paths paths;
    bool done = false;
    if (zones_) {
      paths = paths_by_zones(system_, *zones_, bound, options_.paths, effort_);
      done = paths.fits;
      report_.engine = Engine::Zones;
    }
    if (!done) {
      if (options_.engine == Engine::Zones) return zones_do_not_fit();
      paths = paths_by_solver(system_, bound, options_.paths, effort_);
      report_.engine = Engine::Smt;
    }
    report_.paths = std::move(paths.possible);
    report_.failing = std::move(paths.failing);
    report_.hazards = std::move(paths.hazards);
    report_.extent.complete = paths.complete && paths.stopped.empty();
    report_.extent.stopped = paths.stopped;
    if (paths.happenings && bound > 0) say_what_happens(*paths.happenings);
    expect_questions(paths.listed.size());
    for (const FailingPath& failing : paths.listed) add_counterexample(failing);
    if (!report_.hazards.empty()) {
      report_.verdict = Verdict::Unsafe;
    } else if (paths.stopped.empty()) {
      report_.verdict = Verdict::Safe;
      report_.reason =
          fmt::format("no path of at most {} step{} fails", bound, bound == 1 ? "" : "s");
    } else {
      report_.reason = paths.stopped;
    }
  }

  void zones_do_not_fit() {
    report_.engine = Engine::Zones;
    report_.extent.complete = false;
    report_.reason = why_no_zones_.empty() ? "variables move together that are related to others"
                                           : why_no_zones_;
  }

  // ---- For any number of steps ----

  void look_at_all() {
    if (!zones_) return prove();
    report_.engine = Engine::Zones;
    const Reached all =
        reached(system_, *zones_, effort_, {.settled = [&] { return prove_soon(); }});
    if (proof_) return take(std::move(*proof_));
    const bool time_left = budget_.exhausted_now() == Exhausted::No;
    if (!all.fits || (!all.finished && all.hazards.empty() && time_left)) {
      why_no_zones_ = all.stopped;
      return prove();
    }
    report_.hazards = all.hazards;
    report_.extent.complete = all.finished;
    report_.extent.stopped = all.stopped;
    if (all.finished) say_what_happens(all.happenings);
    add_counterexamples_of_hazards();
    if (!all.hazards.empty()) {
      report_.verdict = Verdict::Unsafe;
      count_paths();
      find_repairs();
    } else if (all.finished) {
      say_safe(all);
    } else {
      report_.reason = all.stopped;
    }
  }

  // How many paths of at most 10 steps fail at each hazard; without a bound there may be infinitely
  // many.
  void count_paths() {
    constexpr std::size_t kShort = 10;
    const Paths paths = paths_by_zones(system_, *zones_, kShort, 0, effort_);
    if (!paths.fits || !paths.stopped.empty()) return;
    for (Hazard& hazard : report_.hazards) {
      const auto same = std::ranges::find_if(
          paths.hazards, [&](const Hazard& other) { return at_same_place(other, hazard); });
      if (same != paths.hazards.end()) hazard.paths = same->paths;
    }
  }

  void find_repairs() {
    std::size_t effort = options_.cures;
    for (Hazard& hazard : report_.hazards) {
      if (effort == 0 || budget_.exhausted_now() != Exhausted::No) return;
      effort_.tell({Progress::Of::Cures, 0, hazard.first});
      hazard.repairs = repairs(system_, hazard, effort, effort_);
    }
  }

  // Asks the solver for an invariant while zones seem to diverge, each time with more work. If it
  // says that the system can fail, it is not asked again: zones or prove() will find the path.
  bool prove_soon() {
    if (options_.engine == Engine::Zones || can_fail_) return false;
    Proof proof = proof_by_clauses(system_, effort_, work_);
    work_ *= 4;
    can_fail_ = proof.verdict == Verdict::Unsafe;
    if (proof.verdict == Verdict::Safe) proof_ = std::move(proof);
    return proof_.has_value();
  }

  // For systems that zones do not fit, or on which they diverge: the solver finds an invariant.
  void prove() {
    if (options_.engine == Engine::Zones) return zones_do_not_fit();
    Proof proof = proof_by_clauses(system_, effort_);
    if (proof.verdict != Verdict::Safe) look_nearby(proof);
    take(std::move(proof));
  }

  void take(Proof proof) {
    report_.engine = Engine::Smt;
    report_.verdict = proof.verdict;
    report_.hazards = std::move(proof.hazards);
    report_.invariants = std::move(proof.invariants);
    report_.invariants_checked = proof.checked;
    report_.reason = proof.verdict == Verdict::Safe ? "of an invariant" : proof.why;
    report_.extent.complete = proof.why.empty();
    if (report_.verdict != Verdict::Unknown && report_.extent.complete) {
      const auto happenings = happenings_by_clauses(system_, effort_);
      if (happenings) say_what_happens(*happenings);
    }
    add_counterexamples_of_hazards();
  }

  // If there is no proof, a short path may still fail; and if there is a path, it need not be a
  // shortest one. So short paths are looked at one by one, as long as there are few.
  void look_nearby(Proof& proof) {
    constexpr std::size_t kLongest = 6;
    constexpr std::size_t kMany = 500;
    const bool asked = proof.hazards.empty() || !proof.without_path.empty();
    std::size_t longest = asked ? kLongest : 0;
    for (const Hazard& hazard : proof.hazards) longest = std::max(longest, hazard.first - 1);
    std::size_t seen = 0;  // no path of so many steps is unknown
    for (std::size_t bound = 1; bound <= longest; ++bound) {
      const Paths paths = paths_by_solver(system_, bound, 0, effort_);
      for (const Hazard& hazard : paths.hazards) note_shorter(proof.hazards, hazard);
      if (!paths.stopped.empty()) break;
      seen = bound;
      Integer possible = 0;
      for (const Integer& count : paths.possible) possible = possible + count;
      if (possible > Integer(kMany)) break;
      if (asked && !proof.hazards.empty() && paths_are_known(proof)) break;
    }
    for (Hazard& hazard : proof.hazards) hazard.first_exact = hazard.first <= seen + 1;
    if (!paths_are_known(proof) && proof.why.empty()) {
      proof.why = "the solver says that it can fail, but shows no path";
    }
    if (!proof.hazards.empty()) proof.verdict = Verdict::Unsafe;
    sort_hazards(proof.hazards);
  }

  // Whether every place where the solver says that it can fail has a path now.
  [[nodiscard]] bool paths_are_known(Proof& proof) const {
    std::erase_if(proof.without_path, [&](const Place& place) {
      return std::ranges::any_of(proof.hazards, [&](const Hazard& hazard) {
        return hazard.state == place.state && hazard.act == place.act &&
               hazard.failure == place.failure &&
               hazard.rule == system_.moves[place.state.index][place.move].rule;
      });
    });
    return proof.without_path.empty();
  }

  static void note_shorter(std::vector<Hazard>& hazards, Hazard found) {
    found.paths.clear();  // of these lengths only
    const auto known = std::ranges::find_if(
        hazards, [&](const Hazard& other) { return at_same_place(other, found); });
    if (known == hazards.end()) {
      hazards.push_back(std::move(found));
    } else if (found.first < known->first) {
      *known = std::move(found);
    }
  }

  void say_what_happens(const Happenings& all) {
    report_.vacuous = vacuous(system_, all);
    report_.departures = departures(system_, all);
  }

  void say_safe(const Reached& all) {
    report_.verdict = Verdict::Safe;
    report_.reason = "what always holds excludes every failure";
    for (const model::StateId state : system_.model->states.ids()) {
      report_.invariants.push_back(
          invariant_of(system_, *zones_, state, all.by_state[state.index]));
    }
    effort_.tell({.of = Progress::Of::Check});
    const auto why = objection(system_, invariants(system_, *zones_, all.by_state), &watchdog_);
    report_.invariants_checked = !why;
    if (!why) return;
    report_.verdict = Verdict::Unknown;
    report_.reason = "the invariant could not be confirmed: " + *why;
  }

  // ---- Counterexamples ----

  // The shortest path to each hazard. Hazards after several acts of one rule may share theirs.
  void add_counterexamples_of_hazards() {
    expect_questions(report_.hazards.size());
    for (const Hazard& hazard : report_.hazards) {
      if (report_.counterexamples.size() == options_.paths) break;
      if (has_counterexample(hazard)) continue;
      add_counterexample({hazard.failure, hazard.shortest, hazard.act, {}});
    }
  }

  // Whether its shortest path is listed, after whichever act it fails.
  [[nodiscard]] bool has_counterexample(const Hazard& hazard) const {
    return std::ranges::any_of(report_.counterexamples, [&](const Counterexample& example) {
      return example.failure == hazard.failure && example.path == hazard.shortest;
    });
  }

  // The path with every act of its last rule after which its failure is asked for.
  [[nodiscard]] FailingPath with_all_ends(const FailingPath& failing) const {
    FailingPath all{failing.failure, failing.path, 0, {}};
    const std::vector<Act>& acts = move_of(failing).acts;
    bool first = true;
    for (std::size_t act = 0; act < acts.size(); ++act) {
      const auto one = std::ranges::find(acts[act].cases, failing.failure, &Case::failure);
      if (one == acts[act].cases.end()) continue;
      if (first) all.act = act;
      if (!first) all.later.push_back(act);
      first = false;
    }
    return all;
  }

  [[nodiscard]] model::StateId last_state(const FailingPath& failing) const {
    model::StateId state = system_.model->initial;
    for (std::size_t i = 0; i + 1 < failing.path.size(); ++i) {
      state = system_.model->rules[failing.path[i]].to;
    }
    return state;
  }
  [[nodiscard]] const Move& move_of(const FailingPath& failing) const {
    const std::vector<Move>& moves = system_.moves[last_state(failing).index];
    return *std::ranges::find(moves, failing.path.back(), &Move::rule);
  }

  // If the path can fail after several acts, its odds are those of all of them, and the trace shows
  // one. It comes from the odds, or else from the solver, which first looks for one in the worst
  // environment.
  void add_counterexample(const FailingPath& failing) {
    Counterexample made{.failure = failing.failure,
                        .path = failing.path,
                        .act = failing.act,
                        .trace = {},
                        .probability = std::nullopt,
                        .paper_odds = std::nullopt};
    std::vector<Sketch> sketches;
    if (std::optional<PathOdds> likely = odds_of(with_all_ends(failing))) {
      if (!likely->trace.empty()) made.act = likely->act;
      made.probability = likely->joint;
      made.environment = std::move(likely->environment);
      made.trace = std::move(likely->trace);
      sketches = std::move(likely->sketches);
    }
    sketches.push_back({});  // at last: any values
    for (auto sketch = sketches.begin(); made.trace.empty() && sketch != sketches.end(); ++sketch) {
      const auto trace = trace_of({made.failure, made.path, made.act, {}}, *sketch);
      if (trace) made.trace = *trace;
    }
    if (made.trace.empty()) {
      report_.extent.complete = false;
      return;
    }
    const bool with_errors = options_.mode == Mode::Actual || options_.mode == Mode::AsPrinted;
    if (options_.odds && with_errors) made.paper_odds = odds_.paper_odds(made.trace);
    const auto why = objection(*system_.model, options_.mode, made);
    POISE_CHECK(!why);
    report_.counterexamples.push_back(std::move(made));
  }

  // ---- Odds ----

  // None if probabilities were not asked for or cannot be calculated, or if there is no time left.
  [[nodiscard]] std::optional<PathOdds> odds_of(const FailingPath& failing) {
    if (!options_.odds || asked_ == kMostAsked) return std::nullopt;
    if (budget_.exhausted_now() != Exhausted::No) return std::nullopt;
    board_.write({Progress::Of::Odds, asked_, failing.path.size()});
    ++asked_;
    const chance::Precision precision = {.relative = cheaply_ ? 1e-2 : 3e-3,
                                         .most_points = cheaply_ ? 5'000U : 20'000U,
                                         .seed = options_.seed};
    Result<PathOdds> odds = odds_.of(failing, precision, work_on_bound_, budget_);
    if (!odds) return std::nullopt;
    if (odds->acts.size() == 1) {
      consider({failing.failure, failing.path, odds->acts.front(), {}}, odds->joint);
    }
    return std::move(*odds);
  }

  // Hazards that no listed path leads to, or only together with others, get the probability of
  // their shortest path; the others have one already.
  void find_likeliest() {
    for (Hazard& hazard : report_.hazards) {
      if (hazard.probability) continue;
      auto likely = odds_of({hazard.failure, hazard.shortest, hazard.act, {}});
      if (likely && has_counterexample(hazard)) hazard.trace = std::move(likely->trace);
    }
  }

  // How many paths will be asked about: the more, the less is spent on each.
  void expect_questions(std::size_t count) {
    cheaply_ = count > kFewPaths;
    work_on_bound_ = std::clamp(kWorkOnBounds / (count + 1), kLeastWork, kMostWork);
  }

  void consider(const FailingPath& failing, const Likelihood& probability) {
    const model::StateId state = last_state(failing);
    for (Hazard& hazard : report_.hazards) {
      const bool here = hazard.state == state && hazard.rule == failing.path.back() &&
                        hazard.act == failing.act && hazard.failure == failing.failure;
      if (!here || (hazard.probability && probability.value <= hazard.probability->value)) continue;
      hazard.likeliest = failing.path;
      hazard.probability = probability;
    }
  }

  // Compares the six digits that are printed, so that what looks equally likely stays in the order
  // of listing, shortest first. Unknown probabilities come last.
  void sort_by_odds() {
    std::ranges::stable_sort(
        report_.counterexamples, std::greater<>(), [](const Counterexample& example) {
          if (!example.probability) return -1.0;
          return std::strtod(figure_down(example.probability->value, 6).c_str(), nullptr);
        });
  }

  // ---- Missions ----

  void look_at_mission(std::size_t decisions) {
    Mission& mission = report_.mission.emplace();
    mission.decisions = decisions;
    const bool safe = report_.verdict == Verdict::Safe;
    if (safe && (!report_.bound || decisions <= *report_.bound)) {
      mission.failure = {.low = 0, .high = 0};
      return;
    }
    effort_.tell({.of = Progress::Of::Mission});
    const MissionOdds odds = mission_odds(system_, decisions, report_.hazards, effort_);
    mission.failure = odds.all;
    mission.reason = odds.why;
    for (std::size_t i = 0; i < odds.hazards.size(); ++i) {
      report_.hazards[i].mission = odds.hazards[i];
    }
  }

  // Values for a failing path that agree with the sketch, found by the solver.
  [[nodiscard]] std::optional<Trace> trace_of(const FailingPath& failing, const Sketch& sketch) {
    Watchdog& watchdog = watchdog_of_traces();
    if (watchdog.exhausted() != Exhausted::No) return std::nullopt;
    smt::Solver solver({.watchdog = &watchdog});
    OfSolver requirements(solver);
    Unrolled unrolled(system_, requirements);
    auto moment = sketch.begin();
    unrolled.take(failing, [&] {
      if (moment == sketch.end()) return;
      const std::span<const smt::UnknownId> now = unrolled.now();
      for (std::size_t slot = 0; slot < now.size(); ++slot) {
        const std::optional<Rational>& value = (*moment)[slot];
        if (value) solver.require_between(now[slot], *value, *value);
      }
      ++moment;
    });
    if (solver.check() != smt::Answer::Yes) return std::nullopt;
    const smt::Values values = solver.values();
    if (!values.exact) return std::nullopt;
    return unrolled.trace(values);
  }

  // When the time is up, a moment is left to show values for what was found.
  [[nodiscard]] Watchdog& watchdog_of_traces() {
    constexpr std::chrono::milliseconds kMoment(300);
    if (budget_.exhausted_now() != Exhausted::Time) return watchdog_;
    if (!last_moment_) {
      Limits limits = options_.limits;
      limits.time = kMoment;
      last_moment_.emplace(Budget(limits));
    }
    return *last_moment_;
  }

  static constexpr std::size_t kFewPaths = 200;    // with more, probabilities are less precise
  static constexpr std::size_t kMostAsked = 2000;  // paths that get a probability
  // On bounds, as at_most.h counts it: of all paths, and of one.
  static constexpr std::size_t kWorkOnBounds = 4'000'000;
  static constexpr std::size_t kLeastWork = 20'000;
  static constexpr std::size_t kMostWork = 2'000'000;

  const Options& options_;
  Budget budget_;
  ProgressBoard board_;
  Watchdog watchdog_;  // behind what its thread uses
  std::optional<Watchdog> last_moment_;
  System system_;
  Odds odds_;
  std::size_t asked_ = 0;
  bool cheaply_ = false;
  std::size_t work_on_bound_ = kMostWork;
  std::optional<ZoneSystem> zones_;
  std::string why_no_zones_;
  unsigned work_ = 300'000;  // limit for the next prove_soon(), as smt::HornOptions counts it
  bool can_fail_ = false;    // a proof by clauses says so
  std::optional<Proof> proof_;
  Effort effort_;
  Report report_;
};

}  // namespace

Report run(const model::Model& model, const Options& options) {
  return Verification(model, options).report();
}

}  // namespace poise::verify
