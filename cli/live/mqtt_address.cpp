#include "cli/live/mqtt_address.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::cli {

namespace {

bool is_odd(char c) { return c <= ' ' || c == '\x7F' || c == '/' || c == '?' || c == '#'; }

}  // namespace

std::string MqttAddress::url() const {
  const bool six = host.find(':') != std::string_view::npos;
  return fmt::format("{}://{}{}{}:{}", tls ? "mqtts" : "mqtt", six ? "[" : "", host, six ? "]" : "",
                     port);
}

Result<MqttAddress> mqtt_address_from(std::string_view url) {
  MqttAddress address;
  // Somebody may have put a password into the address, so no message shows it.
  const auto wrong = [] { return failure("--mqtt takes an address like mqtt://user@host:1883"); };
  std::string_view rest = url;
  if (rest.starts_with("mqtts://")) {
    address.tls = true;
    address.port = 8883;
    rest.remove_prefix(8);
  } else if (rest.starts_with("mqtt://")) {
    rest.remove_prefix(7);
  } else {
    return wrong();
  }
  if (rest.ends_with('/')) rest.remove_suffix(1);
  if (const std::size_t at = rest.rfind('@'); at != std::string_view::npos) {
    const std::string_view user = rest.substr(0, at);
    rest.remove_prefix(at + 1);
    if (user.find(':') != std::string_view::npos) {
      return failure(
          "--mqtt takes no password, since others can see the call; give it by "
          "--mqtt-password-file or POISE_MQTT_PASSWORD");
    }
    if (user.empty() || std::ranges::any_of(user, is_odd)) return wrong();
    address.user = user;
  }
  std::string_view port;
  if (rest.starts_with('[')) {
    const std::size_t end = rest.find(']');
    if (end == std::string_view::npos) return wrong();
    address.host = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    if (!rest.empty() && !rest.starts_with(':')) return wrong();
    if (!rest.empty() && rest.size() == 1) return wrong();
    if (!rest.empty()) port = rest.substr(1);
  } else {
    const std::size_t colon = rest.find(':');
    address.host = rest.substr(0, colon);
    if (colon != std::string_view::npos) port = rest.substr(colon + 1);
    if (colon != std::string_view::npos && port.empty()) return wrong();
  }
  if (address.host.empty() || std::ranges::any_of(address.host, is_odd)) return wrong();
  if (port.empty()) return address;
  const bool digits = std::ranges::all_of(port, is_digit);
  if (!digits || port.size() > 5) return wrong();
  const int number = std::stoi(std::string(port));
  if (number == 0 || number > 65535) return wrong();
  address.port = static_cast<std::uint16_t>(number);
  return address;
}

}  // namespace poise::cli
