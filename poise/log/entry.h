#pragma once

// One line of a log in terms of the model: the values and the elements that it gives to the context
// of an application. json_lines.h and csv.h read entries, known_context.h puts them together.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/rational.h"
#include "poise/model/model.h"

namespace poise::log {

// A longer line is refused, so that a file without line breaks cannot fill the memory.
inline constexpr std::size_t kMaxLineSize = std::size_t{1} << 20;

struct Update {
  enum class Kind {
    Value,    // in the slot's domain
    None,     // the variable has no value, because its guard does not hold
    Unknown,  // nothing is known from here on: a gap in the log
  };
  model::SlotId slot;
  Kind kind = Kind::Value;
  Rational value;  // 0 unless there is a value
  friend bool operator==(const Update&, const Update&) = default;
};

// The value of a field of an element. A field that the line does not name has none.
struct FieldValue {
  enum class Kind { None, Number, Text };
  Kind kind = Kind::None;
  Rational number;        // of a boolean or a member, too: as in a slot
  std::string_view text;  // if the field is a `string`
};

// An element that comes, or that is taken back.
struct ElementChange {
  model::StreamId stream;
  bool removed = false;
  std::vector<FieldValue> fields;  // in the order in which the stream declares them
};

// A slot occurs at most once in `updates`. An entry is a buffer of its reader and valid until that
// reads the next line; the name of the instance is valid as long as the reader lives, unless
// JsonLines::Times says otherwise.
struct Entry {
  std::size_t line = 0;
  std::optional<double> time;  // in seconds, rounded
  std::string_view app;        // the instance; empty if the log has only one
  std::vector<Update> updates;
  std::optional<ElementChange> element;
  std::string_view time_text;  // the time as written, for exact reading; empty if there is none
};

// A name in a log that the model does not know.
struct UnknownName {
  std::string name;  // shown() already
  std::size_t line = 0;
};

}  // namespace poise::log
