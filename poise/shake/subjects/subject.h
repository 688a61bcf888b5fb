#pragma once

// A subject is what is shaken: it is shown a context every tick and answers with a variant of the
// system. There are three kinds: a policy (machine.h); a machine of states and rules
// (rule_machine.h), whose variant is its state; and a program of the user (Task::program), spoken
// to in the lines of protocol.h.
//
//   subject.reset();
//   for (const Instance& instance : flow) {
//     const Result<std::span<const double>> variant = subject.step(values_of(grid, instance));
//   }

#include <span>
#include <string>
#include <vector>

#include "poise/base/result.h"

namespace poise::shake {

// One number for each field: false and true are 0 and 1, a symbol is its place among the symbols.
using Variant = std::vector<double>;

struct Field {
  enum class Kind { Boolean, Number, Symbol };
  std::string name;
  Kind kind = Kind::Number;
  std::vector<std::string> symbols = {};
  double low = 0;  // numbers: the allowed range
  double high = 0;
};

class Subject {
 public:
  Subject() = default;
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] virtual const std::vector<Field>& fields() const = 0;
  [[nodiscard]] virtual const Variant& variant() const = 0;  // as it is now
  virtual void reset() = 0;                                  // to the beginning of a flow

  // Runs a tick with a context: one value for each property of the grid, NaN for none. The variant
  // is valid until the next call. Fails if a program ends, hangs, or answers with something that is
  // no variant; then only reset() may follow.
  virtual Result<std::span<const double>> step(std::span<const double> context) = 0;

  // The names of the options that acted, or the rules that fired, in the last step. For people.
  [[nodiscard]] virtual std::vector<std::string> acted() const = 0;
};

// A field's value as people write it: true, 512, cooling.
[[nodiscard]] std::string to_text(const Field& field, double value);

}  // namespace poise::shake
