#pragma once

// A log as a table: comma-separated values (RFC 4180, but a cell holds no line break). The header
// names variables of the model, and where the model has none of that name, `t` or `time` for the
// time in seconds and `app` for the instance. Every row says something about every column:
//
//   t,gps.on,gps.place,gps.speed,bt.devices
//   12.5,true,home,7.2,home_pc;office_pc
//   13.0,false,none,none,
//
// A set lists its members, with `;` or blanks between them. For others an empty cell says that
// nothing is known. `none` and `null` say, unless a member has that name, that the variable has no
// value; without a guard, that nothing is known.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/result.h"
#include "poise/log/entry.h"
#include "poise/log/instances.h"
#include "poise/log/vocabulary.h"
#include "poise/model/model.h"

namespace poise::log {

class Csv {
 public:
  // The model must outlive it.
  explicit Csv(const model::Model& model) : vocabulary_(model) {}

  // Reads the header; must be called once, before any other line. An error if it names no variable
  // of the model.
  [[nodiscard]] Result<void> header(std::string_view line);
  // nullptr for a blank line. A line with an error changes nothing.
  [[nodiscard]] Result<const Entry*> read(std::size_t line_number, std::string_view line);

  // How many columns are left out because the model does not know the variable; the first of them.
  [[nodiscard]] std::size_t unknown_names() const { return unknown_count_; }
  [[nodiscard]] const std::optional<UnknownName>& first_unknown() const { return first_unknown_; }

 private:
  struct Column {
    enum class Kind { Time, App, Variable, Unknown };
    Kind kind = Kind::Unknown;
    model::VariableId variable = {};
  };
  struct Cell {
    std::string_view text;
    std::size_t offset = 0;
  };

  [[nodiscard]] Result<void> split(std::string_view line);
  [[nodiscard]] Result<std::size_t> add_quoted(std::string_view line, std::size_t begin);
  [[nodiscard]] Column column_named(std::string_view name) const;
  [[nodiscard]] Result<void> add_updates(const model::Variable& variable, std::string_view text);
  [[nodiscard]] Result<void> add_members(const model::Variable& variable, std::string_view text);
  [[nodiscard]] Result<Rational> scalar(const model::Variable& variable,
                                        std::string_view text) const;

  Vocabulary vocabulary_;
  Instances instances_;
  std::vector<Column> columns_;
  std::vector<Cell> cells_;  // of the last line that was split
  std::string scratch_;
  Entry entry_;
  std::size_t unknown_count_ = 0;
  std::optional<UnknownName> first_unknown_;
};

}  // namespace poise::log
