#include "cli/live/mqtt_input.h"

#include <algorithm>
#include <chrono>

namespace poise::cli {

Result<WatchInput::Taken> MqttInput::next() {
  while (lines_.empty()) {
    std::optional<MqttMessage> message = mqtt_.take();
    if (!message) {
      mqtt_.work();
      message = mqtt_.take();
    }
    if (!message) {
      if (mqtt_.error()) return Failure(*mqtt_.error());
      return Taken{.kind = Taken::Kind::NotYet};
    }
    read(*message);
  }
  Result<std::string> line = std::move(lines_.front());
  lines_.pop_front();
  text_ = line ? *std::move(line) : line.error().message;
  ++number_;
  return Taken{line ? Taken::Kind::Line : Taken::Kind::Wrong, number_, text_};
}

void MqttInput::read(const MqttMessage& message) {
  topic_ = message.topic;
  const watch::Time arrival = now();
  for (const MqttRow& row : map_.rows) {
    if (!matched(row.filter, message.topic)) continue;
    Result<std::optional<std::string>> line =
        line_from(row, message.topic, message.payload, arrival);
    if (!line) {
      lines_.emplace_back(Failure(line.error()));
    } else if (*line) {
      lines_.emplace_back(**std::move(line));
    }
  }
}

watch::Time MqttInput::now() {
  const auto since = std::chrono::system_clock::now().time_since_epoch();
  // The clock is not exact to more than microseconds.
  const auto exact = std::chrono::duration_cast<std::chrono::microseconds>(since);
  now_ = std::max<watch::Time>(now_, std::chrono::nanoseconds(exact).count());
  return now_;
}

}  // namespace poise::cli
