#include "poise/watch/input/scanner.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "poise/base/text.h"
#include "poise/log/entry.h"

namespace poise::watch {

using model::TypeKind;

namespace {

// A cell that is not read yet.
constexpr Cell kUnread = kNone + 1;

// Decimals of a second that are kept.
constexpr std::size_t kTimeDecimals = 9;

constexpr std::array<std::int64_t, kTimeDecimals + 1> kPowers = [] {
  std::array<std::int64_t, kTimeDecimals + 1> powers{1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Characters that stand for themselves in a string of JSON.
constexpr std::array<bool, 256> kPlain = [] {
  std::array<bool, 256> plain{};
  for (int c = ' '; c <= '~'; ++c) plain[static_cast<std::size_t>(c)] = c != '"' && c != '\\';
  return plain;
}();

constexpr std::size_t kWord = 8;
std::uint64_t word_at(const char* letters) {
  std::uint64_t word = 0;
  std::memcpy(&word, letters, kWord);
  return word;
}

}  // namespace

// The place in the line. It is a local variable and not a member of the scanner, so that the
// compiler knows that nothing else changes it and keeps it in registers. Each function reads what
// comes next, or returns false.
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
  // Appends at most so many digits to a value; returns how many there were.
  std::size_t digits(std::size_t most, std::int64_t& value) {
    const char* const begin = at;
    const char* const last = at + std::min(most, static_cast<std::size_t>(end - at));
    for (; at != last && is_digit(*at); ++at) value = value * 10 + (*at - '0');
    return static_cast<std::size_t>(at - begin);
  }
  // A number in units of 10^-decimals: with `decimals` 6, 12.5 is 12500000. Gives up if there are
  // more decimals than that.
  bool number(std::size_t decimals, std::int64_t& value) {
    constexpr std::size_t kDigits = 10;
    // With nine decimals it still fits 64 bits: as seconds, some two hundred years.
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
    value *= kPowers[decimals - some];
    return true;
  }
};

Scanner::Scanner(const model::Model& model, Monitor& monitor)
    : model_(model), monitor_(monitor), pieces_(1) {
  for (const model::VariableId id : model.variables.ids()) {
    const model::Variable& variable = model.variables[id];
    if (variable.query) continue;
    variable_names_.emplace(variable.name, static_cast<std::uint32_t>(variables_.size()));
    Target& one = variables_.emplace_back(
        target(variable.type, monitor.watched().scale(variable.first_slot)));
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
      known.fields.push_back(target(field.type, monitor.watched().scale(id, i)));
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
      // No blanks after a minus.
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
      return true;
    }
    case Target::Kind::Other: return false;
  }
  return false;
}

bool Scanner::fill(Cursor& cursor, const Hole& hole) {
  switch (hole.kind) {
    case Hole::Kind::When: {
      Time& time = line_.time.emplace();
      return cursor.number(kTimeDecimals, time);
    }
    case Hole::Kind::App: return cursor.string(line_.app);
    case Hole::Kind::Field:
      return value(cursor, streams_[line_.event.stream->index].fields[hole.index],
                   element_[hole.index]);
    case Hole::Kind::Variable: {
      const Target& target = variables_[hole.index];
      Assignment& assignment = assignments_.emplace_back();
      assignment.slot = target.slot;
      return value(cursor, target, assignment.value);
    }
    case Hole::Kind::End: return cursor.at == cursor.end;
  }
  return false;
}

// ---- Any line ----

bool Scanner::found(Cursor& cursor, const Hole& hole) {
  const char* const begin = cursor.at;
  if (!fill(cursor, hole)) return false;
  found_.push_back({hole, begin, cursor.at});
  return true;
}

void Scanner::begin_element(std::uint32_t stream) {
  line_.event.stream = model::StreamId{stream};
  element_.assign(streams_[stream].fields.size(), kUnread);
}

bool Scanner::element(Cursor& cursor) {
  const std::vector<std::string>& names = streams_[line_.event.stream->index].names;
  if (!cursor.skip('{')) return false;
  if (cursor.skip('}')) return true;
  do {
    std::string_view name;
    if (!cursor.string(name) || !cursor.skip(':')) return false;
    const auto field = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
    if (field == names.size() || element_[field] != kUnread) return false;
    if (!found(cursor, {Hole::Kind::Field, static_cast<std::uint32_t>(field)})) return false;
  } while (cursor.skip(','));
  return cursor.skip('}');
}

bool Scanner::assignments(Cursor& cursor) {
  if (!cursor.skip('{')) return false;
  if (cursor.skip('}')) return true;
  do {
    std::string_view name;
    if (!cursor.string(name) || !cursor.skip(':')) return false;
    const auto variable = variable_names_.find(name);
    if (variable == variable_names_.end()) return false;
    const model::SlotId slot = variables_[variable->second].slot;
    if (std::ranges::find(assignments_, slot, &Assignment::slot) != assignments_.end()) {
      return false;
    }
    if (!found(cursor, {Hole::Kind::Variable, variable->second})) return false;
  } while (cursor.skip(','));
  return cursor.skip('}');
}

// `"B_stor", "value": {...}`
bool Scanner::change(Cursor& cursor) {
  std::string_view name;
  if (!cursor.string(name)) return false;
  const auto stream = stream_names_.find(name);
  if (stream == stream_names_.end()) return false;
  std::string_view next;
  if (!cursor.skip(',') || !cursor.string(next) || next != "value" || !cursor.skip(':')) {
    return false;
  }
  begin_element(stream->second);
  return element(cursor);
}

bool Scanner::any_line(Cursor cursor) {
  bool timed = false;
  bool app = false;
  bool changed = false;
  if (!cursor.skip('{')) return false;
  do {
    std::string_view key;
    if (!cursor.string(key) || !cursor.skip(':')) return false;
    if (key == "t" && !timed) {
      timed = true;
      if (!found(cursor, {Hole::Kind::When})) return false;
    } else if (key == "app" && !app) {
      app = true;
      if (!found(cursor, {Hole::Kind::App})) return false;
    } else if (key == "set" && !changed) {
      changed = true;
      if (!assignments(cursor)) return false;
    } else if ((key == "add" || key == "remove") && !changed) {
      changed = true;
      line_.event.remove = key == "remove";
      if (!change(cursor)) return false;
    } else {
      return false;
    }
  } while (cursor.skip(','));
  if (!cursor.skip('}') || (!changed && !timed)) return false;
  cursor.skip_blanks();
  return found(cursor, {Hole::Kind::End});
}

// ---- Lines of known pieces ----

const Scanner::Piece* Scanner::next_piece(const Cursor& cursor, const Piece& piece) const {
  const auto left = static_cast<std::size_t>(cursor.end - cursor.at);
  const auto comes = [&](const Piece& next) {
    return left >= next.letters.size() &&
           std::memcmp(cursor.at, next.letters.data(), next.letters.size()) == 0;
  };
  if (piece.tell_at && left >= *piece.tell_at + kWord) {
    const std::uint64_t told = word_at(cursor.at + *piece.tell_at);
    for (std::size_t i = 0; i < piece.next.size(); ++i) {
      if (piece.telling[i] != told) continue;
      const Piece& next = pieces_[piece.next[i]];
      return comes(next) ? &next : nullptr;
    }
    return nullptr;
  }
  for (const std::uint32_t next : piece.next) {
    if (comes(pieces_[next])) return &pieces_[next];
  }
  return nullptr;
}

// Looks for the first offset at which the eight letters of all following pieces are different.
void Scanner::find_what_tells(Piece& piece) const {
  piece.tell_at.reset();
  if (piece.next.size() < 2) return;
  std::size_t shortest = SIZE_MAX;
  for (const std::uint32_t next : piece.next) {
    shortest = std::min(shortest, pieces_[next].letters.size());
  }
  for (std::size_t at = 0; at + kWord <= shortest; ++at) {
    piece.telling.clear();
    for (const std::uint32_t next : piece.next) {
      const std::uint64_t word = word_at(pieces_[next].letters.data() + at);
      if (std::ranges::find(piece.telling, word) != piece.telling.end()) break;
      piece.telling.push_back(word);
    }
    if (piece.telling.size() < piece.next.size()) continue;
    piece.tell_at = at;
    return;
  }
}

bool Scanner::line_of_known_pieces(Cursor cursor) {
  const Piece* piece = pieces_.data();
  do {
    piece = next_piece(cursor, *piece);
    if (piece == nullptr) return false;
    cursor.at += piece->letters.size();
    if (piece->stream && !line_.event.stream) begin_element(*piece->stream);
    if (!fill(cursor, piece->hole)) return false;
  } while (piece->hole.kind != Hole::Kind::End);
  line_.event.remove = piece->remove;
  return true;
}

std::optional<std::uint32_t> Scanner::piece_behind(std::uint32_t piece, std::string_view letters,
                                                   const Hole& hole) {
  constexpr std::size_t kMostPieces = 128;
  constexpr std::size_t kMostNext = 8;
  constexpr std::size_t kMostLetters = 256;
  for (const std::uint32_t next : pieces_[piece].next) {
    if (pieces_[next].hole == hole && pieces_[next].letters == letters) return next;
  }
  if (pieces_.size() == kMostPieces || pieces_[piece].next.size() == kMostNext ||
      letters.size() > kMostLetters) {
    return std::nullopt;
  }
  const auto made = static_cast<std::uint32_t>(pieces_.size());
  pieces_.push_back({.letters = std::string(letters), .hole = hole});
  pieces_[piece].next.push_back(made);
  find_what_tells(pieces_[piece]);
  return made;
}

void Scanner::keep_pieces(std::string_view text) {
  std::uint32_t piece = 0;
  const char* at = text.data();
  for (const Found& found : found_) {
    const std::string_view letters(at, static_cast<std::size_t>(found.begin - at));
    const std::optional<std::uint32_t> next = piece_behind(piece, letters, found.hole);
    if (!next) return;
    piece = *next;
    at = found.end;
    const Hole::Kind kind = found.hole.kind;
    if (line_.event.stream && (kind == Hole::Kind::Field || kind == Hole::Kind::End)) {
      pieces_[piece].stream = line_.event.stream->index;
    }
    pieces_[piece].remove = line_.event.remove;
  }
}

// ---- A line ----

void Scanner::begin() {
  line_ = {};
  assignments_.clear();
  found_.clear();
}

Scanner::Line* Scanner::scan(std::string_view text) {
  if (text.size() > log::kMaxLineSize) return nullptr;
  const Cursor start{text.data(), text.data() + text.size()};
  begin();
  if (!line_of_known_pieces(start)) {
    begin();
    if (!any_line(start)) return nullptr;
    keep_pieces(text);
  }
  line_.event.assignments = assignments_;
  if (line_.event.stream) {
    std::ranges::replace(element_, kUnread, kNone);
    line_.event.element = element_;
  }
  return &line_;
}

std::optional<Time> plain_time(std::string_view seconds) {
  Scanner::Cursor cursor{seconds.data(), seconds.data() + seconds.size()};
  Time time = 0;
  if (!cursor.number(kTimeDecimals, time) || cursor.at != cursor.end) return std::nullopt;
  return time;
}

}  // namespace poise::watch
