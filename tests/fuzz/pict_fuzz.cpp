// Any bytes either are a PICT model or have mistakes, never both. For a small model, every row of
// its covering array satisfies the constraints.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/check.h"
#include "poise/shake/covering/tuples.h"
#include "poise/shake/grid/pict.h"

namespace {

using namespace poise;

void check_mistakes(std::string_view text, const std::vector<shake::PictMistake>& mistakes) {
  for (const shake::PictMistake& mistake : mistakes) {
    POISE_CHECK(mistake.at.line >= 1 && mistake.at.column >= 1);
    POISE_CHECK(mistake.at.line <= text.size() + 1);
    POISE_CHECK(!mistake.message.empty());
    POISE_CHECK(mistake.message.find('\n') == std::string::npos);
  }
}

bool is_small(const shake::Grid& grid) {
  std::size_t values = 0;
  for (const shake::Property& property : grid.properties) values += property.values.size();
  return grid.properties.size() <= 4 && values <= 12;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const shake::ImportedGrid imported = shake::read_pict(text);
  POISE_CHECK(imported.grid.has_value() == imported.mistakes.empty());
  check_mistakes(text, imported.mistakes);
  check_mistakes(text, imported.remarks);
  if (!imported.grid) return 0;
  const shake::Grid& grid = *imported.grid;
  for (const shake::Property& property : grid.properties) {
    POISE_CHECK(!property.values.empty());
    POISE_CHECK(property.values.size() == property.texts.size());
  }
  for (const shake::GridConstraint& constraint : grid.constraints) {
    for (const std::size_t property : constraint.scope) {
      POISE_CHECK(property < grid.properties.size());
    }
  }
  if (!is_small(grid)) return 0;
  const Result<shake::Covering> covering = shake::covering(grid, {.strength = 2});
  if (!covering) return 0;
  for (const shake::Instance& row : covering->rows) POISE_CHECK(shake::is_valid(grid, row));
  return 0;
}
