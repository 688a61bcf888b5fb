#pragma once

// A subject whose whole state can be copied out and put back, for searches through states
// (equivalence.h).

#include <span>

#include "poise/shake/subjects/subject.h"

namespace poise::shake {

class StatefulSubject : public Subject {
 public:
  // Everything that future behaviour depends on. States that are equal, number by number, behave
  // alike. Never NaN, always of the same length. Valid until the next call.
  [[nodiscard]] virtual std::span<const double> state() const = 0;
  // Puts it into a state that it was in before; variant() is then as it was.
  virtual void restore(std::span<const double> state) = 0;
};

}  // namespace poise::shake
