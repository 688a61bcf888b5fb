#include "cli/io/process.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/io/file.h"
#include "cli/io/redirections.h"
#include "poise/shake/subjects/protocol.h"

namespace poise::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t kLongestLine = 1 << 20;

struct Attributes {
  Attributes() {
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { ::posix_spawnattr_destroy(&attributes); }
  posix_spawnattr_t attributes{};
};

// The two ends of a connection to the program, or from it.
struct Channel {
  File ours;
  File its;

  static Result<Channel> open() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      return failure(fmt::format("cannot talk to the program: {}", words_for(errno)));
    }
    return Channel{File(ends[0]), File(ends[1])};
  }
};

// Waits until the descriptor can be read or written. False at the deadline.
bool is_ready(int descriptor, short events, Clock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()).count();
    pollfd asked{descriptor, events, 0};
    const int ready = ::poll(&asked, 1, static_cast<int>(std::max<long long>(left, 0)));
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) return true;  // the next read or write will report it
  }
}

// How a process ended, if it did. It is not reaped (WNOWAIT): its group must keep its number until
// end() has killed the children as well.
std::optional<Error> end_of(int child) {
  siginfo_t info{};
  const int failed = ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT);
  if (failed != 0 || info.si_pid == 0) return std::nullopt;
  if (info.si_code == CLD_EXITED) {
    return Error{fmt::format("the program ended with status {}", info.si_status)};
  }
  return Error{fmt::format("the program was ended by signal {}", info.si_status)};
}

// An answer as it is quoted in messages.
std::string shown_answer(std::string_view line) {
  constexpr std::size_t kMost = 60;
  std::string text;
  for (const char c : line.substr(0, kMost)) text += c >= ' ' && c <= '~' ? c : '?';
  return line.size() > kMost ? text + "…" : text;
}

}  // namespace

ProgramSubject::ProgramSubject(const model::Model& model, const shake::Grid& grid,
                               ProgramOptions options)
    : model_(model),
      grid_(grid),
      options_(std::move(options)),
      fields_(shake::fields_of(model)),
      first_(shake::first_variant(model)),
      variant_(first_) {}

ProgramSubject::~ProgramSubject() { end(); }

// Sockets instead of pipes: writing to a program that has ended must not raise SIGPIPE here, and
// MSG_NOSIGNAL works for sockets only. One pair for each direction, or it would go unnoticed if the
// program closes just one of its streams.
Result<void> ProgramSubject::start() {
  Result<Channel> input = Channel::open();
  Result<Channel> output = Channel::open();
  for (const Result<Channel>* one : {&input, &output}) {
    if (!*one) return Failure(one->error());
  }
  Redirections streams;
  const Attributes group;
  ::posix_spawn_file_actions_adddup2(&streams.actions, input->its.descriptor(), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams.actions, output->its.descriptor(), STDOUT_FILENO);
  std::string shell = "sh";
  std::string option = "-c";
  const std::array<char*, 4> args = {shell.data(), option.data(), options_.command.data(), nullptr};
  const int error =
      ::posix_spawn(&child_, "/bin/sh", &streams.actions, &group.attributes, args.data(), environ);
  if (error != 0) {
    child_ = -1;
    return failure(fmt::format("cannot run the program: {}", words_for(error)));
  }
  input_ = std::move(input->ours);
  output_ = std::move(output->ours);
  unread_.clear();
  return {};
}

void ProgramSubject::end() {
  if (child_ < 0) return;
  ::kill(-child_, SIGKILL);
  int status = 0;
  while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
  }
  child_ = -1;
  input_ = File();
  output_ = File();
}

// The error after the program closed a stream. Most often it has ended or is about to; then the
// error says how. `side` is "input" or "output".
Error ProgramSubject::closed_error(std::string_view side) const {
  constexpr std::chrono::milliseconds kGrace(200);
  const auto deadline = Clock::now() + kGrace;
  while (Clock::now() < deadline) {
    if (const std::optional<Error> end = end_of(child_)) return *end;
    ::poll(nullptr, 0, 1);
  }
  return {fmt::format("the program closed its {}", side)};
}

Error ProgramSubject::late_error() const {
  return {fmt::format("the program did not answer within {} ms", options_.timeout.count())};
}

Result<std::string> ProgramSubject::answer_to(std::string line) {
  line += '\n';
  const auto deadline = Clock::now() + options_.timeout;
  const int input = input_.descriptor();
  for (std::size_t sent = 0; sent < line.size();) {
    if (!is_ready(input, POLLOUT, deadline)) return Failure(late_error());
    const ssize_t count =
        ::send(input, line.data() + sent, line.size() - sent, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count < 0) return Failure(closed_error("input"));
    sent += static_cast<std::size_t>(count);
  }
  const int output = output_.descriptor();
  while (true) {
    const std::size_t end_of_line = unread_.find('\n');
    if (end_of_line != std::string::npos) {
      std::string answer = unread_.substr(0, end_of_line);
      unread_.erase(0, end_of_line + 1);
      if (!answer.empty() && answer.back() == '\r') answer.pop_back();
      return answer;
    }
    if (unread_.size() > kLongestLine) {
      return failure("the program answered a line of more than a megabyte");
    }
    // Its children may keep its output open after it has ended, so the end of the stream is not
    // enough: look every 50 ms whether the process has ended.
    constexpr std::chrono::milliseconds kLook(50);
    const auto now = Clock::now();
    if (!is_ready(output, POLLIN, std::min(deadline, now + kLook))) {
      const std::optional<Error> end = end_of(child_);
      if (!is_ready(output, POLLIN, now)) {  // else read its last words first
        if (end) return Failure(*end);
        if (Clock::now() >= deadline) return Failure(late_error());
        continue;
      }
    }
    std::array<char, 4096> buffer{};
    const ssize_t count = ::recv(output, buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (count <= 0) return Failure(closed_error("output"));
    unread_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

Result<void> ProgramSubject::ask(std::string line) {
  const Result<std::string> answer = answer_to(std::move(line));
  if (!answer) {
    end();
    return Failure(answer.error());
  }
  Result<shake::Variant> variant = shake::variant_from(*answer, fields_);
  if (!variant) {
    end();
    return failure(fmt::format("the program answered `{}`: {}", shown_answer(*answer),
                               variant.error().message));
  }
  variant_ = std::move(*variant);
  return {};
}

void ProgramSubject::reset() {
  if (options_.reset == ProgramOptions::Reset::Restart && !fresh_) end();
  variant_ = first_;
  fresh_ = true;
}

Result<std::span<const double>> ProgramSubject::step(std::span<const double> context) {
  const bool running = child_ >= 0;
  if (!running) {
    if (const Result<void> started = start(); !started) return Failure(started.error());
  } else if (fresh_) {
    // The process has run another flow already, so it is told to reset.
    if (const Result<void> told = ask(std::string(shake::kResetLine)); !told) {
      return Failure(told.error());
    }
  }
  fresh_ = false;
  if (const Result<void> told = ask(shake::context_line(model_, grid_, context)); !told) {
    return Failure(told.error());
  }
  return variant_;
}

}  // namespace poise::cli
