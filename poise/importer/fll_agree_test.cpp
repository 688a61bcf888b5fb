// An FLL controller in libfuzzylite, and imported, in our machine.

#ifdef POISE_FUZZYLITE

#include <cmath>

#include <fl/Headers.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/importer/fll.h"
#include "poise/lang/lang.h"
#include "poise/shake/subjects/machine.h"

namespace poise::importer {
namespace {

constexpr const char* kController = R"(Engine: Climate
InputVariable: temperature
  enabled: true
  range: -10.000 40.000
  lock-range: false
  term: cold Ramp 15.000 5.000
  term: mild Trapezoid 8.000 15.000 20.000 26.000
  term: hot Ramp 22.000 32.000
InputVariable: humidity
  enabled: true
  range: 0.000 1.000
  lock-range: false
  term: dry Triangle 0.000 0.000 0.500
  term: wet Discrete 0.300 0.000 0.600 0.250 0.900 1.000
OutputVariable: fan
  enabled: true
  range: 0.000 100.000
  lock-range: false
  aggregation: Maximum
  defuzzifier: Centroid 100
  default: 10.000
  lock-previous: false
  term: off Triangle 0.000 0.000 20.000
  term: slow Triangle 10.000 40.000 70.000
  term: fast Ramp 50.000 90.000
OutputVariable: heater
  enabled: true
  range: 0.000 1.000
  lock-range: false
  aggregation: none
  defuzzifier: WeightedAverage TakagiSugeno
  default: 0.000
  lock-previous: false
  term: no Constant 0.000
  term: half Constant 0.400
  term: full Constant 1.000
RuleBlock: 
  enabled: true
  conjunction: Minimum
  disjunction: Maximum
  implication: Minimum
  activation: General
  rule: if temperature is cold and humidity is not wet then fan is off and heater is full
  rule: if temperature is mild or humidity is dry then fan is slow with 0.750
  rule: if temperature is hot and (humidity is wet or humidity is dry) then fan is fast
  rule: if temperature is mild and humidity is wet then heater is half with 0.500
  rule: if temperature is hot then heater is no
)";

TEST(Fll, ControlsAsInFuzzylite) {
  fl::fuzzylite::setMachEps(0);
  const std::unique_ptr<fl::Engine> engine(fl::FllImporter().fromString(kController));
  const Imported imported = from_fll(kController);
  ASSERT_TRUE(imported.diagnostics.empty());
  const lang::Parsed parsed = lang::parse({.name = "climate.poise", .text = imported.text});
  ASSERT_TRUE(parsed.model.has_value()) << imported.text;
  shake::Grid grid;
  for (const model::SlotId slot : parsed.model->slots.ids()) {
    const model::Variable& variable = parsed.model->variables[parsed.model->slots[slot].variable];
    if (variable.own) continue;
    shake::Property property;
    property.slot = slot;
    grid.properties.push_back(std::move(property));
  }
  shake::PolicyMachine machine(*parsed.model, grid);
  Random random(4);
  double worst = 0;
  for (int round = 0; round < 10'000; ++round) {
    const double temperature = -10 + 50 * static_cast<double>(random.next() >> 11) * 0x1p-53;
    const double humidity = static_cast<double>(random.next() >> 11) * 0x1p-53;
    engine->setInputValue("temperature", temperature);
    engine->setInputValue("humidity", humidity);
    engine->process();
    const auto variant = machine.step(std::vector<double>{temperature, humidity});
    worst = std::max(worst, std::abs((*variant)[0] - engine->getOutputValue("fan")));
    worst = std::max(worst, std::abs((*variant)[1] - engine->getOutputValue("heater")));
  }
  EXPECT_LE(worst, 1e-11);
}

}  // namespace
}  // namespace poise::importer

#endif
