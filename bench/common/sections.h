#pragma once

// The main part of a program of measurements. It has sections, each of which prints tables; all of
// them run unless some are named.

#include <algorithm>
#include <span>
#include <string_view>

#include <fmt/format.h>

namespace poise::bench {

// print() returns false if answers that must agree do not.
template <class Of>
struct SectionOf {
  std::string_view name;
  bool (*print)(const Of& of);
};

// Returns the exit status: 1 if something does not agree, 2 if there is no such section.
template <class Of>
int run_sections(std::span<const SectionOf<Of>> sections, const Of& of,
                 std::span<const std::string_view> wanted) {
  for (const std::string_view word : wanted) {
    if (std::ranges::find(sections, word, &SectionOf<Of>::name) != sections.end()) continue;
    fmt::print(stderr, "bench: there is no section `{}`; there are:", word);
    for (const SectionOf<Of>& section : sections) fmt::print(stderr, " {}", section.name);
    fmt::print(stderr, "\n");
    return 2;
  }
  bool fine = true;
  for (const SectionOf<Of>& section : sections) {
    if (!wanted.empty() && std::ranges::count(wanted, section.name) == 0) continue;
    fine = section.print(of) && fine;
  }
  return fine ? 0 : 1;
}

}  // namespace poise::bench
