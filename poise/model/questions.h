#pragma once

// Questions: everything about a context that has a yes or a no and that an analysis may have to
// know. The atoms are questions, with the same numbers; actions and guards add others (is the slot
// at the value that some action gives it; does the guard hold; what `a < b` becomes once a is 3).
// Analyses that work with truths instead of values speak in questions.
//
// Questions on slots of different clusters are independent of each other but for guards and
// constraints. Within a cluster, the parts (clusters.h) say which answers go together.

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
#include "poise/model/model.h"

namespace poise::model {

using QuestionId = Id<struct QuestionTag>;

inline QuestionId question_of(AtomId atom) { return {atom.index}; }

// The points of a cluster that answer some questions differently.
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
  // One boolean slot that always has a value, and one question, whether it holds: nothing goes
  // together with anything.
  bool plain = false;
  // A slot on its own has a value only while this holds. (Slots of a larger cluster have their
  // guards in it.)
  std::optional<QuestionId> guard;
  bool changes = false;  // some action assigns one of its slots, or frees or clears it
  bool freed = false;    // some action frees one of its slots
  // Where the answers to all of these agree, the context is the same in this cluster, for a run.
  // Only if it changes.
  std::vector<QuestionId> identity;
  std::optional<std::uint32_t> component;  // of constraints
  // All parts; none where they were too many to be found at once, and must be found for the
  // questions at hand.
  std::optional<Parts> parts;
};

// Constraints that hang together, through the clusters they read.
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
  // Whether it is the only question of a plain topic without constraints: both answers are
  // possible, whatever else is the case. (Known without a look at the topic: large models have
  // many.)
  [[nodiscard]] bool is_free(QuestionId question) const { return is_free_[question.index]; }

  // Whether a boolean slot holds; only for slots that are asked for it.
  [[nodiscard]] QuestionId holds(SlotId slot) const;
  [[nodiscard]] const std::vector<SlotId>& slots_behind(SlotId guard) const;

  // What becomes of a question once a slot it reads is set: an answer, or another question.
  [[nodiscard]] std::variant<bool, QuestionId> once_set(QuestionId question, SlotId slot,
                                                        const Rational& value) const;

  // The parts that some questions of a topic tell apart, for a topic whose parts are not known.
  // `finder` is of the same model.
  [[nodiscard]] Result<Parts> parts(std::uint32_t topic, const std::vector<QuestionId>& questions,
                                    ClusterFinder& finder) const;

 private:
  [[nodiscard]] Result<void> find_questions(Topic& topic, Cluster cluster, ClusterFinder& finder);
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
  std::vector<std::uint32_t> holds_;  // by slot: a question, or none
  std::map<SlotId, std::vector<SlotId>> behind_;
  std::map<std::tuple<QuestionId, SlotId, Rational>, std::variant<bool, QuestionId>> substitutions_;
};

}  // namespace poise::model
