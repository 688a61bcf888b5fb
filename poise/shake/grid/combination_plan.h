#pragma once

// What of a grid is combined with what, where not all values are combined alike. Model files of
// PICT say such things (pict.h); covering/planned.h makes rows by it.

#include <cstddef>
#include <vector>

namespace poise::shake {

// Properties that are combined among themselves first. What comes out is combined with the others
// as if it were one property.
struct SubModel {
  std::vector<std::size_t> properties;  // ascending
  // 0: as of the whole. That is no more than there are sub-models and properties in none.
  unsigned strength = 0;
};

struct CombinationPlan {
  std::vector<SubModel> sub_models;  // they may overlap
  // By property and value: an input that should be refused. A row has one of them at most, so that
  // none hides another; all other tuples are covered by rows without any. Empty: there are none.
  std::vector<std::vector<bool>> negative;

  [[nodiscard]] bool empty() const { return sub_models.empty() && negative.empty(); }
};

}  // namespace poise::shake
