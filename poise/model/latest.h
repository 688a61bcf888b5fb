#pragma once

// The latest elements of streams as variables. A query (stream.h) that asks about latest elements
// only is a condition on their fields. With a boolean that says whether a stream has an element,
// and a variable for each field that is read, it becomes a formula; so an analysis that knows
// variables and constraints, and no streams, sees that `p.status == down` and `p.status == up`
// exclude each other.
//
// A query is *free* if that cannot be done, and then it holds or not, whatever else does:
//   - if it asks about a window of time or calls an external function;
//   - if it reads a variable that some action changes: a query stays as it is during a run;
//   - if it multiplies fields, compares a field with a variable, or whole numbers of several fields
//     with each other. All values of variables that are compared are looked at together, which
//     could take far longer than the model took without.

#include <optional>
#include <vector>

#include "poise/model/model.h"

namespace poise::model {

// Whether the atom is a query that is free.
[[nodiscard]] bool is_free(const Model& model, AtomId atom);

// The model with variables for the latest elements, and for each query that is not free a
// constraint that says when it holds. Ids of the given model stay valid: all that is new comes
// behind. Nothing if there is nothing to add.
[[nodiscard]] std::optional<Model> with_latest_elements(const Model& model);

// All atoms but those that with_latest_elements() has added. Nobody wrote these, so nothing is
// counted over them.
[[nodiscard]] std::vector<AtomId> written_atoms(const Model& model);

}  // namespace poise::model
