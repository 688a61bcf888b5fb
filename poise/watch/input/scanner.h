#pragma once

// A fast reader of the lines that nearly every log consists of: no escapes, ASCII only, short
// numbers, names that the model knows. Other lines it leaves to the reader that knows all of JSON
// (log/json_lines.h), which also says what is wrong with a line. So the scanner may give up
// wherever it likes, but must never accept a line that the other refuses, nor read it differently.
//
// It has two ways. any_line() reads a line token by token. Lines of a log differ in their times,
// names and values, the *holes*, and mostly in nothing else; so the pieces of text between the
// holes are kept, as a trie. line_of_known_pieces() follows the trie: it compares whole pieces and
// reads only what is in the holes.

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
  // Null if it gives up. Valid until the next call.
  [[nodiscard]] Line* scan(std::string_view text);

 private:
  // How the values of a variable or a field are written. Other: too rare to be scanned.
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

  struct Hole {
    enum class Kind { End, When, App, Field, Variable };
    Kind kind = Kind::End;
    std::uint32_t index = 0;  // of the field, or among all variables
    friend bool operator==(const Hole&, const Hole&) = default;
  };
  struct Piece {
    std::string letters;
    Hole hole;                        // follows the letters
    std::vector<std::uint32_t> next;  // pieces that may follow the hole
    // An offset at which no two of these pieces have the same eight letters, and those letters by
    // place in `next`. Nothing: the pieces have to be compared in full.
    std::optional<std::size_t> tell_at;
    std::vector<std::uint64_t> telling;
    // What the pieces up to here have said about the line.
    std::optional<std::uint32_t> stream;
    bool remove = false;
  };
  // A hole of a line and what stood in it.
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

  // The piece that follows `piece` at the cursor; null if none does.
  [[nodiscard]] const Piece* next_piece(const Cursor& cursor, const Piece& piece) const;
  void find_what_tells(Piece& piece) const;
  void keep_pieces(std::string_view text);
  // The piece that follows another one, made if it is new; nothing if there are too many.
  std::optional<std::uint32_t> piece_behind(std::uint32_t piece, std::string_view letters,
                                            const Hole& hole);

  const model::Model& model_;
  Monitor& monitor_;
  std::unordered_map<std::string_view, std::uint32_t> stream_names_;
  std::unordered_map<std::string_view, std::uint32_t> variable_names_;
  std::vector<Stream> streams_;
  std::vector<Target> variables_;
  std::vector<Piece> pieces_;  // the first is the root of the trie, without letters

  // Of the line under way
  Line line_;
  std::vector<Assignment> assignments_;
  std::vector<Cell> element_;
  std::vector<Found> found_;
};

// 12, 12.5: seconds with at most nine decimals, in nanoseconds.
[[nodiscard]] std::optional<Time> plain_time(std::string_view seconds);

}  // namespace poise::watch
