#pragma once

// The report of `poise check` as JSON, for programs. docs/check-schema.json describes it, and a
// test validates reports against that. Top-level keys and each fault stand on a line of their own,
// so that two reports can be compared line by line.
//
//   out << report::check_json(model, check::run(model));

#include <string>

#include "poise/check/result.h"
#include "poise/model/model.h"
#include "poise/report/sink.h"

namespace poise::report {

// One JSON object that ends with a line break.
[[nodiscard]] std::string check_json(const model::Model& model, const check::Report& report);

// The same without the last line break, and without a string that holds all of it: a report can be
// as large as what was found.
void write_check_json(const model::Model& model, const check::Report& report, const Sink& sink);

}  // namespace poise::report
