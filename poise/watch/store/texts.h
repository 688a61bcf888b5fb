#pragma once

// Texts by number. When no window has a text any more, its number is given to another text, so a
// stream of ever new tags does not fill the memory.
//
// This is mark and sweep. References are not counted, because every event would pay for that twice,
// at places in memory far from each other. Instead, when enough new texts have come, the monitor
// marks those in use; the sweep is lazy: whenever a new text needs a number, it takes the next one
// without a mark.

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
  // These texts have the first numbers and keep them.
  explicit Texts(const std::vector<std::string>& fixed);

  // The number of a text, given if it has none. It is valid until a marking that leaves it out.
  [[nodiscard]] Cell number(std::string_view text);
  // The number of a text, if it has one.
  [[nodiscard]] std::optional<Cell> find(std::string_view text) const;
  [[nodiscard]] const std::string& text(Cell cell) const {
    return texts_[static_cast<std::size_t>(cell)];
  }
  // One more than the largest number of a text.
  [[nodiscard]] std::size_t rows() const { return texts_.size(); }

  // A pinned text keeps its number until it is unpinned as often as it was pinned.
  void pin(Cell text) { ++rows_[static_cast<std::size_t>(text)].pins; }
  void unpin(Cell text);

  // Whether so many texts have come since the last marking that the next is worth its cost.
  [[nodiscard]] bool should_mark() const { return given_ >= patience_; }
  void begin_marking();
  void mark(Cell text) { marks_[static_cast<std::size_t>(text)] = 1; }
  // `steps`: what the marking took. The next one comes after half as many new texts, so that its
  // cost per new text is bounded.
  void end_marking(std::size_t steps);

 private:
  // An entry of the table, which is hashed with linear probing. A text of up to seven letters is in
  // its entry as a whole, so its string, somewhere else in memory, need not be read.
  struct Entry {
    std::uint64_t letters = 0;  // and their number; the same value for all longer texts
    std::uint32_t hash = 0;
    std::uint32_t row = 0;  // the number of the text plus one; 0 for a free entry
  };
  struct Usage {
    std::uint32_t pins = 0;
    std::uint32_t hash = 0;
  };
  // The entry of a text, without its row.
  [[nodiscard]] static Entry entry_of(std::string_view text);
  [[nodiscard]] std::size_t place_of(std::string_view text, const Entry& wanted) const;
  // The number of a text that is not in use any more, or a new one.
  [[nodiscard]] std::uint32_t free_row();
  void take_away(std::uint32_t row);
  void grow();
  void erase(std::size_t place);

  std::vector<std::string> texts_;
  std::vector<Usage> rows_;
  std::vector<std::uint8_t> marks_;  // by row: in use at the last marking, or asked for since
  // The sweep goes on at row unseen_ and ends at row marked_.
  std::uint32_t unseen_ = 0;
  std::uint32_t marked_ = 0;
  std::size_t given_ = 0;  // new texts since the last marking
  std::size_t patience_;   // so many make should_mark() true
  std::vector<Entry> table_;
  std::size_t used_ = 0;  // entries of the table
};

}  // namespace poise::watch
