#pragma once

// The outcome of `poise verify --check` as text, for people.

#include <string>

#include "poise/model/model.h"
#include "poise/report/text/verify.h"
#include "poise/verify/result.h"

namespace poise::report {

// `file` is the certificate.
[[nodiscard]] std::string confirmation_text(const model::Model& model, const std::string& file,
                                            verify::Mode mode,
                                            const verify::Confirmation& confirmation,
                                            const VerifyTextOptions& options);

}  // namespace poise::report
