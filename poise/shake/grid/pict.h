#pragma once

// Reads model files of PICT (github.com/microsoft/pict), which many tools for combinatorial testing
// understand, as grids:
//
//   # comment
//   Size:   1, 10, 100, ~-1
//   System: FAT, NTFS
//   { Size, System } @ 2
//   IF [System] = "FAT" THEN [Size] <= 10;
//
// A parameter all of whose values are different numbers is a number, one with just `true` and
// `false` is a boolean, and any other has labels. As in PICT, names and strings are compared
// without regard to the case of ASCII letters, strings are ordered alphabetically, and numbers are
// compared with numbers only.
//
// Understood: IF … THEN … [ELSE …], AND, OR, NOT (which bind in the order NOT, AND, OR), = <> < <=
// > >=, IN {…}, LIKE with `*` and `?`, each also with NOT, IsNegative and IsPositive, comparisons
// of two parameters, <Parameter> for the values of another one, sub-models, values that are
// negative (~), `NAME, value, value` in place of `NAME: value, value`. Weights and second names of
// values (`a | b`) say nothing about what is feasible: they are ignored, with a remark, as are
// values that are there twice, and sub-models and constraints of unknown parameters. An order of a
// parameter (`NAME @ 3:`) and parameters for results (`$NAME`) are mistakes here.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/source.h"
#include "poise/shake/grid/combination_plan.h"
#include "poise/shake/grid/grid.h"

namespace poise::shake {

inline constexpr std::size_t kMaxPictSize = std::size_t{4} << 20;  // bytes

struct PictMistake {
  Position at;
  std::string message;  // one line, lower case, no full stop
};

struct ImportedGrid {
  std::optional<Grid> grid;           // present exactly when there are no mistakes
  CombinationPlan plan;               // sub-models and negative values
  std::vector<PictMistake> mistakes;  // in the order of the text; at most 100
  std::vector<PictMistake> remarks;   // what was ignored
};

[[nodiscard]] ImportedGrid read_pict(std::string_view text);

}  // namespace poise::shake
