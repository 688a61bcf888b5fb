#include "poise/verify/solver/solver_paths.h"

#include <algorithm>

#include "poise/verify/solver/unrolled.h"

namespace poise::verify {

namespace {

// The solver's stack follows the recursion: one push for each step of the path, and one more for
// each failure that is tried.
class SolverSearch {
 public:
  SolverSearch(const System& system, std::size_t bound, std::size_t most, const Effort& effort)
      : system_(system),
        bound_(bound),
        most_(most),
        effort_(effort),
        requirements_(solver_),
        unrolled_(system, requirements_) {}

  Paths found() {
    if (solver_.check() == smt::Answer::Yes) follow(system_.model->initial);
    sort();
    return std::move(result_);
  }

 private:
  [[nodiscard]] bool stopped() const { return !result_.stopped.empty(); }
  void stop(std::string_view why) {
    if (!stopped()) result_.stopped = why;
  }

  // Whether the requirements can be satisfied. If the solver does not know, or a limit is reached,
  // the search stops and the result says why.
  bool possible() {
    if (const Exhausted exhausted = effort_.exhausted(); exhausted != Exhausted::No) {
      stop(reason(exhausted));
    }
    if (stopped()) return false;
    effort_.tell({Progress::Of::Paths, looked_at_++, path_.size()});
    const smt::Answer answer = solver_.check();
    if (answer == smt::Answer::Unknown) stop(solver_.why());
    return answer == smt::Answer::Yes;
  }

  void follow(model::StateId state) {
    if (path_.size() == bound_) return;
    for (const Move& move : system_.moves[state.index]) {
      if (stopped()) return;
      path_.push_back(move.rule);
      unrolled_.push();
      unrolled_.sense(state, move);
      if (run(state, move)) follow(move.to);
      unrolled_.pop();
      path_.pop_back();
    }
  }

  // Runs the acts of a move and notes the failures. Whether the path can go on without a failure.
  bool run(model::StateId state, const Move& move) {
    std::vector<FailingPath> failed;  // failures differ
    for (std::size_t i = 0; i < move.acts.size(); ++i) {
      const Act& act = move.acts[i];
      unrolled_.run(act);
      for (const Case& one : act.cases) {
        unrolled_.push();
        unrolled_.require(one, smt::Polarity::Holds);
        if (possible()) {
          note(state, i, one.failure);
          const auto same = std::ranges::find(failed, one.failure, &FailingPath::failure);
          if (same != failed.end()) {
            same->later.push_back(i);
          } else {
            failed.push_back({one.failure, path_, i, {}});
          }
        }
        unrolled_.pop();
      }
      for (const Case& one : act.cases) unrolled_.require(one, smt::Polarity::Fails);
    }
    for (const FailingPath& one : failed) list(one);
    const bool goes_on = possible();
    if (goes_on || !failed.empty()) count(result_.possible, path_.size());
    return goes_on;
  }

  static void count(std::vector<Integer>& counts, std::size_t length) {
    if (counts.size() < length) counts.resize(length, Integer(0));
    counts[length - 1] = counts[length - 1] + Integer(1);
  }

  void list(const FailingPath& failing) {
    count(result_.failing, path_.size());
    if (result_.listed.size() < most_) {
      result_.listed.push_back(failing);
    } else {
      result_.complete = false;
    }
  }

  void note(model::StateId state, std::size_t act, model::FailureId failure) {
    Hazard& hazard = hazard_of(state, act, failure);
    if (path_.size() < hazard.first) {
      hazard.first = path_.size();
      hazard.shortest = path_;
    }
    count(hazard.paths, path_.size());
  }

  Hazard& hazard_of(model::StateId state, std::size_t act, model::FailureId failure) {
    for (Hazard& hazard : result_.hazards) {
      if (hazard.state == state && hazard.rule == path_.back() && hazard.act == act &&
          hazard.failure == failure) {
        return hazard;
      }
    }
    return result_.hazards.emplace_back(Hazard{.state = state,
                                               .rule = path_.back(),
                                               .act = act,
                                               .failure = failure,
                                               .first = path_.size(),
                                               .shortest = path_,
                                               .paths = {}});
  }

  void sort() {
    result_.failing.resize(result_.possible.size(), Integer(0));
    std::ranges::stable_sort(result_.listed, {},
                             [](const FailingPath& one) { return one.path.size(); });
    std::ranges::sort(result_.hazards, {}, [](const Hazard& hazard) {
      return std::tuple(hazard.first, hazard.state, hazard.rule, hazard.act, hazard.failure);
    });
  }

  const System& system_;
  std::size_t bound_;
  std::size_t most_;
  const Effort& effort_;
  smt::Solver solver_;
  OfSolver requirements_;
  Unrolled unrolled_;
  std::vector<model::RuleId> path_;
  std::size_t looked_at_ = 0;
  Paths result_;
};

}  // namespace

Paths paths_by_solver(const System& system, std::size_t bound, std::size_t most,
                      const Effort& effort) {
  return SolverSearch(system, bound, most, effort).found();
}

}  // namespace poise::verify
