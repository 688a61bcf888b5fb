#include "cli/io/streams.h"

#include <ostream>

namespace poise::cli {

void complain(const Streams& streams, std::string_view message) {
  streams.err << "poise: " << message << '\n' << std::flush;
}

diag::Color color_of_err(const Streams& streams, ColorChoice choice) {
  const bool terminal = streams.environment.err_is_terminal && !streams.environment.no_color;
  const bool wanted = choice == ColorChoice::Always || (choice == ColorChoice::Auto && terminal);
  return wanted ? diag::Color::Yes : diag::Color::No;
}

diag::Color color_of_out(const Environment& environment, ColorChoice choice,
                         std::string_view file) {
  const bool terminal = environment.out_is_terminal && file.empty() && !environment.no_color;
  const bool wanted = choice == ColorChoice::Always || (choice == ColorChoice::Auto && terminal);
  return wanted ? diag::Color::Yes : diag::Color::No;
}

}  // namespace poise::cli
