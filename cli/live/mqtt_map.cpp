#include "cli/live/mqtt_map.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/base/utf8.h"
#include "poise/json/reader.h"
#include "poise/json/writer.h"
#include "poise/log/entry.h"
#include "poise/log/vocabulary.h"

namespace poise::cli {

namespace {

using Action = MqttRow::Action;

constexpr std::size_t kMostTopic = 65535;  // bytes; MQTT has two for its length

// ---- Topics ----

// The first level of a topic; `rest` becomes what is behind it, or nothing after the last.
std::string_view next_level(std::optional<std::string_view>& rest) {
  const std::string_view all = *rest;
  const std::size_t slash = all.find('/');
  rest = slash == std::string_view::npos ? std::nullopt : std::optional(all.substr(slash + 1));
  return all.substr(0, slash);
}

std::optional<std::string> mistake_in_name(std::string_view topic) {
  if (topic.empty()) return "a topic has at least one letter";
  if (topic.size() > kMostTopic) return fmt::format("a topic has at most {} bytes", kMostTopic);
  if (first_invalid_byte(topic)) return "a topic must be UTF-8";
  if (topic.find('\0') != std::string_view::npos) return "a topic has no zero bytes";
  return std::nullopt;
}

// ---- Reading a map ----

struct Word {
  std::string_view text;  // without quotes
  std::size_t at = 0;
  bool quoted = false;
  [[nodiscard]] bool is(std::string_view keyword) const { return !quoted && text == keyword; }
};

constexpr std::string_view kBlanks = " \t\r";

// Reads one line of a map. The first mistake stays: from then on every function fails.
class RowReader {
 public:
  RowReader(std::string_view line, const model::Model& model, const log::Vocabulary& vocabulary)
      : line_(line), model_(model), vocabulary_(vocabulary) {}

  [[nodiscard]] std::optional<MqttRow> read() {
    split();
    if (mistake_) return std::nullopt;
    read_topic();
    if (!mistake_) read_action();
    while (!mistake_ && !at_end()) read_clause();
    if (mistake_) return std::nullopt;
    return row_;
  }
  [[nodiscard]] MqttMapMistake mistake(std::size_t number) const {
    return {
        .line = number, .column = display_width(line_.substr(0, at_)) + 1, .message = *mistake_};
  }

 private:
  void fail(std::size_t at, std::string message) {
    if (mistake_) return;
    mistake_ = std::move(message);
    at_ = at;
  }

  void split() {
    if (const auto invalid = first_invalid_byte(line_)) return fail(*invalid, "not UTF-8");
    std::size_t at = 0;
    while (true) {
      at = line_.find_first_not_of(kBlanks, at);
      if (at == std::string_view::npos) return;
      if (line_[at] == '"') {
        const std::size_t end = line_.find('"', at + 1);
        if (end == std::string_view::npos) return fail(at, "a text in quotes that does not end");
        words_.push_back({line_.substr(at + 1, end - at - 1), at, true});
        at = end + 1;
      } else {
        const std::size_t end = std::min(line_.find_first_of(kBlanks, at), line_.size());
        words_.push_back({line_.substr(at, end - at), at, false});
        at = end;
      }
    }
  }

  [[nodiscard]] bool at_end() const { return next_ == words_.size(); }
  [[nodiscard]] bool sees(std::string_view keyword) const {
    return !at_end() && words_[next_].is(keyword);
  }
  bool eat(std::string_view keyword) {
    if (!sees(keyword)) return false;
    ++next_;
    return true;
  }
  // The next word, or a complaint that it is missing.
  const Word* expect(std::string_view what) {
    if (!at_end()) return &words_[next_++];
    fail(line_.find_last_not_of(kBlanks) + 1, fmt::format("{} is missing", what));
    return nullptr;
  }

  void read_topic() {
    if (!eat("topic")) {
      return fail(words_.front().at, fmt::format("a row begins with `topic`, not with `{}`",
                                                 log::shown(words_.front().text)));
    }
    const Word* filter = expect("a topic");
    if (filter == nullptr) return;
    if (const auto mistake = mistake_in_filter(filter->text)) return fail(filter->at, *mistake);
    row_.filter = filter->text;
    const Word* arrow = expect("`->`");
    if (arrow != nullptr && !arrow->is("->")) {
      fail(arrow->at, fmt::format("expected `->`, not `{}`", log::shown(arrow->text)));
    }
  }

  void read_action() {
    const Word* verb = expect("`set`, `add`, `remove` or `line`");
    if (verb == nullptr) return;
    if (verb->is("line")) {
      row_.action = Action::Line;
    } else if (verb->is("set")) {
      read_set();
    } else if (verb->is("add") || verb->is("remove")) {
      row_.action = verb->is("add") ? Action::Add : Action::Remove;
      read_collection();
    } else {
      fail(verb->at, fmt::format("expected `set`, `add`, `remove` or `line`, not `{}`",
                                 log::shown(verb->text)));
    }
  }

  void read_set() {
    row_.action = Action::SetAll;
    if (at_end() || sees("app") || sees("time")) return;
    const Word& name = words_[next_++];
    if (!vocabulary_.variable(name.text)) return fail_unknown("variable", name);
    row_.action = Action::SetOne;
    row_.name = name.text;
    if (eat("from")) {
      row_.action = Action::SetField;
      if (const Word* field = expect("the name of a field")) row_.field = field->text;
    } else {
      read_as_text();
    }
  }

  void read_collection() {
    const Word* name = expect("the name of a stream or set");
    if (name == nullptr) return;
    row_.name = name->text;
    is_stream_ = vocabulary_.stream(name->text).has_value();
    if (is_stream_) return;
    const auto variable = vocabulary_.variable(name->text);
    if (!variable) return fail_unknown("stream or set", *name);
    if (model_.variables[*variable].type.kind != model::TypeKind::Set) {
      return fail(name->at, fmt::format("`{}` is neither a stream nor a set", name->text));
    }
    read_as_text();
  }

  void read_as_text() {
    if (!eat("as")) return;
    const Word* text = expect("`text`");
    if (text != nullptr && !text->is("text")) {
      return fail(text->at, fmt::format("expected `text`, not `{}`", log::shown(text->text)));
    }
    row_.text = true;
  }

  void read_clause() {
    const Word& word = words_[next_++];
    if (word.is("app")) {
      read_app(word);
    } else if (word.is("time")) {
      read_time(word);
    } else {
      fail(word.at, fmt::format("expected `app`, `time` or the end of the line, not `{}`",
                                log::shown(word.text)));
    }
  }

  void read_app(const Word& clause) {
    if (row_.action == Action::Line) {
      return fail(clause.at, "a `line` says itself which instance it is about");
    }
    if (std::exchange(has_app_, true)) return fail(clause.at, "`app` for the second time");
    const Word* name = expect("the name of an instance, or `+1`,");
    if (name == nullptr) return;
    if (name->quoted || !name->text.starts_with('+')) {
      row_.app = name->text;
      return;
    }
    const std::string_view digits = name->text.substr(1);
    const auto wildcards = static_cast<std::size_t>(std::ranges::count(row_.filter, '+'));
    std::size_t number = 0;
    for (const char c : digits.substr(0, 6)) {
      if (c < '0' || c > '9') {
        return fail(name->at,
                    fmt::format("expected `+` and a number, not `{}`", log::shown(name->text)));
      }
      number = number * 10 + static_cast<std::size_t>(c - '0');
    }
    if (number == 0 || number > wildcards || digits.size() > 6) {
      return fail(name->at,
                  fmt::format("`{}`, where the topic has {}", log::shown(name->text),
                              wildcards == 0 ? "no `+`" : fmt::format("{} `+`", wildcards)));
    }
    row_.app_wildcard = number;
  }

  void read_time(const Word& clause) {
    const bool fields =
        row_.action == Action::SetAll || row_.action == Action::SetField || is_stream_;
    if (row_.action == Action::Line) return fail(clause.at, "a `line` says itself when it was");
    if (!fields) return fail(clause.at, "the payload has no fields, so none can be the time");
    if (std::exchange(has_time_, true)) return fail(clause.at, "`time` for the second time");
    const Word* field = expect("the name of a field");
    if (field == nullptr) return;
    row_.time_field = field->text;
    if (row_.time_field == row_.field) {
      fail(field->at, fmt::format("`{}` cannot be the value and the time", field->text));
    }
  }

  void fail_unknown(std::string_view what, const Word& name) {
    std::vector<std::string_view> known;
    for (const model::Variable& variable : model_.variables) {
      if (!variable.query) known.push_back(variable.name);
    }
    for (const model::Stream& stream : model_.streams) known.push_back(stream.name);
    const auto guess = name.text.size() < 100 ? closest(name.text, known) : std::nullopt;
    fail(name.at, fmt::format("unknown {} `{}`{}", what, log::shown(name.text),
                              guess ? fmt::format("; did you mean `{}`?", *guess) : ""));
  }

  std::string_view line_;
  const model::Model& model_;
  const log::Vocabulary& vocabulary_;
  std::vector<Word> words_;
  std::size_t next_ = 0;
  MqttRow row_;
  bool is_stream_ = false;
  bool has_app_ = false;
  bool has_time_ = false;
  std::optional<std::string> mistake_;
  std::size_t at_ = 0;
};

// ---- Messages ----

// The fields of a payload, as JSON.
struct Fields {
  std::string members;      // all but the time, with commas between them
  std::string_view time;    // the value of the field that has the time
  std::string_view wanted;  // the value of the field that the row asks for
};

Result<Fields> fields_from(const MqttRow& row, std::string_view payload, std::string& scratch) {
  json::Reader json(payload, scratch);
  Fields fields;
  json.begin_object();
  while (const auto key = json.next_key()) {
    const std::size_t begin = json.key_offset();
    const bool is_time = !row.time_field.empty() && *key == row.time_field;
    const bool is_wanted = row.action == Action::SetField && *key == row.field;
    const json::Reader::Kind kind = json.kind();
    const std::size_t value_at = json.offset();
    const auto value = json.any();
    if (!value) break;
    if (is_time && kind != json::Reader::Kind::Number) {
      json.fail(value_at,
                fmt::format("`{}` takes a number of seconds", log::shown(row.time_field)));
    } else if ((is_time && !fields.time.empty()) || (is_wanted && !fields.wanted.empty())) {
      json.fail(begin, fmt::format("`{}` for the second time",
                                   log::shown(is_time ? row.time_field : row.field)));
    } else if (is_time) {
      fields.time = *value;
    } else if (is_wanted) {
      fields.wanted = *value;
    } else if (row.action != Action::SetField) {
      if (!fields.members.empty()) fields.members += ", ";
      fields.members += payload.substr(begin, value_at + value->size() - begin);
    }
  }
  if (!json.finish()) return json.error();
  return fields;
}

// The payload, if it is one value and nothing else.
Result<std::string_view> value_from(std::string_view payload, std::string& scratch) {
  json::Reader json(payload, scratch);
  const auto value = json.any();
  if (!value || !json.finish()) return json.error();
  return *value;
}

std::string app_of(const MqttRow& row, std::string_view topic) {
  if (row.app_wildcard == 0) return row.app;
  const auto parts = matched(row.filter, topic);
  return parts ? std::string((*parts)[row.app_wildcard - 1]) : "";
}

std::string line_of(const MqttRow& row, std::string_view topic, std::string_view time,
                    std::string_view value) {
  json::Object line(value.size() + 64);
  line.add("t", time);
  const std::string app = app_of(row, topic);
  if (!app.empty()) line.add_text("app", app);
  switch (row.action) {
    case Action::SetAll: line.add("set", value); break;
    case Action::SetOne:
    case Action::SetField:
      line.add("set", fmt::format("{{{}: {}}}", json::quoted(row.name), value));
      break;
    case Action::Add:
    case Action::Remove:
      line.add_text(row.action == Action::Add ? "add" : "remove", row.name);
      line.add("value", value);
      break;
    case Action::Line: break;
  }
  return line.json();
}

// A line break in JSON is only ever between tokens, where a blank does as well.
std::string on_one_line(std::string_view json) {
  std::string line(json);
  std::ranges::replace(line, '\n', ' ');
  std::ranges::replace(line, '\r', ' ');
  return line;
}

}  // namespace

std::optional<std::string> mistake_in_filter(std::string_view filter) {
  if (auto mistake = mistake_in_name(filter)) return mistake;
  if (filter.starts_with("$share/")) return "a shared subscription, which is not possible here";
  std::optional<std::string_view> rest = filter;
  while (rest) {
    const std::string_view level = next_level(rest);
    if (level.find_first_of("+#") != std::string_view::npos && level.size() > 1) {
      return fmt::format("`{}` stands for whole levels of a topic",
                         level[level.find_first_of("+#")]);
    }
    if (level == "#" && rest) return "nothing can follow `#` in a topic";
  }
  return std::nullopt;
}

std::optional<std::string> mistake_in_topic(std::string_view topic) {
  if (auto mistake = mistake_in_name(topic)) return mistake;
  if (topic.find_first_of("+#") != std::string_view::npos)
    return "a topic to publish to has neither `+` nor `#`";
  return std::nullopt;
}

std::optional<std::vector<std::string_view>> matched(std::string_view filter,
                                                     std::string_view topic) {
  // By the standard, a filter that begins with a wildcard does not match the topics of the broker
  // itself, $SYS and the like.
  const bool wild = filter.starts_with('+') || filter.starts_with('#');
  if (topic.empty() || (wild && topic.starts_with('$'))) return std::nullopt;
  std::vector<std::string_view> parts;
  std::optional<std::string_view> filter_rest = filter;
  std::optional<std::string_view> topic_rest = topic;
  while (filter_rest) {
    const std::string_view wanted = next_level(filter_rest);
    if (wanted == "#") return parts;  // it also matches the level above it
    if (!topic_rest) return std::nullopt;
    const std::string_view level = next_level(topic_rest);
    if (wanted == "+") {
      parts.push_back(level);
    } else if (wanted != level) {
      return std::nullopt;
    }
  }
  if (topic_rest) return std::nullopt;
  return parts;
}

ReadMqttMap mqtt_map_from(std::string_view text, const model::Model& model) {
  ReadMqttMap result;
  if (text.size() > kMostMqttMap) {
    result.mistakes.push_back({1, 1, fmt::format("a file of more than {} bytes", kMostMqttMap)});
    return result;
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  const log::Vocabulary vocabulary(model);
  MqttMap map;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t begin = line.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos || line[begin] == '#') continue;
    RowReader reader(line, model, vocabulary);
    if (std::optional<MqttRow> row = reader.read()) {
      map.rows.push_back(*std::move(row));
    } else {
      result.mistakes.push_back(reader.mistake(number));
    }
  }
  if (map.rows.empty() && result.mistakes.empty()) {
    result.mistakes.push_back({1, 1, "no row: nothing would be read"});
  }
  if (result.mistakes.empty()) result.map = std::move(map);
  return result;
}

Result<std::optional<std::string>> line_from(const MqttRow& row, std::string_view topic,
                                             std::string_view payload, watch::Time arrival) {
  if (payload.size() > log::kMaxLineSize) {
    return failure(fmt::format("a payload of more than {} bytes", log::kMaxLineSize));
  }
  if (first_invalid_byte(topic) || first_invalid_byte(payload)) return failure("not UTF-8");
  std::string scratch;
  const std::string now = watch::seconds_text(arrival);
  if (row.action == Action::Line) return on_one_line(payload);
  if (row.text) return line_of(row, topic, now, json::quoted(payload));
  const bool fields =
      row.action == Action::SetAll || row.action == Action::SetField || !row.time_field.empty();
  if (!fields) {
    const Result<std::string_view> value = value_from(payload, scratch);
    if (!value) return Failure(value.error());
    return on_one_line(line_of(row, topic, now, *value));
  }
  const Result<Fields> object = fields_from(row, payload, scratch);
  if (!object) return Failure(object.error());
  const bool one = row.action == Action::SetField;
  if (one && object->wanted.empty()) return std::nullopt;
  if (!row.time_field.empty() && object->time.empty()) {
    return failure(fmt::format("no `{}`, which should be the time", log::shown(row.time_field)));
  }
  const std::string members = fmt::format("{{{}}}", object->members);
  return on_one_line(line_of(row, topic, row.time_field.empty() ? now : object->time,
                             one ? object->wanted : std::string_view(members)));
}

}  // namespace poise::cli
