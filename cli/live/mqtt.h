#pragma once

// A connection to an MQTT broker, without a thread of its own: whoever owns it calls work() now and
// then, and before waiting says with add_to() what the connection waits for.
//
//   Result<std::unique_ptr<Mqtt>> mqtt = Mqtt::open(options, say);
//   (*mqtt)->work();
//   while (const auto message = (*mqtt)->take()) ...
//   (*mqtt)->publish(text);
//
// A connection that is lost, or cannot be made, is tried again after a quarter of a second, then
// half a second and so on, at most half a minute; there is no chance in it. What is published
// meanwhile waits. What the broker refuses at the first try, and what will be refused again, ends
// in error(). libmosquitto is included by the source file only.

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
  std::string ca;           // files; empty: those that the system trusts
  std::string certificate;  // empty: none
  std::string key;
  std::vector<std::string> subscriptions;  // topic filters
  std::string publish_to;                  // a topic
};

struct MqttMessage {
  std::string topic;
  std::string payload;
};

class Mqtt {
 public:
  using Clock = WaitSet::Clock;
  // For people: that a connection was made or lost.
  using Say = std::function<void(std::string)>;

  // Does not connect yet. An error: a file cannot be read.
  [[nodiscard]] static Result<std::unique_ptr<Mqtt>> open(const MqttOptions& options, Say say);
  Mqtt(const Mqtt&) = delete;
  Mqtt& operator=(const Mqtt&) = delete;
  ~Mqtt();

  // Does what can be done at once.
  void work();
  void add_to(WaitSet& waiting) const;
  // Why it makes no sense to go on.
  [[nodiscard]] const std::optional<Error>& error() const { return error_; }

  // The next message that came.
  [[nodiscard]] std::optional<MqttMessage> take();

  void publish(std::string text);
  // Not confirmed by the broker yet.
  [[nodiscard]] std::size_t unconfirmed() const { return waiting_.size() + under_way_.size(); }
  // Too many of them; nothing more should be published for now.
  [[nodiscard]] bool is_full() const { return unconfirmed() >= 1000; }
  // Says farewell, which takes next to no time; then nothing more comes.
  void close();

 private:
  enum class State { Apart, Connecting, Connected };

  Mqtt(const MqttOptions& options, Say say) : options_(options), say_(std::move(say)) {}
  [[nodiscard]] Result<void> set_up();
  void connect();
  void lost(std::string_view why);
  [[nodiscard]] std::string reason(int code) const;
  void send();

  // What the library tells us.
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
  bool was_connected_ = false;  // at some time
  bool says_lost_ = true;       // not each time that a try fails
  Clock::time_point next_try_ = Clock::now();
  Clock::duration pause_{};
  Clock::time_point connect_until_;
  std::optional<Error> error_;
  std::string tls_error_;       // the last one
  std::uint64_t arrivals_ = 0;  // of messages and confirmations
  std::deque<MqttMessage> arrived_;
  std::size_t arrived_bytes_ = 0;
  std::deque<std::string> waiting_;  // to be published
  std::set<int> under_way_;          // published, by the library's numbers
  std::map<int, std::string> subscribing_;
};

}  // namespace poise::cli
