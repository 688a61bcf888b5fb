#pragma once

// The files that `poise shake` reads and writes: models of several kinds, failures kept from
// earlier runs ("quakes"), recorded logs, pictures.
//
// Functions that return an optional have printed what is wrong when they return nothing.

#include <optional>
#include <string>
#include <vector>

#include "cli/verbs/verbs.h"
#include "poise/base/result.h"
#include "poise/model/model.h"
#include "poise/shake/grid/combination_plan.h"
#include "poise/shake/grid/grid.h"
#include "poise/shake/oracle/kept_failure.h"
#include "poise/shake/result.h"

namespace poise::cli {

struct ShakenModel {
  model::Model model;
  std::string source;  // its text; of a controller, the translation
};

// A model of Poise, or a fuzzy controller (.fll, .fcl) translated into one.
[[nodiscard]] std::optional<ShakenModel> shaken_model(const std::string& path,
                                                      const Streams& streams, ColorChoice color);

// What a PICT file says. Warnings are printed, too.
struct PictFile {
  shake::Grid grid;
  shake::CombinationPlan plan;
};
[[nodiscard]] std::optional<PictFile> pict_file(const std::string& path, const Streams& streams);

// The failures kept in a folder, sorted by file name; none if the folder does not exist or `folder`
// is empty. Fails if a file cannot be replayed on the grid.
[[nodiscard]] Result<std::vector<shake::KeptFailure>> kept_quakes(const std::string& folder,
                                                                  const shake::Grid& grid);
// The same for a list of files.
[[nodiscard]] Result<std::vector<shake::KeptFailure>> quakes_in(
    const std::vector<std::string>& files, const shake::Grid& grid);
// Writes the smallest flow of each failure, unless it is there already. Creates the folder.
[[nodiscard]] Result<void> keep_quakes(const std::string& folder, const model::Model& model,
                                       const shake::Report& report);
// The file in which keep_quakes() keeps a failure: "NAME-HASH.json".
[[nodiscard]] std::string quake_path(const std::string& folder, const model::Model& model,
                                     const shake::Report& report, std::size_t failure);

// The contexts of a log in JSON Lines: one for each line from which on all properties are known.
// Fails if there is none.
[[nodiscard]] Result<std::vector<std::vector<double>>> recorded_contexts(const std::string& path,
                                                                         const model::Model& model,
                                                                         const shake::Grid& grid);

// Writes failure-1.svg, flow-1.svg, ..., shapes.svg and, with mutants, matrix.svg. Creates the
// folder.
[[nodiscard]] Result<void> draw_pictures(const std::string& folder, const shake::Report& report);

// A row for each mutant and a column for each flow: the tick, from 1, at which the flow kills the
// mutant, or nothing. The report must have mutants.
[[nodiscard]] std::string matrix_csv(const shake::Report& report);

}  // namespace poise::cli
