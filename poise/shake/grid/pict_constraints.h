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
  std::vector<PictError> errors;   // at most one for each constraint
  std::vector<PictError> remarks;  // constraints that are ignored: a parameter is unknown
};

// A parameter, as constraints see it. Its values are in the order of those of its property.
struct PictParameter {
  std::string name;
  std::vector<double> values;        // of the property; ascending
  std::vector<std::string> texts;    // without `~`
  std::vector<double> numbers = {};  // if it is a number; else empty
  std::vector<bool> negative = {};
};

// Reads constraints from `begin` to the end of the text. Each ends with a semicolon.
[[nodiscard]] PictConstraints pict_constraints(std::string_view text, std::size_t begin,
                                               const std::vector<PictParameter>& parameters);

// The text with ASCII letters in upper case, for comparisons without regard to case. In upper case,
// because that decides which letters stand before `_`.
[[nodiscard]] std::string folded(std::string_view text);

}  // namespace poise::shake
