#include "bench/common/table.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include <fmt/format.h>

#include "poise/base/check.h"

namespace poise::bench {

Table::Table(std::vector<std::string> head) : rows_{std::move(head)} {}

void Table::add(std::vector<std::string> row) {
  POISE_CHECK(row.size() == rows_.front().size());
  rows_.push_back(std::move(row));
}

void Table::print() const {
  const auto print_row = [](const std::vector<std::string>& row) {
    fmt::print("| {} |\n", fmt::join(row, " | "));
  };
  print_row(rows_.front());
  print_row(std::vector<std::string>(rows_.front().size(), "---"));
  for (auto row = rows_.begin() + 1; row != rows_.end(); ++row) print_row(*row);
  fmt::print("\n");
  for (std::size_t i = 0; i < reasons_.size(); ++i) {
    fmt::print("({}) {}.\n\n", static_cast<char>('a' + i), reasons_[i]);
  }
  std::fflush(stdout);
}

std::string Table::cell(const Measured& measured) {
  return measured.stopped.empty() ? milliseconds(cpu_median(measured)) : why(measured.stopped);
}

std::string Table::clock_cell(const Measured& measured) {
  return measured.stopped.empty() ? milliseconds(median(measured)) : why(measured.stopped);
}

std::string Table::why(const std::string& stopped) {
  constexpr std::size_t kShort = 12;
  if (stopped.size() <= kShort) return stopped;
  auto at = std::ranges::find(reasons_, stopped);
  if (at == reasons_.end()) at = reasons_.insert(at, stopped);
  return fmt::format("– ({})", static_cast<char>('a' + (at - reasons_.begin())));
}

std::string grouped(std::size_t number) {
  std::string digits = std::to_string(number);
  for (std::ptrdiff_t at = std::ssize(digits) - 3; at > 0; at -= 3) {
    digits.insert(static_cast<std::size_t>(at), ",");
  }
  return digits;
}

std::string figure(double value) {
  if (value < 9.995) return fmt::format("{:.2f}", value);
  if (value < 99.95) return fmt::format("{:.1f}", value);
  return grouped(static_cast<std::size_t>(std::lround(value)));
}

std::string milliseconds(double ms) { return figure(ms) + " ms"; }

std::string ratio(double value) { return "× " + figure(value); }

}  // namespace poise::bench
