#include "poise/watch/scanner.h"

#include <algorithm>

#include "poise/log/entry.h"

namespace poise::watch {

using model::TypeKind;

namespace {

// A cell that is not read yet.
constexpr Cell kUnread = kNone + 1;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

Scanner::Scanner(const model::Model& model, Monitor& monitor) : model_(model), monitor_(monitor) {
  for (const model::VariableId id : model.variables.ids()) {
    const model::Variable& variable = model.variables[id];
    if (variable.query) continue;
    variable_names_.emplace(variable.name, static_cast<std::uint32_t>(variables_.size()));
    Target& one = variables_.emplace_back(
        target(variable.type, monitor.program().scale(variable.first_slot)));
    one.slot = variable.first_slot;
  }
  for (const model::StreamId id : model.streams.ids()) {
    const model::Stream& stream = model.streams[id];
    stream_names_.emplace(stream.name, id.index);
    Stream& known = streams_.emplace_back();
    for (std::size_t i = 0; i < stream.fields.size(); ++i) {
      const model::Field& field = stream.fields[i];
      known.names.push_back(field.name);
      known.fields.push_back(target(field.type, monitor.program().scale(id, i)));
      if (field.text) known.fields.back().kind = Target::Kind::Text;
    }
  }
}

Scanner::Target Scanner::target(const model::Type& type, Scale scale) const {
  Target result;
  result.scale = scale;
  switch (type.kind) {
    case TypeKind::Bool: result.kind = Target::Kind::Bool; break;
    case TypeKind::Int:
    case TypeKind::Real: {
      Numbers numbers;
      result.low = numbers.cell(type.low, scale);
      result.high = numbers.cell(type.high, scale);
      if (is_plain(result.low) && is_plain(result.high)) result.kind = Target::Kind::Number;
      break;
    }
    case TypeKind::Enum: {
      constexpr std::size_t kMost = 16;
      if (type.members.size() > kMost) break;
      result.kind = Target::Kind::Member;
      for (const model::SymbolId member : type.members) {
        result.members.emplace_back(model_.symbols[member], member.index);
      }
      break;
    }
    case TypeKind::Set: break;
  }
  return result;
}

void Scanner::skip_blanks() {
  while (at_ != end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\r')) ++at_;
}

bool Scanner::skip(char c) {
  skip_blanks();
  if (at_ == end_ || *at_ != c) return false;
  ++at_;
  return true;
}

bool Scanner::string(std::string_view& text) {
  if (!skip('"')) return false;
  const char* const begin = at_;
  while (at_ != end_ && *at_ >= ' ' && *at_ <= '~' && *at_ != '"' && *at_ != '\\') ++at_;
  if (at_ == end_ || *at_ != '"') return false;
  text = std::string_view(begin, static_cast<std::size_t>(at_ - begin));
  ++at_;
  return true;
}

// 12, -0.5: what fits a cell without a thought.
bool Scanner::number(Scale scale, Cell& cell) {
  skip_blanks();
  const bool negative = at_ != end_ && *at_ == '-';
  if (negative) ++at_;
  const char* const begin = at_;
  Cell value = 0;
  while (at_ != end_ && is_digit(*at_)) value = value * 10 + (*at_++ - '0');
  const auto digits = at_ - begin;
  if (digits == 0 || digits > 10 || (*begin == '0' && digits > 1)) return false;
  int decimals = 0;
  if (at_ != end_ && *at_ == '.') {
    ++at_;
    if (scale == Scale::Whole) return false;
    for (; at_ != end_ && is_digit(*at_) && decimals < 7; ++decimals) {
      value = value * 10 + (*at_++ - '0');
    }
    if (decimals == 0 || decimals == 7) return false;
  }
  if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) return false;
  if (scale == Scale::Millionths) {
    for (; decimals < 6; ++decimals) value *= 10;
  }
  cell = negative ? -value : value;
  return true;
}

bool Scanner::value(const Target& target, Cell& cell) {
  skip_blanks();
  const auto word = [&](std::string_view text) {
    if (std::string_view(at_, static_cast<std::size_t>(end_ - at_)).substr(0, text.size()) !=
        text) {
      return false;
    }
    at_ += text.size();
    return true;
  };
  switch (target.kind) {
    case Target::Kind::Bool:
      if (word("true")) {
        cell = 1;
        return true;
      }
      cell = 0;
      return word("false");
    case Target::Kind::Number:
      return number(target.scale, cell) && cell >= target.low && cell <= target.high;
    case Target::Kind::Member: {
      std::string_view text;
      if (!string(text)) return false;
      for (const auto& [name, member] : target.members) {
        if (name != text) continue;
        cell = member;
        return true;
      }
      return false;
    }
    case Target::Kind::Text: {
      std::string_view text;
      if (!string(text)) return false;
      cell = monitor_.text(text);
      held_.push_back(cell);
      return true;
    }
    case Target::Kind::Other: return false;
  }
  return false;
}

bool Scanner::element(std::uint32_t stream) {
  const Stream& known = streams_[stream];
  element_.assign(known.fields.size(), kUnread);
  if (!skip('{')) return false;
  if (!skip('}')) {
    do {
      std::string_view name;
      if (!string(name) || !skip(':')) return false;
      const auto field =
          static_cast<std::size_t>(std::ranges::find(known.names, name) - known.names.begin());
      if (field == known.names.size() || element_[field] != kUnread) return false;
      if (!value(known.fields[field], element_[field])) return false;
    } while (skip(','));
    if (!skip('}')) return false;
  }
  std::ranges::replace(element_, kUnread, kNone);
  return true;
}

bool Scanner::assignments() {
  if (!skip('{')) return false;
  if (skip('}')) return true;
  do {
    std::string_view name;
    if (!string(name) || !skip(':')) return false;
    const auto variable = variable_names_.find(name);
    if (variable == variable_names_.end()) return false;
    const Target& target = variables_[variable->second];
    Assignment& assignment = assignments_.emplace_back();
    assignment.slot = target.slot;
    if (!value(target, assignment.value)) return false;
    const auto same = [&](const Assignment& other) { return other.slot == assignment.slot; };
    if (std::ranges::count_if(assignments_, same) > 1) return false;
  } while (skip(','));
  return skip('}');
}

bool Scanner::line(Line& into) {
  bool app = false;
  bool change = false;
  if (!skip('{')) return false;
  do {
    std::string_view key;
    if (!string(key) || !skip(':')) return false;
    if (key == "t" && !into.time) {
      skip_blanks();
      const char* const begin = at_;
      while (at_ != end_ && (is_digit(*at_) || *at_ == '.')) ++at_;
      into.time = plain_time({begin, static_cast<std::size_t>(at_ - begin)});
      if (!into.time) return false;
    } else if (key == "app" && !app) {
      app = true;
      if (!string(into.app)) return false;
    } else if (key == "set" && !change) {
      change = true;
      if (!assignments()) return false;
    } else if ((key == "add" || key == "remove") && !change) {
      change = true;
      std::string_view name;
      if (!string(name)) return false;
      const auto stream = stream_names_.find(name);
      std::string_view next;
      if (stream == stream_names_.end() || !skip(',') || !string(next) || next != "value" ||
          !skip(':') || !element(stream->second)) {
        return false;
      }
      into.event.stream = model::StreamId{stream->second};
      into.event.remove = key == "remove";
    } else {
      return false;
    }
  } while (skip(','));
  if (!skip('}') || (!change && !into.time)) return false;
  skip_blanks();
  return at_ == end_;
}

void Scanner::drop_texts() {
  for (const Cell text : held_) monitor_.drop_text(text);
}

std::optional<Scanner::Line> Scanner::scan(std::string_view text) {
  if (text.size() > log::kMaxLineSize) return std::nullopt;
  at_ = text.data();
  end_ = text.data() + text.size();
  assignments_.clear();
  held_.clear();
  Line result;
  if (!line(result)) {
    drop_texts();
    return std::nullopt;
  }
  result.event.assignments = assignments_;
  if (result.event.stream) result.event.element = element_;
  return result;
}

std::optional<Time> plain_time(std::string_view text) {
  // Some two hundred years.
  constexpr Time kMostSeconds = 7'000'000'000;
  constexpr std::size_t kDigits = 10;
  const std::size_t point = std::min(text.find('.'), text.size());
  if (point == 0 || point > kDigits || text.size() > point + 10) return std::nullopt;
  if (text.front() == '0' && point > 1) return std::nullopt;
  if (text.size() == point + 1) return std::nullopt;
  Time time = 0;
  const auto digits = [&](std::string_view part) {
    for (const char c : part) {
      if (!is_digit(c)) return false;
      time = time * 10 + (c - '0');
    }
    return true;
  };
  const std::string_view decimals = point < text.size() ? text.substr(point + 1) : "";
  if (!digits(text.substr(0, point)) || time > kMostSeconds || !digits(decimals)) {
    return std::nullopt;
  }
  for (std::size_t i = decimals.size(); i < 9; ++i) time *= 10;
  return time;
}

}  // namespace poise::watch
