#include "poise/log/csv.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/check.h"
#include "poise/base/text.h"
#include "poise/base/utf8.h"
#include "poise/json/number.h"
#include "poise/json/reader.h"

namespace poise::log {

namespace {

using model::TypeKind;
using model::Variable;

constexpr std::string_view kBlanks = " \t";

std::string_view without_line_break(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) + 1 - first);
}

bool is_null(std::string_view text) { return text == "none" || text == "null"; }

// As spreadsheets and scripts write it.
std::optional<bool> truth_from(std::string_view text) {
  for (const std::string_view word : {"true", "True", "TRUE", "1"}) {
    if (text == word) return true;
  }
  for (const std::string_view word : {"false", "False", "FALSE", "0"}) {
    if (text == word) return false;
  }
  return std::nullopt;
}

}  // namespace

Result<void> Csv::header(std::string_view line) {
  POISE_CHECK(columns_.empty());
  if (line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
  if (const Result<void> done = split(line); !done) return done;
  std::vector<json::Key> names;
  std::vector<Column> columns;
  for (const Cell& cell : cells_) {
    if (cell.text.empty())
      return failure(json::column(line, cell.offset) + "a column without a name");
    const Column named = column_named(cell.text);
    // `t` and `time` are the same column.
    names.push_back(
        {.name = named.kind == Column::Kind::Time ? "t" : cell.text, .offset = cell.offset});
    columns.push_back(named);
  }
  if (const auto again = json::repeated_key(names)) {
    return failure(fmt::format("{}`{}` for the second time", json::column(line, again->offset),
                               shown(again->name)));
  }

  if (std::ranges::count(columns, Column::Kind::Variable, &Column::kind) == 0) {
    return failure("expected a header with a variable of the model");
  }

  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (columns[i].kind != Column::Kind::Unknown) continue;
    ++unknown_count_;
    if (!first_unknown_) first_unknown_ = {.name = shown(cells_[i].text), .line = 1};
  }
  columns_ = std::move(columns);
  return {};
}

Csv::Column Csv::column_named(std::string_view name) const {
  if (const auto id = vocabulary_.variable(name)) {
    return {.kind = Column::Kind::Variable, .variable = *id};
  }
  if (name == "t" || name == "time") return {.kind = Column::Kind::Time};
  if (name == "app") return {.kind = Column::Kind::App};
  return {.kind = Column::Kind::Unknown};
}

Result<const Entry*> Csv::read(std::size_t line_number, std::string_view line) {
  POISE_CHECK(!columns_.empty());
  if (trimmed(without_line_break(line)).empty()) return nullptr;
  if (const Result<void> done = split(line); !done) return Failure(done.error());
  if (cells_.size() != columns_.size()) {
    return failure(
        fmt::format("{}, but the header has {}", counted(cells_.size(), "cell"), columns_.size()));
  }
  entry_.updates.clear();
  std::string_view app;
  std::optional<double> time;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    const std::string_view text = cells_[i].text;
    Result<void> done;
    switch (columns_[i].kind) {
      case Column::Kind::Unknown: break;
      case Column::Kind::App: app = text; break;
      case Column::Kind::Time:
        if (text.empty()) break;
        if (json::number_length(text) == text.size()) time = json::nearest_number(text);
        if (!time) done = failure(fmt::format("`{}` is not a time", shown(text)));
        break;
      case Column::Kind::Variable:
        done = add_updates(vocabulary_.model().variables[columns_[i].variable], text);
        break;
    }
    if (!done) return failure(json::column(line, cells_[i].offset) + done.error().message);
  }
  const Result<std::string_view> instance = instances_.advance(app, time);
  if (!instance) return Failure(instance.error());
  entry_.line = line_number;
  entry_.time = time;
  entry_.app = *instance;
  return &entry_;
}

// Blanks around a cell do not belong to it. What is unquoted is written out in the scratch, which
// has room for the line and so does not move.
Result<void> Csv::split(std::string_view line) {
  if (line.size() > kMaxLineSize) {
    return failure(fmt::format("a line of more than {} bytes", kMaxLineSize));
  }
  line = without_line_break(line);
  if (const auto invalid = first_invalid_byte(line)) {
    return failure(json::column(line, *invalid) + "not UTF-8");
  }
  cells_.clear();
  scratch_.clear();
  scratch_.reserve(line.size());
  for (std::size_t begin = 0;; ++begin) {
    begin = std::min(line.find_first_not_of(kBlanks, begin), line.size());
    if (begin < line.size() && line[begin] == '"') {
      const Result<std::size_t> end = add_quoted(line, begin);
      if (!end) return Failure(end.error());
      begin = *end;
    } else {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      const std::string_view text = line.substr(begin, end - begin);
      if (const std::size_t quote = text.find('"'); quote != std::string_view::npos) {
        return failure(json::column(line, begin + quote) + "a quote inside a cell without quotes");
      }
      cells_.push_back({.text = trimmed(text), .offset = begin});
      begin = end;
    }
    if (begin == line.size()) return {};
  }
}

// Adds the cell that starts with a quote; returns where it ends: at a comma or at the end.
Result<std::size_t> Csv::add_quoted(std::string_view line, std::size_t begin) {
  const std::size_t start = scratch_.size();
  std::size_t at = begin + 1;
  while (true) {
    const std::size_t quote = line.find('"', at);
    if (quote == std::string_view::npos) {
      return failure(json::column(line, begin) + "a quote that is not closed");
    }
    scratch_ += line.substr(at, quote - at);
    at = quote + 1;
    if (at == line.size() || line[at] != '"') break;
    scratch_ += '"';
    ++at;
  }
  cells_.push_back({.text = std::string_view(scratch_).substr(start), .offset = begin});
  at = std::min(line.find_first_not_of(kBlanks, at), line.size());
  if (at < line.size() && line[at] != ',') {
    return failure(json::column(line, at) + "expected `,` after the quote");
  }
  return at;
}

Result<void> Csv::add_updates(const Variable& variable, std::string_view text) {
  const bool set = variable.type.kind == TypeKind::Set;
  const bool null = is_null(text) && !vocabulary_.member(variable, text);
  if (null || (text.empty() && !set)) {
    append_all(entry_.updates, variable, null ? meaning_of_null(variable) : Update::Kind::Unknown);
    return {};
  }
  if (set) return add_members(variable, text);
  Result<Rational> value = scalar(variable, text);
  if (!value) return Failure(value.error());
  entry_.updates.push_back(
      {.slot = variable.first_slot, .kind = Update::Kind::Value, .value = *std::move(value)});
  return {};
}

Result<void> Csv::add_members(const Variable& variable, std::string_view text) {
  constexpr std::string_view kBetween = "; \t";
  const std::size_t first = entry_.updates.size();
  append_all(entry_.updates, variable, Update::Kind::Value);
  std::size_t end = 0;
  while (true) {
    const std::size_t begin = text.find_first_not_of(kBetween, end);
    if (begin == std::string_view::npos) return {};
    end = std::min(text.find_first_of(kBetween, begin), text.size());
    const std::string_view name = text.substr(begin, end - begin);
    const auto member = vocabulary_.member(variable, name);
    if (!member) return Failure(vocabulary_.no_member(variable, name));
    entry_.updates[first + *member].value = 1;
  }
}

Result<Rational> Csv::scalar(const Variable& variable, std::string_view text) const {
  switch (variable.type.kind) {
    case TypeKind::Bool:
      if (const auto value = truth_from(text)) return Rational(std::int64_t{*value});
      break;
    case TypeKind::Int:
    case TypeKind::Real:
      if (json::number_length(text) == text.size()) return number_for(variable, text);
      break;
    case TypeKind::Enum: {
      const auto member = vocabulary_.member(variable, text);
      if (member) return Rational(std::int64_t{variable.type.members[*member].index});
      return Failure(vocabulary_.no_member(variable, text));
    }
    case TypeKind::Set: break;
  }
  return Failure(refusal(variable, text));
}

}  // namespace poise::log
