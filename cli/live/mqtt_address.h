#pragma once

// The address of a broker: mqtt://user@host:1883, mqtts://host.

#include <cstdint>
#include <string>
#include <string_view>

#include "poise/base/result.h"

namespace poise::cli {

struct MqttAddress {
  std::string host;
  std::uint16_t port = 1883;
  std::string user;  // empty: none
  bool tls = false;

  // For messages: without the user.
  [[nodiscard]] std::string url() const;
};
[[nodiscard]] Result<MqttAddress> mqtt_address_from(std::string_view url);

}  // namespace poise::cli
