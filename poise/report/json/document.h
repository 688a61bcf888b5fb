#pragma once

// A report as one JSON object, with each key on a line of its own, so that two reports can be
// compared line by line. It begins with `schema` and `model`, as all our reports do.

#include <cstddef>
#include <string>
#include <string_view>

#include "poise/base/extent.h"
#include "poise/base/source.h"
#include "poise/model/model.h"

namespace poise::report {

class Document {
 public:
  // `room` is about how many bytes it will have.
  Document(std::string_view schema, const model::Model& model, std::size_t room = 0);

  void add(std::string_view key, std::string_view json);
  // `complete`, and `stopped` where a limit was reached.
  void add(const Extent& extent);
  // A list with each item on a line of its own. Appends to the text directly: it can be long, and a
  // copy would double the memory.
  template <class Items, class JsonOf>
  void add_lines(std::string_view key, const Items& items, const JsonOf& json_of) {
    add(key, "[");
    bool first = true;
    for (const auto& item : items) {
      text_ += first ? "\n    " : ",\n    ";
      text_ += json_of(item);
      first = false;
    }
    text_ += first ? "]" : "\n  ]";
  }

  // Nothing can be added any more.
  [[nodiscard]] std::string finished();

 private:
  std::string text_;
};

// {"file": "home.poise", "line": 3, "column": 7}
[[nodiscard]] std::string json_place(const model::Model& model, const Position& at);

}  // namespace poise::report
