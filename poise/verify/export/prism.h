#pragma once

// A Markov decision process in the language of PRISM, which Storm reads too. The property to ask
// for stands at the head of the text.

#include <string>

#include "poise/verify/export/mdp.h"

namespace poise::verify {

[[nodiscard]] std::string prism_text(const Mdp& mdp);

}  // namespace poise::verify
