#include "cli/io/terminal.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string>
#include <string_view>

#include <sys/ioctl.h>
#include <unistd.h>

namespace poise::cli {

namespace {

// Whether a variable exists and is not empty, as https://no-color.org defines it.
bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

bool is_dumb() {
  const char* terminal = std::getenv("TERM");
  return terminal != nullptr && std::string_view(terminal) == "dumb";
}

// The first of these variables that is set decides, as for the C library. Where none is, signs are
// UTF-8, as they are on nearly every terminal.
bool has_no_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    if (!is_set(name)) continue;
    std::string locale = std::getenv(name);
    for (char& letter : locale)
      letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return locale.find("utf-8") == std::string::npos && locale.find("utf8") == std::string::npos;
  }
  return false;
}

// Lines beyond this are hard to read, however wide the window is.
constexpr std::size_t kWidest = 140;

}  // namespace

Environment terminal_environment() {
  Environment environment;
  environment.out_is_terminal = ::isatty(STDOUT_FILENO) != 0;
  environment.err_is_terminal = ::isatty(STDERR_FILENO) != 0;
  environment.no_color = is_set("NO_COLOR") || is_dumb();
  if (has_no_utf8()) environment.signs = Signs::Ascii;
  environment.in_descriptor = STDIN_FILENO;
  if (const char* password = std::getenv("POISE_MQTT_PASSWORD")) {
    environment.mqtt_password = password;
  }
  winsize window{};
  if (environment.out_is_terminal && ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 &&
      window.ws_col > 0) {
    environment.width = std::min<std::size_t>(window.ws_col, kWidest);
  }
  return environment;
}

}  // namespace poise::cli
