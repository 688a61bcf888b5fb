#pragma once

// Faults outside of the policy's text, between the sensor and the rules: the paper's groups F1 and
// F2. An empty patch changes nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "poise/model/model.h"

namespace poise::shake {

// What the sensor passes on for property i is what it sensed for property permutation[i], times
// scale[i]. Either may be empty.
struct SensorFault {
  std::vector<std::size_t> permutation;
  std::vector<double> scale;
};

// Where a condition asks how far the variable is term t, the fuzzy engine answers how far it is
// term passed_on[t]. Nothing changes if that is empty.
struct TermFault {
  model::VariableId variable;
  std::vector<std::uint32_t> passed_on;
};

}  // namespace poise::shake
