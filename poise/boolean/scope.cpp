#include "poise/boolean/scope.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>
#include <variant>

#include "poise/boolean/decided.h"
#include "poise/model/step.h"

namespace poise::boolean {

using model::AtomId;
using model::FormulaId;
using model::QuestionId;
using model::SlotId;
using model::Topic;

Scope::Scope(const model::Model& model, const model::Questions& questions, const Budget& budget,
             ArenaLimits limits)
    : model_(model),
      questions_(questions),
      budget_(budget),
      arena_(limits, &budget_),
      variables_(questions.size()),
      formulas_(model.formulas.size()) {
  restart();
}

void Scope::restart() {
  arena_.clear();
  ++stamp_;
  ++formula_stamp_;
  question_of_.assign(1, QuestionId{kNone});  // variable 0 stands for the constants
  asked_.clear();
  components_.clear();
  updates_.clear();
  chosen_.clear();
  trouble_.clear();
}

std::string Scope::gave_up_because() const {
  return trouble_.empty() ? std::string(arena_.gave_up_because()) : trouble_;
}

// ---- Truths ----

Variable Scope::variable(QuestionId question, std::optional<Variable> beside) {
  if (variables_[question.index].stamp == stamp_) return variables_[question.index].value;
  if (arena_.gave_up()) return 0;  // nothing means anything any more
  const auto added = [&] {
    return beside ? arena_.add_variable_behind(*beside) : arena_.add_variable();
  };
  Variable made;
  if (questions_.is_free(question)) {
    made = added();
  } else if (const std::uint32_t topic = questions_.topic_of(question);
             questions_.topics()[topic].plain) {
    made = added();
  } else {
    Asked& asked = asked_[topic];
    if (!questions_.topics()[topic].rank.empty()) {
      made = ranked_variable(asked, question);
    } else {
      made = asked.questions.empty()
                 ? added()
                 : arena_.add_variable_behind(variables_[asked.questions.back().index].value);
      asked.questions.push_back(question);
    }
  }
  variables_[question.index] = {stamp_, made};
  if (question_of_.size() <= made) question_of_.resize(made + 1, QuestionId{kNone});
  question_of_[made] = question;
  return made;
}

// Questions with a rank stand in its order.
Variable Scope::ranked_variable(Asked& asked, QuestionId question) {
  const auto rank = [&](QuestionId asked_before) { return questions_.rank_of(asked_before); };
  const auto behind =
      std::ranges::lower_bound(asked.questions, questions_.rank_of(question), {}, rank);
  const Variable made =
      asked.questions.empty() ? arena_.add_variable()
      : behind == asked.questions.end()
          ? arena_.add_variable_behind(variables_[asked.questions.back().index].value)
          : arena_.add_variable_before(variables_[behind->index].value);
  asked.questions.insert(behind, question);
  return made;
}

Variable Scope::chosen_variable(View view, QuestionId question) {
  const std::uint64_t key = (std::uint64_t{view} << 32U) | question.index;
  const auto known = chosen_.find(key);
  if (known != chosen_.end()) return known->second;
  const Variable made = arena_.add_variable();
  chosen_.emplace(key, made);
  return made;
}

Node Scope::truth(QuestionId question, View view) {
  if (view == kStart) return arena_.literal(variable(question));
  // Skip updates of slots that the question does not read.
  while (view != kStart && !questions_.reads(question, updates_[view - 1].slot)) {
    view = updates_[view - 1].parent;
  }
  if (view == kStart) return arena_.literal(variable(question));
  Update& update = updates_[view - 1];
  if (const auto known = update.answers.find(question.index); known != update.answers.end()) {
    return known->second;
  }
  Node changed = kFalse;
  switch (update.kind) {
    case Update::Kind::Set: {
      const std::variant<bool, QuestionId> becomes =
          questions_.once_set(question, update.slot, update.value);
      changed = std::holds_alternative<bool>(becomes)
                    ? (std::get<bool>(becomes) ? kTrue : kFalse)
                    : truth(std::get<QuestionId>(becomes), update.parent);
      break;
    }
    case Update::Kind::Clear: break;
    case Update::Kind::Free: changed = arena_.literal(chosen_variable(view, question)); break;
  }
  const Node answer = update.condition == kTrue ? changed
                                                : arena_.choice(update.condition, changed,
                                                                truth(question, update.parent));
  update.answers.emplace(question.index, answer);
  return answer;
}

const Node* Scope::known_formula(FormulaId formula, View view) const {
  if (view == kStart) {
    const Stamped& known = formulas_[formula.index];
    return known.stamp == formula_stamp_ ? &known.value : nullptr;
  }
  const auto& known = updates_[view - 1].formulas;
  const auto found = known.find(formula.index);
  return found == known.end() ? nullptr : &found->second;
}

Node Scope::truth(FormulaId id, View view) {
  const model::Formula& formula = model_.formulas[id];
  if (formula.op == model::Op::Atom) return truth(question_of(formula.atom), view);
  // Formulas may have been added to the model since the scope was made.
  if (id.index >= formulas_.size()) formulas_.resize(model_.formulas.size());
  if (const Node* known = known_formula(id, view)) return *known;
  const Node node = formula_of(id, view);
  if (view == kStart) {
    formulas_[id.index] = {formula_stamp_, node};
  } else {
    updates_[view - 1].formulas.emplace(id.index, node);
  }
  return node;
}

Node Scope::truth(std::span<const model::PostfixToken> formula, View view, Node care) {
  using model::PostfixOp;
  stack_.clear();
  const auto push = [&](Node node) { stack_.push_back(arena_.conjunction(care, node)); };
  const auto invert = [&](Node& node) { node = arena_.difference(care, node); };
  const auto join = [&](Node (Arena::*operation)(Node, Node)) {
    const Node second = stack_.back();
    stack_.pop_back();
    stack_.back() = (arena_.*operation)(stack_.back(), second);
  };
  for (const model::PostfixToken token : formula) {
    switch (token.op) {
      case PostfixOp::False: push(kFalse); break;
      case PostfixOp::True: push(kTrue); break;
      case PostfixOp::Atom: push(truth(QuestionId{token.index}, view)); break;
      case PostfixOp::Not: invert(stack_.back()); break;
      case PostfixOp::And: join(&Arena::conjunction); break;
      case PostfixOp::Or: join(&Arena::disjunction); break;
      case PostfixOp::Implies: {
        invert(stack_[stack_.size() - 2]);
        join(&Arena::disjunction);
        break;
      }
      case PostfixOp::Iff: {
        join(&Arena::equivalence);
        stack_.back() = arena_.conjunction(care, stack_.back());
        break;
      }
      case PostfixOp::Formula: push(truth(FormulaId{token.index}, view)); break;
    }
  }
  return stack_.back();
}

void Scope::ask(std::span<const model::PostfixToken> formula) {
  for (const model::PostfixToken token : formula) {
    if (token.op == model::PostfixOp::Atom) static_cast<void>(variable(QuestionId{token.index}));
    if (token.op == model::PostfixOp::Formula) static_cast<void>(truth(FormulaId{token.index}));
  }
}

Node Scope::formula_of(FormulaId id, View view) {
  const model::Formula& formula = model_.formulas[id];
  const auto part = [&](std::size_t i) { return truth(formula.parts[i], view); };
  switch (formula.op) {
    case model::Op::False: return kFalse;
    case model::Op::True: return kTrue;
    case model::Op::Atom: break;
    case model::Op::Not: return arena_.negation(part(0));
    case model::Op::And: {
      Node all = kTrue;
      for (std::size_t i = 0; i < formula.parts.size(); ++i) all = arena_.conjunction(all, part(i));
      return all;
    }
    case model::Op::Or: {
      Node any = kFalse;
      for (std::size_t i = 0; i < formula.parts.size(); ++i) any = arena_.disjunction(any, part(i));
      return any;
    }
    case model::Op::Implies: {
      const Node first = part(0);
      return arena_.disjunction(arena_.negation(first), part(1));
    }
    case model::Op::Iff: {
      const Node first = part(0);
      return arena_.equivalence(first, part(1));
    }
  }
  return kFalse;
}

// ---- What can be ----

namespace {

// The set of starts for which the questions are answered as in one of a cluster's points.
class Answers {
 public:
  Answers(Arena& arena, const std::vector<const std::vector<bool>*>& answers,
          const std::vector<Node>& truths)
      : arena_(arena), answers_(answers), truths_(truths) {}

  // Partitions the points by the answer to one question after another; reorders `points`.
  Node of(std::span<std::uint32_t> points, std::size_t question = 0) {
    if (points.empty()) return kFalse;
    if (question == answers_.size()) return kTrue;
    const std::vector<bool>& answers = *answers_[question];
    const auto no = std::partition(points.begin(), points.end(),
                                   [&](std::uint32_t point) { return answers[point]; });
    const auto yes = static_cast<std::size_t>(no - points.begin());
    const Node if_yes = of(points.first(yes), question + 1);
    const Node if_no = of(points.subspan(yes), question + 1);
    return arena_.choice(truths_[question], if_yes, if_no);
  }

 private:
  Arena& arena_;
  const std::vector<const std::vector<bool>*>& answers_;
  const std::vector<Node>& truths_;
};

}  // namespace

Scope::Answered Scope::answered(std::uint32_t index, const std::vector<QuestionId>& questions) {
  const Topic& topic = questions_.topics()[index];
  Answered answered{};
  if (topic.parts) {
    answered.parts = &*topic.parts;
    for (const QuestionId question : questions) {
      answered.answers.push_back(&topic.parts->answers[questions_.place_of(question)]);
    }
    return answered;
  }
  Asked& asked = asked_[index];
  if (!asked.parts || asked.told_apart != questions.size()) {
    if (!finder_) finder_.emplace(model_, budget_);
    Result<model::Parts> parts = questions_.parts(index, questions, *finder_);
    if (!parts) {
      trouble_ = parts.error().message;
      return answered;
    }
    asked.parts = std::move(*parts);
    asked.told_apart = questions.size();
  }
  answered.parts = &*asked.parts;
  for (const std::vector<bool>& answers : asked.parts->answers) {
    answered.answers.push_back(&answers);
  }
  return answered;
}

Node Scope::decided(std::uint32_t index, std::vector<QuestionId> questions, View view) {
  if (!questions_.topics()[index].rank.empty()) {
    const auto rank = [&](QuestionId question) { return questions_.rank_of(question); };
    std::ranges::sort(questions, {}, rank);
  }
  const model::Differences differences = questions_.differences(index, questions);
  std::vector<Node> truths;
  for (const QuestionId question : questions) truths.push_back(truth(question, view));
  DecidedAnswers answers(arena_, budget_, differences, truths);
  const Node some = answers.node();
  if (!answers.trouble().empty()) give_up(answers.trouble());
  const std::optional<QuestionId> guard = questions_.topics()[index].guard;
  if (!guard) return some;
  Node none = kTrue;  // all answers are no
  for (std::size_t i = truths.size(); i-- > 0;) none = arena_.difference(none, truths[i]);
  return arena_.choice(truth(*guard, view), some, none);
}

Node Scope::consistent(std::uint32_t index, const std::vector<QuestionId>& questions, View view) {
  if (questions_.topics()[index].decided) return decided(index, questions, view);
  const Answered answered = this->answered(index, questions);
  if (answered.parts == nullptr) return kFalse;
  std::vector<Node> truths;
  Node none = kTrue;  // all answers are no
  for (const QuestionId question : questions) truths.push_back(truth(question, view));
  // From the last in the variable order on, so that each adds a node on top.
  for (std::size_t i = truths.size(); i-- > 0;) none = arena_.difference(none, truths[i]);
  std::vector<std::uint32_t> all(answered.parts->points.size());
  std::iota(all.begin(), all.end(), 0);
  const Node some = Answers(arena_, answered.answers, truths).of(all);
  const std::optional<QuestionId> guard = questions_.topics()[index].guard;
  return guard ? arena_.choice(truth(*guard, view), some, none) : some;
}

Node Scope::consistent(std::uint32_t topic) {
  if (questions_.topics()[topic].plain) return kTrue;
  Asked& asked = asked_[topic];
  if (asked.covers == asked.questions.size()) return asked.consistent;
  // A copy, and a second look-up below: asking for the guard may rehash asked_.
  const std::vector<QuestionId> questions = asked.questions;
  const Node node = consistent(topic, questions, kStart);
  Asked& now = asked_[topic];
  now.consistent = node;
  now.covers = questions.size();
  return node;
}

std::vector<std::uint32_t> Scope::topics_of(const std::vector<AtomId>& atoms) {
  std::vector<std::uint32_t> topics;
  for (const AtomId atom : atoms) {
    static_cast<void>(variable(question_of(atom)));
    if (questions_.is_free(question_of(atom))) continue;
    const std::uint32_t topic = questions_.topic_of(question_of(atom));
    if (topics.empty() || topics.back() != topic) topics.push_back(topic);
  }
  return topics;
}

Node Scope::feasible(const std::vector<AtomId>& atoms) { return feasible_topics(topics_of(atoms)); }

Node Scope::typed(const std::vector<AtomId>& atoms) {
  return feasible_topics(topics_of(atoms), Bounds::Types);
}

Node Scope::feasible_everywhere() {
  std::vector<std::uint32_t> topics;
  for (std::uint32_t topic = 0; topic < questions_.topics().size(); ++topic) {
    const bool changes = questions_.topics()[topic].changes;
    for (const QuestionId question : questions_.topics()[topic].questions) {
      if (changes || question.index < model_.atoms.size()) static_cast<void>(variable(question));
    }
    if (!questions_.topics()[topic].questions.empty()) topics.push_back(topic);
  }
  return feasible_topics(topics);
}

Node Scope::feasible_topics(const std::vector<std::uint32_t>& topics, Bounds bounds) {
  const std::vector<Topic>& all = questions_.topics();
  std::vector<std::uint32_t> components;
  std::vector<std::uint32_t> wanted;
  const auto add = [](std::vector<std::uint32_t>& to, std::uint32_t index) {
    if (std::ranges::find(to, index) == to.end()) to.push_back(index);
  };
  // Each topic brings its guard and the constraints on it, which may read further topics.
  for (const std::uint32_t topic : topics) {
    if (all[topic].plain && (bounds == Bounds::Types || !all[topic].component)) continue;
    add(wanted, topic);
  }
  if (gave_up()) return kFalse;
  Node node = kTrue;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const Topic& topic = all[wanted[i]];
    if (topic.guard) {
      // Beside what it guards: behind many others with a guard each, the set would be huge.
      const std::vector<QuestionId>& asked = asked_[wanted[i]].questions;
      std::optional<Variable> beside;
      if (!asked.empty()) beside = variables_[asked.back().index].value;
      static_cast<void>(variable(*topic.guard, beside));
      add(wanted, questions_.topic_of(*topic.guard));
    }
    if (bounds == Bounds::Types || !topic.component) continue;
    if (std::ranges::find(components, *topic.component) != components.end()) continue;
    components.push_back(*topic.component);
    const model::Component& component = questions_.components()[*topic.component];
    for (const std::uint32_t other : component.topics) add(wanted, other);
    const auto known = components_.find(*topic.component);
    Node constraints = kTrue;
    if (known != components_.end()) {
      constraints = known->second;
    } else {
      for (const model::ConstraintId constraint : component.constraints) {
        constraints =
            arena_.conjunction(constraints, truth(model_.constraints[constraint].condition));
      }
      components_.emplace(*topic.component, constraints);
    }
    node = arena_.conjunction(node, constraints);
  }
  std::vector<Node> sets = {node};
  for (const std::uint32_t topic : wanted) sets.push_back(consistent(topic));
  return all_of(sets);
}

// The conjunction of sets, from those with the last variables on: so each adds nodes on top of the
// result so far instead of rebuilding it.
Node Scope::all_of(std::vector<Node>& sets) {
  std::ranges::sort(sets, std::greater{}, [&](Node set) { return arena_.level(set); });
  Node all = kTrue;
  for (const Node set : sets) all = arena_.conjunction(all, set);
  return all;
}

Node Scope::feasible_only(const std::vector<AtomId>& atoms) {
  struct Question {
    std::uint32_t topic;
    Variable variable;
    QuestionId question;
  };
  std::vector<Question> asked;
  for (const AtomId atom : atoms) {
    const QuestionId question = question_of(atom);
    if (questions_.is_free(question)) continue;
    const std::uint32_t index = questions_.topic_of(question);
    const Topic& topic = questions_.topics()[index];
    const bool known = topic.plain || topic.parts || topic.decided;
    if (topic.component || topic.guard || !known) return feasible(atoms);
    if (!topic.plain) asked.push_back({index, variable(question), question});
  }
  std::ranges::sort(asked, {}, [](const Question& a) { return std::pair(a.topic, a.variable); });
  std::vector<Node> sets;
  std::vector<QuestionId> questions;
  for (auto first = asked.begin(); first != asked.end();) {
    const std::uint32_t topic = first->topic;
    questions.clear();
    for (; first != asked.end() && first->topic == topic; ++first) {
      questions.push_back(first->question);
    }
    const bool all = questions.size() == asked_[topic].questions.size();
    sets.push_back(all ? consistent(topic) : consistent(topic, questions, kStart));
  }
  return gave_up() ? kFalse : all_of(sets);
}

// ---- Firing ----

Scope::View Scope::add_update(View parent, Update::Kind kind, SlotId slot,
                              const model::Value& value, Node condition) {
  updates_.push_back({parent, kind, slot, value.value_or(Rational(0)), condition});
  return static_cast<View>(updates_.size());
}

// Changes a slot and, if it is a guard, the slots behind it: they are freed where it becomes true
// and cleared where it becomes false.
Scope::View Scope::changed(View view, Update::Kind kind, SlotId slot, const model::Value& value,
                           Node condition, std::vector<std::uint32_t>& freed) {
  const std::vector<SlotId>& behind = questions_.slots_behind(slot);
  if (behind.empty()) {
    if (kind == Update::Kind::Free) freed.push_back(questions_.topic_of(slot));
    return add_update(view, kind, slot, value, condition);
  }
  const Node before = truth(questions_.holds(slot), view);
  view = add_update(view, kind, slot, value, condition);
  if (kind == Update::Kind::Free) freed.push_back(questions_.topic_of(slot));
  const Node now = truth(questions_.holds(slot), view);
  const Node on = arena_.conjunction(condition, arena_.difference(now, before));
  const Node off = arena_.conjunction(condition, arena_.difference(before, now));
  for (const SlotId inner : behind) {
    if (on != kFalse) {
      view = changed(view, Update::Kind::Free, inner, std::nullopt, on, freed);
    }
    if (off != kFalse) {
      view = changed(view, Update::Kind::Clear, inner, std::nullopt, off, freed);
    }
  }
  return view;
}

Scope::Fired Scope::fired(View view, model::RuleId rule, Node before) {
  const View first = view;
  std::vector<std::uint32_t> freed;
  for (const model::Action& action : model_.rules[rule].actions) {
    for (const model::Effect& effect : action.effects) {
      Node condition = kTrue;
      if (const auto guard = model::guard_slot(model_, effect.slot)) {
        condition = truth(questions_.holds(*guard), view);
      }
      if (effect.unless) {
        condition = arena_.difference(condition, truth(questions_.holds(*effect.unless), view));
      }
      if (condition == kFalse) continue;
      const auto kind = effect.value ? Update::Kind::Set : Update::Kind::Free;
      view = changed(view, kind, effect.slot, effect.value, condition, freed);
    }
  }
  if (view == first) return {view, before};
  Node starts = before;
  for (const std::uint32_t topic : freed) {
    if (questions_.topics()[topic].plain) continue;
    starts =
        arena_.conjunction(starts, consistent(topic, questions_.topics()[topic].questions, view));
  }
  return {view, starts};
}

void Scope::add_changed(View earlier, View later, std::vector<std::uint32_t>& topics) const {
  for (View view = later; view != earlier; view = updates_[view - 1].parent) {
    const std::uint32_t topic = questions_.topic_of(updates_[view - 1].slot);
    if (std::ranges::find(topics, topic) == topics.end()) topics.push_back(topic);
  }
}

Node Scope::same(View earlier, View later, const std::vector<std::uint32_t>& topics, Node starts) {
  // Mostly one answer differs for all starts, which ends the loop early.
  for (const std::uint32_t topic : topics) {
    for (const QuestionId question : questions_.topics()[topic].identity) {
      const Node before = truth(question, earlier);
      const Node after = truth(question, later);
      if (before == after) continue;
      starts = arena_.conjunction(starts, arena_.equivalence(before, after));
      if (starts == kFalse) return kFalse;
    }
  }
  return starts;
}

Node Scope::feasible(View view) {
  std::vector<std::uint32_t> topics;
  add_changed(kStart, view, topics);
  return feasible_topics(topics);
}

// ---- Answers ----

std::vector<bool> Scope::variables_of(const std::vector<AtomId>& atoms) {
  std::vector<bool> kept(arena_.variable_count() + 1, false);
  for (const AtomId atom : atoms) kept[variables_[question_of(atom).index].value] = true;
  return kept;
}

std::optional<AtomId> Scope::atom_of(Variable variable) const {
  // Choices of freed slots have no question.
  if (variable >= question_of_.size()) return std::nullopt;
  const QuestionId question = question_of_[variable];
  if (question.index >= model_.atoms.size()) return std::nullopt;
  return AtomId{question.index};
}

std::vector<bool> Scope::start_variables() const {
  std::vector<bool> result(arena_.variable_count() + 1, false);
  for (Variable variable = 1; variable < question_of_.size(); ++variable) {
    result[variable] = question_of_[variable].index != kNone;
  }
  return result;
}

Integer Scope::situations(Node starts, const std::vector<AtomId>& atoms) {
  const std::vector<bool> kept = variables_of(atoms);
  const Node projected = arena_.projection(starts, kept);
  return gave_up() ? Integer(0) : arena_.count(projected, kept);
}

void Scope::collect(std::vector<Node*> roots) {
  ++formula_stamp_;
  components_.clear();
  for (auto& [topic, asked] : asked_) {
    asked.covers = 0;
    asked.consistent = kTrue;
  }
  for (Update& update : updates_) {
    update.formulas.clear();
    roots.push_back(&update.condition);
    for (auto& [question, answer] : update.answers) roots.push_back(&answer);
  }
  arena_.collect(roots);
}

// ---- Contexts ----

namespace {

bool holds(const model::Value& value) { return value && value->sign() != 0; }

}  // namespace

// Assigns the point of a topic that gives these answers and has as few atoms true as possible.
void Scope::put(std::uint32_t index, const std::vector<QuestionId>& questions,
                const std::vector<bool>& answers) {
  const Topic& topic = questions_.topics()[index];
  if (topic.plain) {
    assign(topic.slots.front(), Rational(!answers.empty() && answers.front() ? 1 : 0));
    return;
  }
  if (topic.decided) {
    put_decided(index, questions, answers);
    return;
  }
  const Answered answered = this->answered(index, questions);
  if (answered.parts == nullptr) return;
  const model::Parts& parts = *answered.parts;
  // First by the questions that are answered with yes, because these leave few points.
  std::vector<std::uint32_t> fitting(parts.points.size());
  std::iota(fitting.begin(), fitting.end(), 0);
  for (const bool yes : {true, false}) {
    for (std::size_t i = 0; i < questions.size(); ++i) {
      if (answers[i] != yes) continue;
      const std::vector<bool>& holds = *answered.answers[i];
      std::erase_if(fitting, [&](std::uint32_t point) { return holds[point] != yes; });
    }
  }
  if (fitting.empty()) return;
  const auto atoms_true = [&](std::uint32_t point) {
    std::size_t atoms = 0;
    for (std::size_t i = 0; i < parts.answers.size(); ++i) {
      const QuestionId question = topic.parts ? topic.questions[i] : questions[i];
      if (question.index < model_.atoms.size() && parts.answers[i][point]) ++atoms;
    }
    return atoms;
  };
  const std::uint32_t best = std::ranges::min(fitting, {}, atoms_true);
  for (std::size_t i = 0; i < parts.order.size(); ++i) {
    assign(parts.order[i], parts.points[best][i]);
  }
}

void Scope::put_decided(std::uint32_t index, const std::vector<QuestionId>& questions,
                        const std::vector<bool>& answers) {
  const auto values = questions_.differences(index, questions).point(answers);
  if (!values) return;
  const std::vector<SlotId>& slots = questions_.topics()[index].slots;
  for (std::size_t i = 0; i < slots.size(); ++i) assign(slots[i], (*values)[i]);
}

// Assigns a point with few atoms true to a topic of which nothing was asked.
void Scope::put_default(std::uint32_t index) {
  const Topic& topic = questions_.topics()[index];
  if (!topic.plain && !topic.parts && !topic.decided) {
    for (const SlotId slot : topic.slots) {
      assign(slot, model::part_values(model_, slot, {}, context_).front());
    }
    return;
  }
  put(index, {}, {});
}

// Slots behind a guard have a value exactly while it holds.
void Scope::settle_behind(SlotId guard) {
  const bool on = holds(context_[guard.index]);
  for (const SlotId inner : questions_.slots_behind(guard)) {
    const std::uint32_t topic = questions_.topic_of(inner);
    const bool alone = questions_.topics()[topic].slots.size() == 1;
    if (alone && !on) assign(inner, std::nullopt);
    if (alone && on && !context_[inner.index]) put_default(topic);
    settle_behind(inner);
  }
}

void Scope::put_all(const std::vector<bool>& assignment) {
  struct Answer {
    std::uint32_t topic;
    Variable variable;
  };
  std::vector<Answer> all;
  for (Variable variable = 1; variable < question_of_.size(); ++variable) {
    const QuestionId question = question_of_[variable];
    if (question.index != kNone) all.push_back({questions_.topic_of(question), variable});
  }
  std::ranges::stable_sort(all, {}, &Answer::topic);  // guards come first
  std::vector<QuestionId> questions;
  std::vector<bool> answers;
  for (auto first = all.begin(); first != all.end();) {
    const std::uint32_t topic = first->topic;
    questions.clear();
    answers.clear();
    for (; first != all.end() && first->topic == topic; ++first) {
      questions.push_back(question_of_[first->variable]);
      answers.push_back(assignment[first->variable]);
    }
    const std::optional<QuestionId> guard = questions_.topics()[topic].guard;
    if (guard && !holds(context_[questions_.test(*guard).slots.front().index])) {
      assign(questions_.topics()[topic].slots.front(), std::nullopt);
    } else {
      put(topic, questions, answers);
    }
  }
  std::optional<std::uint32_t> settled;
  for (const Answer& answer : all) {
    if (answer.topic == settled) continue;
    settled = answer.topic;
    for (const SlotId slot : questions_.topics()[answer.topic].slots) settle_behind(slot);
  }
}

void Scope::assign(SlotId slot, model::Value value) {
  if (context_[slot.index] == value) return;
  context_[slot.index] = std::move(value);
  assigned_.push_back(slot);
}

std::optional<model::Context> usual_context(const model::Model& model,
                                            const model::Questions& questions,
                                            const Budget& budget) {
  Scope scope(model, questions, budget);
  scope.context_.resize(model.slots.size());
  const std::vector<Topic>& topics = questions.topics();
  for (std::uint32_t topic = 0; topic < topics.size(); ++topic) {
    const std::optional<QuestionId> guard = topics[topic].guard;
    if (guard && !holds(scope.context_[questions.test(*guard).slots.front().index])) continue;
    scope.put_default(topic);
  }
  // Each component of constraints is solved on its own.
  for (const model::Component& component : questions.components()) {
    scope.restart();
    const Node feasible =
        component.topics.empty()
            ? scope.truth(model.constraints[component.constraints.front()].condition)
            : scope.feasible_topics(component.topics);
    if (feasible == kFalse || scope.gave_up()) return std::nullopt;
    scope.put_all(scope.arena_.lightest(feasible, scope.weights()));
  }
  return std::move(scope.context_);
}

std::vector<bool> Scope::weights() const {
  std::vector<bool> weights(question_of_.size(), false);
  for (Variable variable = 1; variable < question_of_.size(); ++variable) {
    weights[variable] = question_of_[variable].index < model_.atoms.size();
  }
  return weights;
}

std::optional<std::vector<model::Assignment>> Scope::witness(Node starts,
                                                             const model::Context& usual) {
  // Everything that was asked in this scope has variables, to which values will be given. So the
  // types and constraints of all of it must be satisfied, not only those of the starts.
  std::vector<std::uint32_t> topics;
  for (const auto& [component, node] : components_) {
    const auto& more = questions_.components()[component].topics;
    topics.insert(topics.end(), more.begin(), more.end());
  }
  for (const auto& [topic, asked] : asked_) topics.push_back(topic);
  std::ranges::sort(topics);
  topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
  starts = arena_.conjunction(starts, feasible_topics(topics));
  if (starts == kFalse || gave_up()) return std::nullopt;
  if (context_.empty()) context_ = usual;
  assigned_.clear();
  put_all(arena_.lightest(starts, weights()));
  std::ranges::sort(assigned_);
  assigned_.erase(std::unique(assigned_.begin(), assigned_.end()), assigned_.end());
  std::vector<model::Assignment> assignments;
  for (const SlotId slot : assigned_) {
    assignments.push_back({slot, std::move(context_[slot.index])});
    context_[slot.index] = usual[slot.index];
  }
  return assignments;
}

}  // namespace poise::boolean
