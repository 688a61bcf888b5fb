#include "poise/smt/reason.h"

#include <fmt/format.h>

#include "poise/base/budget.h"

namespace poise::smt {

std::string reason_from(std::string_view words) {
  const auto says = [&](std::string_view part) {
    return words.find(part) != std::string_view::npos;
  };
  if (words == "timeout" || words == "canceled") return std::string(reason(Exhausted::Time));
  if (words == "memout" || says("memory")) return std::string(reason(Exhausted::Memory));
  if (words.empty() || words == "ok" || words == "unknown") {
    return "Z3 found neither a proof nor a counterexample, and gave up without a reason";
  }
  if (says("resource limit")) return "Z3 gave up after as much work as it was allowed";
  if (says("incomplete")) return "Z3 cannot decide conditions of this kind";
  return fmt::format("Z3 could not tell: {}", words);
}

}  // namespace poise::smt
