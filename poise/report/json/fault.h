#pragma once

// The facts about a fault beyond its kind, state and place, under the keys of
// docs/check-schema.json. They are part of each fault in JSON, and of the `properties` of each
// result in SARIF.

#include "poise/finding/finding.h"
#include "poise/json/writer.h"
#include "poise/model/model.h"

namespace poise::report {

// First the keys that only this kind has (rules, path, cause, ...), then situations, reachable,
// when and witness; and assumed_free, if there is something.
void add_facts(json::Object& object, const model::Model& model, const finding::Fault& fault);

}  // namespace poise::report
