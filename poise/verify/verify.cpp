#include "poise/verify/verify.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <span>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/model/polynomial.h"
#include "poise/verify/odds/odds.h"
#include "poise/verify/solver/clauses.h"
#include "poise/verify/solver/invariant.h"
#include "poise/verify/solver/solver_paths.h"
#include "poise/verify/solver/unrolled.h"
#include "poise/verify/system/replay.h"
#include "poise/verify/zones/explore.h"
#include "poise/verify/zones/repair.h"
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
        system_(system_of(model, options.mode)),
        odds_(system_),
        budget_(options.limits),
        // A memory limit for the process limits the tables for counting, too.
        effort_(budget_, options.progress,
                options.limits.memory_bytes.value_or(Effort::kUsualBytes)) {
    report_.mode = options.mode;
    report_.bound = options.bound;
    report_.linear = std::ranges::all_of(
        system_.atoms, [](const model::Atom& atom) { return model::is_linear(atom.value); });
    report_.decisions_per_hour = options.decisions_per_hour;
  }

  Report report() {
    if (options_.engine != Engine::Smt) {
      std::variant<ZoneSystem, std::string> made = ZoneSystem::of(system_);
      if (auto* zones = std::get_if<ZoneSystem>(&made)) {
        zones_ = std::move(*zones);
      } else {
        why_no_zones_ = std::get<std::string>(made);
      }
    }
    if (options_.bound) {
      look_at_paths(*options_.bound);
    } else {
      look_at_all();
    }
    if (options_.odds) {
      find_likeliest();
      sort_by_odds();
    }
    return std::move(report_);
  }

 private:
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
    cheaply_ = paths.listed.size() > kFewPaths;
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
    for (const Hazard& hazard : all.hazards) {
      if (report_.counterexamples.size() == options_.paths) break;
      add_counterexample({hazard.failure, hazard.shortest, hazard.act, {}});
    }
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
      hazard.repairs = repairs(system_, hazard, effort, budget_);
    }
  }

  // Asks the solver for an invariant while zones seem to diverge, each time with more work. If it
  // says that the system can fail, it is not asked again: zones or prove() will find the path.
  bool prove_soon() {
    if (options_.engine == Engine::Zones || can_fail_) return false;
    Proof proof = proof_by_clauses(system_, budget_, work_);
    work_ *= 4;
    can_fail_ = proof.verdict == Verdict::Unsafe;
    if (proof.verdict == Verdict::Safe) proof_ = std::move(proof);
    return proof_.has_value();
  }

  // For systems that zones do not fit, or on which they diverge: the solver finds an invariant.
  void prove() {
    if (options_.engine == Engine::Zones) return zones_do_not_fit();
    Proof proof = proof_by_clauses(system_, budget_);
    if (proof.verdict == Verdict::Unknown) look_nearby(proof);
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
    for (const Hazard& hazard : report_.hazards) {
      add_counterexample({hazard.failure, hazard.shortest, hazard.act, {}});
    }
  }

  // If there is no proof, a short path may still fail.
  void look_nearby(Proof& proof) {
    constexpr std::size_t kLongest = 6;
    constexpr std::size_t kMany = 500;
    for (std::size_t bound = 1; bound <= kLongest; ++bound) {
      Paths paths = paths_by_solver(system_, bound, 0, effort_);
      if (!paths.hazards.empty()) {
        proof.verdict = Verdict::Unsafe;
        proof.hazards = std::move(paths.hazards);
        return;
      }
      Integer possible = 0;
      for (const Integer& count : paths.possible) possible = possible + count;
      if (!paths.stopped.empty() || possible > Integer(kMany)) return;
    }
  }

  void say_safe(const Reached& all) {
    report_.verdict = Verdict::Safe;
    report_.reason = "what always holds excludes every failure";
    for (const model::StateId state : system_.model->states.ids()) {
      report_.invariants.push_back(
          invariant_of(system_, *zones_, state, all.by_state[state.index]));
    }
    const auto why = objection(system_, invariants(system_, *zones_, all.by_state));
    report_.invariants_checked = !why;
    if (!why) return;
    report_.verdict = Verdict::Unknown;
    report_.reason = "the invariant could not be confirmed: " + *why;
  }

  // ---- Counterexamples ----

  // If the path can fail after several acts, the counterexample has the likeliest of them. Its
  // trace comes from the odds, or else from the solver, which first looks for one in the worst
  // environment.
  void add_counterexample(const FailingPath& failing) {
    Counterexample made{.failure = failing.failure,
                        .path = failing.path,
                        .act = failing.act,
                        .trace = {},
                        .probability = std::nullopt,
                        .paper_odds = std::nullopt};
    std::vector<std::size_t> acts = {failing.act};
    acts.insert(acts.end(), failing.later.begin(), failing.later.end());
    std::vector<Sketch> sketches;
    for (const std::size_t act : acts) {
      std::optional<PathOdds> likely = odds_of({failing.failure, failing.path, act, {}});
      if (!likely) continue;
      if (made.probability && likely->joint.value <= made.probability->value) continue;
      made.act = act;
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
    if (options_.progress) options_.progress({Progress::Of::Odds, asked_, failing.path.size()});
    ++asked_;
    const chance::Precision precision = {.relative = cheaply_ ? 1e-2 : 3e-3,
                                         .most_points = cheaply_ ? 5'000U : 20'000U,
                                         .seed = options_.seed};
    Result<PathOdds> odds = odds_.of(failing, precision);
    if (!odds) return std::nullopt;
    consider(failing, odds->joint);
    return std::move(*odds);
  }

  // Hazards that no listed path leads to get the probability of their shortest path; the others
  // have one already.
  void find_likeliest() {
    for (Hazard& hazard : report_.hazards) {
      if (hazard.probability) continue;
      static_cast<void>(odds_of({hazard.failure, hazard.shortest, hazard.act, {}}));
    }
  }

  void consider(const FailingPath& failing, const Likelihood& probability) {
    model::StateId state = system_.model->initial;
    for (std::size_t i = 0; i + 1 < failing.path.size(); ++i) {
      state = system_.model->rules[failing.path[i]].to;
    }
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
    std::ranges::stable_sort(report_.counterexamples, std::greater<>(),
                             [](const Counterexample& example) {
                               if (!example.probability) return -1.0;
                               const double value = example.probability->value;
                               if (value <= 0) return 0.0;
                               const double unit = std::pow(10, std::floor(std::log10(value)) - 5);
                               return std::round(value / unit) * unit;
                             });
  }

  // Values for a failing path that agree with the sketch, found by the solver.
  [[nodiscard]] std::optional<Trace> trace_of(const FailingPath& failing,
                                              const Sketch& sketch) const {
    smt::Solver solver;
    auto moment = sketch.begin();
    const auto follow_sketch = [&](std::span<const smt::UnknownId> now) {
      if (moment == sketch.end()) return;
      for (std::size_t slot = 0; slot < now.size(); ++slot) {
        const std::optional<Rational>& value = (*moment)[slot];
        if (value) solver.require_between(now[slot], *value, *value);
      }
      ++moment;
    };
    OfSolver requirements(solver);
    Unrolled unrolled(system_, requirements);
    model::StateId state = system_.model->initial;
    for (std::size_t i = 0; i < failing.path.size(); ++i) {
      const std::vector<Move>& moves = system_.moves[state.index];
      const auto move = std::ranges::find(moves, failing.path[i], &Move::rule);
      const bool last = i + 1 == failing.path.size();
      unrolled.sense(state, *move);
      follow_sketch(unrolled.now());
      for (std::size_t j = 0; j < (last ? failing.act + 1 : move->acts.size()); ++j) {
        unrolled.run(move->acts[j]);
        follow_sketch(unrolled.now());
        const bool fails = last && j == failing.act;
        for (const Case& one : move->acts[j].cases) {
          if (!fails) unrolled.require(one, smt::Polarity::Fails);
          if (fails && one.failure == failing.failure) unrolled.require(one, smt::Polarity::Holds);
        }
      }
      state = move->to;
    }
    if (solver.check() != smt::Answer::Yes) return std::nullopt;
    const smt::Values values = solver.values();
    if (!values.exact) return std::nullopt;
    return unrolled.trace(values);
  }

  static constexpr std::size_t kFewPaths = 200;    // with more, probabilities are less precise
  static constexpr std::size_t kMostAsked = 2000;  // paths that get a probability

  const Options& options_;
  System system_;
  Odds odds_;
  std::size_t asked_ = 0;
  bool cheaply_ = false;
  std::optional<ZoneSystem> zones_;
  std::string why_no_zones_;
  unsigned work_ = 300'000;  // limit for the next prove_soon(), as smt::HornOptions counts it
  bool can_fail_ = false;    // a proof by clauses says so
  std::optional<Proof> proof_;
  Budget budget_;
  Effort effort_;
  Report report_;
};

}  // namespace

Report run(const model::Model& model, const Options& options) {
  return Verification(model, options).report();
}

}  // namespace poise::verify
