#include "cli/live/mqtt.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include <fmt/format.h>
#include <mosquitto.h>

#include "cli/io/files.h"
#include "poise/base/check.h"
#include "poise/log/entry.h"

namespace poise::cli {

namespace {

constexpr std::chrono::milliseconds kFirstPause(250);
constexpr std::chrono::seconds kLongestPause(30);
constexpr std::chrono::seconds kConnectPatience(20);
constexpr int kKeepAlive = 30;   // seconds
constexpr int kAtLeastOnce = 1;  // quality of service: what is confirmed has arrived
// Limits of what has come and was not taken yet. Beyond them nothing is read from the socket, so
// the broker has to keep the rest: backpressure.
constexpr std::size_t kMostArrived = 10'000;
constexpr std::size_t kMostArrivedBytes = std::size_t{64} << 20;

// A message of the library as part of a sentence: "Connection refused." is "connection refused".
std::string phrase(std::string text) {
  if (text.ends_with('.')) text.pop_back();
  if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z') {
    text[0] = static_cast<char>(text[0] - 'A' + 'a');
  }
  return text;
}

// Whether trying again is useless. Only wrong certificates and keys stay wrong.
bool is_final(int code) {
  return code == MOSQ_ERR_TLS || code == MOSQ_ERR_TLS_HANDSHAKE ||
         (code == MOSQ_ERR_ERRNO && errno == EPROTO);
}

const char* given(const std::string& text) { return text.empty() ? nullptr : text.c_str(); }

}  // namespace

struct Mqtt::Callbacks {
  static void connected(mosquitto* /*client*/, void* self, int code) {
    static_cast<Mqtt*>(self)->on_connect(code);
  }
  static void message(mosquitto* /*client*/, void* self, const mosquitto_message* message) {
    static_cast<Mqtt*>(self)->on_message(*message);
  }
  static void published(mosquitto* /*client*/, void* self, int id) {
    static_cast<Mqtt*>(self)->on_publish(id);
  }
  static void said(mosquitto* /*client*/, void* self, int level, const char* text) {
    if (level == MOSQ_LOG_ERR) static_cast<Mqtt*>(self)->on_error(text);
  }
  static void subscribed(mosquitto* /*client*/, void* self, int id, int count, const int* granted) {
    constexpr int kRefused = 128;
    const bool refused =
        std::any_of(granted, granted + count, [](int quality) { return quality >= kRefused; });
    static_cast<Mqtt*>(self)->on_subscribe(id, refused);
  }
};

Result<std::unique_ptr<Mqtt>> Mqtt::open(const MqttOptions& options, Say say) {
  std::unique_ptr<Mqtt> mqtt(new Mqtt(options, std::move(say)));
  if (const Result<void> done = mqtt->set_up(); !done) return Failure(done.error());
  return mqtt;
}

Mqtt::~Mqtt() {
  if (client_ != nullptr) mosquitto_destroy(client_);
  mosquitto_lib_cleanup();
}

Result<void> Mqtt::set_up() {
  mosquitto_lib_init();
  client_ = mosquitto_new(nullptr, true, this);
  POISE_CHECK(client_ != nullptr);
  mosquitto_connect_callback_set(client_, Callbacks::connected);
  mosquitto_message_callback_set(client_, Callbacks::message);
  mosquitto_publish_callback_set(client_, Callbacks::published);
  mosquitto_subscribe_callback_set(client_, Callbacks::subscribed);
  mosquitto_log_callback_set(client_, Callbacks::said);
  if (!options_.address.user.empty()) {
    const char* password = options_.password ? options_.password->c_str() : nullptr;
    POISE_CHECK(mosquitto_username_pw_set(client_, options_.address.user.c_str(), password) ==
                MOSQ_ERR_SUCCESS);
  }
  if (!options_.address.tls) return {};
  for (const std::string& file : {options_.ca, options_.certificate, options_.key}) {
    if (file.empty()) continue;
    const auto readable = open_file(file);
    if (!readable) return Failure(readable.error());
  }
  if (options_.ca.empty()) {
    mosquitto_int_option(client_, MOSQ_OPT_TLS_USE_OS_CERTS, 1);
    if (options_.certificate.empty()) return {};
  }
  // The library takes a certificate of our own only together with some authority.
  const char* folder = options_.ca.empty() ? "/etc/ssl/certs" : nullptr;
  const int done = mosquitto_tls_set(client_, given(options_.ca), folder,
                                     given(options_.certificate), given(options_.key), nullptr);
  if (done == MOSQ_ERR_SUCCESS) return {};
  return failure(fmt::format("cannot use the certificates: {}", reason(done)));
}

std::string Mqtt::reason(int code) const {
  if (code == MOSQ_ERR_ERRNO) return phrase(std::strerror(errno));  // NOLINT: there is one thread
  if (code == MOSQ_ERR_EAI) return "the host is not known";
  if (code == MOSQ_ERR_CONN_LOST) return "the broker closed the connection";
  if (code == MOSQ_ERR_TLS && !tls_error_.empty()) return tls_error_;
  return phrase(mosquitto_strerror(code));
}

void Mqtt::connect() {
  state_ = State::Connecting;
  connect_until_ = Clock::now() + kConnectPatience;
  errno = 0;
  const int done = mosquitto_connect_async(client_, options_.address.host.c_str(),
                                           options_.address.port, kKeepAlive);
  if (done == MOSQ_ERR_SUCCESS || done == MOSQ_ERR_CONN_PENDING) return;
  if (is_final(done)) {
    error_ = Error{fmt::format("cannot connect to {}: {}", options_.address.url(), reason(done))};
  }
  lost(reason(done));
}

void Mqtt::lost(std::string_view why) {
  state_ = State::Apart;
  subscribing_.clear();
  pause_ = pause_ == Clock::duration() ? kFirstPause
                                       : std::min<Clock::duration>(2 * pause_, kLongestPause);
  next_try_ = Clock::now() + pause_;
  if (!error_ && std::exchange(says_lost_, false)) {
    say_(fmt::format("{} {}: {}; trying again",
                     was_connected_ ? "lost the connection to" : "cannot connect to",
                     options_.address.url(), why));
  }
}

void Mqtt::work() {
  if (error_) return;
  if (state_ == State::Apart) {
    if (Clock::now() < next_try_) return;
    connect();
    if (state_ == State::Apart) return;
  }
  constexpr int kMostAtOnce = 256;
  for (int i = 0; i < kMostAtOnce && state_ != State::Apart; ++i) {
    const bool enough = arrived_.size() >= kMostArrived || arrived_bytes_ >= kMostArrivedBytes;
    // If too much is unconfirmed, reading goes on all the same: the confirmations are among what is
    // still to be read, and the pipeline takes no messages before they are here.
    if (enough && !is_full()) break;
    send();
    const std::uint64_t before = arrivals_;
    errno = 0;
    const int done = mosquitto_loop(client_, 0, 1);
    if (done != MOSQ_ERR_SUCCESS && !error_ && state_ != State::Apart) {
      if (!was_connected_ && is_final(done)) {
        error_ =
            Error{fmt::format("cannot connect to {}: {}", options_.address.url(), reason(done))};
      }
      lost(reason(done));
    }
    if (arrivals_ == before) break;
  }
  if (state_ == State::Connecting && Clock::now() >= connect_until_) {
    mosquitto_disconnect(client_);
    lost("no answer");
  }
}

void Mqtt::add_to(WaitSet& waiting) const {
  constexpr std::chrono::milliseconds kSoon(50);
  constexpr std::chrono::seconds kForPings(1);
  if (error_) return;
  if (state_ == State::Apart) return waiting.not_after(next_try_);
  const int socket = mosquitto_socket(client_);
  if (socket < 0) return waiting.no_longer_than(kSoon);
  waiting.read_from(socket);
  if (mosquitto_want_write(client_)) waiting.write_to(socket);
  // While it connects, the library does not say what it waits for.
  waiting.no_longer_than(state_ == State::Connecting ? Clock::duration(kSoon) : kForPings);
}

std::optional<MqttMessage> Mqtt::take() {
  if (arrived_.empty()) return std::nullopt;
  MqttMessage message = std::move(arrived_.front());
  arrived_.pop_front();
  arrived_bytes_ -= message.payload.size();
  return message;
}

void Mqtt::publish(std::string text) { waiting_.push_back(std::move(text)); }

void Mqtt::send() {
  // More would only fill the memory of the library.
  constexpr std::size_t kMostUnderWay = 100;
  while (state_ == State::Connected && !waiting_.empty() && under_way_.size() < kMostUnderWay) {
    const std::string& text = waiting_.front();
    int id = 0;
    const int done =
        mosquitto_publish(client_, &id, options_.publish_to.c_str(), static_cast<int>(text.size()),
                          text.data(), kAtLeastOnce, false);
    if (done != MOSQ_ERR_SUCCESS) return;  // mosquitto_loop() will say why
    under_way_.insert(id);
    waiting_.pop_front();
  }
}

void Mqtt::close() {
  if (state_ == State::Apart) return;
  mosquitto_disconnect(client_);
  mosquitto_loop(client_, 0, 1);
  state_ = State::Apart;
}

void Mqtt::on_connect(int code) {
  constexpr int kUnavailable = 3;
  if (code != 0) {
    const std::string why = phrase(mosquitto_connack_string(code));
    if (!was_connected_ && code != kUnavailable) {
      error_ = Error{fmt::format("{}: {}", options_.address.url(), why)};
    }
    return lost(why);
  }
  state_ = State::Connected;
  was_connected_ = true;
  says_lost_ = true;
  pause_ = {};
  say_(fmt::format("connected to {}", options_.address.url()));
  for (const std::string& filter : options_.subscriptions) {
    int id = 0;
    if (mosquitto_subscribe(client_, &id, filter.c_str(), kAtLeastOnce) == MOSQ_ERR_SUCCESS) {
      subscribing_[id] = filter;
    }
  }
}

void Mqtt::on_message(const mosquitto_message& message) {
  // A payload that is too long is cut to one byte more than a line may have, so that the reader of
  // the line refuses it.
  const std::size_t size =
      std::min(static_cast<std::size_t>(std::max(message.payloadlen, 0)), log::kMaxLineSize + 1);
  MqttMessage taken{.topic = message.topic, .payload = {}};
  if (size > 0) taken.payload.assign(static_cast<const char*>(message.payload), size);
  ++arrivals_;
  arrived_bytes_ += size;
  arrived_.push_back(std::move(taken));
}

void Mqtt::on_publish(int id) {
  ++arrivals_;
  under_way_.erase(id);
}

// "OpenSSL Error[0]: error:0A000086:SSL routines::certificate verify failed"
void Mqtt::on_error(std::string_view text) {
  if (text.starts_with("OpenSSL")) tls_error_ = text.substr(text.rfind(':') + 1);
}

void Mqtt::on_subscribe(int id, bool refused) {
  const auto found = subscribing_.find(id);
  if (found == subscribing_.end()) return;
  if (refused) {
    error_ = Error{fmt::format("{} refuses the topic `{}`", options_.address.url(), found->second)};
  }
  subscribing_.erase(found);
  if (subscribing_.empty() && !error_) say_("subscribed to all topics");
}

}  // namespace poise::cli
