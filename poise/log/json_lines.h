#pragma once

// Reads a log in JSON Lines, a change a line, against a model.
//
//   {"t": 12.5, "app": "forklift-3", "set": {"gps.on": true, "gps.speed": 7.2, "gps.place": null}}
//   {"t": 12.9, "add": "bt.devices", "value": "home_pc"}
//   {"t": 13.0, "remove": "bt.devices", "value": "home_pc"}
//
// `t` and `app` may be left out, and a line with nothing but `t` says that time goes on. A number
// is taken exactly as written. For a variable with a guard `null` means that it has no value; for
// others, that nothing is known. Names that the model does not know are counted and left out.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poise/base/result.h"
#include "poise/json/reader.h"
#include "poise/log/entry.h"
#include "poise/log/instances.h"
#include "poise/log/vocabulary.h"
#include "poise/model/model.h"

namespace poise::log {

class JsonLines {
 public:
  // Checked: a line is refused if its time is before that of the last line of its instance.
  // Unchecked: any time will do, and Entry::app is valid only until the next line is read.
  enum class Times { Checked, Unchecked };

  // The model must outlive it.
  explicit JsonLines(const model::Model& model, Times times = Times::Checked);

  // nullptr for a blank line. A line with an error changes nothing: the next one is read as if it
  // had not been there.
  [[nodiscard]] Result<const Entry*> read(std::size_t line_number, std::string_view line);

  // How many names were left out because the model does not know them; the first of them.
  [[nodiscard]] std::size_t unknown_names() const { return unknown_count_; }
  [[nodiscard]] const std::optional<UnknownName>& first_unknown() const { return first_unknown_; }
  // Goes on counting where the reader of an earlier run stopped.
  void go_on_from(std::size_t unknown_names, std::optional<UnknownName> first_unknown) {
    unknown_count_ = unknown_names;
    first_unknown_ = std::move(first_unknown);
  }

 private:
  class Line;

  Vocabulary vocabulary_;
  Times times_;
  Instances instances_;
  std::string scratch_;
  Entry entry_;
  std::vector<json::Key> unknown_;          // names in the line under way
  std::vector<std::uint64_t> assigned_in_;  // by variable: the last call of read() that assigned it
  std::uint64_t calls_ = 0;
  std::size_t unknown_count_ = 0;
  std::optional<UnknownName> first_unknown_;
};

}  // namespace poise::log
