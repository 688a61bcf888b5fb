#pragma once

// A report as one JSON object, with each key on a line of its own, so that two reports can be
// compared line by line. It begins with `schema` and `model`, as all our reports do.

#include <cstddef>
#include <string>
#include <string_view>

#include "poise/base/extent.h"
#include "poise/base/source.h"
#include "poise/model/model.h"
#include "poise/report/sink.h"

namespace poise::report {

class Document {
 public:
  // `sink` gets what was added, now and then; without one the document is kept as a whole.
  Document(std::string_view schema, const model::Model& model, Sink sink = nullptr);

  void add(std::string_view key, std::string_view json);
  // `complete`, and `stopped` where a limit was reached.
  void add(const Extent& extent);
  // A list with each item on a line of its own.
  template <class Items, class JsonOf>
  void add_lines(std::string_view key, const Items& items, const JsonOf& json_of) {
    add(key, "[");
    bool first = true;
    for (const auto& item : items) {
      text_ += first ? "\n    " : ",\n    ";
      text_ += json_of(item);
      first = false;
      if (text_.size() > kPiece) flush();
    }
    text_ += first ? "]" : "\n  ]";
  }

  // What the sink did not get yet, with a line break at the end. Nothing can be added any more.
  [[nodiscard]] std::string finished();

 private:
  static constexpr std::size_t kPiece = 1 << 16;  // bytes that the sink gets at once, about

  void flush();

  Sink sink_;
  std::string text_;
};

// {"file": "home.poise", "line": 3, "column": 7}
[[nodiscard]] std::string json_place(const model::Model& model, const Position& at);

}  // namespace poise::report
