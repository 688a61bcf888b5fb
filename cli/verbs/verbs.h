#pragma once

// The verbs, one .cpp file each, and how they read their model.

#include <cstdint>
#include <optional>
#include <string>

#include "cli/io/status.h"
#include "cli/io/streams.h"
#include "cli/options/command_line.h"
#include "poise/base/result.h"
#include "poise/model/model.h"
#include "poise/report/sarif/sarif.h"

namespace poise::cli {

// The model of a file. If something is wrong with it, prints that, adds it to the log if there is
// one, and returns nothing. A policy is wrong here, too: it has no states and rules.
[[nodiscard]] std::optional<model::Model> model_from(const std::string& path,
                                                     const Streams& streams, ColorChoice color,
                                                     report::SarifLog* log = nullptr);

// The same, with its text, for certificates, and a hash of it (for `watch --state`, which must find
// the same model again).
struct ReadModel {
  model::Model model;
  std::string source;
  std::uint64_t text = 0;  // its hash
};
[[nodiscard]] std::optional<ReadModel> read_model(const std::string& path, const Streams& streams,
                                                  ColorChoice color,
                                                  report::SarifLog* log = nullptr);

// The same, for verbs that also take policies.
[[nodiscard]] std::optional<ReadModel> read_model_or_policy(const std::string& path,
                                                            const Streams& streams,
                                                            ColorChoice color,
                                                            report::SarifLog* log = nullptr);

// A failure is printed as a complaint, and the status is Wrong. Anything else, like a model that
// cannot be read, is printed by the verb itself and is part of its status.
[[nodiscard]] Result<Status> check(const CheckCall& call, const Streams& streams);
[[nodiscard]] Result<Status> fmt(const FmtCall& call, const Streams& streams);
[[nodiscard]] Result<Status> generate(const GenerateCall& call, const Streams& streams);
[[nodiscard]] Result<Status> graph(const GraphCall& call, const Streams& streams);
[[nodiscard]] Result<Status> rank(const RankCall& call, const Streams& streams);
[[nodiscard]] Result<Status> shake(const ShakeCall& call, const Streams& streams);
[[nodiscard]] Result<Status> verify(const VerifyCall& call, const Streams& streams);
[[nodiscard]] Result<Status> watch(const WatchCall& call, const Streams& streams);

}  // namespace poise::cli
