// A program under test may answer with any bytes. Each line either is a variant, with a value of
// the right kind for every field, or gives an error in one line.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/check.h"
#include "poise/shake/subjects/protocol.h"

namespace {

using namespace poise;

const std::vector<shake::Field>& fields() {
  static const std::vector<shake::Field> all = {
      {.name = "on", .kind = shake::Field::Kind::Boolean, .symbols = {}},
      {.name = "servers", .kind = shake::Field::Kind::Number, .symbols = {}},
      {.name = "mode", .kind = shake::Field::Kind::Symbol, .symbols = {"day", "night"}}};
  return all;
}

void check_line(std::string_view line) {
  const Result<shake::Variant> variant = shake::variant_from(line, fields());
  if (!variant) {
    POISE_CHECK(!variant.error().message.empty());
    POISE_CHECK(variant.error().message.find('\n') == std::string::npos);
    return;
  }
  POISE_CHECK(variant->size() == fields().size());
  POISE_CHECK((*variant)[0] == 0 || (*variant)[0] == 1);
  POISE_CHECK(std::isfinite((*variant)[1]));
  POISE_CHECK((*variant)[2] == 0 || (*variant)[2] == 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    check_line(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return 0;
}
