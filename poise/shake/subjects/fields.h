#pragma once

// How values of a model are shown as fields of a variant: members of an enumeration are numbers of
// symbols in the model, and places among the members in a variant.

#include <vector>

#include "poise/model/model.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

// Of a set, each member is a boolean field, called `set has member`.
[[nodiscard]] Field field_of(const model::Model& model, model::SlotId slot);

// Where a field comes from.
struct FieldSource {
  std::size_t place = 0;             // of its number
  std::vector<double> symbols = {};  // of an enumeration: the numbers of its members
};

[[nodiscard]] FieldSource source_of(const model::Model& model, model::SlotId slot,
                                    std::size_t place);
[[nodiscard]] double shown(const FieldSource& source, double number);

}  // namespace poise::shake
