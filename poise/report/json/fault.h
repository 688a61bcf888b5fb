#pragma once

// What is known about a fault beyond its kind, state and place, under the keys of
// docs/check-schema.json: JSON has it in each fault, SARIF in the properties of each result.

#include "poise/finding/finding.h"
#include "poise/json/writer.h"
#include "poise/model/model.h"

namespace poise::report {

// What only this kind has (rules, path, cause, ...), then situations, reachable, when and witness.
void add_facts(json::Object& object, const model::Model& model, const finding::Fault& fault);

}  // namespace poise::report
