#pragma once

// The lines that nearly every log is made of, read without detours: no escapes, no foreign letters,
// short numbers, names that the model knows. What the scanner does not recognise it leaves to the
// reader of all JSON (log/json_lines.h), which also finds the words for what is wrong; so it may
// give up wherever it likes, but must never accept what that one would not, nor read it otherwise.

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poise/watch/monitor.h"

namespace poise::watch {

class Scanner {
 public:
  struct Cursor;

  // Both must outlive it.
  Scanner(const model::Model& model, Monitor& monitor);

  struct Line {
    std::optional<Time> time;
    std::string_view app;
    Event event;  // points to buffers of the scanner; without its time
  };
  // Valid until the next call; nothing if it gives up, and no text is held then.
  [[nodiscard]] Line* scan(std::string_view text);

 private:
  // A variable or a field: how its values are written.
  struct Target {
    enum class Kind { Bool, Number, Member, Text, Other };
    Kind kind = Kind::Other;
    model::SlotId slot;  // of a variable
    Scale scale = Scale::Whole;
    Cell low = 0;  // Number
    Cell high = 0;
    std::vector<std::pair<std::string, Cell>> members;
  };
  struct Stream {
    std::string name;
    std::vector<std::string> names;  // of its fields
    std::vector<Target> fields;
  };
  [[nodiscard]] Target target(const model::Type& type, Scale scale) const;

  // Lines differ in their times, names and values, and mostly in nothing else. So what stands
  // before, between and behind those is kept of the lines that were read, as a tree of its pieces;
  // a line that is made of the same pieces means the same, but for the values.
  struct Hole {
    enum class Kind { End, When, App, Field, Variable };
    Kind kind = Kind::End;
    std::uint32_t index = 0;  // of the field, or among all variables
    friend bool operator==(const Hole&, const Hole&) = default;
  };
  struct Piece {
    std::string letters;
    Hole hole;                        // what comes behind them
    std::vector<std::uint32_t> next;  // what may come behind that
    // Where eight letters tell those apart, and these; none if all have to be compared.
    std::optional<std::size_t> tell_at;
    std::vector<std::uint64_t> telling;
    std::optional<std::uint32_t> stream;  // what has been said so far
    bool remove = false;
  };
  // Where the holes of a line are, in their order.
  struct Found {
    Hole hole;
    const char* begin;
    const char* end;
  };

  void begin();
  void begin_element(std::uint32_t stream);

  // Each reads what comes next, or gives up.
  bool value(Cursor& cursor, const Target& target, Cell& cell);
  bool fill(Cursor& cursor, const Hole& hole);
  // The same, and notes where the hole was.
  bool found(Cursor& cursor, const Hole& hole);
  bool element(Cursor& cursor);
  bool assignments(Cursor& cursor);
  bool change(Cursor& cursor);
  bool any_line(Cursor cursor);
  bool line_of_known_pieces(Cursor cursor);

  // The one of the pieces behind another one that comes next, if any.
  [[nodiscard]] const Piece* next_piece(const Cursor& cursor, const Piece& piece) const;
  void find_what_tells(Piece& piece) const;
  void keep_pieces(std::string_view text);
  // The piece behind another one, made where there is none; or nothing if there are too many.
  std::optional<std::uint32_t> piece_behind(std::uint32_t piece, std::string_view letters,
                                            const Hole& hole);

  const model::Model& model_;
  Monitor& monitor_;
  std::unordered_map<std::string_view, std::uint32_t> stream_names_;
  std::unordered_map<std::string_view, std::uint32_t> variable_names_;
  std::vector<Stream> streams_;
  std::vector<Target> variables_;
  std::vector<Piece> pieces_;  // the first has no letters: before all lines

  // Of the line under way
  Line line_;
  std::vector<Assignment> assignments_;
  std::vector<Cell> element_;
  std::vector<Found> found_;
};

// 12, 12.5: seconds with at most nine decimals, in nanoseconds.
[[nodiscard]] std::optional<Time> plain_time(std::string_view seconds);

}  // namespace poise::watch
