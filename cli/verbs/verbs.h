#pragma once

// What the verbs share, and the verbs themselves, one .cpp file each.

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

// The model of a file, or nothing when what is wrong with it has been said, and put into the log if
// there is one. What is wrong may be that it is a policy, which has no states and rules.
[[nodiscard]] std::optional<model::Model> model_from(const std::string& path,
                                                     const Streams& streams, ColorChoice color,
                                                     report::SarifLog* log = nullptr);

// The same, with the hash of the text.
struct ReadModel {
  model::Model model;
  std::uint64_t text = 0;
};
[[nodiscard]] std::optional<ReadModel> read_model(const std::string& path, const Streams& streams,
                                                  ColorChoice color,
                                                  report::SarifLog* log = nullptr);

// The same, for verbs that know policies, too.
[[nodiscard]] std::optional<ReadModel> read_model_or_policy(const std::string& path,
                                                            const Streams& streams,
                                                            ColorChoice color,
                                                            report::SarifLog* log = nullptr);

// A failure means that the call is wrong and nothing was done.
[[nodiscard]] Result<Status> check(const CheckCall& call, const Streams& streams);
[[nodiscard]] Result<Status> fmt(const FmtCall& call, const Streams& streams);
[[nodiscard]] Result<Status> generate(const GenerateCall& call, const Streams& streams);
[[nodiscard]] Result<Status> graph(const GraphCall& call, const Streams& streams);
[[nodiscard]] Result<Status> rank(const RankCall& call, const Streams& streams);
[[nodiscard]] Result<Status> shake(const ShakeCall& call, const Streams& streams);
[[nodiscard]] Result<Status> verify(const VerifyCall& call, const Streams& streams);
[[nodiscard]] Result<Status> watch(const WatchCall& call, const Streams& streams);

}  // namespace poise::cli
