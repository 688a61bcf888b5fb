#pragma once

// Why Z3 did not answer, in words for people.

#include <string>
#include <string_view>

namespace poise::smt {

// From what Z3 calls its reason: "timeout", "(incomplete quantifiers)", or "ok", which means that
// it stopped of its own accord and has nothing to say about it.
[[nodiscard]] std::string reason_from(std::string_view words);

}  // namespace poise::smt
