// The three standard streams of the child are temporary files without a name, not pipes: a pipe can
// fill up and block while nobody reads it. So the order is simple: write its input, wait for it to
// end, read its output.

#include "cli/io/graphviz.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/io/file.h"
#include "cli/io/redirections.h"

namespace poise::cli {

namespace {

using Clock = std::chrono::steady_clock;

constexpr int kNotFound = 127;  // exit status of the child if the program is not installed

Failure not_installed() {
  return failure(
      "a picture needs Graphviz, and there is no `dot` to run\n"
      "install the package graphviz, or take `--format dot`");
}

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using TemporaryFile = std::unique_ptr<std::FILE, CloseFile>;

bool write_all(std::FILE* file, std::string_view text) {
  const bool done = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  return done && std::fflush(file) == 0 && std::fseek(file, 0, SEEK_SET) == 0;
}

std::string contents(std::FILE* file) {
  std::string text;
  std::array<char, 1 << 16> buffer{};
  std::rewind(file);
  while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), file)) {
    text.append(buffer.data(), count);
  }
  return text;
}

Result<pid_t> started(std::FILE* in, std::FILE* out, std::FILE* err) {
  Redirections streams;
  ::posix_spawn_file_actions_adddup2(&streams.actions, ::fileno(in), STDIN_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams.actions, ::fileno(out), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&streams.actions, ::fileno(err), STDERR_FILENO);
  std::string program = "dot";
  std::string format = "-Tsvg";
  const std::array<char*, 3> args = {program.data(), format.data(), nullptr};
  pid_t child = 0;
  const int error =
      ::posix_spawnp(&child, program.c_str(), &streams.actions, nullptr, args.data(), environ);
  if (error == ENOENT) return not_installed();
  if (error != 0) return failure(fmt::format("cannot run `dot`: {}", words_for(error)));
  return child;
}

// The status from waitpid(). Nothing if the deadline came first; then the child has been killed.
std::optional<int> status_of(pid_t child, Clock::time_point deadline) {
  constexpr std::chrono::milliseconds kLongestNap(20);
  std::chrono::milliseconds nap(1);
  int status = 0;
  while (::waitpid(child, &status, WNOHANG) == 0) {
    if (Clock::now() >= deadline) {
      ::kill(child, SIGKILL);
      ::waitpid(child, &status, 0);
      return std::nullopt;
    }
    ::poll(nullptr, 0, static_cast<int>(nap.count()));
    nap = std::min(2 * nap, kLongestNap);
  }
  return status;
}

}  // namespace

Result<std::optional<std::string>> svg_of(std::string_view dot,
                                          std::chrono::milliseconds time_limit) {
  const auto deadline = Clock::now() + time_limit;
  const TemporaryFile in(std::tmpfile());
  const TemporaryFile out(std::tmpfile());
  const TemporaryFile err(std::tmpfile());
  if (!in || !out || !err || !write_all(in.get(), dot)) {
    return failure(fmt::format("cannot write a temporary file: {}", words_for(errno)));
  }
  const Result<pid_t> child = started(in.get(), out.get(), err.get());
  if (!child) return Failure(child.error());
  const std::optional<int> status = status_of(*child, deadline);
  if (!status) return std::nullopt;
  if (WIFEXITED(*status) && WEXITSTATUS(*status) == kNotFound) return not_installed();
  std::string svg = contents(out.get());
  if (!WIFEXITED(*status) || WEXITSTATUS(*status) != 0 || svg.empty()) {
    const std::string said = contents(err.get());
    return failure(fmt::format("Graphviz could not draw the model{}{}", said.empty() ? "" : ": ",
                               said.substr(0, said.find('\n'))));
  }
  return svg;
}

}  // namespace poise::cli
