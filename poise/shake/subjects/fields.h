#pragma once

// From values of a model to fields of a variant. Only members of enumerations differ: in the model
// they are numbers of symbols, in a variant places among the declared members.

#include <vector>

#include "poise/model/model.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

// The field of a slot. Each member of a set is a boolean field, called `set has member`.
[[nodiscard]] Field field_of(const model::Model& model, model::SlotId slot);

// Where a field's number comes from.
struct FieldSource {
  std::size_t place = 0;             // where the subject has the slot's number
  std::vector<double> symbols = {};  // of an enumeration: the symbol of each member
};

[[nodiscard]] FieldSource source_of(const model::Model& model, model::SlotId slot,
                                    std::size_t place);
[[nodiscard]] double shown(const FieldSource& source, double number);

}  // namespace poise::shake
