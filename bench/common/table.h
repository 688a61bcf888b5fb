#pragma once

// Tables in Markdown, and how figures are written in them.

#include <string>
#include <vector>

#include "bench/common/measure.h"

namespace poise::bench {

class Table {
 public:
  explicit Table(std::vector<std::string> head);
  // As many cells as the head has.
  void add(std::vector<std::string> row);
  // Prints the table and, below it, the reasons that cells refer to.
  void print() const;

  // The median of the processor time, or (clock_cell) of the time by the clock. If it was stopped,
  // the reason; one that is too long for a cell becomes "– (a)", and print() explains the letter.
  [[nodiscard]] std::string cell(const Measured& measured);
  [[nodiscard]] std::string clock_cell(const Measured& measured);

 private:
  [[nodiscard]] std::string why(const std::string& stopped);

  std::vector<std::vector<std::string>> rows_;
  std::vector<std::string> reasons_;
};

// With three digits: "0.31", "12.4", "1,234".
[[nodiscard]] std::string figure(double value);
[[nodiscard]] std::string milliseconds(double ms);
[[nodiscard]] std::string ratio(double value);
[[nodiscard]] std::string grouped(std::size_t number);

}  // namespace poise::bench
