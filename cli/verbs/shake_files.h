#pragma once

// The files that shaking reads and writes: models of several kinds, failures of former runs,
// recorded logs, drawings.

#include <optional>
#include <string>
#include <vector>

#include "cli/verbs/verbs.h"
#include "poise/base/result.h"
#include "poise/model/model.h"
#include "poise/shake/oracle/kept_failure.h"
#include "poise/shake/result.h"

namespace poise::cli {

struct ShakenModel {
  model::Model model;
  std::string source;  // its text
};

// A model of ours, or a fuzzy controller (.fll, .fcl). Nothing when what is wrong with it has been
// said.
[[nodiscard]] std::optional<ShakenModel> shaken_model(const std::string& path,
                                                      const Streams& streams, ColorChoice color);

// A PICT file. Nothing when what is wrong with it has been said.
[[nodiscard]] std::optional<shake::Grid> pict_grid(const std::string& path, const Streams& streams);

// Those of a folder, by name; none if there is no folder yet, or no name of one.
[[nodiscard]] Result<std::vector<shake::KeptFailure>> kept_quakes(const std::string& folder,
                                                                  const shake::Grid& grid);
[[nodiscard]] Result<std::vector<shake::KeptFailure>> quakes_in(
    const std::vector<std::string>& files, const shake::Grid& grid);
// The smallest flow of each failure, unless it is there already. The folder is made.
[[nodiscard]] Result<void> keep_quakes(const std::string& folder, const model::Model& model,
                                       const shake::Report& report);
// Where it keeps a failure.
[[nodiscard]] std::string quake_path(const std::string& folder, const model::Model& model,
                                     const shake::Report& report, std::size_t failure);

// The contexts of a log, as far as everything is known, one for each line.
[[nodiscard]] Result<std::vector<std::vector<double>>> recorded_contexts(const std::string& path,
                                                                         const model::Model& model,
                                                                         const shake::Grid& grid);

// failure-1.svg, flow-1.svg, shapes.svg, matrix.svg. The folder is made.
[[nodiscard]] Result<void> draw_pictures(const std::string& folder, const shake::Report& report);

// A row for each mutant, a column for each flow: the tick at which it is killed, or nothing.
[[nodiscard]] std::string matrix_csv(const shake::Report& report);

}  // namespace poise::cli
