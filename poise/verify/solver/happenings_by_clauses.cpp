#include "poise/verify/solver/happenings_by_clauses.h"

#include <algorithm>
#include <cstddef>
#include <functional>

#include "poise/verify/solver/clauses.h"
#include "poise/verify/solver/unrolled.h"

namespace poise::verify {

namespace {

// For each question, as smt::HornOptions counts it: a tenth of a second or so.
constexpr unsigned kWork = 300'000;

class Questions {
 public:
  Questions(const System& system, const Effort& effort)
      : system_(system), effort_(effort), moves_(clauses_of(system, {})) {}

  std::optional<Happenings> answered() {
    all_ = nothing_happens(system_);
    for (const model::StateId state : system_.model->states.ids()) {
      for (std::size_t move = 0; move < system_.moves[state.index].size() && known_; ++move) {
        ask(state, move);
      }
      const auto fires = [](const Happenings::OfMove& move) { return move.holds; };
      all_.looks[state.index] = std::ranges::any_of(all_.moves[state.index], fires) ||
                                happens(state, [](Unrolled& step) { step.look(); });
    }
    if (!known_) return std::nullopt;
    return std::move(all_);
  }

 private:
  using Run = std::function<void(Unrolled&)>;

  // Whether a step from the state can go as `run` requires. False if that is not known.
  bool happens(model::StateId state, const Run& run) {
    if (!known_) return false;
    smt::System question = moves_;
    smt::Clause clause;
    clause.name = "it happens";
    OfClause requirements(clause);
    Unrolled step(system_, requirements, Unrolled::From::Anywhere);
    clause.body = {{.predicate = smt::PredicateId{state.index},
                    .arguments = {step.now().begin(), step.now().end()}}};
    run(step);
    clause.head = {.predicate = question.query, .arguments = {}};
    question.clauses.add(std::move(clause));
    const smt::Reachability answer =
        smt::reachability(question, {.work_limit = kWork, .watchdog = effort_.watchdog()});
    known_ = answer.reachable != smt::Answer::Unknown;
    return answer.reachable == smt::Answer::Yes;
  }

  // The move fires, and its acts happen, up to so many, without a failure before the last of them.
  void fire(Unrolled& step, model::StateId state, const Move& move, std::size_t acts) const {
    step.sense(state, move);
    for (std::size_t i = 0; i < acts; ++i) {
      if (i > 0) pass(step, move.acts[i - 1]);
      step.run(move.acts[i]);
    }
  }
  static void pass(Unrolled& step, const Act& act) {
    for (const Case& one : act.cases) step.require(one, smt::Polarity::Fails);
  }

  void ask(model::StateId state, std::size_t index) {
    const Move& move = system_.moves[state.index][index];
    Happenings::OfMove& found = all_.moves[state.index][index];
    // Mostly all of it happens, so that one question is enough.
    std::size_t acts = move.acts.size();
    const auto happen = [&](std::size_t count) {
      return happens(state, [&](Unrolled& step) { fire(step, state, move, count); });
    };
    while (acts > 0 && known_ && !happen(acts)) --acts;
    found.acts = acts;
    found.fires = acts > 0 || happen(0);
    found.holds = found.fires || happens(state, [&](Unrolled& step) {
                    step.look();
                    step.require_guard(move.guard, smt::Polarity::Holds);
                  });
    for (std::size_t i = 0; i < found.leaves.size(); ++i) {
      if (acts < move.acts.size() || !may_leave(system_, move, i)) continue;
      found.leaves[i] = happens(state, [&](Unrolled& step) {
        fire(step, state, move, acts);
        pass(step, move.acts.back());
        step.require({system_.atoms, system_.formulas}, system_.always[i], smt::Polarity::Fails);
      });
    }
  }

  const System& system_;
  const Effort& effort_;
  smt::System moves_;  // all moves, and nothing that leads to the query
  bool known_ = true;
  Happenings all_;
};

}  // namespace

std::optional<Happenings> happenings_by_clauses(const System& system, const Effort& effort) {
  return Questions(system, effort).answered();
}

}  // namespace poise::verify
