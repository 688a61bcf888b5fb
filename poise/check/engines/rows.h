#pragma once

// State matrices: every combination of answers that can be given to some questions, one row each,
// and a column of truths for each rule. A row is a number in mixed radix with one digit per
// cluster, the cluster's part; a column is a set of rows, one bit each.

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "poise/check/engines/prepared.h"

namespace poise::check {

using Row = std::uint32_t;

// A set of rows.
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
  [[nodiscard]] std::size_t count() const;
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
  void trim();  // bits beyond the end are 0
  std::vector<std::uint64_t> words_;
  std::size_t size_;
};

class Matrix {
 public:
  // With more rows than these a matrix is refused.
  static constexpr std::size_t kMaxRows = std::size_t{1} << 24;

  // Over the parts that these atoms, and the guards and constraints behind them, tell apart. With
  // `Changing::Included` also over everything that some action changes, part by part.
  enum class Changing { LeftOut, Included };
  Matrix(const Prepared& prepared, const Atoms& atoms, Changing changing, Budget& budget);

  // Why there are no rows; empty if there are.
  [[nodiscard]] const std::string& trouble() const { return trouble_; }
  [[nodiscard]] std::size_t rows() const { return rows_; }

  [[nodiscard]] Bits truth(model::FormulaId formula) const;
  [[nodiscard]] Bits truth(model::QuestionId question) const;
  // The rows that can be: guards and constraints respected.
  [[nodiscard]] const Bits& feasible() const { return feasible_; }

  // One digit of a row: the part of one cluster.
  struct Axis {
    std::uint32_t topic = 0;
    std::uint32_t size =
        2;  // with the one for "no value", if its slot has a guard; that is the last
    std::uint32_t stride = 1;
    bool guarded = false;
    std::vector<model::QuestionId> questions;
    std::vector<std::vector<bool>> answers;         // by question, by digit
    std::vector<std::vector<model::Value>> points;  // by digit, one value per slot of `order`
    std::vector<model::SlotId> order;
  };
  [[nodiscard]] const std::vector<Axis>& axes() const { return axes_; }
  [[nodiscard]] std::optional<std::size_t> axis_of(std::uint32_t topic) const;
  [[nodiscard]] static std::uint32_t digit(const Axis& axis, Row row) {
    return row / axis.stride % axis.size;
  }

  // Rows with the same answers to some questions, and nothing else the same, become one.
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
      std::vector<Row> representative;
    };
    Row mask_ = 0;  // the digits that are single bits
    std::vector<Digit> digits_;
  };
  [[nodiscard]] Projection onto(const Atoms& atoms) const;
  [[nodiscard]] Projection onto(const std::vector<model::QuestionId>& questions) const;  // sorted
  // How many distinct rows are left of some. `scratch` is empty and as large as the matrix, before
  // and after.
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

// Sets of rows, for competing.h.
struct RowSets {
  using Set = Bits;
  [[nodiscard]] static Bits conjunction(Bits a, const Bits& b) { return a &= b; }
  [[nodiscard]] static Bits disjunction(Bits a, const Bits& b) { return a |= b; }
  [[nodiscard]] static Bits difference(Bits a, const Bits& b) { return a -= b; }
  [[nodiscard]] static bool is_empty(const Bits& a) { return a.is_empty(); }
};

}  // namespace poise::check
