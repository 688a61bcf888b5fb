#pragma once

// The MQTT options of `poise watch`: from words to a connection and a map.

#include <optional>
#include <string>

#include "cli/io/streams.h"
#include "cli/live/mqtt.h"
#include "cli/live/mqtt_map.h"
#include "cli/options/command_line.h"
#include "poise/base/result.h"
#include "poise/model/model.h"

namespace poise::cli {

// An error if the options do not go together.
[[nodiscard]] Result<void> check_mqtt(const MqttCall& call);

// Nothing if no broker is named. The subscriptions are still empty: topics_of() has them.
[[nodiscard]] Result<std::optional<MqttOptions>> mqtt_options_from(const MqttCall& call,
                                                                   const Streams& streams);

// The map in a file. Nothing if it has mistakes, which have been told on standard error.
[[nodiscard]] Result<std::optional<MqttMap>> mqtt_map_of(const std::string& path,
                                                         const model::Model& model,
                                                         const Streams& streams);

// The topic filters of a map, each once.
[[nodiscard]] std::vector<std::string> topics_of(const MqttMap& map);

// When the input has ended: gives the broker some more time to confirm what was published, and
// closes the connection. An error if something stays unconfirmed.
[[nodiscard]] Result<void> finish_publishing(Mqtt& mqtt, const StopSignal& stop);

}  // namespace poise::cli
