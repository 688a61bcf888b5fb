#pragma once

// One line of a log: what it says about the context of an application, in terms of the model.
// json_lines.h and csv.h read entries, known.h puts them together.

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
    None,     // the variable has no value: what it depends on does not hold
    Unknown,  // from here on nothing is known: a gap
  };
  model::SlotId slot;
  Kind kind = Kind::Value;
  Rational value;  // 0 unless there is a value
  friend bool operator==(const Update&, const Update&) = default;
};

// Of an element of a stream. A field that is not named has no value.
struct FieldValue {
  enum class Kind { None, Number, Text };
  Kind kind = Kind::None;
  Rational number;        // also of a boolean or a member, as in a slot
  std::string_view text;  // of a field that is a `string`
};

// An element that came, or that is taken back.
struct ElementChange {
  model::StreamId stream;
  bool removed = false;
  std::vector<FieldValue> fields;  // as the stream declares them
};

// A slot occurs at most once. What a reader returns is its own buffer: it is valid until it reads
// the next line, the name of the instance as long as the reader lives.
struct Entry {
  std::size_t line = 0;
  std::optional<double> time;  // in seconds
  std::string_view app;        // the instance; empty if the log has only one
  std::vector<Update> updates;
  std::optional<ElementChange> element;
  std::string_view time_text;  // as written; empty if there is none
};

// A name in a log that the model does not know.
struct UnknownName {
  std::string name;  // fit to be shown
  std::size_t line = 0;
};

}  // namespace poise::log
