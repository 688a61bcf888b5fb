// The enumerative engine: state matrices, row by row (Algorithms 2 to 5). Each state has a reduced
// matrix over the variables that its own rules read. For one step from state to state, the matrices
// of both are joined on the variables they share. Paths are followed in one matrix over all
// variables, where each row is a context. This is explicit and simple, and exponential in the
// number of variables, as the class of algorithms is. A matrix with too many rows is refused before
// memory is spent.

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "poise/base/parallel.h"
#include "poise/check/engines/choices.h"
#include "poise/check/engines/competing.h"
#include "poise/check/engines/engines.h"
#include "poise/check/engines/paths.h"
#include "poise/check/engines/rows.h"
#include "poise/model/cells.h"
#include "poise/model/step.h"

namespace poise::check {

namespace {

using model::QuestionId;
using model::RuleId;
using model::SlotId;
using model::StateId;

// The rows in which the rules of a state are satisfied and triggered, infeasible ones included.
struct Columns {
  std::vector<Bits> satisfied;
  std::vector<Bits> triggered;
  Bits any;
};

Columns columns_of(const Prepared& prepared, const Matrix& matrix, StateId state) {
  const std::vector<RuleId>& rules = prepared.model.states[state].rules;
  Columns columns;
  columns.satisfied.resize(rules.size());
  columns.triggered.resize(rules.size());
  columns.any = Bits(matrix.rows());
  for (const Level& level : prepared.levels[state.index]) {
    Bits here(matrix.rows());
    for (const std::uint32_t rule : level) {
      columns.satisfied[rule] = matrix.truth(prepared.model.rules[rules[rule]].guard);
      columns.triggered[rule] = columns.satisfied[rule];
      columns.triggered[rule] -= columns.any;
      here |= columns.satisfied[rule];
    }
    columns.any |= here;
  }
  return columns;
}

std::vector<Row> rows_in(const Bits& bits) {
  std::vector<Row> rows;
  bits.for_each([&](Row row) { rows.push_back(row); });
  return rows;
}

// ---- Actions ----

bool has_effects(const model::Model& model, RuleId rule) {
  return std::ranges::any_of(model.rules[rule].actions,
                             [](const model::Action& action) { return !action.effects.empty(); });
}

// The rows to which a rule's actions lead from a row. Actions read and change only a few digits. So
// model::after() is executed once for each combination of these digits, and the differences between
// the rows after and before are kept in a table.
class Move {
 public:
  static Result<Move> of(const Prepared& prepared, const Matrix& matrix, const model::Cells& cells,
                         RuleId rule) {
    Move move;
    if (!has_effects(prepared.model, rule)) return move;
    for (const std::uint32_t topic : topics_of(prepared, rule)) {
      if (const auto axis = matrix.axis_of(topic)) move.axes_.push_back(&matrix.axes()[*axis]);
    }
    std::size_t combinations = 1;
    for (const Matrix::Axis* axis : move.axes_) {
      combinations *= axis->size;
      if (combinations > kMaxCombinations) {
        return failure(
            fmt::format("the actions of rule `{}` depend on more than {} combinations of values",
                        prepared.model.rules[rule].name, kMaxCombinations));
      }
    }
    std::vector<std::map<std::vector<bool>, std::uint32_t>> digits;
    for (const Matrix::Axis* axis : move.axes_) digits.push_back(digits_by_answers(*axis));
    model::Context context(prepared.model.slots.size());
    move.changes_.resize(combinations);
    for (std::size_t combination = 0; combination < combinations; ++combination) {
      std::size_t rest = combination;
      std::int64_t before = 0;
      for (const Matrix::Axis* axis : move.axes_) {
        const std::size_t digit = rest % axis->size;
        rest /= axis->size;
        before += static_cast<std::int64_t>(digit * axis->stride);
        for (std::size_t i = 0; i < axis->order.size(); ++i) {
          const auto& point = axis->points[digit];
          context[axis->order[i].index] = i < point.size() ? point[i] : std::nullopt;
        }
      }
      std::set<std::int64_t> results;
      for (const model::Context& next : model::after(prepared.model, rule, context, cells)) {
        std::int64_t row = 0;
        for (std::size_t i = 0; i < move.axes_.size(); ++i) {
          row += std::int64_t{digit_in(prepared, *move.axes_[i], digits[i], next)} *
                 std::int64_t{move.axes_[i]->stride};
        }
        results.insert(row - before);
      }
      move.changes_[combination].assign(results.begin(), results.end());
    }
    return move;
  }

  [[nodiscard]] bool changes_nothing() const { return changes_.empty(); }

  template <class Visit>
  void for_each(Row row, Visit visit) const {
    std::size_t combination = 0;
    for (std::size_t i = axes_.size(); i-- > 0;) {
      combination = combination * axes_[i]->size + Matrix::digit(*axes_[i], row);
    }
    for (const std::int64_t change : changes_[combination]) {
      visit(static_cast<Row>(std::int64_t{row} + change));
    }
  }

 private:
  static constexpr std::size_t kMaxCombinations = std::size_t{1} << 20;

  // The clusters that a rule's actions read or change.
  static std::set<std::uint32_t> topics_of(const Prepared& prepared, RuleId rule) {
    std::set<std::uint32_t> topics;
    const auto add_behind = [&](const auto& self, SlotId slot) -> void {
      topics.insert(prepared.questions.topic_of(slot));
      for (const SlotId inner : prepared.questions.slots_behind(slot)) self(self, inner);
    };
    for (const model::Action& action : prepared.model.rules[rule].actions) {
      for (const model::Effect& effect : action.effects) {
        add_behind(add_behind, effect.slot);
        if (effect.unless) topics.insert(prepared.questions.topic_of(*effect.unless));
        if (const auto guard = model::guard_slot(prepared.model, effect.slot)) {
          topics.insert(prepared.questions.topic_of(*guard));
        }
      }
    }
    return topics;
  }

  static std::map<std::vector<bool>, std::uint32_t> digits_by_answers(const Matrix::Axis& axis) {
    std::map<std::vector<bool>, std::uint32_t> digits;
    const std::uint32_t with_value = axis.guarded ? axis.size - 1 : axis.size;
    for (std::uint32_t digit = 0; digit < with_value; ++digit) {
      std::vector<bool> answers;
      for (const std::vector<bool>& by_digit : axis.answers) answers.push_back(by_digit[digit]);
      digits.emplace(std::move(answers), digit);
    }
    return digits;
  }

  static std::uint32_t digit_in(const Prepared& prepared, const Matrix::Axis& axis,
                                const std::map<std::vector<bool>, std::uint32_t>& digits,
                                const model::Context& context) {
    if (axis.guarded && !context[axis.order.front().index]) return axis.size - 1;
    std::vector<bool> answers;
    for (const QuestionId question : axis.questions) {
      answers.push_back(model::holds(prepared.questions.test(question), context));
    }
    return digits.at(answers);
  }

  std::vector<const Matrix::Axis*> axes_;
  // By combination of digits: what is added to the row, one number for each outcome.
  std::vector<std::vector<std::int64_t>> changes_;
};

// ---- One state, and one step ----

struct StateMatrix {
  StateMatrix(const Prepared& prepared, StateId state, Budget& budget)
      : matrix(prepared,
               prepared.options.count == Count::All ? prepared.all_atoms
                                                    : prepared.state_atoms[state.index],
               Matrix::Changing::LeftOut, budget) {
    if (matrix.trouble().empty()) columns = columns_of(prepared, matrix, state);
  }
  Matrix matrix;
  Columns columns;
};

// The feasible rows in which at least two rules of a level are triggered.
Bits contested_rows(const Matrix& matrix, const Level& level, const std::vector<Bits>& triggered) {
  Bits two = *at_least_two(RowSets{}, of_level(level, triggered), [] { return false; });
  return two &= matrix.feasible();
}

// The space of ChoiceSearch.
class RowContest {
 public:
  RowContest(const Prepared& prepared, const std::vector<std::unique_ptr<StateMatrix>>& matrices)
      : budget_(prepared.budget), matrices_(matrices) {}

  void begin(StateId state) {
    here_ = matrices_[state.index].get();
    scratch_ = Bits(here_->matrix.rows());
  }
  [[nodiscard]] static RowSets sets() { return {}; }
  [[nodiscard]] const std::vector<Bits>& triggered() const { return here_->columns.triggered; }
  [[nodiscard]] Bits contested(const Level& level) const {
    return contested_rows(here_->matrix, level, triggered());
  }
  [[nodiscard]] Integer situations(const Bits& rows, const Atoms& atoms) {
    return static_cast<std::int64_t>(
        Matrix::distinct(rows_in(rows), here_->matrix.onto(atoms), scratch_));
  }
  [[nodiscard]] bool gave_up() { return budget_.exhausted() != Exhausted::No; }
  [[nodiscard]] std::string gave_up_because() { return std::string(reason(budget_.exhausted())); }

 private:
  Budget budget_;
  const std::vector<std::unique_ptr<StateMatrix>>& matrices_;
  const StateMatrix* here_ = nullptr;
  Bits scratch_;
};

class Enumeration {
 public:
  explicit Enumeration(const Prepared& prepared) : prepared_(prepared), budget_(prepared.budget) {
    for (const RuleId rule : prepared.model.rules.ids()) {
      changing_ = changing_ || has_effects(prepared.model, rule);
    }
  }

  Findings findings() {
    Findings findings;
    findings.states.resize(prepared_.model.states.size());
    if (changing_) {
      Result<model::Cells> cells = model::Cells::of(prepared_.model, budget_);
      if (!cells) return stopped(std::move(findings), cells.error().message);
      cells_ = std::make_unique<model::Cells>(std::move(*cells));
    }
    matrices_.resize(findings.states.size());
    in_parallel(findings.states.size(), [&](StateId state, Budget& budget) {
      look_at(state, findings.states[state.index], budget);
    });
    in_parallel(findings.states.size(), [&](StateId state, Budget& budget) {
      find_unstable(state, findings.states[state.index], budget);
    });
    findings.reachable = reachable_states(prepared_.model, findings.states);
    const std::vector<bool> starts = start_states(prepared_, findings.reachable);
    findings.choices = find_choices(
        prepared_, starts, findings.states,
        [&] { return std::make_unique<RowContest>(prepared_, matrices_); }, prepared_.options.jobs);
    matrices_.clear();
    if (prepared_.options.paths != 0U) add_paths(findings);
    return findings;
  }

 private:
  template <class Work>
  void in_parallel(std::size_t states, Work work) {
    struct Worker {
      Work* work;
      Budget budget;
      void operator()(std::size_t i) { (*work)(StateId{static_cast<std::uint32_t>(i)}, budget); }
    };
    std::vector<Worker> workers(worker_count(prepared_.options.jobs, states),
                                Worker{&work, prepared_.budget});
    for_each_index(0, states, workers);
  }

  static Findings stopped(Findings findings, const std::string& why) {
    for (StateFindings& state : findings.states) state.stopped = why;
    findings.reachable.assign(findings.states.size(), true);
    return findings;
  }

  [[nodiscard]] const std::vector<RuleId>& rules_of(StateId state) const {
    return prepared_.model.states[state].rules;
  }

  // Algorithms 2 and 3.
  void look_at(StateId state, StateFindings& found, Budget& budget) {
    found.lives.resize(rules_of(state).size());
    if (const Exhausted exhausted = budget.exhausted_now(); exhausted != Exhausted::No) {
      found.stopped = reason(exhausted);
      return;
    }
    found.stopped = too_many_rules(prepared_, state);
    if (!found.stopped.empty()) return;
    matrices_[state.index] = std::make_unique<StateMatrix>(prepared_, state, budget);
    const StateMatrix& here = *matrices_[state.index];
    if (!here.matrix.trouble().empty()) {
      found.stopped = here.matrix.trouble();
      return;
    }
    std::vector<Bits> triggered = here.columns.triggered;
    for (Bits& rows : triggered) rows &= here.matrix.feasible();
    find_overlaps(state, triggered, found, budget);
    for (std::uint32_t i = 0; i < triggered.size(); ++i) {
      Life& life = found.lives[i];
      life.triggered = !triggered[i].is_empty();
      Bits satisfied = here.columns.satisfied[i];
      satisfied &= here.matrix.feasible();
      life.satisfied = !satisfied.is_empty();
      if (!life.satisfied || life.triggered) continue;
      life.by = winners_over(prepared_, state, i, RowSets{}, here.columns.satisfied, satisfied);
    }
  }

  void find_overlaps(StateId state, const std::vector<Bits>& triggered, StateFindings& found,
                     Budget& budget) const {
    const Matrix& matrix = matrices_[state.index]->matrix;
    Bits scratch(matrix.rows());
    Pairs pairs(RowSets{}, triggered,
                [&](std::uint32_t first, std::uint32_t second, const Bits& rows) {
                  const auto count = [&](const Atoms& atoms) {
                    return Integer(static_cast<std::int64_t>(
                        Matrix::distinct(rows_in(rows), matrix.onto(atoms), scratch)));
                  };
                  return add_overlap(found, prepared_, budget, state, first, second, count);
                });
    for (const Level& level : prepared_.levels[state.index]) {
      if (level.size() < 2) continue;
      pairs.among(level, contested_rows(matrix, level, triggered), matrix.feasible());
    }
    std::ranges::sort(found.overlaps, {},
                      [](const Pair& pair) { return std::pair(pair.first, pair.second); });
  }

  void find_unstable(StateId state, StateFindings& found, Budget& budget) {
    if (!found.stopped.empty()) return;
    for (std::uint32_t i = 0; i < rules_of(state).size(); ++i) {
      if (!found.lives[i].triggered) continue;
      const RuleId rule = rules_of(state)[i];
      const StateId to = prepared_.model.rules[rule].to;
      if (matrices_[to.index] == nullptr || !matrices_[to.index]->matrix.trouble().empty()) {
        found.stopped = matrices_[to.index] != nullptr
                            ? matrices_[to.index]->matrix.trouble()
                            : fmt::format("state `{}` could not be looked at, and rules lead there",
                                          prepared_.model.states[to].name);
        return;
      }
      const std::optional<Integer> joined = joined_count(state, i, to);
      const Result<Integer> count =
          joined ? Result<Integer>(*joined) : counted_in_one_matrix(state, i, to, budget);
      if (!count) {
        found.stopped = count.error().message;
        return;
      }
      if (count->sign() > 0) found.unstable.emplace_back(i, *count);
    }
  }

  // The number of situations in which a rule is unstable, without a matrix over both states. Only
  // if both read nothing but independent booleans and the rule has no effects: then each row of one
  // matrix combines with the rows of the other that agree on the shared variables, and pairs are
  // counted as in a hash join. Else nothing.
  [[nodiscard]] std::optional<Integer> joined_count(StateId state, std::uint32_t rule,
                                                    StateId to) const {
    const Matrix& a = matrices_[state.index]->matrix;
    const Matrix& b = matrices_[to.index]->matrix;
    const auto simple = [&](const Matrix::Axis& axis) {
      const model::Topic& topic = prepared_.questions.topics()[axis.topic];
      return topic.plain && !topic.component;
    };
    if (prepared_.options.count != Count::Visited ||
        has_effects(prepared_.model, rules_of(state)[rule]) ||
        !std::ranges::all_of(a.axes(), simple) || !std::ranges::all_of(b.axes(), simple)) {
      return std::nullopt;
    }
    std::vector<std::pair<std::uint32_t, std::uint32_t>> shared;  // strides
    for (const Matrix::Axis& axis : a.axes()) {
      if (const auto other = b.axis_of(axis.topic)) {
        shared.emplace_back(axis.stride, b.axes()[*other].stride);
      }
    }
    std::vector<std::uint32_t> partners(std::size_t{1} << shared.size(), 0);
    matrices_[to.index]->columns.any.for_each([&](Row row) {
      std::size_t key = 0;
      for (const auto& [first, second] : shared) key = key * 2 + ((row & second) != 0 ? 1 : 0);
      ++partners[key];
    });
    std::uint64_t pairs = 0;
    matrices_[state.index]->columns.triggered[rule].for_each([&](Row row) {
      std::size_t key = 0;
      for (const auto& [first, second] : shared) key = key * 2 + ((row & first) != 0 ? 1 : 0);
      pairs += partners[key];
    });
    return Integer(static_cast<std::int64_t>(pairs));
  }

  // The same in general: in one matrix over the variables of both states.
  Result<Integer> counted_in_one_matrix(StateId state, std::uint32_t index, StateId to,
                                        Budget& budget) const {
    const RuleId rule = rules_of(state)[index];
    Atoms atoms = prepared_.state_atoms[state.index];
    const Atoms& more = prepared_.state_atoms[to.index];
    atoms.insert(atoms.end(), more.begin(), more.end());
    std::ranges::sort(atoms);
    atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
    const bool acts = has_effects(prepared_.model, rule);
    const Matrix matrix(prepared_,
                        prepared_.options.count == Count::All ? prepared_.all_atoms : atoms,
                        acts ? Matrix::Changing::Included : Matrix::Changing::LeftOut, budget);
    if (!matrix.trouble().empty()) return failure(matrix.trouble());
    Bits rows = columns_of(prepared_, matrix, state).triggered[index];
    rows &= matrix.feasible();
    Bits any(matrix.rows());
    for (const RuleId next : rules_of(to)) any |= matrix.truth(prepared_.model.rules[next].guard);
    std::vector<Row> unstable;
    if (acts) {
      const Result<Move> move = Move::of(prepared_, matrix, *cells_, rule);
      if (!move) return Failure(move.error());
      rows.for_each([&](Row row) {
        bool leads_on = false;
        move->for_each(row, [&](Row next) { leads_on = leads_on || any[next]; });
        if (leads_on) unstable.push_back(row);
      });
    } else {
      rows &= any;
      unstable = rows_in(rows);
    }
    Bits scratch(matrix.rows());
    const Atoms counted = counted_atoms(prepared_, {state, to}, {rule});
    return Integer(
        static_cast<std::int64_t>(Matrix::distinct(unstable, matrix.onto(counted), scratch)));
  }

  void add_paths(Findings& findings);

  const Prepared& prepared_;
  Budget budget_;
  bool changing_ = false;  // some rule has effects
  std::unique_ptr<model::Cells> cells_;
  std::vector<std::unique_ptr<StateMatrix>> matrices_;  // by state
};

// ---- Paths ----

// One matrix over all variables, with the columns of all states. All threads share it.
struct Everything {
  Everything(const Prepared& of, const Atoms& atoms, bool changing, const model::Cells* cells,
             Budget& budget)
      : prepared(of),
        matrix(prepared, atoms, changing ? Matrix::Changing::Included : Matrix::Changing::LeftOut,
               budget),
        trouble(matrix.trouble()) {
    if (!trouble.empty()) return;
    for (const StateId state : prepared.model.states.ids()) {
      columns.push_back(columns_of(prepared, matrix, state));
      columns.back().satisfied.clear();
    }
    for (const RuleId rule : prepared.model.rules.ids()) {
      Result<Move> move = cells != nullptr ? Move::of(prepared, matrix, *cells, rule) : Move();
      if (!move) {
        trouble = move.error().message;
        return;
      }
      moves.push_back(std::move(*move));
    }
    std::vector<QuestionId> identity;
    for (const model::Topic& topic : prepared.questions.topics()) {
      if (!topic.changes) continue;
      const auto& same = topic.identity.empty() ? topic.questions : topic.identity;
      identity.insert(identity.end(), same.begin(), same.end());
    }
    std::ranges::sort(identity);
    context = matrix.onto(identity);
  }

  const Prepared& prepared;
  Matrix matrix;
  std::string trouble;
  std::vector<Columns> columns;  // by state
  std::vector<Move> moves;       // by rule
  Matrix::Projection context;    // the part of a row that actions can change: its identity in a run
};

// A Walk (walk.h) on explicit rows: Algorithm 4, for all rows at once. Each start that is still
// alive is a walker that knows its present row and the walker it came from.
class RowWalk {
 public:
  using Set = std::vector<Row>;  // starts; one may occur several times, if actions free slots

  explicit RowWalk(const Everything& everything)
      : all_(everything), budget_(everything.prepared.budget), scratch_(everything.matrix.rows()) {}

  void start(StateId state) {
    levels_.clear();
    Level first{.state = state, .walkers = {}};
    all_.matrix.feasible().for_each([&](Row row) { first.walkers.push_back({row, row, 0}); });
    levels_.push_back(std::move(first));
  }

  struct Fired {
    bool fired = false;
    Set closed = {};
    std::size_t loop = 0;
  };

  Fired fire(std::uint32_t index) {
    if (budget_.exhausted() != Exhausted::No) gave_up_ = true;
    const Level& here = levels_.back();
    const RuleId rule = all_.prepared.model.states[here.state].rules[index];
    const Bits& triggered = all_.columns[here.state.index].triggered[index];
    const Move& move = all_.moves[rule.index];
    Level next{.state = all_.prepared.model.rules[rule].to, .walkers = {}};
    const bool was_here =
        std::ranges::any_of(levels_, [&](const Level& level) { return level.state == next.state; });
    Fired fired;
    fired.loop = SIZE_MAX;
    for (std::uint32_t i = 0; i < here.walkers.size(); ++i) {
      const Walker& walker = here.walkers[i];
      if (!triggered[walker.now]) continue;
      fired.fired = true;
      const auto arrive = [&](Row row) {
        const std::size_t back = was_here ? seen_before(next.state, row, i) : SIZE_MAX;
        if (back == SIZE_MAX) {
          next.walkers.push_back({walker.start, row, i});
        } else {
          fired.closed.push_back(walker.start);
          fired.loop = std::min(fired.loop, back);
        }
      };
      if (move.changes_nothing()) {
        arrive(walker.now);
      } else {
        move.for_each(walker.now, arrive);
      }
    }
    if (fired.closed.empty()) fired.loop = 0;
    if (fired.fired) levels_.push_back(std::move(next));
    return fired;
  }

  void pop() { levels_.pop_back(); }

  // Only to be asked whether it is empty.
  [[nodiscard]] const auto& alive() const { return levels_.back().walkers; }
  [[nodiscard]] Set stable() const {
    Set starts;
    const Bits& any = all_.columns[levels_.back().state.index].any;
    for (const Walker& walker : levels_.back().walkers) {
      if (!any[walker.now]) starts.push_back(walker.start);
    }
    return starts;
  }
  [[nodiscard]] bool goes_on() const {
    const Bits& any = all_.columns[levels_.back().state.index].any;
    return std::ranges::any_of(levels_.back().walkers,
                               [&](const Walker& walker) { return any[walker.now]; });
  }
  template <class Rows>
  [[nodiscard]] static bool is_empty(const Rows& rows) {
    return rows.empty();
  }
  [[nodiscard]] Integer situations(const Set& starts, const Atoms& atoms) {
    return static_cast<std::int64_t>(Matrix::distinct(starts, all_.matrix.onto(atoms), scratch_));
  }
  [[nodiscard]] bool gave_up() const { return gave_up_; }
  [[nodiscard]] std::string gave_up_because() { return std::string(reason(budget_.exhausted())); }

 private:
  struct Walker {
    Row start;
    Row now;
    std::uint32_t parent;  // index of the walker in the level before
  };
  // The walkers after some firings. (Not the Level of prepared.h.)
  struct Level {
    StateId state;
    std::vector<Walker> walkers;
  };

  // The first level at which the run of this walker was in this state with this context; SIZE_MAX
  // if none.
  [[nodiscard]] std::size_t seen_before(StateId state, Row row, std::uint32_t walker) const {
    const Row context = all_.context.of(row);
    std::size_t found = SIZE_MAX;
    for (std::size_t i = levels_.size(); i-- > 0;) {
      const Walker& then = levels_[i].walkers[walker];
      if (levels_[i].state == state && all_.context.of(then.now) == context) found = i;
      walker = then.parent;
    }
    return found;
  }

  const Everything& all_;
  Budget budget_;
  Bits scratch_;
  std::vector<Level> levels_;
  bool gave_up_ = false;
};

struct RowSpace {
  using WalkType = RowWalk;
  explicit RowSpace(const Everything& everything) : walk_(everything) {}
  RowWalk& walk() { return walk_; }
  RowWalk walk_;
};

void Enumeration::add_paths(Findings& findings) {
  Atoms atoms;
  for (const Atoms& more : prepared_.state_atoms)
    atoms.insert(atoms.end(), more.begin(), more.end());
  std::ranges::sort(atoms);
  atoms.erase(std::unique(atoms.begin(), atoms.end()), atoms.end());
  const Everything everything(prepared_,
                              prepared_.options.count == Count::All ? prepared_.all_atoms : atoms,
                              changing_, cells_.get(), budget_);
  if (!everything.trouble.empty()) {
    findings.paths.stopped = everything.trouble;
    return;
  }
  findings.paths = find_paths(prepared_, start_states(prepared_, findings.reachable),
                              [&] { return std::make_unique<RowSpace>(everything); });
}

}  // namespace

Findings enumerative(const Prepared& prepared) { return Enumeration(prepared).findings(); }

}  // namespace poise::check
