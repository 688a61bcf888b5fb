#pragma once

// What a call says about MQTT, and what it means.

#include <optional>
#include <string>

#include "cli/io/streams.h"
#include "cli/live/mqtt.h"
#include "cli/live/mqtt_map.h"
#include "cli/options/command_line.h"
#include "poise/base/result.h"
#include "poise/model/model.h"

namespace poise::cli {

// Whether the options go together.
[[nodiscard]] Result<void> check_mqtt(const MqttCall& call);

// Nothing if no broker is named; without the topics to subscribe to.
[[nodiscard]] Result<std::optional<MqttOptions>> mqtt_options_from(const MqttCall& call,
                                                                   const Streams& streams);

// Nothing if what is wrong with it has been said.
[[nodiscard]] Result<std::optional<MqttMap>> mqtt_map_of(const std::string& path,
                                                         const model::Model& model,
                                                         const Streams& streams);

// The topics of a map, each once.
[[nodiscard]] std::vector<std::string> topics_of(const MqttMap& map);

// What is not confirmed when the input ends gets some more time.
[[nodiscard]] Result<void> finish_publishing(Mqtt& mqtt, const StopSignal& stop);

}  // namespace poise::cli
