#include "cli/live/mqtt_call.h"

#include <algorithm>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "poise/base/text.h"

namespace poise::cli {

namespace {

Result<std::optional<std::string>> password_from(const MqttCall& call, const Streams& streams) {
  if (call.password_file.empty()) return streams.environment.mqtt_password;
  const Result<Source> file = read_source(call.password_file, streams.in);
  if (!file) return Failure(file.error());
  return file->text.substr(0, std::min(file->text.find_first_of("\r\n"), file->text.size()));
}

}  // namespace

Result<void> check_mqtt(const MqttCall& call) {
  if (!call.url.empty()) {
    if (!call.map.empty() || !call.publish.empty()) return {};
    return failure("--mqtt needs --mqtt-map, --mqtt-publish or both");
  }
  const bool others = !call.map.empty() || !call.publish.empty() || !call.user.empty() ||
                      !call.password_file.empty() || !call.ca.empty() ||
                      !call.certificate.empty() || !call.key.empty();
  if (others) return failure("the options --mqtt-... need --mqtt URL");
  return {};
}

Result<std::optional<MqttOptions>> mqtt_options_from(const MqttCall& call, const Streams& streams) {
  if (call.url.empty()) return std::nullopt;
  MqttOptions options;
  const Result<MqttAddress> address = mqtt_address_from(call.url);
  if (!address) return Failure(address.error());
  options.address = *address;
  if (!call.user.empty()) options.address.user = call.user;
  if (!call.password_file.empty() && options.address.user.empty()) {
    return failure("--mqtt-password-file without a user; give one by --mqtt-user");
  }
  const bool files = !call.ca.empty() || !call.certificate.empty() || !call.key.empty();
  if (files && !options.address.tls) {
    return failure("--mqtt-ca, --mqtt-cert and --mqtt-key are for an address mqtts://...");
  }
  if (call.certificate.empty() != call.key.empty()) {
    return failure("--mqtt-cert and --mqtt-key go together");
  }
  if (!call.publish.empty()) {
    const auto mistake = mistake_in_topic(call.publish);
    if (mistake) return failure(fmt::format("--mqtt-publish: {}", *mistake));
  }
  const Result<std::optional<std::string>> password = password_from(call, streams);
  if (!password) return Failure(password.error());
  options.password = *password;
  options.ca = call.ca;
  options.certificate = call.certificate;
  options.key = call.key;
  options.publish_to = call.publish;
  return options;
}

Result<std::optional<MqttMap>> mqtt_map_of(const std::string& path, const model::Model& model,
                                           const Streams& streams) {
  constexpr std::size_t kMostComplaints = 20;
  const Result<Source> file = read_source(path, streams.in);
  if (!file) return Failure(file.error());
  ReadMqttMap read = mqtt_map_from(file->text, model);
  for (std::size_t i = 0; i < std::min(read.mistakes.size(), kMostComplaints); ++i) {
    const MqttMapMistake& mistake = read.mistakes[i];
    complain(streams,
             fmt::format("{}:{}:{}: {}", path, mistake.line, mistake.column, mistake.message));
  }
  if (read.mistakes.size() > kMostComplaints) {
    complain(streams, fmt::format("{}: {}", path,
                                  counted(read.mistakes.size() - kMostComplaints, "more mistake")));
  }
  return std::move(read.map);
}

std::vector<std::string> topics_of(const MqttMap& map) {
  std::vector<std::string> topics;
  for (const MqttRow& row : map.rows) topics.push_back(row.filter);
  std::ranges::sort(topics);
  topics.erase(std::unique(topics.begin(), topics.end()), topics.end());
  return topics;
}

Result<void> finish_publishing(Mqtt& mqtt, const StopSignal& stop) {
  constexpr std::chrono::seconds kPatience(5);
  auto until = WaitSet::Clock::now() + kPatience;
  mqtt.work();
  std::size_t left = mqtt.unconfirmed();
  while (left > 0 && !mqtt.error() && WaitSet::Clock::now() < until) {
    WaitSet waiting;
    mqtt.add_to(waiting);
    waiting.not_after(until);
    stop.requested() ? waiting.wait() : waiting.wait(stop);
    mqtt.work();
    if (mqtt.unconfirmed() < left) until = WaitSet::Clock::now() + kPatience;
    left = mqtt.unconfirmed();
  }
  mqtt.close();
  if (left == 0) return {};
  return failure(fmt::format("{} not published: the broker did not confirm in time",
                             counted(left, "message was", "messages were")));
}

}  // namespace poise::cli
