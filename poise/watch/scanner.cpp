#include "poise/watch/scanner.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "poise/log/entry.h"

namespace poise::watch {

using model::TypeKind;

namespace {

// A cell that is not read yet.
constexpr Cell kUnread = kNone + 1;

// Decimals of a second that are kept.
constexpr std::size_t kNanoseconds = 9;

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Characters that stand for themselves in a string of JSON.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = ' '; c <= '~'; ++c) plain[static_cast<std::size_t>(c)] = c != '"' && c != '\\';
  return plain;
}();

}  // namespace

// Where in the line we are. A local of whoever reads a line, so that the compiler knows that nobody
// else moves it. Each function reads what comes next, or gives up.
struct Scanner::Cursor {
  const char* at;
  const char* end;

  void skip_blanks() {
    while (at != end && (*at == ' ' || *at == '\t' || *at == '\r')) ++at;
  }
  bool skip(char c) {
    skip_blanks();
    if (at == end || *at != c) return false;
    ++at;
    return true;
  }
  bool skip(std::string_view word) {
    skip_blanks();
    if (static_cast<std::size_t>(end - at) < word.size() ||
        std::memcmp(at, word.data(), word.size()) != 0) {
      return false;
    }
    at += word.size();
    return true;
  }
  bool string(std::string_view& text) {
    if (!skip('"')) return false;
    const char* const begin = at;
    while (at != end && kPlain[static_cast<unsigned char>(*at)]) ++at;
    if (at == end || *at != '"') return false;
    text = std::string_view(begin, static_cast<std::size_t>(at - begin));
    ++at;
    return true;
  }
  // Some digits more, at most so many; how many.
  std::size_t digits(std::size_t most, std::int64_t& value) {
    const char* const begin = at;
    while (at != end && is_digit(*at) && static_cast<std::size_t>(at - begin) < most) {
      value = value * 10 + (*at++ - '0');
    }
    return static_cast<std::size_t>(at - begin);
  }
  // 12, 12.5: a whole number of units, of which `decimals` decimals make one. Not if there are more
  // of them, nor if there may be none and is a point.
  bool number(std::size_t decimals, std::int64_t& value) {
    constexpr std::size_t kDigits = 10;
    // With nine decimals more, it still fits: as seconds, some two hundred years.
    constexpr std::int64_t kMost = 7'000'000'000;
    skip_blanks();
    const char* const begin = at;
    value = 0;
    const std::size_t whole = digits(kDigits, value);
    if (whole == 0 || (*begin == '0' && whole > 1) || value > kMost) return false;
    std::size_t some = 0;
    if (at != end && *at == '.') {
      ++at;
      some = digits(decimals, value);
      if (some == 0) return false;
    }
    if (at != end && (is_digit(*at) || *at == '.' || *at == 'e' || *at == 'E')) return false;
    for (; some < decimals; ++some) value *= 10;
    return true;
  }
};

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
    known.name = stream.name;
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

bool Scanner::value(Cursor& cursor, const Target& target, Cell& cell) {
  switch (target.kind) {
    case Target::Kind::Bool:
      cell = static_cast<Cell>(cursor.skip("true"));
      return cell == 1 || cursor.skip("false");
    case Target::Kind::Number: {
      constexpr std::size_t kDecimals = 6;
      const bool negative = cursor.skip('-');
      // What follows a minus follows at once.
      if (negative && (cursor.at == cursor.end || !is_digit(*cursor.at))) return false;
      if (!cursor.number(target.scale == Scale::Whole ? 0 : kDecimals, cell)) return false;
      if (negative) cell = -cell;
      return cell >= target.low && cell <= target.high;
    }
    case Target::Kind::Member: {
      std::string_view text;
      if (!cursor.string(text)) return false;
      for (const auto& [name, member] : target.members) {
        if (name != text) continue;
        cell = member;
        return true;
      }
      return false;
    }
    case Target::Kind::Text: {
      std::string_view text;
      if (!cursor.string(text)) return false;
      cell = monitor_.text(text);
      held_.push_back(cell);
      return true;
    }
    case Target::Kind::Other: return false;
  }
  return false;
}

bool Scanner::element(Cursor& cursor, const Stream& stream) {
  element_.assign(stream.fields.size(), kUnread);
  if (!cursor.skip('{')) return false;
  if (!cursor.skip('}')) {
    do {
      std::string_view name;
      if (!cursor.string(name) || !cursor.skip(':')) return false;
      const auto field =
          static_cast<std::size_t>(std::ranges::find(stream.names, name) - stream.names.begin());
      if (field == stream.names.size() || element_[field] != kUnread) return false;
      if (!value(cursor, stream.fields[field], element_[field])) return false;
    } while (cursor.skip(','));
    if (!cursor.skip('}')) return false;
  }
  std::ranges::replace(element_, kUnread, kNone);
  return true;
}

bool Scanner::assignments(Cursor& cursor) {
  if (!cursor.skip('{')) return false;
  if (cursor.skip('}')) return true;
  do {
    std::string_view name;
    if (!cursor.string(name) || !cursor.skip(':')) return false;
    const auto variable = variable_names_.find(name);
    if (variable == variable_names_.end()) return false;
    const Target& target = variables_[variable->second];
    Assignment& assignment = assignments_.emplace_back();
    assignment.slot = target.slot;
    if (!value(cursor, target, assignment.value)) return false;
    const auto same = [&](const Assignment& other) { return other.slot == assignment.slot; };
    if (std::ranges::count_if(assignments_, same) > 1) return false;
  } while (cursor.skip(','));
  return cursor.skip('}');
}

// `"B_stor", "value": {...}`
bool Scanner::change(Cursor& cursor, Event& event) {
  std::string_view name;
  if (!cursor.string(name)) return false;
  // Often the same as before.
  if (last_stream_ >= streams_.size() || streams_[last_stream_].name != name) {
    const auto stream = stream_names_.find(name);
    if (stream == stream_names_.end()) return false;
    last_stream_ = stream->second;
  }
  std::string_view next;
  if (!cursor.skip(',') || !cursor.string(next) || next != "value" || !cursor.skip(':')) {
    return false;
  }
  event.stream = model::StreamId{last_stream_};
  return element(cursor, streams_[last_stream_]);
}

bool Scanner::line(Cursor cursor, Line& into) {
  bool timed = false;
  bool app = false;
  bool changed = false;
  if (!cursor.skip('{')) return false;
  do {
    std::string_view key;
    if (!cursor.string(key) || !cursor.skip(':')) return false;
    if (key == "t" && !timed) {
      timed = true;
      Time time = 0;
      if (!cursor.number(kNanoseconds, time)) return false;
      into.time = time;
    } else if (key == "app" && !app) {
      app = true;
      if (!cursor.string(into.app)) return false;
    } else if (key == "set" && !changed) {
      changed = true;
      if (!assignments(cursor)) return false;
    } else if ((key == "add" || key == "remove") && !changed) {
      changed = true;
      into.event.remove = key == "remove";
      if (!change(cursor, into.event)) return false;
    } else {
      return false;
    }
  } while (cursor.skip(','));
  if (!cursor.skip('}') || (!changed && !timed)) return false;
  cursor.skip_blanks();
  return cursor.at == cursor.end;
}

void Scanner::drop_texts() {
  for (const Cell text : held_) monitor_.drop_text(text);
}

std::optional<Scanner::Line> Scanner::scan(std::string_view text) {
  if (text.size() > log::kMaxLineSize) return std::nullopt;
  assignments_.clear();
  held_.clear();
  Line result;
  if (!line({text.data(), text.data() + text.size()}, result)) {
    drop_texts();
    return std::nullopt;
  }
  result.event.assignments = assignments_;
  if (result.event.stream) result.event.element = element_;
  return result;
}

std::optional<Time> plain_time(std::string_view seconds) {
  Scanner::Cursor cursor{seconds.data(), seconds.data() + seconds.size()};
  Time time = 0;
  if (!cursor.number(kNanoseconds, time) || cursor.at != cursor.end) return std::nullopt;
  return time;
}

}  // namespace poise::watch
