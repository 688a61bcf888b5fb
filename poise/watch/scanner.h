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

// 12, 12.5: seconds with at most nine decimals, in nanoseconds.
[[nodiscard]] std::optional<Time> plain_time(std::string_view seconds);

class Scanner {
 public:
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
    std::vector<std::string> names;
    std::vector<Target> fields;
  };
  [[nodiscard]] Target target(const model::Type& type, Scale scale) const;

  // Each reads what comes next, or gives up.
  bool skip(char c);
  void skip_blanks();
  bool string(std::string_view& text);
  bool number(Scale scale, Cell& cell);
  bool value(const Target& target, Cell& cell);
  bool element(std::uint32_t stream);
  bool assignments();
  bool line(Line& into);
  void drop_texts();

  const model::Model& model_;
  Monitor& monitor_;
  std::unordered_map<std::string_view, std::uint32_t> stream_names_;
  std::unordered_map<std::string_view, std::uint32_t> variable_names_;
  std::vector<Stream> streams_;
  std::vector<Target> variables_;

  const char* at_ = nullptr;
  const char* end_ = nullptr;
  std::vector<Assignment> assignments_;
  std::vector<Cell> element_;
  std::vector<Cell> held_;  // texts of the line under way
};

}  // namespace poise::watch
