#include "poise/log/json_lines.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/base/utf8.h"
#include "poise/json/number.h"

namespace poise::log {

namespace {

using model::TypeKind;
using model::Variable;

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

enum class Word { Time, App, Set, Add, Remove, Value };
constexpr std::array<std::string_view, 6> kWords = {"t", "app", "set", "add", "remove", "value"};

std::optional<Word> word_from(std::string_view key) {
  const auto found = std::ranges::find(kWords, key);
  if (found == kWords.end()) return std::nullopt;
  return static_cast<Word>(found - kWords.begin());
}

Error unknown_key(std::string_view key) {
  const auto guess = key.size() < 100 ? closest(key, kWords) : std::nullopt;
  return {fmt::format("unknown key `{}`{}", shown(key),
                      guess ? fmt::format("; did you mean `{}`?", *guess) : "")};
}

// The kind of JSON value that a type is written as.
json::Reader::Kind kind_for(TypeKind type) {
  switch (type) {
    case TypeKind::Bool: return json::Reader::Kind::Bool;
    case TypeKind::Int:
    case TypeKind::Real: return json::Reader::Kind::Number;
    case TypeKind::Enum: return json::Reader::Kind::String;
    case TypeKind::Set: return json::Reader::Kind::Array;
  }
  return json::Reader::Kind::Other;
}

}  // namespace

// One line while it is read. Keys come in any order, so whatever depends on several of them waits
// until all have been read. Only buffers change before the line is known to be right.
class JsonLines::Line {
 public:
  Line(JsonLines& log, std::string_view text) : log_(log), json_(text, log.scratch_) {}

  // Fills the buffers; false if the line is wrong.
  bool read();
  [[nodiscard]] Failure error() const { return json_.error(); }
  [[nodiscard]] std::string_view app() const { return app_; }
  [[nodiscard]] std::optional<double> time() const { return time_; }
  [[nodiscard]] std::string_view time_text() const { return time_text_; }

 private:
  void read_key(Word word);
  void read_time();
  void read_value();
  void read_assignments();
  void read_assignment(model::VariableId id);
  void read_scalar(const Variable& variable);
  void read_members(const Variable& variable);
  void change_member();
  void change_element(model::StreamId stream);
  void read_field(const model::Field& field, FieldValue& value);
  [[nodiscard]] bool has(Word word) const { return seen_[static_cast<std::size_t>(word)]; }
  void add(model::SlotId slot, Rational value) {
    log_.entry_.updates.push_back(
        {.slot = slot, .kind = Update::Kind::Value, .value = std::move(value)});
  }

  JsonLines& log_;
  json::Reader json_;
  std::array<bool, kWords.size()> seen_{};
  std::optional<double> time_;
  std::string_view time_text_;
  std::string_view app_;
  json::Key set_;     // the name in `add` or `remove`: a set or a stream
  json::Key member_;  // the `value`: where it is, and its text if it is a string
  json::Reader::Kind member_kind_ = json::Reader::Kind::Other;
};

bool JsonLines::Line::read() {
  json_.begin_object();
  while (const auto key = json_.next_key()) {
    const auto word = word_from(*key);
    if (!word) {
      json_.fail(json_.key_offset(), unknown_key(*key).message);
    } else if (std::exchange(seen_[static_cast<std::size_t>(*word)], true)) {
      json_.fail(json_.key_offset(), fmt::format("`{}` for the second time", *key));
    } else {
      read_key(*word);
    }
  }
  if (!json_.finish()) return false;

  const int changes = int{has(Word::Set)} + int{has(Word::Add)} + int{has(Word::Remove)};
  if (changes > 1) {
    json_.fail(0, "more than one of `set`, `add` and `remove`");
  } else if (changes == 0 && !has(Word::Time)) {
    json_.fail(0, "neither `set` nor `add` nor `remove`");
  } else if (has(Word::Value) != (has(Word::Add) || has(Word::Remove))) {
    json_.fail(0, has(Word::Value) ? "`value` without `add` or `remove`" : "no `value`");
  } else if (has(Word::Value)) {
    change_member();
  }
  return !json_.failed();
}

void JsonLines::Line::read_key(Word word) {
  switch (word) {
    case Word::Time: read_time(); break;
    case Word::App: app_ = json_.string().value_or(""); break;
    case Word::Set: read_assignments(); break;
    case Word::Add:
    case Word::Remove:
      set_.offset = json_.offset();
      set_.name = json_.string().value_or("");
      break;
    case Word::Value: read_value(); break;
  }
}

void JsonLines::Line::read_time() {
  const std::size_t begin = json_.offset();
  const auto text = json_.number();
  if (!text) return;
  time_text_ = *text;
  time_ = json::nearest_number(*text);
  if (!time_) json_.fail(begin, fmt::format("`{}` is not a time", shown(*text)));
}

void JsonLines::Line::read_value() {
  member_.offset = json_.offset();
  member_kind_ = json_.kind();
  if (member_kind_ == json::Reader::Kind::String) {
    member_.name = json_.string().value_or("");
  } else {
    json_.any();
  }
}

void JsonLines::Line::read_assignments() {
  json_.begin_object();
  while (const auto name = json_.next_key()) {
    const auto id = log_.vocabulary_.variable(*name);
    if (!id) {
      log_.unknown_.push_back({.name = *name, .offset = json_.key_offset()});
      json_.any();
    } else if (std::exchange(log_.assigned_in_[id->index], log_.calls_) == log_.calls_) {
      json_.fail(json_.key_offset(), fmt::format("`{}` for the second time", *name));
    } else {
      read_assignment(*id);
    }
  }
  if (log_.unknown_.size() < 2) return;
  const json::Key first = log_.unknown_.front();
  if (const auto again = json::repeated_key(log_.unknown_)) {
    json_.fail(again->offset, fmt::format("`{}` for the second time", shown(again->name)));
  }
  log_.unknown_.front() = first;  // the first by place, not by name, may be reported
}

void JsonLines::Line::read_assignment(model::VariableId id) {
  const Variable& variable = log_.vocabulary_.model().variables[id];
  const std::size_t begin = json_.offset();
  const json::Reader::Kind kind = json_.kind();
  if (kind == json::Reader::Kind::Null) {
    if (json_.null()) append_all(log_.entry_.updates, variable, meaning_of_null(variable));
    return;
  }
  if (kind == kind_for(variable.type.kind)) {
    kind == json::Reader::Kind::Array ? read_members(variable) : read_scalar(variable);
  } else if (const auto text = json_.any()) {
    json_.fail(begin, refusal(variable, *text).message);
  }
}

void JsonLines::Line::read_scalar(const Variable& variable) {
  const std::size_t begin = json_.offset();
  const model::SlotId slot = variable.first_slot;
  if (variable.type.kind == TypeKind::Bool) {
    if (const auto value = json_.boolean()) add(slot, std::int64_t{*value});
  } else if (variable.type.kind == TypeKind::Enum) {
    const auto name = json_.string();
    if (!name) return;
    const auto member = log_.vocabulary_.member(variable, *name);
    if (member) return add(slot, std::int64_t{variable.type.members[*member].index});
    json_.fail(begin, log_.vocabulary_.no_member(variable, *name).message);
  } else if (const auto text = json_.number()) {
    Result<Rational> value = number_for(variable, *text);
    if (value) return add(slot, *std::move(value));
    json_.fail(begin, value.error().message);
  }
}

// Every member is out unless the list names it.
void JsonLines::Line::read_members(const Variable& variable) {
  const std::size_t first = log_.entry_.updates.size();
  append_all(log_.entry_.updates, variable, Update::Kind::Value);
  json_.begin_array();
  while (json_.next_element()) {
    const std::size_t begin = json_.offset();
    const auto name = json_.string();
    if (!name) return;
    const auto member = log_.vocabulary_.member(variable, *name);
    if (member) {
      log_.entry_.updates[first + *member].value = 1;
    } else {
      json_.fail(begin, log_.vocabulary_.no_member(variable, *name).message);
    }
  }
}

void JsonLines::Line::change_member() {
  if (const auto stream = log_.vocabulary_.stream(set_.name)) return change_element(*stream);
  if (member_kind_ == json::Reader::Kind::Object && !log_.vocabulary_.variable(set_.name)) {
    log_.unknown_.push_back(set_);
    return;
  }
  if (member_kind_ != json::Reader::Kind::String)
    return json_.fail(member_.offset, "expected a string");
  const auto id = log_.vocabulary_.variable(set_.name);
  if (!id) {
    log_.unknown_.push_back(set_);
    return;
  }
  const Variable& variable = log_.vocabulary_.model().variables[*id];
  if (variable.type.kind != TypeKind::Set) {
    return json_.fail(set_.offset, fmt::format("`{}` is not a set", variable.name));
  }
  const auto member = log_.vocabulary_.member(variable, member_.name);
  if (member) return add(member_slot(variable, *member), has(Word::Add) ? 1 : 0);
  json_.fail(member_.offset, log_.vocabulary_.no_member(variable, member_.name).message);
}

// Goes back to the value, which may stand before the name of the stream and then was skipped.
void JsonLines::Line::change_element(model::StreamId id) {
  const model::Stream& stream = log_.vocabulary_.model().streams[id];
  ElementChange& change = log_.entry_.element.emplace();
  change.stream = id;
  change.removed = has(Word::Remove);
  change.fields.resize(stream.fields.size());
  std::vector<bool> named(stream.fields.size());
  json_.go_to(member_.offset);
  json_.begin_object();
  while (const auto name = json_.next_key()) {
    const auto field = std::ranges::find(stream.fields, *name, &model::Field::name);
    const auto index = static_cast<std::size_t>(field - stream.fields.begin());
    if (field == stream.fields.end()) {
      log_.unknown_.push_back({.name = *name, .offset = json_.key_offset()});
      json_.any();
    } else if (named[index]) {
      json_.fail(json_.key_offset(), fmt::format("`{}` for the second time", *name));
    } else {
      named[index] = true;
      read_field(*field, change.fields[index]);
    }
  }
}

void JsonLines::Line::read_field(const model::Field& field, FieldValue& value) {
  const std::size_t begin = json_.offset();
  const json::Reader::Kind kind = json_.kind();
  const auto number = [&](Rational of) {
    value.kind = FieldValue::Kind::Number;
    value.number = std::move(of);
  };
  if (kind == json::Reader::Kind::Null) {
    json_.null();
  } else if (field.text && kind == json::Reader::Kind::String) {
    value.kind = FieldValue::Kind::Text;
    value.text = json_.string().value_or("");
  } else if (field.text) {
    if (json_.any()) json_.fail(begin, fmt::format("`{}` takes a string", field.name));
  } else if (kind != kind_for(field.type.kind)) {
    if (const auto text = json_.any()) json_.fail(begin, refusal(field, *text).message);
  } else if (kind == json::Reader::Kind::Bool) {
    if (const auto truth = json_.boolean()) number(std::int64_t{*truth});
  } else if (kind == json::Reader::Kind::String) {
    const auto name = json_.string();
    if (!name) return;
    const auto member = log_.vocabulary_.member(field, *name);
    if (member) return number(std::int64_t{field.type.members[*member].index});
    json_.fail(begin, log_.vocabulary_.no_member(field, *name).message);
  } else if (const auto text = json_.number()) {
    Result<Rational> read = number_for(field, *text);
    if (read) return number(*std::move(read));
    json_.fail(begin, read.error().message);
  }
}

JsonLines::JsonLines(const model::Model& model, Times times)
    : vocabulary_(model), times_(times), assigned_in_(model.variables.size(), 0) {}

Result<const Entry*> JsonLines::read(std::size_t line_number, std::string_view line) {
  if (line_number == 1 && line.starts_with(kByteOrderMark)) {
    line.remove_prefix(kByteOrderMark.size());
  }
  if (line.size() > kMaxLineSize) {
    return failure(fmt::format("a line of more than {} bytes", kMaxLineSize));
  }
  if (is_blank(line)) return nullptr;
  if (const auto invalid = first_invalid_byte(line)) {
    return failure(json::column(line, *invalid) + "not UTF-8");
  }

  ++calls_;
  entry_.updates.clear();
  entry_.element.reset();
  unknown_.clear();
  Line reader(*this, line);
  if (!reader.read()) return reader.error();
  const Result<std::string_view> app = times_ == Times::Checked
                                           ? instances_.advance(reader.app(), reader.time())
                                           : Result<std::string_view>(reader.app());
  if (!app) return Failure(app.error());

  if (!unknown_.empty() && !first_unknown_) {
    first_unknown_ = {.name = shown(unknown_.front().name), .line = line_number};
  }
  unknown_count_ += unknown_.size();
  entry_.line = line_number;
  entry_.time = reader.time();
  entry_.time_text = reader.time_text();
  entry_.app = *app;
  return &entry_;
}

}  // namespace poise::log
