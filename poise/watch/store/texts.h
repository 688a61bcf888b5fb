#pragma once

// Texts by number. A text that is in no window any more gives its number to another one, so a
// stream of ever new tags does not fill the memory.
//
// Nobody counts who uses a text, which every event would have to pay for twice, at places far from
// each other. Instead, when enough new ones have come, those in use are marked, and the numbers of
// the others are given away one by one, whenever a new text needs one.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/watch/store/cell.h"

namespace poise::watch {

class Texts {
 public:
  // These have the first numbers and stay.
  explicit Texts(const std::vector<std::string>& fixed);

  // The number of a text. It is the text's own until texts are marked and this one is not.
  [[nodiscard]] Cell number(std::string_view text);
  // If it has one.
  [[nodiscard]] std::optional<Cell> find(std::string_view text) const;
  [[nodiscard]] const std::string& text(Cell cell) const {
    return texts_[static_cast<std::size_t>(cell)];
  }
  // Numbers of texts are less.
  [[nodiscard]] std::size_t rows() const { return texts_.size(); }

  // A text stays as long as it is pinned, as often as that happened.
  void pin(Cell text) { ++rows_[static_cast<std::size_t>(text)].pins; }
  void unpin(Cell text);

  // So many texts have come since the last time that it is worth the effort.
  [[nodiscard]] bool should_mark() const { return given_ >= patience_; }
  void begin_marking();
  void mark(Cell text) { marks_[static_cast<std::size_t>(text)] = 1; }
  // What it took: the next time comes when half as many texts have come.
  void end_marking(std::size_t steps);

 private:
  // Open hashing. Most texts are short, and then their letters say all; so texts need not be looked
  // at, which would be somewhere else in memory.
  struct Entry {
    std::uint64_t letters = 0;  // and how many; the same for all that are long
    std::uint32_t hash = 0;
    std::uint32_t row = 0;  // and one more; 0 for none
  };
  struct Usage {
    std::uint32_t pins = 0;
    std::uint32_t hash = 0;
  };
  // Without a row.
  [[nodiscard]] static Entry entry_of(std::string_view text);
  [[nodiscard]] std::size_t place_of(std::string_view text, const Entry& wanted) const;
  // One that was given away, or a new one.
  [[nodiscard]] std::uint32_t free_row();
  void take_away(std::uint32_t row);
  void grow();
  void erase(std::size_t place);

  std::vector<std::string> texts_;
  std::vector<Usage> rows_;
  std::vector<std::uint8_t> marks_;  // by row: in use, or given since the marking
  // Rows from here on, up to there, may be without a mark.
  std::uint32_t unseen_ = 0;
  std::uint32_t marked_ = 0;
  std::size_t given_ = 0;  // since the marking
  std::size_t patience_;
  std::vector<Entry> table_;
  std::size_t used_ = 0;
};

}  // namespace poise::watch
