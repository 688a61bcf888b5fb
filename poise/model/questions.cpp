#include "poise/model/questions.h"

#include <algorithm>
#include <numeric>

#include "poise/base/check.h"
#include "poise/model/polynomial.h"
#include "poise/model/step.h"

namespace poise::model {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

// If a cluster has more questions, its parts are found only for those at hand: to tell all apart
// takes the square of their number, and most of them are never asked together.
constexpr std::size_t kManyQuestions = 64;

bool is_boolean(const Model& model, SlotId slot) {
  const TypeKind kind = model.variables[model.slots[slot].variable].type.kind;
  return kind == TypeKind::Bool || kind == TypeKind::Set;
}

bool asks_whether_it_holds(const Atom& atom) {
  return !atom.membership && atom.relation == Relation::Equal && atom.slots.size() == 1 &&
         atom.value == equals(atom.slots.front(), 1).value;
}

// The points of a cluster, with the answers to some of its tests.
Parts parts_from(const Model& model, const Cluster& cluster,
                 const std::vector<const Atom*>& tests) {
  Parts parts{cluster.order, cluster.cells, std::vector<std::vector<bool>>(tests.size())};
  Context context(model.slots.size());
  for (const std::vector<Value>& point : parts.points) {
    for (std::size_t i = 0; i < point.size(); ++i) context[parts.order[i].index] = point[i];
    for (std::size_t i = 0; i < tests.size(); ++i) {
      parts.answers[i].push_back(holds(*tests[i], context));
    }
  }
  return parts;
}

std::optional<Differences> differences_of(const Model& model, const Cluster& cluster) {
  std::vector<const Atom*> tests;
  for (const Atom& test : cluster.tests) tests.push_back(&test);
  return Differences::of(model, cluster.order, tests);
}

// Neither from below nor from above, but for some exceptions.
bool is_shuffled(const std::vector<std::uint32_t>& ranks) {
  std::size_t falls = 0;
  for (std::size_t i = 1; i < ranks.size(); ++i) falls += std::size_t{ranks[i] < ranks[i - 1]};
  return std::min(falls, ranks.size() - falls) > ranks.size() / 8;
}

}  // namespace

const Atom& Questions::test(QuestionId question) const {
  const std::size_t atoms = model_->atoms.size();
  return question.index < atoms ? model_->atoms[AtomId{question.index}]
                                : others_[question.index - atoms];
}

bool Questions::reads(QuestionId question, SlotId slot) const {
  return std::ranges::binary_search(test(question).slots, slot);
}

QuestionId Questions::holds(SlotId slot) const {
  POISE_CHECK(holds_[slot.index] != kNone);
  return {holds_[slot.index]};
}

const std::vector<SlotId>& Questions::slots_behind(SlotId guard) const {
  static const std::vector<SlotId> none;
  const auto found = behind_.find(guard);
  return found == behind_.end() ? none : found->second;
}

std::variant<bool, QuestionId> Questions::once_set(QuestionId question, SlotId slot,
                                                   const Rational& value) const {
  const Atom& asked = test(question);
  if (asked.slots.size() > 1) {
    const auto known = substitutions_.find({question, slot, value});
    POISE_CHECK(known != substitutions_.end());
    return known->second;
  }
  Rational sum = asked.value.constant;
  for (const Monomial& term : asked.value.terms) {
    Rational product = term.coefficient;
    for (std::size_t i = 0; i < term.slots.size(); ++i) product = product * value;
    sum = sum + product;
  }
  if (asked.membership) return std::ranges::find(asked.among, sum) != asked.among.end();
  return model::holds(asked.relation, sum.sign());
}

QuestionId Questions::add_question(Atom test, std::uint32_t topic) {
  const QuestionId question{static_cast<std::uint32_t>(topic_of_.size())};
  others_.push_back(std::move(test));
  topic_of_.push_back(topic);
  return question;
}

Result<Questions> Questions::of(const Model& model, Budget& budget) {
  Questions questions;
  questions.model_ = &model;
  questions.topic_of_.assign(model.atoms.size(), kNone);
  questions.topic_of_slot_.assign(model.slots.size(), kNone);
  questions.holds_.assign(model.slots.size(), kNone);
  for (const SlotId slot : model.slots.ids()) {
    if (const auto guard = guard_slot(model, slot)) questions.behind_[*guard].push_back(slot);
  }
  ClusterFinder finder(model, budget);
  for (Cluster& cluster : finder.clusters()) {
    questions.topics_.emplace_back();
    const Result<void> found =
        questions.find_questions(questions.topics_.back(), std::move(cluster), finder);
    if (!found) return Failure(found.error());
  }
  // Guards come before what they guard, so that their questions are known by now.
  for (Topic& topic : questions.topics_) {
    if (topic.slots.size() > 1) continue;
    if (const auto guard = guard_slot(model, topic.slots.front())) {
      topic.guard = questions.holds(*guard);
    }
  }
  questions.place_of_.resize(questions.topic_of_.size());
  for (const Topic& topic : questions.topics_) {
    for (std::uint32_t i = 0; i < topic.questions.size(); ++i) {
      questions.place_of_[topic.questions[i].index] = i;
    }
  }
  questions.find_components();
  questions.is_free_.assign(questions.size(), false);
  for (const Topic& topic : questions.topics_) {
    if (!topic.plain || topic.component) continue;
    for (const QuestionId question : topic.questions) questions.is_free_[question.index] = true;
  }
  return questions;
}

Result<void> Questions::find_questions(Topic& topic, Cluster cluster, ClusterFinder& finder) {
  const auto index = static_cast<std::uint32_t>(topics_.size() - 1);
  topic.slots = cluster.order;
  for (const SlotId slot : topic.slots) {
    topic_of_slot_[slot.index] = index;
    topic.freed = topic.freed || finder.changes().freed.contains(slot);
    topic.changes = topic.changes || topic.freed || finder.changes().assigned.contains(slot);
  }
  // An action that makes a guard false clears the slots behind it. That changes answers, but needs
  // no parts: all answers become no.
  const bool takes_parts = topic.changes;
  for (const SlotId slot : topic.slots) {
    for (auto guard = guard_slot(*model_, slot); guard; guard = guard_slot(*model_, *guard)) {
      topic.changes = topic.changes || finder.changes().assigned.contains(*guard);
    }
  }
  for (const AtomId atom : cluster.atoms) {
    topic_of_[atom.index] = index;
    topic.questions.push_back(question_of(atom));
  }
  const SlotId first = topic.slots.front();
  const bool needed = topic.changes || !slots_behind(first).empty();
  if (topic.slots.size() == 1 && is_boolean(*model_, first) && !guard_slot(*model_, first) &&
      (cluster.atoms.empty() || (cluster.atoms.size() == 1 &&
                                 asks_whether_it_holds(model_->atoms[cluster.atoms.front()])))) {
    topic.plain = true;
    if (cluster.atoms.empty() && needed) {
      topic.questions.push_back(add_question(equals(first, 1), index));
    }
    if (!topic.questions.empty()) holds_[first.index] = topic.questions.front().index;
    if (topic.changes) topic.identity = topic.questions;
    return {};
  }
  if (const Result<void> tests = finder.add_tests(cluster); !tests && takes_parts) return tests;
  const auto question_at = [&](std::size_t test) { return topic.questions[test]; };
  for (std::size_t i = cluster.atoms.size(); i < cluster.tests.size(); ++i) {
    topic.questions.push_back(add_question(cluster.tests[i], index));
  }
  for (std::size_t i = 0; i < cluster.tests.size(); ++i) {
    const Atom& test = cluster.tests[i];
    if (asks_whether_it_holds(test) && is_boolean(*model_, test.slots.front())) {
      holds_[test.slots.front().index] = question_at(i).index;
    }
  }
  for (const Cluster::Substitution& substitution : cluster.substitutions) {
    substitutions_.emplace(
        std::tuple(question_at(substitution.test), substitution.slot, substitution.value),
        question_at(substitution.becomes));
  }
  if (cluster.decided || (topic.slots.size() == 1 && cluster.tests.size() > kManyQuestions)) {
    if (const auto differences = differences_of(*model_, cluster)) {
      decide(topic, *differences);
      if (takes_parts) topic.identity = topic.questions;
      return {};
    }
  }
  const std::size_t few = takes_parts ? SIZE_MAX : kManyQuestions;
  if (cluster.tests.size() > few) return {};
  if (const Result<void> cells = finder.add_cells(cluster); !cells) {
    return takes_parts ? cells : Result<void>{};
  }
  if (takes_parts) {
    if (cluster.by_signs) add_signs(topic, index, cluster, finder.changes());
    topic.identity = topic.questions;
    if (cluster.by_integers) {
      for (const SlotId slot : cluster.order) {
        if (is_real(*model_, slot)) continue;
        for (const Rational& value : all_values(*model_, slot)) {
          topic.questions.push_back(add_question(equals(slot, value), index));
        }
      }
    }
  }
  std::vector<const Atom*> tests;
  for (const QuestionId question : topic.questions) tests.push_back(&test(question));
  topic.parts = parts_from(*model_, cluster, tests);
  return {};
}

void Questions::decide(Topic& topic, const Differences& differences) const {
  topic.decided = true;
  std::vector<std::uint32_t> ranks(topic.questions.size());
  std::uint32_t rank = 0;
  for (std::size_t step = 0; step < differences.steps(); ++step) {
    for (const std::uint32_t test : differences.tests(step)) ranks[test] = rank++;
  }
  if (topic.slots.size() > 1 || is_shuffled(ranks)) topic.rank = std::move(ranks);
}

Differences Questions::differences(std::uint32_t index,
                                   const std::vector<QuestionId>& questions) const {
  std::vector<const Atom*> tests;
  for (const QuestionId question : questions) tests.push_back(&test(question));
  std::optional<Differences> made = Differences::of(*model_, topics_[index].slots, tests);
  POISE_CHECK(made.has_value());
  return std::move(*made);
}

// The sign of a form is three questions (< 0, = 0, > 0), none of which holds where a slot has no
// value. When a slot is assigned, each becomes a question about the sign of another form, or of its
// negative.
void Questions::add_signs(Topic& topic, std::uint32_t index, const Cluster& cluster,
                          const Changes& changes) {
  constexpr Relation kSigns[] = {Relation::Less, Relation::Equal, Relation::Greater};
  std::map<Polynomial, std::vector<QuestionId>, decltype(&precedes)> signs(&precedes);
  for (const Polynomial& form : cluster.forms) {
    Atom sign;
    for (const Monomial& term : form.terms) {
      sign.slots.insert(sign.slots.end(), term.slots.begin(), term.slots.end());
    }
    std::ranges::sort(sign.slots);
    sign.slots.erase(std::unique(sign.slots.begin(), sign.slots.end()), sign.slots.end());
    sign.value = form;
    for (const Relation relation : kSigns) {
      sign.relation = relation;
      const QuestionId question = add_question(sign, index);
      topic.questions.push_back(question);
      signs[form].push_back(question);
    }
  }
  for (const auto& [form, asked] : signs) {
    if (test(asked.front()).slots.size() < 2) continue;  // decided by the value
    for (const SlotId slot : test(asked.front()).slots) {
      const auto assigned = changes.assigned.find(slot);
      if (assigned == changes.assigned.end()) continue;
      for (const Rational& value : assigned->second) {
        const Polynomial next = substituted(form, slot, value);
        const Polynomial known = normalized(next);
        for (std::size_t i = 0; i < asked.size(); ++i) {
          std::variant<bool, QuestionId> becomes;
          if (next.terms.empty()) {
            becomes = model::holds(kSigns[i], next.constant.sign());
          } else {
            const bool negative =
                next.terms.front().coefficient.sign() != known.terms.front().coefficient.sign();
            becomes = signs.at(known)[negative ? asked.size() - 1 - i : i];
          }
          substitutions_.emplace(std::tuple(asked[i], slot, value), becomes);
        }
      }
    }
  }
}

Result<Parts> Questions::parts(std::uint32_t index, const std::vector<QuestionId>& questions,
                               ClusterFinder& finder) const {
  const Topic& topic = topics_[index];
  Cluster cluster;
  std::vector<const Atom*> tests;
  std::vector<bool> wanted(topic.slots.size(), false);
  for (const QuestionId question : questions) {
    tests.push_back(&test(question));
    cluster.tests.push_back(test(question));
    for (const SlotId slot : test(question).slots) {
      for (std::optional<SlotId> at = slot; at; at = guard_slot(*model_, *at)) {
        const auto place = std::ranges::find(topic.slots, *at);
        if (place == topic.slots.end()) break;
        wanted[static_cast<std::size_t>(place - topic.slots.begin())] = true;
      }
    }
  }
  for (std::size_t i = 0; i < topic.slots.size(); ++i) {
    if (wanted[i]) cluster.order.push_back(topic.slots[i]);
  }
  if (topic.slots.size() > 1 && cluster.order.size() > 1) {
    for (const SlotId slot : cluster.order) {
      if (finder.is_guard(slot)) cluster.tests.push_back(equals(slot, 1));
    }
    cluster.decided = topic.decided;
  }
  if (const Result<void> cells = finder.add_cells(cluster); !cells) return Failure(cells.error());
  return parts_from(*model_, cluster, tests);
}

void Questions::find_components() {
  std::vector<std::uint32_t> parent(topics_.size());
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::uint32_t topic) {
    while (parent[topic] != topic) topic = parent[topic] = parent[parent[topic]];
    return topic;
  };
  std::vector<std::vector<AtomId>> atoms;
  for (const Constraint& constraint : model_->constraints) {
    atoms.push_back(atoms_of(*model_, {constraint.condition}));
    if (atoms.back().empty()) continue;
    const std::uint32_t first = topic_of_[atoms.back().front().index];
    for (const AtomId atom : atoms.back()) {
      // A constraint on a slot also binds the guard of the slot.
      for (std::uint32_t topic = topic_of_[atom.index];;) {
        parent[root(topic)] = root(first);
        if (!topics_[topic].guard) break;
        topic = topic_of(*topics_[topic].guard);
      }
    }
  }
  std::map<std::uint32_t, std::uint32_t> component_of_root;
  for (const ConstraintId id : model_->constraints.ids()) {
    // A constraint without atoms belongs to no cluster; it is a component of its own.
    const std::uint32_t key =
        atoms[id.index].empty() ? kNone - id.index : root(topic_of_[atoms[id.index].front().index]);
    const auto [place, fresh] = component_of_root.emplace(key, components_.size());
    if (fresh) components_.emplace_back();
    components_[place->second].constraints.push_back(id);
  }
  for (std::uint32_t topic = 0; topic < topics_.size(); ++topic) {
    const auto found = component_of_root.find(root(topic));
    if (found == component_of_root.end()) continue;
    topics_[topic].component = found->second;
    components_[found->second].topics.push_back(topic);
  }
}

}  // namespace poise::model
