// Any bytes either are a certificate or give an error in one line, at a place in them. A
// certificate that is written again says the same. What is in it can be read or not, and if it can,
// a solver confirms it or does not: nothing else happens.

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

#include "poise/base/check.h"
#include "poise/base/sha256.h"
#include "poise/verify/certificate/certificate.h"
#include "poise/verify/certificate/confirm.h"
#include "poise/verify/certificate/opened.h"

namespace {

using namespace poise;

void check_mistake(const verify::Mistake& mistake, std::size_t size) {
  POISE_CHECK(mistake.offset <= size);
  POISE_CHECK(!mistake.message.empty());
  POISE_CHECK(mistake.message.find('\n') == std::string::npos);
}

void open_and_confirm(const verify::Certificate& certificate, const std::string& json) {
  const verify::OpenedCertificate contents = verify::opened(certificate, json);
  for (const verify::Mistake& mistake : contents.mistakes) check_mistake(mistake, json.size());
  POISE_CHECK(contents.opened.has_value() ==
              (contents.mistakes.empty() && contents.of_model.empty()));
  if (!contents.opened) return;
  const verify::Confirmation made =
      verify::confirm(*contents.opened, {.time = std::chrono::milliseconds(500)});
  POISE_CHECK((made.verdict == verify::Confirmation::Verdict::Unknown) == !made.why.empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string json(data, data + size);
  const verify::ReadCertificate read = verify::certificate_from(json);
  if (!read.certificate) {
    check_mistake(read.mistake, json.size());
    return 0;
  }
  verify::Certificate certificate = *read.certificate;
  const std::string again = verify::certificate_json(certificate);
  const verify::ReadCertificate second = verify::certificate_from(again);
  POISE_CHECK(second.certificate && verify::certificate_json(*second.certificate) == again);
  open_and_confirm(certificate, json);
  // No fuzzer finds the hash of its text.
  certificate.hash = sha256(certificate.text);
  open_and_confirm(certificate, json);
  return 0;
}
