#include "bench/peers/one_by_one.h"

#include <algorithm>
#include <vector>

#include "poise/verify/solver/unrolled.h"

namespace poise::bench {

namespace {

using verify::Act;
using verify::Case;
using verify::Move;

struct Step {
  model::StateId from;
  const Move* move;
};

class Search {
 public:
  Search(const verify::System& system, Ask ask, std::size_t bound, std::chrono::seconds limit)
      : system_(system), ask_(ask), bound_(bound), deadline_(Clock::now() + limit) {}

  OneByOne found() {
    follow(system_.model->initial);
    return result_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  void follow(model::StateId state) {
    if (path_.size() == bound_) return;
    for (const Move& move : system_.moves[state.index]) {
      if (Clock::now() >= deadline_) result_.finished = false;
      if (!result_.finished) return;
      path_.push_back({state, &move});
      look_at_last(move);
      follow(move.to);
      path_.pop_back();
    }
  }

  void look_at_last(const Move& last) {
    std::vector<model::FailureId> failed;
    bool asked = false;
    for (std::size_t act = 0; act < last.acts.size(); ++act) {
      for (const Case& one : last.acts[act].cases) {
        if (std::ranges::find(failed, one.failure) != failed.end()) continue;
        asked = true;
        if (is_possible(act + 1, &one)) failed.push_back(one.failure);
      }
    }
    if (!asked && ask_ == Ask::EveryPath) static_cast<void>(is_possible(last.acts.size(), nullptr));
    result_.failing += failed.size();
  }

  // Whether the path can be taken, with only so many acts of its last rule, such that the failure
  // happens at the end and none before. Without a failure: whether it can be taken without any.
  [[nodiscard]] bool is_possible(std::size_t acts_of_last, const Case* failure) {
    ++result_.asked;
    smt::Solver solver;
    verify::OfSolver requirements(solver);
    verify::Unrolled unrolled(system_, requirements);
    for (const Step& step : path_) {
      const bool last = &step == &path_.back();
      const std::size_t acts = last ? acts_of_last : step.move->acts.size();
      unrolled.sense(step.from, *step.move);
      for (std::size_t i = 0; i < acts; ++i) {
        const Act& act = step.move->acts[i];
        unrolled.run(act);
        if (failure != nullptr && last && i + 1 == acts) break;
        for (const Case& one : act.cases) unrolled.require(one, smt::Polarity::Fails);
      }
    }
    if (failure != nullptr) unrolled.require(*failure, smt::Polarity::Holds);
    return solver.check() == smt::Answer::Yes;
  }

  const verify::System& system_;
  Ask ask_;
  std::size_t bound_;
  Clock::time_point deadline_;
  std::vector<Step> path_;
  OneByOne result_;
};

}  // namespace

OneByOne one_by_one(const verify::System& system, Ask ask, std::size_t bound,
                    std::chrono::seconds limit) {
  return Search(system, ask, bound, limit).found();
}

double sequences(const verify::System& system, std::size_t bound) {
  std::vector<double> here(system.moves.size(), 0);
  here[system.model->initial.index] = 1;
  double all = 0;
  for (std::size_t length = 1; length <= bound; ++length) {
    std::vector<double> next(system.moves.size(), 0);
    for (std::size_t state = 0; state < here.size(); ++state) {
      for (const Move& move : system.moves[state]) {
        next[move.to.index] += here[state];
        all += here[state];
      }
    }
    here = std::move(next);
  }
  return all;
}

}  // namespace poise::bench
