#include "poise/watch/store/cell.h"

#include "poise/base/check.h"

namespace poise::watch {

Cell Numbers::cell(const Rational& number, Scale scale) {
  const Rational scaled = scale == Scale::Whole ? number : number * Rational(kMillion);
  if (scaled.is_integer() && scaled.numerator().fits_int64()) {
    const std::int64_t value = scaled.numerator().to_int64();
    if (value > -kFirstRow && value < kFirstRow) return value;
  }
  const auto [known, is_new] = known_.emplace(number, kFirstRow + static_cast<Cell>(rows_.size()));
  if (is_new) rows_.push_back(number);
  return known->second;
}

Rational Numbers::number(Cell cell, Scale scale) const {
  POISE_CHECK(cell != kNone);
  if (cell >= kFirstRow) return rows_[static_cast<std::size_t>(cell - kFirstRow)];
  return scale == Scale::Whole ? Rational(cell) : Rational(Integer(cell), Integer(kMillion));
}

}  // namespace poise::watch
