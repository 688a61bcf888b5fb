#include "cli/live/metrics_server.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include "cli/io/file.h"
#include "cli/live/http_request.h"
#include "cli/live/metrics.h"
#include "poise/base/text.h"

namespace poise::cli {

namespace {

constexpr std::size_t kMostConnections = 16;
constexpr std::chrono::seconds kScrapePatience(5);

Failure cannot_listen(const MetricsAddress& address, std::string_view why) {
  return failure(fmt::format("cannot listen on {}:{}: {}", address.host, address.port, why));
}

std::string url_of(int socket) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  std::array<char, NI_MAXHOST> host{};
  std::array<char, NI_MAXSERV> port{};
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (::getsockname(socket, generic, &size) != 0 ||
      ::getnameinfo(generic, size, host.data(), host.size(), port.data(), port.size(),
                    NI_NUMERICHOST | NI_NUMERICSERV) != 0) {
    return "http:///metrics";
  }
  const std::string_view name = host.data();
  const bool six = name.find(':') != std::string_view::npos;
  return six ? fmt::format("http://[{}]:{}/metrics", name, port.data())
             : fmt::format("http://{}:{}/metrics", name, port.data());
}

}  // namespace

Result<MetricsAddress> metrics_address_from(std::string_view word) {
  MetricsAddress address;
  std::string_view port = word;
  const std::size_t colon = word.rfind(':');
  if (colon != std::string_view::npos) {
    std::string_view host = word.substr(0, colon);
    port = word.substr(colon + 1);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    address.host = std::string(host);
  }
  const bool digits = std::ranges::all_of(port, is_digit);
  if (address.host.empty() || port.empty() || port.size() > 5 || !digits ||
      std::stoi(std::string(port)) > 65535) {
    return Failure(
        Error{fmt::format("--metrics takes a port, or an address and a port, not `{}`", word)});
  }
  address.port = std::string(port);
  return address;
}

// A connection has three phases: a request comes in, the answer goes out, the client closes. If the
// server closed first, with bytes of the client left unread, TCP would reset the connection, and
// the client might lose the answer.
class MetricsServer::Connection {
 public:
  explicit Connection(int socket) : socket_(socket) {}
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { ::close(socket_); }

  // Returns whether there is more to do; if not, the connection can be closed.
  [[nodiscard]] bool serve(const std::function<std::string()>& page) {
    if (WaitSet::Clock::now() >= until_) return false;
    if (answer_.empty() && !read_request(page)) return false;
    return answer_.empty() || write_answer();
  }
  void add_to(WaitSet& waiting) const {
    waiting.not_after(until_);
    if (written_ < answer_.size()) {
      waiting.write_to(socket_);
    } else {
      waiting.read_from(socket_);
    }
  }

 private:
  enum class Read { Some, Nothing, Closed };
  [[nodiscard]] Read read(std::string* into) {
    std::array<char, 4096> buffer{};
    const ssize_t count = ::recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return Read::Nothing;
    if (count <= 0) return Read::Closed;
    if (into != nullptr) into->append(buffer.data(), static_cast<std::size_t>(count));
    return Read::Some;
  }

  [[nodiscard]] bool read_request(const std::function<std::string()>& page) {
    while (true) {
      const Read done = read(&request_);
      if (done != Read::Some) return done == Read::Nothing;
      const std::optional<HttpStatus> status = answer_to(request_, "/metrics");
      if (!status) continue;
      answer_ = *status == HttpStatus::Ok ? http_answer(*status, kMetricsType, page())
                                          : http_answer(*status, "text/plain", "see /metrics\n");
      return true;
    }
  }

  [[nodiscard]] bool write_answer() {
    while (written_ < answer_.size()) {
      const ssize_t count = ::send(socket_, answer_.data() + written_, answer_.size() - written_,
                                   MSG_DONTWAIT | MSG_NOSIGNAL);
      if (count < 0) return errno == EAGAIN || errno == EINTR;
      written_ += static_cast<std::size_t>(count);
      if (written_ == answer_.size()) ::shutdown(socket_, SHUT_WR);
    }
    // Reads what still comes and throws it away; not without end, however much it is.
    for (int i = 0; i < 16; ++i) {
      const Read done = read(nullptr);
      if (done != Read::Some) return done == Read::Nothing;
    }
    return true;
  }

  int socket_;
  WaitSet::Clock::time_point until_ = WaitSet::Clock::now() + kScrapePatience;
  std::string request_;
  std::string answer_;
  std::size_t written_ = 0;
};

MetricsServer::MetricsServer(int socket, std::string url) : socket_(socket), url_(std::move(url)) {}
MetricsServer::MetricsServer(MetricsServer&& other) noexcept
    : socket_(std::exchange(other.socket_, -1)),
      url_(std::move(other.url_)),
      connections_(std::move(other.connections_)) {}
MetricsServer& MetricsServer::operator=(MetricsServer&& other) noexcept {
  std::swap(socket_, other.socket_);
  std::swap(url_, other.url_);
  std::swap(connections_, other.connections_);
  return *this;
}
MetricsServer::~MetricsServer() {
  if (socket_ >= 0) ::close(socket_);
}

Result<MetricsServer> MetricsServer::listen(const MetricsAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found);
  if (error != 0) return cannot_listen(address, ::gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, ::freeaddrinfo);
  const int socket =
      ::socket(found->ai_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, found->ai_protocol);
  const auto why = [] { return words_for(errno); };
  if (socket < 0) return cannot_listen(address, why());
  MetricsServer server(socket, {});
  const int yes = 1;
  ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (::bind(socket, found->ai_addr, found->ai_addrlen) != 0 ||
      ::listen(socket, static_cast<int>(kMostConnections)) != 0) {
    return cannot_listen(address, why());
  }
  server.url_ = url_of(socket);
  return server;
}

void MetricsServer::add_to(WaitSet& waiting) const {
  // When all places are taken, further clients wait in the queue of the system.
  if (connections_.size() < kMostConnections) waiting.read_from(socket_);
  for (const auto& connection : connections_) connection->add_to(waiting);
}

void MetricsServer::accept() {
  while (connections_.size() < kMostConnections) {
    const int socket = ::accept4(socket_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (socket < 0) return;
    connections_.push_back(std::make_unique<Connection>(socket));
  }
}

void MetricsServer::serve(const std::function<std::string()>& page) {
  accept();
  std::erase_if(connections_, [&](const auto& connection) { return !connection->serve(page); });
}

}  // namespace poise::cli
