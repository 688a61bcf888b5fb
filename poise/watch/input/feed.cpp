#include "poise/watch/input/feed.h"

#include <fmt/format.h>

#include "poise/json/number.h"

namespace poise::watch {

namespace {

constexpr std::int64_t kNanoseconds = 1'000'000'000;
// Some two hundred years, before or after.
constexpr std::int64_t kMostSeconds = 7'000'000'000;

}  // namespace

std::optional<Time> time_from(std::string_view seconds) {
  if (const auto time = plain_time(seconds)) return time;
  const Result<Rational> exact = json::exact_number(seconds);
  if (!exact || *exact > Rational(kMostSeconds) || *exact < Rational(-kMostSeconds)) {
    return std::nullopt;
  }
  return (*exact * Rational(kNanoseconds)).floor().to_int64();
}

Result<std::span<const Occurrence>> Feed::read(std::size_t number, std::string_view line) {
  Scanner::Line* const scanned = reading_ == Reading::Fast ? scanner_.scan(line) : nullptr;
  if (scanned != nullptr) {
    const AppId app = monitor_.app(scanned->app);
    scanned->event.time = scanned->time.value_or(monitor_.now(app));
    return handed_over(app, scanned->event);
  }
  const Result<const log::Entry*> read = lines_.read(number, line);
  if (!read) return Failure(read.error());
  if (*read == nullptr) return std::span<const Occurrence>();
  const log::Entry& entry = **read;
  Event event;
  if (!entry.time_text.empty()) {
    const std::optional<Time> time = time_from(entry.time_text);
    if (!time) return failure("a time that is too far away");
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
  return handed_over(app, event);
}

Result<std::span<const Occurrence>> Feed::handed_over(AppId app, const Event& event) {
  auto said = monitor_.on_event(app, event);
  if (said) return said;
  return failure(fmt::format("time goes back from {} to {}", seconds_text(monitor_.now(app)),
                             seconds_text(event.time)));
}

}  // namespace poise::watch
