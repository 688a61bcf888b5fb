#include "poise/check/engines/rows.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include <fmt/format.h>

#include "poise/base/check.h"

namespace poise::check {

using model::Op;
using model::QuestionId;
using model::Topic;

// ---- Bits ----

Bits::Bits(std::size_t size, bool value)
    : words_((size + kWord - 1) / kWord, value ? ~std::uint64_t{0} : 0), size_(size) {
  trim();
}

void Bits::trim() {
  if (size_ % kWord != 0) words_.back() &= (std::uint64_t{1} << (size_ % kWord)) - 1;
}

void Bits::set_range(std::size_t begin, std::size_t end) {
  for (; begin < end && begin % kWord != 0; ++begin) set(begin);
  for (; begin + kWord <= end; begin += kWord) words_[begin / kWord] = ~std::uint64_t{0};
  for (; begin < end; ++begin) set(begin);
}

void Bits::repeat(std::uint64_t pattern, std::size_t period) {
  std::uint64_t word = 0;
  for (std::size_t i = 0; i < kWord; i += period) word |= pattern << i;
  std::ranges::fill(words_, word);
  trim();
}

bool Bits::is_empty() const {
  return std::ranges::all_of(words_, [](std::uint64_t word) { return word == 0; });
}

bool Bits::meets(const Bits& other) const {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if ((words_[i] & other.words_[i]) != 0) return true;
  }
  return false;
}

Bits& Bits::operator&=(const Bits& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}

Bits& Bits::operator|=(const Bits& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  return *this;
}

Bits& Bits::operator-=(const Bits& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= ~other.words_[i];
  return *this;
}

void Bits::flip() {
  for (std::uint64_t& word : words_) word = ~word;
  trim();
}

// ---- Axes ----

Matrix::Matrix(const Prepared& prepared, const Atoms& atoms, Changing changing, Budget& budget)
    : prepared_(prepared) {
  add_axes(atoms, changing, budget);
  if (!trouble_.empty()) return;
  // Digits of radix 2 first: then their strides are powers of two, and projections can mask them.
  std::ranges::stable_sort(axes_, {}, [](const Axis& axis) { return axis.size != 2; });
  std::size_t rows = 1;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    axes_[i].stride = static_cast<std::uint32_t>(rows);
    axis_of_[axes_[i].topic] = i;
    rows *= axes_[i].size;
    if (rows > kMaxRows) {
      trouble_ = fmt::format(
          "a state matrix over {} variables has more than {} rows; the enumerative engine takes no "
          "more",
          axes_.size(), kMaxRows);
      return;
    }
  }
  rows_ = rows;
  feasible_ = Bits(rows, !prepared.impossible);
  for (const Axis& axis : axes_) {
    if (!axis.guarded) continue;
    // A row is feasible only if the last digit, "no value", goes with a guard that does not hold
    // and every other digit with one that does.
    Bits none(rows);
    const std::size_t last = (axis.size - std::size_t{1}) * axis.stride;
    for (std::size_t begin = last; begin < rows; begin += std::size_t{axis.size} * axis.stride) {
      none.set_range(begin, begin + axis.stride);
    }
    const Bits holds = truth(*prepared.questions.topics()[axis.topic].guard);
    Bits wrong = none;
    wrong &= holds;
    feasible_ -= wrong;
    none |= holds;
    feasible_ &= none;
  }
  for (const std::uint32_t component : components_) {
    for (const model::ConstraintId id : prepared.questions.components()[component].constraints) {
      feasible_ &= truth(prepared.model.constraints[id].condition);
    }
  }
}

std::optional<std::size_t> Matrix::axis_of(std::uint32_t topic) const {
  const auto found = axis_of_.find(topic);
  if (found == axis_of_.end()) return std::nullopt;
  return found->second;
}

void Matrix::add_axes(const Atoms& atoms, Changing changing, Budget& budget) {
  const model::Questions& questions = prepared_.questions;
  std::map<std::uint32_t, std::set<QuestionId>> asked;
  std::vector<std::uint32_t> open;
  const auto ask = [&](QuestionId question) {
    const std::uint32_t topic = questions.topic_of(question);
    if (!asked.contains(topic)) open.push_back(topic);
    asked[topic].insert(question);
  };
  for (const model::AtomId atom : atoms) ask(model::question_of(atom));
  if (changing == Changing::Included) {
    for (const Topic& topic : questions.topics()) {
      for (const QuestionId question : topic.questions) {
        if (topic.changes) ask(question);
      }
    }
  }
  // Each cluster brings its guard and the constraints on it, which may read further clusters.
  std::set<std::uint32_t> components;
  for (std::size_t i = 0; i < open.size(); ++i) {
    const Topic& topic = questions.topics()[open[i]];
    if (topic.guard) ask(*topic.guard);
    if (!topic.component || !components.insert(*topic.component).second) continue;
    for (const model::ConstraintId id : questions.components()[*topic.component].constraints) {
      const model::FormulaId condition = prepared_.model.constraints[id].condition;
      for (const model::AtomId atom : atoms_of(prepared_.model, {condition})) {
        ask(model::question_of(atom));
      }
    }
  }
  components_.assign(components.begin(), components.end());
  for (const auto& [topic, wanted] : asked) {
    if (!trouble_.empty()) return;
    add_axis(topic, {wanted.begin(), wanted.end()}, budget);
  }
}

// One digit for each combination of answers to the questions that some part of the cluster gives.
void Matrix::add_axis(std::uint32_t index, const std::vector<QuestionId>& asked, Budget& budget) {
  const Topic& topic = prepared_.questions.topics()[index];
  Axis axis;
  axis.topic = index;
  axis.questions = asked;
  axis.order = topic.slots;
  if (topic.plain) {
    axis.answers = {{false, true}};
    axis.points = {{Rational(0)}, {Rational(1)}};
    axes_.push_back(std::move(axis));
    return;
  }
  std::optional<model::Parts> found;
  if (!topic.parts) {
    model::ClusterFinder finder(prepared_.model, budget);
    Result<model::Parts> parts = prepared_.questions.parts(index, asked, finder);
    if (!parts) {
      trouble_ = parts.error().message;
      return;
    }
    found = std::move(*parts);
  }
  const model::Parts& parts = found ? *found : *topic.parts;
  axis.order = parts.order;
  axis.answers.resize(asked.size());
  std::set<std::vector<bool>> known;
  for (std::size_t point = 0; point < parts.points.size(); ++point) {
    std::vector<bool> answers;
    for (std::size_t i = 0; i < asked.size(); ++i) {
      answers.push_back(parts.answers[found ? i : prepared_.questions.place_of(asked[i])][point]);
    }
    if (!known.insert(answers).second) continue;
    for (std::size_t i = 0; i < answers.size(); ++i) axis.answers[i].push_back(answers[i]);
    axis.points.push_back(parts.points[point]);
  }
  if (topic.guard) {
    axis.guarded = true;
    for (std::vector<bool>& answers : axis.answers) answers.push_back(false);
    axis.points.push_back({std::nullopt});
  }
  axis.size = static_cast<std::uint32_t>(axis.points.size());
  axes_.push_back(std::move(axis));
}

// ---- Columns ----

Bits Matrix::truth(QuestionId question) const {
  const Axis& axis = axes_[axis_of_.at(prepared_.questions.topic_of(question))];
  const auto place = std::ranges::lower_bound(axis.questions, question) - axis.questions.begin();
  const std::vector<bool>& answers = axis.answers[static_cast<std::size_t>(place)];
  Bits bits(rows_);
  const std::size_t period = std::size_t{axis.size} * axis.stride;
  if (Bits::kWord % period == 0) {
    std::uint64_t pattern = 0;
    for (std::size_t i = 0; i < period; ++i) {
      if (answers[i / axis.stride]) pattern |= std::uint64_t{1} << i;
    }
    bits.repeat(pattern, period);
    return bits;
  }
  for (std::uint32_t digit = 0; digit < axis.size; ++digit) {
    if (!answers[digit]) continue;
    for (std::size_t begin = std::size_t{digit} * axis.stride; begin < rows_; begin += period) {
      bits.set_range(begin, begin + axis.stride);
    }
  }
  return bits;
}

Bits Matrix::truth(model::FormulaId id) const {
  const model::Formula& formula = prepared_.model.formulas[id];
  switch (formula.op) {
    case Op::False: return Bits(rows_, false);
    case Op::True: return Bits(rows_, true);
    case Op::Atom: return truth(model::question_of(formula.atom));
    case Op::Not: {
      Bits bits = truth(formula.parts[0]);
      bits.flip();
      return bits;
    }
    case Op::And:
    case Op::Or: {
      Bits bits(rows_, formula.op == Op::And);
      for (const model::FormulaId part : formula.parts) {
        if (formula.op == Op::And) {
          bits &= truth(part);
        } else {
          bits |= truth(part);
        }
      }
      return bits;
    }
    case Op::Implies: {
      Bits bits = truth(formula.parts[0]);
      bits.flip();
      return bits |= truth(formula.parts[1]);
    }
    case Op::Iff: {
      Bits first = truth(formula.parts[0]);
      Bits second = truth(formula.parts[1]);
      Bits both = first;
      both &= second;
      first |= second;
      first.flip();
      return first |= both;
    }
  }
  return Bits(rows_);
}

// ---- Projection ----

Matrix::Projection Matrix::onto(const Atoms& atoms) const {
  std::vector<QuestionId> questions;
  for (const model::AtomId atom : atoms) questions.push_back(model::question_of(atom));
  return onto(questions);
}

Matrix::Projection Matrix::onto(const std::vector<QuestionId>& questions) const {
  Projection projection;
  for (const Axis& axis : axes_) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < axis.questions.size(); ++i) {
      if (std::ranges::binary_search(questions, axis.questions[i])) kept.push_back(i);
    }
    if (kept.empty()) continue;
    if (axis.size == 2 && (axis.stride & (axis.stride - 1)) == 0 &&
        axis.answers[kept.front()][0] != axis.answers[kept.front()][1]) {
      projection.mask_ |= axis.stride;
      continue;
    }
    Projection::Digit digit{axis.stride, axis.size, {}};
    std::map<std::vector<bool>, Row> known;
    for (std::uint32_t i = 0; i < axis.size; ++i) {
      std::vector<bool> answers;
      for (const std::size_t q : kept) answers.push_back(axis.answers[q][i]);
      digit.representative.push_back(known.emplace(std::move(answers), i).first->second);
    }
    projection.digits_.push_back(std::move(digit));
  }
  return projection;
}

std::size_t Matrix::distinct(const std::vector<Row>& rows, const Projection& projection,
                             Bits& scratch) {
  std::vector<Row> found;
  for (const Row row : rows) {
    const Row projected = projection.of(row);
    if (scratch[projected]) continue;
    scratch.set(projected);
    found.push_back(projected);
  }
  for (const Row row : found) scratch.clear(row);
  return found.size();
}

}  // namespace poise::check
