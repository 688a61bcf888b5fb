#include "poise/shake/mutants/subject_of.h"

#include "poise/shake/subjects/machine.h"
#include "poise/shake/subjects/rule_machine.h"

namespace poise::shake {

namespace {

std::unique_ptr<StatefulSubject> made(const model::Model& model, const Grid& grid,
                                      const SensorFault& sensor, const TermFault& terms) {
  if (model.policy.empty()) return std::make_unique<RuleMachine>(model, grid, sensor);
  return std::make_unique<PolicyMachine>(model, grid, sensor, terms);
}

}  // namespace

std::unique_ptr<StatefulSubject> subject_of(const model::Model& model, const Grid& grid) {
  return made(model, grid, {}, {});
}

std::unique_ptr<StatefulSubject> subject_of(const Mutant& mutant, const Grid& grid) {
  return made(mutant.model, grid, mutant.sensor, mutant.terms);
}

}  // namespace poise::shake
