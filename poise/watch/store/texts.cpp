#include "poise/watch/store/texts.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "poise/base/check.h"

namespace poise::watch {

namespace {

constexpr std::uint64_t kOdd = 0x9E3779B97F4A7C15U;

template <class Word>
std::uint64_t word_at(const char* letters) {
  Word word = 0;
  std::memcpy(&word, letters, sizeof(word));
  return word;
}

std::uint64_t mixed(std::uint64_t hash, std::uint64_t letters) {
  hash = (hash ^ letters) * kOdd;
  return hash ^ hash >> 32U;
}

// The hash of a text of at least eight letters, eight at a time; the last eight may overlap those
// before.
std::uint64_t mixed(std::string_view text) {
  std::uint64_t hash = text.size();
  std::size_t at = 0;
  for (; text.size() - at > 8; at += 8)
    hash = mixed(hash, word_at<std::uint64_t>(text.data() + at));
  return mixed(hash, word_at<std::uint64_t>(text.data() + text.size() - 8));
}

// At most seven letters in a word, and their number in its top byte.
std::uint64_t packed(std::string_view text) {
  std::uint64_t letters = 0;
  if (text.size() >= 4) {
    // Two halves, which may overlap.
    letters = word_at<std::uint32_t>(text.data() + text.size() - 4) >> 8 * (8 - text.size()) << 32U;
    letters |= word_at<std::uint32_t>(text.data());
  } else {
    for (const char c : text) letters = letters << 8U | static_cast<unsigned char>(c);
  }
  return letters | text.size() << 56U;
}

// Marking is not worth it for fewer.
constexpr std::size_t kLeastPatience = 256;

constexpr std::size_t kShort = 7;
constexpr std::uint64_t kLong = std::uint64_t{kShort + 1} << 56U;

}  // namespace

Texts::Entry Texts::entry_of(std::string_view text) {
  const bool is_short = text.size() <= kShort;
  const std::uint64_t letters = is_short ? packed(text) : kLong;
  const std::uint64_t hash = is_short ? mixed(0, letters) : mixed(text);
  return {letters, static_cast<std::uint32_t>(hash * kOdd >> 32U), 0};
}

Texts::Texts(const std::vector<std::string>& fixed) : patience_(kLeastPatience), table_(16) {
  for (const std::string& text : fixed) pin(number(text));
}

// Where the text is in the table, or where it would be.
std::size_t Texts::place_of(std::string_view text, const Entry& wanted) const {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = wanted.hash & mask;
  for (; table_[place].row != 0; place = (place + 1) & mask) {
    const Entry& entry = table_[place];
    if (entry.letters != wanted.letters || entry.hash != wanted.hash) continue;
    if (entry.letters != kLong || texts_[entry.row - 1] == text) break;
  }
  return place;
}

Cell Texts::number(std::string_view text) {
  Entry entry = entry_of(text);
  std::size_t place = place_of(text, entry);
  if (table_[place].row != 0) {
    const std::uint32_t row = table_[place].row - 1;
    marks_[row] = 1;
    return row;
  }
  const std::uint32_t row = free_row();
  if (3 * (used_ + 1) > 2 * table_.size()) grow();
  place = place_of(text, entry);  // entries may have moved
  texts_[row] = text;
  rows_[row].hash = entry.hash;
  marks_[row] = 1;
  entry.row = row + 1;
  table_[place] = entry;
  ++used_;
  ++given_;
  return row;
}

std::uint32_t Texts::free_row() {
  for (; unseen_ < marked_; ++unseen_) {
    if (marks_[unseen_] != 0 || rows_[unseen_].pins != 0) continue;
    take_away(unseen_);
    return unseen_++;
  }
  texts_.emplace_back();
  rows_.emplace_back();
  marks_.emplace_back();
  return static_cast<std::uint32_t>(texts_.size() - 1);
}

std::optional<Cell> Texts::find(std::string_view text) const {
  const std::size_t place = place_of(text, entry_of(text));
  if (table_[place].row == 0) return std::nullopt;
  return table_[place].row - 1;
}

void Texts::unpin(Cell text) {
  Usage& row = rows_[static_cast<std::size_t>(text)];
  POISE_CHECK(row.pins > 0);
  --row.pins;
}

void Texts::begin_marking() { std::ranges::fill(marks_, std::uint8_t{0}); }

void Texts::end_marking(std::size_t steps) {
  unseen_ = 0;
  marked_ = static_cast<std::uint32_t>(texts_.size());
  given_ = 0;
  patience_ = std::max(kLeastPatience, steps / 2);
}

void Texts::take_away(std::uint32_t row) {
  const std::size_t mask = table_.size() - 1;
  std::size_t place = rows_[row].hash & mask;
  while (table_[place].row != row + 1) place = (place + 1) & mask;
  erase(place);
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
