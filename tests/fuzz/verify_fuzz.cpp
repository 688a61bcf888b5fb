// Any model with failures can be verified, whatever it says: with odds, by every engine, in every
// mode, with a bound and without one, within its limits. Verification replays its counterexamples
// and confirms its invariants itself; here its report only has to be consistent.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "poise/base/check.h"
#include "poise/lang/lang.h"
#include "poise/verify/simulate/simulate.h"
#include "poise/verify/solver/remarks.h"
#include "poise/verify/verify.h"

// Z3 does not always listen when a limit interrupts it; then its thread is left to itself, with all
// that it holds. That is no leak of ours.
extern "C" const char* __lsan_default_suppressions();
extern "C" const char* __lsan_default_suppressions() { return "leak:libz3"; }

namespace {

using namespace poise;

void check_report(const verify::Report& report) {
  POISE_CHECK((report.verdict == verify::Verdict::Unsafe) == !report.hazards.empty());
  POISE_CHECK(report.verdict != verify::Verdict::Unknown || !report.reason.empty());
  std::size_t before = 1;
  for (const verify::Hazard& hazard : report.hazards) {
    POISE_CHECK(hazard.first == hazard.shortest.size());
    POISE_CHECK(hazard.first >= before);
    before = hazard.first;
  }
  for (const verify::Counterexample& example : report.counterexamples) {
    POISE_CHECK(example.trace.size() == example.path.size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  const lang::Parsed parsed = lang::parse({.name = "fuzz.poise", .text = text});
  if (!parsed.model || parsed.model->world.failures.empty()) return 0;
  constexpr std::chrono::milliseconds kSoon(200);
  Watchdog watchdog(Budget({.time = kSoon}));
  static_cast<void>(verify::remarks(*parsed.model, &watchdog));
  verify::Options options;
  options.limits.time = kSoon;
  options.paths = 5;
  // What to do is in the text, too, so that the fuzzer can choose.
  const std::size_t choice = text.find("# smt") != std::string::npos     ? 1
                             : text.find("# bound") != std::string::npos ? 2
                                                                         : 0;
  if (choice == 1) options.engine = verify::Engine::Smt;
  if (choice == 2) options.bound = 3;
  if (text.find("# ideal") != std::string::npos) options.mode = verify::Mode::Ideal;
  if (text.find("# naive") != std::string::npos) options.mode = verify::Mode::Naive;
  if (text.find("# printed") != std::string::npos) options.mode = verify::Mode::AsPrinted;
  const verify::Report report = verify::run(*parsed.model, options);
  check_report(report);
  static_cast<void>(
      verify::simulate(*parsed.model, report, {.runs = 5, .bound = 5, .limits = {.time = kSoon}}));
  return 0;
}
