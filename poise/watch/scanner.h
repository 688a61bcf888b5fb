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
  // Nothing if it gives up; no text is held then.
  [[nodiscard]] std::optional<Line> scan(std::string_view text);

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

  // Each reads what comes next, or gives up.
  bool value(Cursor& cursor, const Target& target, Cell& cell);
  bool element(Cursor& cursor, const Stream& stream);
  bool assignments(Cursor& cursor);
  bool change(Cursor& cursor, Event& event);
  bool line(Cursor cursor, Line& into);
  void drop_texts();

  const model::Model& model_;
  Monitor& monitor_;
  std::unordered_map<std::string_view, std::uint32_t> stream_names_;
  std::unordered_map<std::string_view, std::uint32_t> variable_names_;
  std::vector<Stream> streams_;
  std::vector<Target> variables_;

  std::uint32_t last_stream_ = UINT32_MAX;
  std::vector<Assignment> assignments_;
  std::vector<Cell> element_;
  std::vector<Cell> held_;  // texts of the line under way
};

// 12, 12.5: seconds with at most nine decimals, in nanoseconds.
[[nodiscard]] std::optional<Time> plain_time(std::string_view seconds);

}  // namespace poise::watch
