#pragma once

// A Markov decision process in JANI (https://jani-spec.org), for Storm, the Modest Toolset and
// others: JSON, with a property for each failure.

#include <string>

#include "poise/verify/export/mdp.h"

namespace poise::verify {

[[nodiscard]] std::string jani_text(const Mdp& mdp);

}  // namespace poise::verify
