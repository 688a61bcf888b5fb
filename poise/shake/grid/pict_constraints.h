#pragma once

// The constraints of a PICT model file (pict.h): their syntax and meaning.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct PictError {
  std::size_t offset = 0;  // a byte of the text
  std::string message;
};

struct PictConstraints {
  std::vector<GridConstraint> constraints;
  std::vector<PictError> errors;  // at most one for each constraint
};

// Reads constraints from `begin` to the end of the text. Each ends with a semicolon.
[[nodiscard]] PictConstraints pict_constraints(std::string_view text, std::size_t begin,
                                               const std::vector<Property>& properties);

// Without regard to case, of ASCII letters.
[[nodiscard]] std::string folded(std::string_view text);

}  // namespace poise::shake
