#pragma once

// The program, as a function: what it is called with, the three streams, and the exit status that
// comes back (0 nothing found, 1 something found, 2 the input or the call is wrong, 3 a limit was
// reached). Tests call it in process; main.cpp does nothing else.
//
//   const std::vector<std::string> args = {"check", "home.poise"};
//   return cli::run(args, std::cin, std::cout, std::cerr);

#include <cstddef>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>

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

int run(std::span<const std::string> args, std::istream& in, std::ostream& out, std::ostream& err,
        const Environment& environment = {});

}  // namespace poise::cli
