#pragma once

// `poise verify --export`: writes the problem in the language of another checker instead of solving
// it.

#include "cli/options/command_line.h"
#include "cli/verbs/verbs.h"
#include "poise/verify/verify.h"

namespace poise::cli {

[[nodiscard]] Result<Status> exported(const VerifyCall& call, const verify::Options& options,
                                      const model::Model& model, const Streams& streams);

}  // namespace poise::cli
