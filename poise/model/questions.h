#pragma once

// Questions: the yes-or-no facts about a context that an analysis may have to know. Every atom is a
// question, with the same number. Actions and guards add others: whether a slot has the value that
// some action assigns, whether a guard holds, what `a < b` becomes once a is 3. Analyses that work
// with truths instead of values, such as decision diagrams, use questions as their variables.
//
// Questions about slots of different clusters are independent, except for guards and constraints.
// Within a cluster, the parts (clusters.h) say which combinations of answers exist: `speed > 70`
// implies `speed > 5`.

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "poise/base/budget.h"
#include "poise/model/clusters.h"
#include "poise/model/differences.h"
#include "poise/model/model.h"

namespace poise::model {

using QuestionId = Id<struct QuestionTag>;

inline QuestionId question_of(AtomId atom) { return {atom.index}; }

// The parts of a cluster that some questions tell apart, with one point, a concrete value for each
// slot, in each part.
struct Parts {
  std::vector<SlotId> order;
  std::vector<std::vector<Value>> points;  // one value per slot of `order`
  // By question, as asked for; then by point.
  std::vector<std::vector<bool>> answers;
};

// A cluster with its questions.
struct Topic {
  std::vector<SlotId> slots;
  std::vector<QuestionId> questions;
  // The simplest topic: one boolean slot without a guard, and at most one question, whether it
  // holds. Both answers exist, so it needs no parts.
  bool plain = false;
  // If the topic is a single slot with a guard: the slot has a value only while this holds. (Slots
  // of a larger cluster have their guards among its slots.)
  std::optional<QuestionId> guard;
  bool changes = false;  // some action assigns, frees or clears one of its slots
  bool freed = false;    // some action frees one of its slots
  // If the answers to all of these are the same at two moments of a run, then as far as this
  // cluster goes the run is back where it was. Only for topics that change.
  std::vector<QuestionId> identity;
  std::optional<std::uint32_t> component;  // index of the component whose constraints read it
  // The parts that all questions tell apart. None if that would take too long; then parts() finds
  // those that the questions at hand tell apart.
  std::optional<Parts> parts;
  // The questions compare differences, or one slot has many of them: which answers go together is
  // decided without parts (differences.h). Then `rank` has, if there are several slots, the place
  // of each question in the order in which they are best decided. Thresholds of one slot stay in
  // the order in which rules ask for them, if that is from below or from above: in that of their
  // numbers, the union of many rules' guards would grow from below, and be rebuilt for each. Asked
  // for in no order they get a rank, too, because sets of numbers are large in any other one.
  bool decided = false;
  std::vector<std::uint32_t> rank = {};
};

// Constraints that depend on each other, because they read the same clusters, directly or through
// other constraints and guards.
struct Component {
  std::vector<ConstraintId> constraints;
  std::vector<std::uint32_t> topics;
};

class Questions {
 public:
  // Fails where an action changes slots whose parts cannot be found.
  static Result<Questions> of(const Model& model, Budget& budget);

  [[nodiscard]] std::size_t size() const { return topic_of_.size(); }
  [[nodiscard]] const Atom& test(QuestionId question) const;
  [[nodiscard]] std::uint32_t topic_of(QuestionId question) const {
    return topic_of_[question.index];
  }
  // Its index among the questions of its topic.
  [[nodiscard]] std::uint32_t place_of(QuestionId question) const {
    return place_of_[question.index];
  }
  [[nodiscard]] std::uint32_t topic_of(SlotId slot) const { return topic_of_slot_[slot.index]; }
  [[nodiscard]] const std::vector<Topic>& topics() const { return topics_; }
  [[nodiscard]] const std::vector<Component>& components() const { return components_; }
  [[nodiscard]] bool reads(QuestionId question, SlotId slot) const;
  // Whether the question belongs to a plain topic without constraints: both answers are possible,
  // whatever the other answers are. (Stored by question, because most questions of large models are
  // free, and looking at their topics takes time.)
  [[nodiscard]] bool is_free(QuestionId question) const { return is_free_[question.index]; }

  // The question whether a boolean slot holds. It must exist, as it does for guards.
  [[nodiscard]] QuestionId holds(SlotId slot) const;
  [[nodiscard]] const std::vector<SlotId>& slots_behind(SlotId guard) const;

  // The question about the context after a slot that it reads is set to a value, in terms of the
  // context before: an answer, or another question.
  [[nodiscard]] std::variant<bool, QuestionId> once_set(QuestionId question, SlotId slot,
                                                        const Rational& value) const;

  // The answers that go together, of a topic that is decided.
  [[nodiscard]] Differences differences(std::uint32_t topic,
                                        const std::vector<QuestionId>& questions) const;
  [[nodiscard]] std::uint32_t rank_of(QuestionId question) const {
    return topics_[topic_of(question)].rank[place_of(question)];
  }

  // The parts that some questions of a topic tell apart, for a topic whose parts are not known.
  // `finder` is of the same model.
  [[nodiscard]] Result<Parts> parts(std::uint32_t topic, const std::vector<QuestionId>& questions,
                                    ClusterFinder& finder) const;

 private:
  [[nodiscard]] Result<void> find_questions(Topic& topic, Cluster cluster, ClusterFinder& finder);
  void decide(Topic& topic, const Differences& differences) const;
  QuestionId add_question(Atom test, std::uint32_t topic);
  void add_signs(Topic& topic, std::uint32_t index, const Cluster& cluster, const Changes& changes);
  void find_components();

  const Model* model_ = nullptr;
  std::vector<Atom> others_;  // questions that are no atoms
  std::vector<std::uint32_t> topic_of_;
  std::vector<std::uint32_t> place_of_;
  std::vector<bool> is_free_;
  std::vector<std::uint32_t> topic_of_slot_;
  std::vector<Topic> topics_;
  std::vector<Component> components_;
  std::vector<std::uint32_t> holds_;  // by slot: the question whether it holds, or none
  std::map<SlotId, std::vector<SlotId>> behind_;
  std::map<std::tuple<QuestionId, SlotId, Rational>, std::variant<bool, QuestionId>> substitutions_;
};

}  // namespace poise::model
