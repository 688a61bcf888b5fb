#include "bench/common/measure.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <fstream>
#include <functional>
#include <iterator>
#include <new>
#include <optional>
#include <sstream>

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/options/resident_memory.h"
#include "poise/base/check.h"
#include "poise/check/engines/engines.h"
#include "poise/check/engines/prepared.h"
#include "poise/lang/lang.h"

namespace poise::bench {

namespace {

using Clock = std::chrono::steady_clock;

double ms_since(Clock::time_point start) {
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

double own_cpu_ms() {
  timespec time = {};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

double cpu_ms(const rusage& usage) {
  const auto ms = [](const timeval& time) {
    return static_cast<double>(time.tv_sec) * 1000 + static_cast<double>(time.tv_usec) / 1000;
  };
  return ms(usage.ru_utime) + ms(usage.ru_stime);
}

constexpr std::size_t kHardLimitBytes = 2 * kLimitBytes;
constexpr int kNoMemory = 77;  // the exit status of a child that has none left

// A safety net: the budget of an analysis should end it long before these limits do.
void set_hard_limits(int seconds = kLimitSeconds) {
  constexpr int kGraceSeconds = 10;
  alarm(static_cast<unsigned>(seconds + kGraceSeconds));
  const rlimit memory = {kHardLimitBytes, kHardLimitBytes};
  setrlimit(RLIMIT_AS, &memory);
}

std::string how_it_ended(int status, int seconds = kLimitSeconds) {
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) return fmt::format("> {} s", seconds);
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNoMemory) {
    return fmt::format("> {} GB", kHardLimitBytes >> 30U);
  }
  if (WIFSIGNALED(status)) return fmt::format("signal {}", WTERMSIG(status));
  return "";
}

// A line of /proc/self/status, in MB.
double status_mb(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name + ":")) return std::stod(line.substr(name.size() + 1)) / 1024;
  }
  return 0;
}

// Resets VmHWM, so that it will be the peak from now on. Returns what is in use.
double forget_peak() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5";
  return status_mb("VmRSS");
}

std::string read(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

check::Findings found_by(const check::Prepared& prepared) {
  switch (prepared.options.engine) {
    case check::Engine::Enumerative: return enumerative(prepared);
    case check::Engine::Symbolic: return symbolic(prepared);
    case check::Engine::Auto:
    case check::Engine::Hybrid:
    case check::Engine::Reference: break;
  }
  return hybrid(prepared);
}

std::string in_short(const std::string& stopped) {
  if (stopped == reason(Exhausted::Time)) return fmt::format("> {} s", kLimitSeconds);
  if (stopped == reason(Exhausted::Memory)) return fmt::format("> {} GB", kLimitBytes >> 30U);
  return stopped;
}

std::string why_stopped(const check::Findings& findings) {
  for (const check::StateFindings& state : findings.states) {
    if (!state.stopped.empty()) return in_short(state.stopped);
  }
  return in_short(findings.paths.stopped);
}

bool enough(const std::vector<double>& ms, const Repeat& repeat) {
  constexpr double kTogether = 5000;
  double sum = 0;
  for (const double run : ms) sum += run;
  return ms.size() >= repeat.runs || sum >= kTogether;
}

// Runs in the child. Returns what it tells the parent: a line for each figure.
std::string analyse(const std::string& file, check::Options options, const Repeat& repeat) {
  options.limits = {.time = std::chrono::seconds(kLimitSeconds),
                    .memory_bytes = kLimitBytes,
                    .memory_in_use = cli::resident_memory};
  const lang::Parsed parsed = lang::parse({.name = file, .text = read(file)});
  POISE_CHECK(parsed.model.has_value());
  std::string figures;
  std::vector<double> ms;
  while (!enough(ms, repeat)) {
    set_hard_limits();
    const double before = ms.empty() ? forget_peak() : 0;
    const double cpu_before = own_cpu_ms();
    const Clock::time_point start = Clock::now();
    const Result<check::Prepared> prepared =
        check::Prepared::of(*parsed.model, options, Budget(options.limits));
    if (!prepared) return fmt::format("stopped {}\n", prepared.error().message);
    const check::Findings findings = found_by(*prepared);
    const double time = ms_since(start);
    const double cpu = own_cpu_ms() - cpu_before;
    if (ms.empty()) {
      figures += fmt::format("peak {}\n", status_mb("VmHWM") - before);
      figures += fmt::format("races {}\n", findings.paths.races.size());
      figures += fmt::format("cycles {}\n", findings.paths.cycles.size());
    }
    if (const std::string stopped = why_stopped(findings); !stopped.empty()) {
      return figures + fmt::format("stopped {}\n", stopped);
    }
    ms.push_back(time);
    figures += fmt::format("ms {}\ncpu {}\n", time, cpu);
  }
  return figures;
}

// Runs in the child, too.
std::string worked(const std::function<Done()>& done, const Repeat& repeat, int limit_seconds) {
  std::string figures;
  std::vector<double> ms;
  while (!enough(ms, repeat)) {
    set_hard_limits(limit_seconds);
    const double before = ms.empty() ? forget_peak() : 0;
    const double cpu_before = own_cpu_ms();
    const Clock::time_point start = Clock::now();
    const Done one = done();
    const double time = ms_since(start);
    const double cpu = own_cpu_ms() - cpu_before;
    if (ms.empty()) {
      figures += fmt::format("peak {}\n", status_mb("VmHWM") - before);
      if (!one.said.empty()) figures += fmt::format("said {}\n", one.said);
    }
    if (!one.stopped.empty()) return figures + fmt::format("stopped {}\n", one.stopped);
    ms.push_back(time);
    figures += fmt::format("ms {}\ncpu {}\n", time, cpu);
  }
  return figures;
}

Measured measured_from(std::istream& figures) {
  Measured measured;
  std::string name;
  while (figures >> name >> std::ws) {
    std::string value;
    std::getline(figures, value);
    if (name == "ms") measured.ms.push_back(std::stod(value));
    if (name == "cpu") measured.cpu_ms.push_back(std::stod(value));
    if (name == "peak") measured.peak_mb = std::stod(value);
    if (name == "said") measured.said = value;
    if (name == "races") measured.races = std::stoul(value);
    if (name == "cycles") measured.cycles = std::stoul(value);
    if (name == "stopped") measured.stopped = value;
  }
  return measured;
}

struct Ended {
  double ms = 0;
  double cpu_ms = 0;
  double peak_mb = 0;
  int status = 0;
};

// A child process, from its start to its end. `parent` does something meanwhile.
Ended run_child(const std::function<void()>& child, const std::function<void()>& parent) {
  const Clock::time_point start = Clock::now();
  const pid_t id = fork();
  POISE_CHECK(id >= 0);
  if (id == 0) {
    child();
    _exit(0);
  }
  parent();
  Ended ended;
  rusage usage = {};
  POISE_CHECK(wait4(id, &ended.status, 0, &usage) == id);
  ended.ms = ms_since(start);
  ended.cpu_ms = cpu_ms(usage);
  ended.peak_mb = static_cast<double>(usage.ru_maxrss) / 1024;
  return ended;
}

double middle(const std::vector<double>& sorted) {
  const std::size_t at = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[at] : (sorted[at - 1] + sorted[at]) / 2;
}

void write_all(int file, const std::string& text) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t written = ::write(file, text.data() + done, text.size() - done);
    POISE_CHECK(written > 0);
    done += static_cast<std::size_t>(written);
  }
}

std::string read_all(int file) {
  std::string text;
  char part[4096];
  for (ssize_t size = 0; (size = ::read(file, part, sizeof part)) > 0;) {
    text.append(part, static_cast<std::size_t>(size));
  }
  return text;
}

}  // namespace

double median(const Measured& measured) { return middle(measured.ms); }

double cpu_median(const Measured& measured) { return middle(measured.cpu_ms); }

double minimum(const Measured& measured) { return measured.ms.front(); }

namespace {

// Runs a function in a child process and reads the figures that it returns, through a pipe.
Measured told(const std::function<std::string()>& child, int limit_seconds) {
  int ends[2];
  POISE_CHECK(pipe(ends) == 0);
  std::string said;
  const Ended ended = run_child(
      [&] {
        close(ends[0]);
        std::set_new_handler([] { _exit(kNoMemory); });
        write_all(ends[1], child());
      },
      [&] {
        close(ends[1]);
        said = read_all(ends[0]);
        close(ends[0]);
      });
  std::istringstream figures(said);
  Measured measured = measured_from(figures);
  std::ranges::sort(measured.ms);
  std::ranges::sort(measured.cpu_ms);
  if (const std::string end = how_it_ended(ended.status, limit_seconds); !end.empty()) {
    measured.stopped = end;
  }
  if (!measured.stopped.empty()) measured.ms.clear();
  return measured;
}

}  // namespace

Measured analysis(const std::string& file, check::Options options, Repeat repeat) {
  return told([&] { return analyse(file, options, repeat); }, kLimitSeconds);
}

Measured work(const std::function<Done()>& done, Repeat repeat, int limit_seconds) {
  return told([&] { return worked(done, repeat, limit_seconds); }, limit_seconds);
}

Measured program(const std::vector<std::string>& words, Repeat repeat) {
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  Measured measured;
  while (!enough(measured.ms, repeat)) {
    const Ended ended = run_child(
        [&] {
          const int nowhere = open("/dev/null", O_RDWR);
          for (const int file : {0, 1, 2}) dup2(nowhere, file);
          set_hard_limits();
          execv(arguments[0], arguments.data());
          _exit(127);
        },
        [] {});
    measured.peak_mb = std::max(measured.peak_mb, ended.peak_mb);
    measured.stopped = how_it_ended(ended.status);
    // 0 and 1 are answers; 2 is a mistake of ours.
    if (measured.stopped.empty()) POISE_CHECK(WEXITSTATUS(ended.status) != 2);
    POISE_CHECK(!WIFEXITED(ended.status) || WEXITSTATUS(ended.status) < 4);
    if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 3) {
      measured.stopped = ended.ms >= kLimitSeconds * 1000 ? fmt::format("> {} s", kLimitSeconds)
                                                          : "a limit was reached";
    }
    if (!measured.stopped.empty()) {
      measured.ms.clear();
      return measured;
    }
    measured.ms.push_back(ended.ms);
    measured.cpu_ms.push_back(ended.cpu_ms);
  }
  std::ranges::sort(measured.ms);
  std::ranges::sort(measured.cpu_ms);
  return measured;
}

}  // namespace poise::bench
