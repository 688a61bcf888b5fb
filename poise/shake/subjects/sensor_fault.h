#pragma once

// Faults outside of the policy's text, between the sensor and the rules: the paper's groups F1
// (sensor) and F2 (fuzzy engine). An empty fault changes nothing.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "poise/model/model.h"

namespace poise::shake {

// For property i the sensor passes on what it sensed for property permutation[i], times scale[i].
// Either may be empty.
struct SensorFault {
  std::vector<std::size_t> permutation;
  std::vector<double> scale;
};

// Where a condition asks for the degree of term t of the variable, the fuzzy engine answers with
// that of term passed_on[t].
struct TermFault {
  model::VariableId variable;
  std::vector<std::uint32_t> passed_on;
};

}  // namespace poise::shake
