// Any bytes either are a kept failure or give an error in one line. A replay is a flow of valid
// contexts with the values of the file.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "poise/base/check.h"
#include "poise/lang/lang.h"
#include "poise/shake/oracle/kept_failure.h"

namespace {

using namespace poise;

const shake::Grid& grid() {
  static const lang::Parsed parsed = lang::parse({.name = "fan.poise", .text = R"(
    sense on          : bool
    sense temperature : real 10..40 if on step 0.5
    sense season      : {summer, winter, null}
    sense tags        : set {a, b}
    constraint cold: season == winter implies temperature < 35
    variant fan : bool = false
    option start: fan := true when temperature > 22
  )"});
  POISE_CHECK(parsed.model.has_value());
  static const shake::Grid made = shake::grid_of(*parsed.model);
  return made;
}

void check_message(const Error& error) {
  POISE_CHECK(!error.message.empty());
  POISE_CHECK(error.message.find('\n') == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const Result<shake::KeptFailure> quake = shake::kept_failure_from(text, grid());
  if (!quake) {
    check_message(quake.error());
    return 0;
  }
  POISE_CHECK(!quake->contexts.empty() && quake->contexts.size() <= shake::kMostKeptTicks);
  for (const std::vector<std::string>& context : quake->contexts) {
    POISE_CHECK(context.size() == grid().properties.size());
  }
  const Result<shake::Replay> replay = shake::replay_of(*quake, grid());
  if (!replay) {
    check_message(replay.error());
    return 0;
  }
  POISE_CHECK(replay->flow.size() == quake->contexts.size());
  for (std::size_t i = 0; i < replay->flow.size(); ++i) {
    POISE_CHECK(shake::is_valid(replay->grid, replay->flow[i]));
    for (std::size_t p = 0; p < grid().properties.size(); ++p) {
      const shake::Property& property = replay->grid.properties[p];
      const shake::Index index = replay->flow[i][p];
      const bool none = quake->contexts[i][p] == "null";
      POISE_CHECK(none == (index == shake::kNoValue));
      if (none) continue;
      POISE_CHECK(index < property.values.size() &&
                  property.values.size() == property.texts.size());
      if (property.kind != shake::Property::Kind::Number) continue;
      POISE_CHECK(property.values[index] >= property.low &&
                  property.values[index] <= property.high);
    }
  }
  return 0;
}
