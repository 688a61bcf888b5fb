// Any bytes either are a map of MQTT topics or have mistakes, each with a line and column of the
// text.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/live/mqtt_map.h"
#include "poise/base/check.h"
#include "poise/lang/lang.h"

namespace {

using namespace poise;

const model::Model& house() {
  static const lang::Parsed parsed = lang::parse({.name = "house.poise", .text = R"(
    sense on    : bool
    sense speed : real 0..300 if on
    sense seen  : set {car, pc}
    stream boxes { tag: string, n: int 0..9 }
    state A initial
  )"});
  POISE_CHECK(parsed.model.has_value());
  return *parsed.model;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const cli::ReadMqttMap read = cli::mqtt_map_from(text, house());
  POISE_CHECK(read.map.has_value() == read.mistakes.empty());
  const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n')) + 1;
  std::size_t before = 0;
  for (const cli::MqttMapMistake& mistake : read.mistakes) {
    POISE_CHECK(mistake.line > before && mistake.line <= lines);
    POISE_CHECK(mistake.column >= 1 && mistake.column <= size + 1);
    POISE_CHECK(!mistake.message.empty());
    before = mistake.line;
  }
  if (!read.map) return 0;
  for (const cli::MqttRow& row : read.map->rows) {
    POISE_CHECK(!cli::mistake_in_filter(row.filter));
    // A topic made from the filter matches it, and every `+` stands for what was put there.
    std::string topic;
    for (const char c : row.filter) topic += c == '+' ? "x" : c == '#' ? "y/z" : std::string(1, c);
    const auto parts = cli::matched(row.filter, topic);
    POISE_CHECK(parts.has_value());
    POISE_CHECK(row.app_wildcard <= parts->size());
    POISE_CHECK(std::ranges::all_of(*parts, [](std::string_view part) { return part == "x"; }));
    (void)cli::line_from(row, topic, "{\"at\": 1}", 0);
  }
  return 0;
}
