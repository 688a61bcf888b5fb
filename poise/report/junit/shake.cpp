#include "poise/report/junit/shake.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/report/shake_words.h"
#include "poise/report/text/shake.h"
#include "poise/report/xml.h"

namespace poise::report {

namespace {

using shake::Failing;

std::string_view junit_type(Failing::Kind kind) {
  switch (kind) {
    case Failing::Kind::Expectation: return "expectation";
    case Failing::Kind::Range: return "range";
    case Failing::Kind::Difference: return "difference";
    case Failing::Kind::Ended: return "ended";
  }
  return "";
}

std::string failure_element(const shake::Report& report, const Failing& failing) {
  return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                     junit_type(failing.kind), xml_escaped(failing.text),
                     xml_escaped(flow_table(report, failing.shown, 0)));
}

std::string test_case(const model::Model& model, std::string_view name,
                      const std::optional<Position>& at, std::string_view inside) {
  const std::string line = at ? fmt::format(" line=\"{}\"", at->line) : "";
  const std::string start =
      fmt::format("    <testcase classname=\"{}\" name=\"{}\" file=\"{}\"{}",
                  xml_escaped(model.name), xml_escaped(name), xml_escaped(model.file), line);
  if (inside.empty()) return start + "/>\n";
  return fmt::format("{}>\n{}    </testcase>\n", start, inside);
}

}  // namespace

std::string shake_junit(const model::Model& model, const shake::Report& report) {
  std::string cases;
  std::size_t count = 0;
  std::size_t skipped = 0;
  for (const model::ExpectationId id : model.policy.expectations.ids()) {
    const model::Expectation& expectation = model.policy.expectations[id];
    std::string inside;
    for (const Failing& failing : report.failures) {
      if (failing.kind == Failing::Kind::Expectation && failing.at == expectation.at) {
        inside += failure_element(report, failing);
      }
    }
    for (const shake::Judging& judging : report.expectations) {
      if (judging.expectation != id || judging.judged > 0 || !inside.empty()) continue;
      inside = fmt::format("      <skipped message=\"{}\"/>\n",
                           xml_escaped(why_not_judged(model, report, judging)));
      ++skipped;
    }
    cases += test_case(model, expectation.name, expectation.at, inside);
    ++count;
  }
  for (const Failing& failing : report.failures) {
    if (failing.kind == Failing::Kind::Expectation) continue;
    cases += test_case(model, failing.name, failing.at, failure_element(report, failing));
    ++count;
  }
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      "<testsuites>\n"
      "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"0\" skipped=\"{}\">\n"
      "{}"
      "  </testsuite>\n"
      "</testsuites>\n",
      xml_escaped(model.name), count, report.failures.size(), skipped, cases);
}

}  // namespace poise::report
