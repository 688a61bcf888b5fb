#include "cli/io/streams.h"

#include <ostream>
#include <utility>

namespace poise::cli {

namespace {

// Every sign beyond ASCII that reports, messages and help have.
constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
    {"─", "-"}, {"→", "->"}, {"↺", "(again)"}, {"…", "..."}, {"×", "x"},  {"±", "+-"},
    {"≈", "~"}, {"µ", "u"},  {"│", "|"},       {"–", "-"},   {"≤", "<="}, {"≥", ">="}};

}  // namespace

std::string readable(std::string text, Signs signs) {
  if (signs == Signs::Utf8) return text;
  for (const auto& [sign, ascii] : kSigns) {
    for (std::size_t at = text.find(sign); at != std::string::npos; at = text.find(sign, at)) {
      text.replace(at, sign.size(), ascii);
      at += ascii.size();
    }
  }
  return text;
}

void complain(const Streams& streams, std::string_view message) {
  streams.err << "poise: " << readable(std::string(message), streams.environment.signs) << '\n'
              << std::flush;
}

diag::Color color_of_err(const Streams& streams, ColorChoice choice) {
  const bool terminal = streams.environment.err_is_terminal && !streams.environment.no_color;
  const bool wanted = choice == ColorChoice::Always || (choice == ColorChoice::Auto && terminal);
  return wanted ? diag::Color::Yes : diag::Color::No;
}

std::string rendered(const Source& source, const diag::Diagnostics& diagnostics,
                     const Streams& streams, ColorChoice choice) {
  return readable(diag::render(source, diagnostics, color_of_err(streams, choice)),
                  streams.environment.signs);
}

diag::Color color_of_out(const Environment& environment, ColorChoice choice,
                         std::string_view file) {
  const bool terminal = environment.out_is_terminal && file.empty() && !environment.no_color;
  const bool wanted = choice == ColorChoice::Always || (choice == ColorChoice::Auto && terminal);
  return wanted ? diag::Color::Yes : diag::Color::No;
}

}  // namespace poise::cli
