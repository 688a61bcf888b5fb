#pragma once

// A subject whose whole state can be taken out and put back: what a search through states needs.

#include <span>

#include "poise/shake/subjects/subject.h"

namespace poise::shake {

class StatefulSubject : public Subject {
 public:
  // Everything that decides about what comes. Two states that are equal, number by number, behave
  // alike. Never NaN. Valid until the next call; of the same length all the time.
  [[nodiscard]] virtual std::span<const double> state() const = 0;
  // Puts it into a state that it was in before; variant() is then as it was.
  virtual void restore(std::span<const double> state) = 0;
};

}  // namespace poise::shake
