#pragma once

// The contents of a certificate: its text as a model, its conditions as formulas of that model. All
// that can be wrong with a certificate before a solver is asked is found here.

#include <optional>
#include <string_view>
#include <vector>

#include "poise/base/source.h"
#include "poise/diag/diagnostic.h"
#include "poise/lang/lang.h"
#include "poise/model/model.h"
#include "poise/verify/certificate/certificate.h"

namespace poise::verify {

struct Opened {
  Mode mode = Mode::Actual;
  model::Model model;
  lang::Conditions conditions;
  // By state: its condition, one of conditions.each; none if it is claimed to be never reached.
  std::vector<std::optional<model::FormulaId>> by_state;
};

struct OpenedCertificate {
  std::optional<Opened> opened;
  // Otherwise, one of these:
  std::vector<Mistake> mistakes;  // in the file
  Source model;                   // the text of the model, with its mistakes
  diag::Diagnostics of_model;
};

// `json` is the file that the certificate was read from.
[[nodiscard]] OpenedCertificate opened(const Certificate& certificate, std::string_view json);

}  // namespace poise::verify
