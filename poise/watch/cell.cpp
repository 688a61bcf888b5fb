#include "poise/watch/cell.h"

#include <cstring>
#include <utility>

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

namespace {

// Eight letters at a time.
std::uint32_t hash_of(std::string_view text) {
  constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;
  std::uint64_t hash = text.size() * kOdd;
  const auto mix = [&](std::uint64_t letters) {
    hash = (hash ^ letters) * kOdd;
    hash ^= hash >> 29U;
  };
  std::uint64_t letters = 0;
  for (; text.size() > sizeof(letters); text.remove_prefix(sizeof(letters))) {
    std::memcpy(&letters, text.data(), sizeof(letters));
    mix(letters);
  }
  letters = 0;
  if (text.size() >= 4) {
    // Two halves, which may overlap.
    std::uint32_t half = 0;
    std::memcpy(&half, text.data(), sizeof(half));
    letters = half;
    std::memcpy(&half, text.data() + text.size() - sizeof(half), sizeof(half));
    letters = letters << 32U | half;
  } else {
    for (const char c : text) letters = letters << 8U | static_cast<unsigned char>(c);
  }
  mix(letters);
  return static_cast<std::uint32_t>(hash >> 16U);
}

}  // namespace

Texts::Texts(const std::vector<std::string>& fixed) : table_(16) {
  for (const std::string& text : fixed) {
    const Cell cell = hold(text);
    POISE_CHECK(rows_[static_cast<std::size_t>(cell)].text == text);
  }
}

// Where the text is in the table, or where it would be.
std::size_t Texts::place_of(std::string_view text, std::uint32_t hash) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = hash & mask;
  for (; table_[place].row != 0; place = (place + 1) & mask) {
    if (table_[place].hash == hash && rows_[table_[place].row - 1].text == text) break;
  }
  return place;
}

Cell Texts::hold(std::string_view text) {
  const std::uint32_t hash = hash_of(text);
  std::size_t place = place_of(text, hash);
  if (table_[place].row != 0) {
    ++holders_[table_[place].row - 1];
    return table_[place].row - 1;
  }
  if (2 * (used_ + 1) > table_.size()) {
    grow();
    place = place_of(text, hash);
  }
  ++used_;
  std::uint32_t row = 0;
  if (free_.empty()) {
    row = static_cast<std::uint32_t>(rows_.size());
    rows_.emplace_back();
    holders_.emplace_back();
  } else {
    row = free_.back();
    free_.pop_back();
  }
  rows_[row].text = text;
  holders_[row] = 1;
  rows_[row].hash = hash;
  table_[place] = {row + 1, hash};
  return row;
}

std::optional<Cell> Texts::find(std::string_view text) const {
  const std::size_t place = place_of(text, hash_of(text));
  if (table_[place].row == 0) return std::nullopt;
  return table_[place].row - 1;
}

void Texts::release(Cell text) {
  std::uint32_t& holders = holders_[static_cast<std::size_t>(text)];
  POISE_CHECK(holders > 0);
  if (--holders > 0) return;
  const auto row = static_cast<std::uint32_t>(text);
  const std::size_t mask = table_.size() - 1;
  std::size_t place = rows_[row].hash & mask;
  while (table_[place].row != row + 1) place = (place + 1) & mask;
  erase(place);
  free_.push_back(row);
}

// Closes the gap, so that what was put behind it is still found.
void Texts::erase(std::size_t place) {
  const std::size_t mask = table_.size() - 1;
  table_[place] = {};
  --used_;
  for (std::size_t next = (place + 1) & mask; table_[next].row != 0; next = (next + 1) & mask) {
    const std::size_t home = table_[next].hash & mask;
    if (((next - home) & mask) < ((next - place) & mask)) continue;
    table_[place] = std::exchange(table_[next], Entry{});
    place = next;
  }
}

void Texts::grow() {
  std::vector<Entry> larger(table_.size() * 2);
  const std::size_t mask = larger.size() - 1;
  for (const Entry& entry : table_) {
    if (entry.row == 0) continue;
    std::size_t place = entry.hash & mask;
    while (larger[place].row != 0) place = (place + 1) & mask;
    larger[place] = entry;
  }
  table_ = std::move(larger);
}

}  // namespace poise::watch
