#pragma once

// `poise verify --certificate FILE` and `poise verify --check FILE`.

#include <string>

#include "cli/io/status.h"
#include "cli/io/streams.h"
#include "cli/options/command_line.h"
#include "cli/options/words.h"
#include "poise/base/budget.h"
#include "poise/base/result.h"
#include "poise/base/source.h"
#include "poise/model/model.h"
#include "poise/verify/result.h"

namespace poise::cli {

// Writes the certificate of a report, once it is confirmed; otherwise says why there is none. The
// status is that of the certificate alone.
[[nodiscard]] Result<Status> write_certificate(const VerifyCall& call, const Source& source,
                                               const model::Model& model,
                                               const verify::Report& report, const Limits& limits,
                                               const Streams& streams);

struct ConfirmSettings {
  Format format = Format::Text;
  ColorChoice color = ColorChoice::Auto;
  Limits limits;
};
[[nodiscard]] Result<Status> check_certificate(const VerifyCall& call,
                                               const ConfirmSettings& settings,
                                               const Streams& streams);

}  // namespace poise::cli
