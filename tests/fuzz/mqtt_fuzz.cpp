// Any bytes are an MQTT message: the first line is its topic, the rest its payload. If a row of the
// map makes an event of it, that is one line of a log, with the instance, the time and the names
// that the row says, and nothing else.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "cli/live/mqtt_map.h"
#include "poise/base/check.h"
#include "poise/lang/lang.h"
#include "poise/log/json_lines.h"

namespace {

using namespace poise;

const model::Model& house() {
  static const lang::Parsed parsed = lang::parse({.name = "house.poise", .text = R"(
    sense on    : bool
    sense speed : real 0..300 if on
    sense seen  : set {car, pc}
    sense mode  : {calm, busy}
    stream boxes { tag: string, n: int 0..9 }
    state A initial
  )"});
  POISE_CHECK(parsed.model.has_value());
  return *parsed.model;
}

const cli::MqttMap& rows() {
  static const cli::ReadMqttMap read = cli::mqtt_map_from(R"(
topic +/on     -> set on              app +1
topic all      -> set                 app "of all"
topic timed/+  -> set time at         app +1
topic speed    -> set speed from s
topic mode     -> set mode as text
topic +/box/#  -> add boxes           app +1
topic unbox    -> remove boxes        time at
topic seen     -> add seen
topic car      -> remove seen as text
topic log/#    -> line
)",
                                                          house());
  POISE_CHECK(read.map.has_value());
  return *read.map;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view topic = text.substr(0, end);
  const std::string_view payload = text.substr(std::min(end + 1, text.size()));
  for (const cli::MqttRow& row : rows().rows) {
    const auto parts = cli::matched(row.filter, topic);
    if (!parts) continue;
    const auto line = cli::line_from(row, topic, payload, 1'500'000'000);
    if (!line || !*line) continue;
    POISE_CHECK((*line)->find('\n') == std::string::npos);
    log::JsonLines reader(house(), log::JsonLines::Times::Unchecked);
    const Result<const log::Entry*> entry = reader.read(2, **line);
    if (!entry || *entry == nullptr || row.action == cli::MqttRow::Action::Line) continue;
    POISE_CHECK((*entry)->app ==
                (row.app_wildcard == 0 ? row.app : (*parts)[row.app_wildcard - 1]));
    POISE_CHECK(!(*entry)->time_text.empty());
    if (row.time_field.empty()) POISE_CHECK((*entry)->time_text == "1.5");
    const bool element = row.name == "boxes";
    POISE_CHECK((*entry)->element.has_value() == element);
    POISE_CHECK(!element || (*entry)->updates.empty());
  }
  return 0;
}
