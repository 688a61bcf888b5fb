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
        solver_({.watchdog = effort.watchdog()}),
        requirements_(solver_),
        unrolled_(system, requirements_),
        happenings_(nothing_happens(system)) {}

  Paths found() {
    if (possible()) follow(system_.model->initial);
    sort();
    if (!stopped() && !unclear_) result_.happenings = std::move(happenings_);
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

  // Depth first, with a stack of its own, because paths may be long.
  void follow(model::StateId initial) {
    struct At {
      model::StateId state;
      std::size_t next = 0;  // move
    };
    std::vector<At> stack;
    const auto arrive = [&](model::StateId state) {
      if (path_.size() < bound_) note_looking(state);
      stack.push_back({state});
    };
    const auto go_back = [&] {
      if (path_.empty()) return;
      unrolled_.pop();
      path_.pop_back();
    };
    arrive(initial);
    while (!stack.empty()) {
      const model::StateId state = stack.back().state;
      const std::vector<Move>& moves = system_.moves[state.index];
      if (stopped() || path_.size() == bound_ || stack.back().next == moves.size()) {
        stack.pop_back();
        go_back();
        continue;
      }
      const std::size_t index = stack.back().next++;
      path_.push_back(moves[index].rule);
      note_holding(state, index);
      unrolled_.push();
      unrolled_.sense(state, moves[index]);
      note_firing(state, index);
      if (run(state, index)) {
        arrive(moves[index].to);
      } else {
        go_back();
      }
    }
  }

  // ---- What happens; nothing is asked that is known already ----

  Happenings::OfMove& noted(model::StateId state, std::size_t move) {
    return happenings_.moves[state.index][move];
  }

  // Whether the requirements can be satisfied. Unlike with possible(), the search goes on if the
  // solver does not know: only what happens is not known then.
  bool happens() {
    const bool stop = stopped() || effort_.exhausted() != Exhausted::No;
    const smt::Answer answer = stop ? smt::Answer::Unknown : solver_.check();
    unclear_ = unclear_ || answer == smt::Answer::Unknown;
    return answer == smt::Answer::Yes;
  }

  void note_looking(model::StateId state) {
    if (happenings_.looks[state.index]) return;
    unrolled_.push();
    unrolled_.look();
    happenings_.looks[state.index] = happens();
    unrolled_.pop();
  }

  void note_firing(model::StateId state, std::size_t index) {
    Happenings::OfMove& known = noted(state, index);
    if (!known.fires) known.fires = happens();
    known.holds = known.holds || known.fires;
  }

  // Whether the guard holds, whatever stronger ones say. If there are none, it fires where it
  // holds.
  void note_holding(model::StateId state, std::size_t index) {
    const Move& move = system_.moves[state.index][index];
    if (noted(state, index).holds || move.stronger.empty()) return;
    unrolled_.push();
    unrolled_.look();
    unrolled_.require_guard(move.guard, smt::Polarity::Holds);
    noted(state, index).holds = happens();
    unrolled_.pop();
  }

  void note_leaving(model::StateId state, std::size_t index) {
    Happenings::OfMove& known = noted(state, index);
    for (std::size_t i = 0; i < known.leaves.size(); ++i) {
      if (known.leaves[i] || !may_leave(system_, system_.moves[state.index][index], i)) continue;
      unrolled_.push();
      unrolled_.require({system_.atoms, system_.formulas}, system_.always[i], smt::Polarity::Fails);
      known.leaves[i] = happens();
      unrolled_.pop();
    }
  }

  // Runs the acts of a move and notes the failures. Whether the path can go on without a failure.
  bool run(model::StateId state, std::size_t index) {
    const Move& move = system_.moves[state.index][index];
    Happenings::OfMove& known = noted(state, index);
    std::vector<FailingPath> failed;  // failures differ
    for (std::size_t i = 0; i < move.acts.size(); ++i) {
      const Act& act = move.acts[i];
      unrolled_.run(act);
      if (known.fires && known.acts == i && happens()) known.acts = i + 1;
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
    if (goes_on) note_leaving(state, index);
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
    sort_hazards(result_.hazards);
    // Depth first: if the search was stopped, shorter paths may not have been looked at.
    for (Hazard& hazard : result_.hazards) hazard.first_exact = !stopped() || hazard.first == 1;
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
  Happenings happenings_;
  bool unclear_ = false;  // the solver did not know whether something happens
  Paths result_;
};

}  // namespace

Paths paths_by_solver(const System& system, std::size_t bound, std::size_t most,
                      const Effort& effort) {
  return SolverSearch(system, bound, most, effort).found();
}

}  // namespace poise::verify
