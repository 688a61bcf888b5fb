#pragma once

// The messages of a broker as lines to watch. A map (mqtt_map.h) says what the topics mean. Lines
// are numbered as they come.

#include <cstddef>
#include <deque>
#include <string>
#include <utility>

#include "cli/live/mqtt.h"
#include "cli/live/mqtt_map.h"
#include "cli/live/watch_input.h"
#include "poise/watch/result.h"

namespace poise::cli {

class MqttInput : public WatchInput {
 public:
  // The connection must outlive it. Its owner adds it to the event loop.
  MqttInput(Mqtt& mqtt, MqttMap map) : mqtt_(mqtt), map_(std::move(map)) {}

  [[nodiscard]] Result<Taken> next() override;
  void add_to(WaitSet& /*waiting*/) const override {}
  [[nodiscard]] std::string name() const override { return "mqtt"; }
  [[nodiscard]] std::string subject() const override { return "`" + topic_ + "`: "; }

 private:
  // Since the epoch. It does not go back, even if somebody sets the clock back.
  [[nodiscard]] watch::Time now();
  void read(const MqttMessage& message);

  Mqtt& mqtt_;
  MqttMap map_;
  std::deque<Result<std::string>> lines_;  // of one message; errors are rows that cannot read it
  std::string topic_;
  std::string text_;
  std::size_t number_ = 0;
  watch::Time now_ = 0;
};

}  // namespace poise::cli
