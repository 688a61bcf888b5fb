#pragma once

// The three streams that a call reads and writes, and what they are connected to.

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "cli/options/words.h"
#include "poise/diag/render.h"

namespace poise::cli {

// What the streams are connected to.
struct Environment {
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool no_color = false;  // the user's wish, said with NO_COLOR
  std::size_t width = 100;
  // Of standard input, where it is the process's own: then it can be waited for.
  std::optional<int> in_descriptor;
  // POISE_MQTT_PASSWORD: what others can see, as they can the call, is no place for it.
  std::optional<std::string> mqtt_password;
};

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Environment environment;
};

// Says on standard error what is wrong: "poise: cannot read ...".
void complain(const Streams& streams, std::string_view message);

[[nodiscard]] diag::Color color_of_err(const Streams& streams, ColorChoice choice);

// Of results, which go to standard output unless a file is named.
[[nodiscard]] diag::Color color_of_out(const Environment& environment, ColorChoice choice,
                                       std::string_view file);

}  // namespace poise::cli
