#include "poise/shake/subjects/subject.h"

#include <cmath>

#include <fmt/format.h>

namespace poise::shake {

std::string to_text(const Field& field, double value) {
  if (std::isnan(value)) return "none";
  switch (field.kind) {
    case Field::Kind::Boolean: return value != 0 ? "true" : "false";
    case Field::Kind::Number: return fmt::format("{:.12g}", value);
    case Field::Kind::Symbol: {
      const auto index = static_cast<std::size_t>(value);
      return index < field.symbols.size() ? field.symbols[index] : fmt::format("?{}", index);
    }
  }
  return {};
}

}  // namespace poise::shake
