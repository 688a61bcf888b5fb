#include "poise/watch/feed.h"

#include <algorithm>

#include "poise/log/number.h"

namespace poise::watch {

namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;
// Some two hundred years, before or after.
constexpr std::int64_t kMostSeconds = 7'000'000'000;

// 12, 12.5: a few digits, as nearly always.
std::optional<Time> plain_time(std::string_view text) {
  constexpr std::size_t kDigits = 10;
  const std::size_t point = std::min(text.find('.'), text.size());
  if (point == 0 || point > kDigits || text.size() > point + 10) return std::nullopt;
  Time time = 0;
  const auto digits = [&](std::string_view part) {
    for (const char c : part) {
      if (c < '0' || c > '9') return false;
      time = time * 10 + (c - '0');
    }
    return true;
  };
  const std::string_view decimals = point < text.size() ? text.substr(point + 1) : "";
  if (!digits(text.substr(0, point))) return std::nullopt;
  if (time > kMostSeconds || !digits(decimals)) return std::nullopt;
  for (std::size_t i = decimals.size(); i < 9; ++i) time *= 10;
  return time;
}

}  // namespace

std::optional<Time> time_from(std::string_view seconds) {
  if (const auto time = plain_time(seconds)) return time;
  const Result<Rational> exact = log::exact_number(seconds);
  if (!exact || *exact > Rational(kMostSeconds) || *exact < Rational(-kMostSeconds)) {
    return std::nullopt;
  }
  return (*exact * Rational(kNanoseconds)).floor().to_int64();
}

Result<std::optional<std::span<const Occurrence>>> Feed::read(std::size_t number,
                                                              std::string_view line) {
  using Said = std::optional<std::span<const Occurrence>>;
  const Result<const log::Entry*> read = lines_.read(number, line);
  if (!read) return Failure(read.error());
  if (*read == nullptr) return Said();
  const log::Entry& entry = **read;
  Event event;
  if (!entry.time_text.empty()) {
    const std::optional<Time> time = time_from(entry.time_text);
    if (!time) return Failure(Error{"a time that is too far away"});
    event.time = *time;
  }
  const AppId app = monitor_.app(entry.app);
  if (entry.time_text.empty()) event.time = monitor_.now(app);

  assignments_.clear();
  for (const log::Update& update : entry.updates) {
    const bool value = update.kind == log::Update::Kind::Value;
    assignments_.push_back(
        {update.slot, value ? monitor_.number(update.slot, update.value) : kNone});
  }
  event.assignments = assignments_;
  if (entry.element) {
    element_.clear();
    event.stream = entry.element->stream;
    event.remove = entry.element->removed;
    for (std::size_t i = 0; i < entry.element->fields.size(); ++i) {
      const log::FieldValue& field = entry.element->fields[i];
      switch (field.kind) {
        case log::FieldValue::Kind::None: element_.push_back(kNone); break;
        case log::FieldValue::Kind::Number:
          element_.push_back(monitor_.number(*event.stream, i, field.number));
          break;
        case log::FieldValue::Kind::Text: element_.push_back(monitor_.text(field.text)); break;
      }
    }
    event.element = element_;
  }
  const Result<std::span<const Occurrence>> said = monitor_.on_event(app, event);
  if (!said) return Failure(said.error());
  return Said(*said);
}

}  // namespace poise::watch
