// The symbolic engine: one relation for the whole model, the global activation of the A-FSM paper,
//
//   activation(state, rule, target, context, context after the rule's actions)
//
// In the variable order a binary code of state, rule and target comes first, then the questions of
// all states. Faults are extracted from the relation by conjunction and quantification. The context
// after the actions has variables of its own only for the questions that some action can change;
// each stands right behind its counterpart before.

#include <algorithm>
#include <limits>
#include <memory>

#include "poise/check/engines/choices.h"
#include "poise/check/engines/competing.h"
#include "poise/check/engines/engines.h"
#include "poise/check/engines/paths.h"
#include "poise/check/engines/walk.h"

namespace poise::check {

namespace {

using boolean::Arena;
using boolean::kFalse;
using boolean::kTrue;
using boolean::Variable;
using model::QuestionId;
using model::RuleId;
using model::StateId;

constexpr boolean::ArenaLimits kLimits = {.nodes = std::size_t{1} << 24, .variables = 10'000};

// A number as a conjunction of literals, one variable per binary digit, the highest first.
class Code {
 public:
  // For the numbers from 0 to numbers - 1; `numbers` is at least 1.
  Code(Arena& arena, std::size_t numbers) {
    for (std::size_t rest = numbers - 1; variables_.empty() || rest > 0; rest /= 2) {
      variables_.push_back(arena.add_variable());
    }
  }
  [[nodiscard]] Node of(Arena& arena, std::uint32_t number) const {
    Node node = kTrue;
    for (std::size_t i = variables_.size(); i-- > 0;) {
      const bool holds = ((number >> (variables_.size() - 1 - i)) & 1U) != 0;
      node =
          holds ? arena.node(variables_[i], kFalse, node) : arena.node(variables_[i], node, kFalse);
    }
    return node;
  }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }

 private:
  std::vector<Variable> variables_;
};

class GlobalActivation {
 public:
  explicit GlobalActivation(const Prepared& prepared)
      : prepared_(prepared),
        scope_(prepared.model, prepared.questions, prepared.budget, kLimits),
        walk_(prepared, scope_, kFalse),
        states_(scope_.arena(), prepared.model.states.size()),
        rules_(scope_.arena(), std::max<std::size_t>(prepared.model.rules.size(), 1)),
        targets_(scope_.arena(), prepared.model.states.size()) {
    ask_everything();
    build();
  }

  Findings findings() {
    Findings findings;
    findings.states.resize(prepared_.model.states.size());
    for (const StateId state : prepared_.model.states.ids()) {
      StateFindings& found = findings.states[state.index];
      found.lives.resize(prepared_.model.states[state].rules.size());
      found.stopped = too_many_rules(prepared_, state);
      if (!found.stopped.empty()) continue;
      decode(state);
      find_overlaps(state, found);
      find_lives(state, found);
    }
    find_unstable(findings.states);
    findings.reachable = reached();
    for (StateFindings& found : findings.states) {
      if (gave_up() && found.stopped.empty()) found.stopped = scope_.gave_up_because();
    }
    if (gave_up()) return findings;
    const std::vector<bool> starts = start_states(prepared_, findings.reachable);
    findings.choices = find_choices(
        prepared_, starts, findings.states, [&] { return std::make_unique<Contest>(*this); }, 1);
    if (prepared_.options.paths != 0U && !gave_up()) findings.paths = paths(starts);
    return findings;
  }

 private:
  Arena& arena() { return scope_.arena(); }
  [[nodiscard]] bool gave_up() const { return scope_.gave_up(); }
  [[nodiscard]] const std::vector<RuleId>& rules_of(StateId state) const {
    return prepared_.model.states[state].rules;
  }

  void ask_everything() {
    for (const StateId state : prepared_.model.states.ids()) {
      static_cast<void>(walk_.sets_of(state, Scope::kStart));
    }
    feasible_ = scope_.feasible_everywhere();
    if (prepared_.impossible) feasible_ = kFalse;
    after_.assign(arena().variable_count() + 1, 0);
    for (const model::Topic& topic : prepared_.questions.topics()) {
      if (!topic.changes) continue;
      for (const QuestionId question : topic.questions) {
        const Variable now = scope_.variable(question);
        changing_.push_back(question);
        after_[now] = arena().add_variable_behind(now);
      }
    }
    for (const QuestionId question : changing_) {
      unchanged_ = arena().conjunction(unchanged_, comes_to(question, scope_.truth(question)));
    }
  }

  Node comes_to(QuestionId question, Node truth) {
    return arena().equivalence(arena().literal(after_[scope_.variable(question)]), truth);
  }

  // The relation between the context before and after a rule has fired in `starts`.
  Node after(RuleId rule, Node starts) {
    const Scope::Fired fired = scope_.fired(Scope::kStart, rule, starts);
    if (fired.view == Scope::kStart) return arena().conjunction(starts, unchanged_);
    Node node = fired.starts;
    for (const QuestionId question : changing_) {
      node = arena().conjunction(node, comes_to(question, scope_.truth(question, fired.view)));
    }
    scope_.forget_views(0);
    // The choices for freed slots are quantified away: they show in the context after.
    std::vector<bool> kept = scope_.start_variables();
    for (const QuestionId question : changing_) kept[after_[scope_.variable(question)]] = true;
    return arena().projection(node, kept);
  }

  void build() {
    for (const StateId state : prepared_.model.states.ids()) {
      const StateSets& sets = walk_.sets_of(state, Scope::kStart);
      Node here = kFalse;
      for (std::uint32_t i = 0; i < rules_of(state).size() && !gave_up(); ++i) {
        const RuleId rule = rules_of(state)[i];
        const Node triggered = arena().conjunction(feasible_, sets.triggered[i]);
        if (triggered == kFalse) continue;
        const Node named =
            arena().conjunction(rules_.of(arena(), rule.index),
                                targets_.of(arena(), prepared_.model.rules[rule].to.index));
        here = arena().disjunction(here, arena().conjunction(named, after(rule, triggered)));
      }
      activation_ = arena().disjunction(
          activation_, arena().conjunction(states_.of(arena(), state.index), here));
    }
    contexts_ = scope_.start_variables();
  }

  // Lines 3 to 6 and 8 to 9 of Algorithm 6: reads from the relation which contexts trigger each
  // rule of a state.
  void decode(StateId state) {
    const Node here = arena().conjunction(activation_, states_.of(arena(), state.index));
    triggered_.assign(rules_of(state).size(), kFalse);
    // Algorithm 8: a state that does not occur has only dead rules.
    if (here == kFalse) return;
    for (std::size_t i = 0; i < triggered_.size(); ++i) {
      const Node rule = rules_.of(arena(), rules_of(state)[i].index);
      triggered_[i] = arena().projection(arena().conjunction(here, rule), contexts_);
    }
  }

  // Algorithm 6.
  void find_overlaps(StateId state, StateFindings& found) {
    Budget budget = prepared_.budget;
    Pairs pairs(
        Diagrams{arena()}, triggered_, [&](std::uint32_t first, std::uint32_t second, Node starts) {
          const auto count = [&](const Atoms& atoms) { return scope_.situations(starts, atoms); };
          return add_overlap(found, prepared_, budget, state, first, second, count);
        });
    for (const Level& level : prepared_.levels[state.index]) {
      if (level.size() > 1) pairs.among(level, contested(level), feasible_);
    }
    std::ranges::sort(found.overlaps, {},
                      [](const Pair& pair) { return std::pair(pair.first, pair.second); });
  }

  // The feasible contexts in which at least two rules of a level are triggered.
  Node contested(const Level& level) {
    const auto two =
        at_least_two(Diagrams{arena()}, of_level(level, triggered_), [] { return false; });
    return arena().conjunction(feasible_, *two);
  }

  // Algorithm 8, and why a rule is dead.
  void find_lives(StateId state, StateFindings& found) {
    const StateSets& sets = walk_.sets_of(state, Scope::kStart);
    for (std::uint32_t i = 0; i < triggered_.size() && !gave_up(); ++i) {
      Life& life = found.lives[i];
      life.triggered = triggered_[i] != kFalse;
      const Node satisfied = arena().conjunction(feasible_, sets.satisfied[i]);
      life.satisfied = satisfied != kFalse;
      if (!life.satisfied || life.triggered) continue;
      life.by = winners_over(prepared_, state, i, Diagrams{arena()}, sets.satisfied, satisfied);
    }
  }

  // Algorithm 10: activations whose target has a satisfied rule in the context after. Constraints
  // bind only the context at the start of a run, and activations are confined to these; so whether
  // a rule is satisfied after the actions is taken from its guard instead.
  void find_unstable(std::vector<StateFindings>& states) {
    Node satisfied = kFalse;
    for (const StateId state : prepared_.model.states.ids()) {
      satisfied = arena().disjunction(satisfied,
                                      arena().conjunction(states_.of(arena(), state.index),
                                                          walk_.sets_of(state, Scope::kStart).any));
    }
    std::vector<Node> renamed(arena().variable_count() + 1, Arena::kUnchanged);
    for (std::size_t i = 0; i < states_.variables().size(); ++i) {
      renamed[states_.variables()[i]] = arena().literal(targets_.variables()[i]);
    }
    for (const QuestionId question : changing_) {
      const Variable now = scope_.variable(question);
      renamed[now] = arena().literal(after_[now]);
    }
    const Node future = arena().composition(satisfied, renamed);
    const Node unstable = arena().conjunction(activation_, future);
    for (const StateId state : prepared_.model.states.ids()) {
      const Node here = arena().conjunction(unstable, states_.of(arena(), state.index));
      for (std::uint32_t i = 0; i < rules_of(state).size() && here != kFalse && !gave_up(); ++i) {
        const RuleId rule = rules_of(state)[i];
        const Node instance = arena().conjunction(here, rules_.of(arena(), rule.index));
        if (instance == kFalse) continue;
        const Atoms atoms =
            counted_atoms(prepared_, {state, prepared_.model.rules[rule].to}, {rule});
        states[state.index].unstable.emplace_back(
            i, scope_.situations(arena().projection(instance, contexts_), atoms));
      }
    }
  }

  // Algorithm 12.
  std::vector<bool> reached() {
    std::vector<bool> state_bits(arena().variable_count() + 1, false);
    std::vector<bool> target_bits = state_bits;
    for (const Variable variable : states_.variables()) state_bits[variable] = true;
    for (const Variable variable : targets_.variables()) target_bits[variable] = true;
    std::vector<bool> moves = state_bits;
    for (const Variable variable : targets_.variables()) moves[variable] = true;
    const Node step = arena().projection(activation_, moves);
    std::vector<Node> renamed(arena().variable_count() + 1, Arena::kUnchanged);
    for (std::size_t i = 0; i < targets_.variables().size(); ++i) {
      renamed[targets_.variables()[i]] = arena().literal(states_.variables()[i]);
    }
    Node explored = kFalse;
    Node next = states_.of(arena(), prepared_.model.initial.index);
    while (next != kFalse && !gave_up()) {
      explored = arena().disjunction(explored, next);
      const Node targets = arena().projection(arena().conjunction(step, next), target_bits);
      next = arena().difference(arena().composition(targets, renamed), explored);
    }
    std::vector<bool> reached;
    for (const StateId state : prepared_.model.states.ids()) {
      reached.push_back(arena().meet(explored, states_.of(arena(), state.index)));
    }
    return reached;
  }

  struct Space {
    using WalkType = Walk;
    Walk* global;
    [[nodiscard]] Walk& walk() const { return *global; }
  };

  // The space of ChoiceSearch.
  struct Contest {
    explicit Contest(GlobalActivation& all) : of(all) {}
    void begin(StateId state) { of.decode(state); }
    Diagrams sets() { return {of.arena()}; }
    const std::vector<Node>& triggered() { return of.triggered_; }
    Node contested(const Level& level) { return of.contested(level); }
    Integer situations(Node starts, const Atoms& atoms) {
      return of.scope_.situations(starts, atoms);
    }
    [[nodiscard]] bool gave_up() const { return of.gave_up(); }
    [[nodiscard]] std::string gave_up_because() const { return of.scope_.gave_up_because(); }
    GlobalActivation& of;
  };

  PathFindings paths(const std::vector<bool>& wanted) {
    Walk walk(prepared_, scope_, feasible_);
    return find_paths(
        prepared_, wanted, [&] { return std::make_unique<Space>(Space{&walk}); }, Threads::One);
  }

  const Prepared& prepared_;
  Scope scope_;
  Walk walk_;
  Code states_;
  Code rules_;
  Code targets_;
  std::vector<QuestionId> changing_;
  std::vector<Variable> after_;  // by variable of a question that changes: its value after
  Node feasible_ = kFalse;
  Node unchanged_ = kTrue;  // the context after is the one before
  Node activation_ = kFalse;
  std::vector<bool> contexts_;   // the variables of contexts at the start
  std::vector<Node> triggered_;  // by rule of the state at hand
};

}  // namespace

Findings symbolic(const Prepared& prepared) { return GlobalActivation(prepared).findings(); }

}  // namespace poise::check
