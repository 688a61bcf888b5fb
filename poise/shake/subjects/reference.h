#pragma once

// A policy as a subject, executed by the plain evaluator (eval.h): the reference that tests compare
// the compiled machine with. A step copies all slots once per option, and takes time that grows
// with the windows it looks back on.
//
//   ReferencePolicy policy(model, grid);
//   const Trace trace = trace_of(policy, grid, flow);

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "poise/model/model.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/subjects/eval.h"
#include "poise/shake/subjects/sensor_fault.h"
#include "poise/shake/subjects/subject.h"

namespace poise::shake {

class ReferencePolicy final : public Subject {
 public:
  // Faults of the sensor and of the fuzzy engine, if any, become part of the subject
  // (sensor_fault.h).
  ReferencePolicy(model::Model model, const Grid& grid, SensorFault sensor = {},
                  TermFault terms = {});

  [[nodiscard]] const std::vector<Field>& fields() const override { return fields_; }
  [[nodiscard]] const Variant& variant() const override { return variant_; }
  void reset() override;
  Result<std::span<const double>> step(std::span<const double> context) override;
  [[nodiscard]] std::vector<std::string> acted() const override { return acted_; }

  // All values so far, for tests that look at more than variants.
  [[nodiscard]] const Record& record() const { return record_; }

 private:
  [[nodiscard]] double utility_of(model::OptionId option, std::size_t tick) const;

  std::unique_ptr<const model::Model> model_;  // stays where it is: the evaluator refers to it
  Evaluator evaluator_;
  SensorFault sensor_;
  std::vector<std::optional<model::SlotId>> property_slots_;
  std::vector<model::SlotId> variant_slots_;
  std::vector<Field> fields_;
  Record record_;
  std::vector<double> now_;                           // by slot: its value
  std::vector<std::optional<std::size_t>> acted_at_;  // by option: the last tick at which it acted
  std::vector<std::string> acted_;
  Variant variant_;
};

}  // namespace poise::shake
