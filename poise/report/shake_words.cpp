#include "poise/report/shake_words.h"

#include <algorithm>

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::report {

using model::Expectation;

std::size_t not_judged(const shake::Report& report) {
  return static_cast<std::size_t>(
      std::ranges::count(report.expectations, 0, [](const auto& one) { return one.judged; }));
}

std::string why_not_judged(const model::Model& model, const shake::Report& report,
                           const shake::Judging& judging) {
  std::size_t longest = 0;
  for (const shake::Flow& flow : report.flows) longest = std::max(longest, flow.size());
  if (judging.wait >= longest) {
    return fmt::format("it waits for {}, and the flows have {}: `--length` makes them longer",
                       counted(judging.wait, "tick"), longest);
  }
  switch (model.policy.expectations[judging.expectation].kind) {
    case Expectation::Kind::Holds: return "its condition never held in any flow";
    case Expectation::Kind::Stable: return "no context was held for that long";
    case Expectation::Kind::Changes: return "no flow went on for that long";
    case Expectation::Kind::Base: return "no flow went back to the origin for that long";
    case Expectation::Kind::Rises:
    case Expectation::Kind::Falls:
      return "no flow has two holds for that long that differ in this alone";
  }
  return {};
}

}  // namespace poise::report
