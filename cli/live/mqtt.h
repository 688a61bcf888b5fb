#pragma once

// A connection to an MQTT broker, without a thread of its own: the event loop calls work() often,
// and add_to() before it waits.
//
//   Result<std::unique_ptr<Mqtt>> mqtt = Mqtt::open(options, say);
//   (*mqtt)->work();
//   while (const auto message = (*mqtt)->take()) ...
//   (*mqtt)->publish(text);
//
// A connection that is lost, or cannot be made, is tried again after a quarter of a second, then
// half a second and so on, at most half a minute; pauses are not random. What is published
// meanwhile waits. Wrong certificates, a first connection that the broker refuses, and a topic that
// it refuses end in error(): nothing is tried again. libmosquitto is included by the source file
// only.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "cli/live/loop.h"
#include "cli/live/mqtt_address.h"
#include "poise/base/result.h"

struct mosquitto;
struct mosquitto_message;

namespace poise::cli {

struct MqttOptions {
  MqttAddress address;
  std::optional<std::string> password;
  std::string ca;                          // a file; empty: the authorities that the system trusts
  std::string certificate;                 // a file; empty: none
  std::string key;                         // a file
  std::vector<std::string> subscriptions;  // topic filters
  std::string publish_to;                  // a topic; empty if nothing is published
};

struct MqttMessage {
  std::string topic;
  std::string payload;
};

class Mqtt {
 public:
  using Clock = WaitSet::Clock;
  // Gets messages for the user: a connection was made or lost.
  using Say = std::function<void(std::string)>;

  // Does not connect yet. An error if a file cannot be read.
  [[nodiscard]] static Result<std::unique_ptr<Mqtt>> open(const MqttOptions& options, Say say);
  Mqtt(const Mqtt&) = delete;
  Mqtt& operator=(const Mqtt&) = delete;
  ~Mqtt();

  // Connects, sends and receives, as far as that is possible without waiting.
  void work();
  void add_to(WaitSet& waiting) const;
  // If set, it makes no sense to go on.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  // The next message that has come, if any.
  [[nodiscard]] std::optional<MqttMessage> take();

  void publish(std::string text);
  // How many published messages the broker has not confirmed yet.
  [[nodiscard]] std::size_t unconfirmed() const { return waiting_.size() + under_way_.size(); }
  // Whether these are so many that nothing more should be published for now.
  [[nodiscard]] bool is_full() const { return unconfirmed() >= 1000; }
  // Tells the broker, which takes next to no time. Nothing more comes after it.
  void close();

 private:
  enum class State { Apart, Connecting, Connected };

  Mqtt(const MqttOptions& options, Say say) : options_(options), say_(std::move(say)) {}
  [[nodiscard]] Result<void> set_up();
  void connect();
  void lost(std::string_view why);
  [[nodiscard]] std::string reason(int code) const;
  void send();

  // Called by the library.
  struct Callbacks;
  void on_connect(int code);
  void on_message(const mosquitto_message& message);
  void on_publish(int id);
  void on_subscribe(int id, bool refused);
  void on_error(std::string_view text);

  MqttOptions options_;
  Say say_;
  mosquitto* client_ = nullptr;
  State state_ = State::Apart;
  bool was_connected_ = false;  // at least once
  bool says_lost_ = true;       // the next failure is told; further ones are not
  Clock::time_point next_try_ = Clock::now();
  Clock::duration pause_{};          // before the next try; doubles with each failure
  Clock::time_point connect_until_;  // a try that takes longer has failed
  std::optional<Error> error_;
  std::string tls_error_;       // the last that the library told
  std::uint64_t arrivals_ = 0;  // messages and confirmations so far
  std::deque<MqttMessage> arrived_;
  std::size_t arrived_bytes_ = 0;
  std::deque<std::string> waiting_;         // to be published
  std::set<int> under_way_;                 // sent but not confirmed, by the library's numbers
  std::map<int, std::string> subscribing_;  // not confirmed: topics by the library's numbers
};

}  // namespace poise::cli
