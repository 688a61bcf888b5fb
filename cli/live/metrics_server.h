#pragma once

// Serves one page over HTTP, /metrics, without a thread of its own: the event loop calls serve()
// often, and add_to() before it waits.
//
// No client can block the program or make it grow: there are few connections at a time, each with a
// request of limited size and a few seconds until it is closed.

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
  // Does what can be done without waiting; calls `page` for the text if a client asks for it.
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
