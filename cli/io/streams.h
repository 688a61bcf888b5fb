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

// What reports may be written with: Ascii where the locale has no arrows.
enum class Signs { Utf8, Ascii };

// What the streams are connected to.
struct Environment {
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  bool no_color = false;    // NO_COLOR is set, or the terminal is dumb
  std::size_t width = 100;  // columns for text
  Signs signs = Signs::Utf8;
  // Of standard input, if `in` is that of the process: then it can be polled.
  std::optional<int> in_descriptor;
  // POISE_MQTT_PASSWORD. There is no option for it, because other users can see command lines.
  std::optional<std::string> mqtt_password;
};

struct Streams {
  std::istream& in;
  std::ostream& out;
  std::ostream& err;
  Environment environment;
};

// Text for people, with signs that they can see: `->` for an arrow. What is beyond ASCII in the
// user's own names and texts stays as it is.
[[nodiscard]] std::string readable(std::string text, Signs signs);

// Says on standard error what is wrong: "poise: cannot read ...".
void complain(const Streams& streams, std::string_view message);

[[nodiscard]] diag::Color color_of_err(const Streams& streams, ColorChoice choice);

// Mistakes in a file, for standard error.
[[nodiscard]] std::string rendered(const Source& source, const diag::Diagnostics& diagnostics,
                                   const Streams& streams, ColorChoice choice);

// For results, which go to standard output unless `file` is named; then they have no colour by
// default.
[[nodiscard]] diag::Color color_of_out(const Environment& environment, ColorChoice choice,
                                       std::string_view file);

}  // namespace poise::cli
