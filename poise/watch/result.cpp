#include "poise/watch/result.h"

#include <algorithm>

#include <fmt/format.h>

namespace poise::watch {

std::string_view name(Kind kind) {
  switch (kind) {
    case Kind::Nondeterminism: return "nondeterminism";
    case Kind::Race: return "race";
    case Kind::Cycle: return "cycle";
    case Kind::Adaptation: return "adapt";
  }
  return "";
}

std::string seconds_text(Time time) {
  constexpr std::uint64_t kNanoseconds = 1'000'000'000;
  const auto magnitude =
      time < 0 ? ~static_cast<std::uint64_t>(time) + 1 : static_cast<std::uint64_t>(time);
  std::string decimals = fmt::format("{:09}", magnitude % kNanoseconds);
  decimals.resize(std::max<std::size_t>(1, decimals.find_last_not_of('0') + 1));
  return fmt::format("{}{}.{}", time < 0 ? "-" : "", magnitude / kNanoseconds, decimals);
}

}  // namespace poise::watch
