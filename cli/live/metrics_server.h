#pragma once

// Serves one page over HTTP, /metrics, without a thread of its own: whoever owns it calls serve()
// now and then, and before waiting says with add_to() what the server waits for.
//
// Nobody can make it wait or grow: there are few connections at a time, each with a request of
// limited size and a few seconds until it is closed.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "cli/live/loop.h"
#include "poise/base/result.h"

namespace poise::cli {

struct MetricsAddress {
  std::string host = "127.0.0.1";
  std::string port;  // 0: any that is free
};
// "9464", "192.168.1.7:9464", "[::1]:9464"
[[nodiscard]] Result<MetricsAddress> metrics_address_from(std::string_view word);

class MetricsServer {
 public:
  [[nodiscard]] static Result<MetricsServer> listen(const MetricsAddress& address);
  MetricsServer(MetricsServer&&) noexcept;
  MetricsServer& operator=(MetricsServer&&) noexcept;
  ~MetricsServer();

  // "http://127.0.0.1:9464/metrics"
  [[nodiscard]] const std::string& url() const { return url_; }
  void add_to(WaitSet& waiting) const;
  // Does what can be done at once; `page` is asked for the text when someone wants it.
  void serve(const std::function<std::string()>& page);

 private:
  class Connection;
  MetricsServer(int socket, std::string url);
  void accept();

  int socket_;
  std::string url_;
  std::vector<std::unique_ptr<Connection>> connections_;
};

}  // namespace poise::cli
