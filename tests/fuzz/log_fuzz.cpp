// Any bytes are a log, though perhaps one in which every line is wrong. A wrong line has no effect:
// a log without it leads to the same context. Every value that is read lies in its domain.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/check.h"
#include "poise/lang/lang.h"
#include "poise/log/csv.h"
#include "poise/log/json_lines.h"
#include "poise/log/known_context.h"

namespace {

using namespace poise;

const model::Model& phone() {
  static const lang::Parsed parsed = lang::parse({.name = "phone.poise", .text = R"(
    sense gps.on     : bool
    sense gps.fix    : bool if gps.on
    sense gps.place  : {home, office, none} if gps.fix
    sense gps.speed  : real 0..350 if gps.fix
    sense bt.devices : set {car, home_pc}
    sense bt.near    : set {home_pc, tag} if gps.on
    sense bt.count   : int -5..50
    var ringer       : {loud, mute} = loud
    state A initial
    rule a: A -> A when gps.on and gps.fix or gps.place == home and gps.speed > 5.5
    rule b: A -> A when bt.devices has car or bt.near has tag or gps.speed < bt.count
    rule c: A -> A when bt.count in {1, 2, 3} and ringer == mute
  )"});
  POISE_CHECK(parsed.model.has_value());
  return *parsed.model;
}

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

bool is_in_domain(const log::Update& update) {
  const model::Variable& variable = phone().variables[phone().slots[update.slot].variable];
  const Rational& value = update.value;
  if (update.kind == log::Update::Kind::None) return variable.guard && value == Rational(0);
  if (update.kind == log::Update::Kind::Unknown) return value == Rational(0);
  switch (variable.type.kind) {
    case model::TypeKind::Bool:
    case model::TypeKind::Set: return value == Rational(0) || value == Rational(1);
    case model::TypeKind::Int:
      return value.is_integer() && value >= variable.type.low && value <= variable.type.high;
    case model::TypeKind::Real: return value >= variable.type.low && value <= variable.type.high;
    case model::TypeKind::Enum:
      for (const model::SymbolId member : variable.type.members) {
        if (value == Rational(member.index)) return true;
      }
      return false;
  }
  return false;
}

void check_entry(const log::Entry& entry, std::size_t line) {
  POISE_CHECK(entry.line == line);
  std::vector<bool> seen(phone().slots.size(), false);
  for (const log::Update& update : entry.updates) {
    POISE_CHECK(!seen.at(update.slot.index));
    seen[update.slot.index] = true;
    POISE_CHECK(is_in_domain(update));
  }
}

void check_message(const Error& error) {
  POISE_CHECK(!error.message.empty());
  POISE_CHECK(error.message.find('\n') == std::string::npos);
}

// The context that is known at the end. Appends the lines that were right to `right`, unless that
// is null; then all lines must be right.
template <class Reader>
log::KnownContext read_all(Reader& reader, const std::vector<std::string_view>& lines,
                           std::vector<std::string_view>* right) {
  log::KnownContext known(phone());
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // Numbers do not start at 1, because the first line may have a byte order mark and lines move
    // up when others are left out.
    const std::size_t number = i + 2;
    const Result<const log::Entry*> entry = reader.read(number, lines[i]);
    if (!entry) check_message(entry.error());
    if (!entry) POISE_CHECK(right != nullptr);  // what was right once is right again
    if (!entry || *entry == nullptr) continue;
    check_entry(**entry, number);
    known.apply(**entry);
    for (const model::Atom& atom : phone().atoms) static_cast<void>(known.truth(atom));
    if (right != nullptr) right->push_back(lines[i]);
  }
  return known;
}

template <class Reader>
void check_that_wrong_lines_leave_no_trace(Reader& all, Reader& without_wrong,
                                           const std::vector<std::string_view>& lines) {
  std::vector<std::string_view> right;
  const log::KnownContext known = read_all(all, lines, &right);
  POISE_CHECK(read_all(without_wrong, right, nullptr) == known);
  POISE_CHECK(all.unknown_names() == without_wrong.unknown_names());
  POISE_CHECK(all.first_unknown().has_value() == (all.unknown_names() > 0));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  std::vector<std::string_view> lines = lines_of(text);
  log::JsonLines json(phone());
  log::JsonLines same_json(phone());
  check_that_wrong_lines_leave_no_trace(json, same_json, lines);

  if (lines.empty()) return 0;
  log::Csv csv(phone());
  log::Csv same_csv(phone());
  const Result<void> header = csv.header(lines.front());
  POISE_CHECK(same_csv.header(lines.front()).has_value() == header.has_value());
  if (!header) check_message(header.error());
  lines.erase(lines.begin());
  if (header) check_that_wrong_lines_leave_no_trace(csv, same_csv, lines);
  return 0;
}
