#pragma once

// Parses the constraints of a PICT model file (pict.h) into constraints of a grid.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "poise/shake/grid/grid.h"

namespace poise::shake {

struct PictError {
  std::size_t offset = 0;  // in bytes
  std::string message;
};

struct PictConstraints {
  std::vector<GridConstraint> constraints;
  std::vector<PictError> errors;  // at most one for each constraint
};

// Reads constraints from `begin` to the end of the text. Each ends with a semicolon.
[[nodiscard]] PictConstraints pict_constraints(std::string_view text, std::size_t begin,
                                               const std::vector<Property>& properties);

// The text with ASCII letters in one case, for comparisons without regard to case.
[[nodiscard]] std::string folded(std::string_view text);

}  // namespace poise::shake
