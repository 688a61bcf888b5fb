#pragma once

// State matrices, as the A-FSM paper calls them: a row for every combination of answers to some
// questions, and a column of truths for each rule. A row is a number in mixed radix with one digit
// per cluster, which says in which of the cluster's parts the context lies. A column is a set of
// rows, one bit each.
//
// Example: with the questions `b` and `n > 3` there are 2 * 2 rows. Row 1 is `b and not n > 3`, and
// the column of a rule with the guard `n > 3` is {2, 3}.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "poise/check/engines/prepared.h"

namespace poise::check {

using Row = std::uint32_t;

// A set of rows, as a bit vector of fixed size. Binary operations take sets of the same size.
class Bits {
 public:
  static constexpr std::size_t kWord = 64;
  explicit Bits(std::size_t size = 0, bool value = false);
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool operator[](std::size_t i) const {
    return ((words_[i / kWord] >> (i % kWord)) & 1U) != 0;
  }
  void set(std::size_t i) { words_[i / kWord] |= std::uint64_t{1} << (i % kWord); }
  void clear(std::size_t i) { words_[i / kWord] &= ~(std::uint64_t{1} << (i % kWord)); }
  void set_range(std::size_t begin, std::size_t end);
  [[nodiscard]] bool is_empty() const;
  [[nodiscard]] bool meets(const Bits& other) const;
  Bits& operator&=(const Bits& other);
  Bits& operator|=(const Bits& other);
  Bits& operator-=(const Bits& other);
  void flip();

  // Bit i is bit i % period of the pattern; the period divides 64.
  void repeat(std::uint64_t pattern, std::size_t period);

  template <class Visit>
  void for_each(Visit visit) const {
    for (std::size_t word = 0; word < words_.size(); ++word) {
      for (std::uint64_t rest = words_[word]; rest != 0; rest &= rest - 1) {
        visit(static_cast<Row>(word * kWord + static_cast<std::size_t>(__builtin_ctzll(rest))));
      }
    }
  }

 private:
  void trim();  // restores the invariant that bits beyond the end are 0
  std::vector<std::uint64_t> words_;
  std::size_t size_;
};

class Matrix {
 public:
  // A matrix with more rows is refused, before memory is spent.
  static constexpr std::size_t kMaxRows = std::size_t{1} << 24;

  // The questions are these atoms, the guards of their variables, and the atoms of the constraints
  // on them. With `Changing::Included` also all questions about anything that some action changes,
  // so that a row determines which rows an action leads to.
  enum class Changing { LeftOut, Included };
  Matrix(const Prepared& prepared, const Atoms& atoms, Changing changing, Budget& budget);

  // Why the matrix was refused; empty if it was not.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  [[nodiscard]] Bits truth(model::FormulaId formula) const;
  [[nodiscard]] Bits truth(model::QuestionId question) const;
  // The rows that guards of variables and constraints allow. (Types are respected by all rows.)
  [[nodiscard]] const Bits& feasible() const { return feasible_; }

  // One digit of a row: the part of one cluster.
  struct Axis {
    std::uint32_t topic = 0;
    std::uint32_t size = 2;    // the radix: how many values the digit has
    std::uint32_t stride = 1;  // the row is the sum of digit * stride
    bool guarded = false;      // its slot has a guard, and the last digit stands for "no value"
    std::vector<model::QuestionId> questions;       // sorted
    std::vector<std::vector<bool>> answers;         // by question, by digit
    std::vector<std::vector<model::Value>> points;  // by digit, one value per slot of `order`
    std::vector<model::SlotId> order;
  };
  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  [[nodiscard]] std::optional<std::size_t> axis_of(std::uint32_t topic) const;
  [[nodiscard]] static std::uint32_t digit(const Axis& axis, Row row) {
    return row / axis.stride % axis.size;
  }

  // Maps each row to a representative: two rows have the same one exactly if they give the same
  // answers to some questions.
  class Projection {
   public:
    [[nodiscard]] Row of(Row row) const {
      Row result = row & mask_;
      for (const Digit& digit : digits_) {
        result += digit.representative[row / digit.stride % digit.size] * digit.stride;
      }
      return result;
    }

   private:
    friend class Matrix;
    struct Digit {
      std::uint32_t stride;
      std::uint32_t size;
      std::vector<Row> representative;  // by digit: the first digit with the same answers
    };
    Row mask_ = 0;  // digits that are kept as they are, and are single bits of a row
    std::vector<Digit> digits_;
  };
  [[nodiscard]] Projection onto(const Atoms& atoms) const;
  [[nodiscard]] Projection onto(const std::vector<model::QuestionId>& questions) const;  // sorted
  // The number of distinct rows after projection. `scratch` is as large as the matrix and empty,
  // before and after; it is passed in so that it need not be allocated for each count.
  [[nodiscard]] static std::size_t distinct(const std::vector<Row>& rows,
                                            const Projection& projection, Bits& scratch);

 private:
  void add_axes(const Atoms& atoms, Changing changing, Budget& budget);
  void add_axis(std::uint32_t topic, const std::vector<model::QuestionId>& questions,
                Budget& budget);

  const Prepared& prepared_;
  std::string trouble_;
  std::vector<Axis> axes_;
  std::unordered_map<std::uint32_t, std::size_t> axis_of_;
  std::vector<std::uint32_t> components_;
  std::size_t rows_ = 0;
  Bits feasible_;
};

// Sets of rows as the `Sets` of competing.h.
struct RowSets {
  using Set = Bits;
  [[nodiscard]] static Bits conjunction(Bits a, const Bits& b) { return a &= b; }
  [[nodiscard]] static Bits disjunction(Bits a, const Bits& b) { return a |= b; }
  [[nodiscard]] static Bits difference(Bits a, const Bits& b) { return a -= b; }
  [[nodiscard]] static bool meet(const Bits& a, const Bits& b) { return a.meets(b); }
  [[nodiscard]] static bool is_empty(const Bits& a) { return a.is_empty(); }
};

}  // namespace poise::check
