// Any bytes are a file of verdicts, though perhaps one in which every line is wrong. A verdict that
// was read stays the same when it is written as the program writes it and read again.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "poise/base/check.h"
#include "poise/rank/feedback.h"

namespace {

using namespace poise;

void check_line(std::string_view line) {
  const Result<std::optional<rank::Judgement>> read = rank::judgement_from(line);
  if (!read) {
    POISE_CHECK(!read.error().message.empty());
    POISE_CHECK(read.error().message.find('\n') == std::string::npos);
    return;
  }
  if (!*read) {
    POISE_CHECK(line.find_first_not_of(" \t\r") == std::string_view::npos);
    return;
  }
  const rank::Judgement& judgement = **read;
  if (judgement.fault.find_first_not_of("0123456789abcdef") != std::string::npos) return;
  const std::string again = "{\"fault\": \"" + judgement.fault + "\", \"verdict\": \"" +
                            std::string(name(judgement.verdict)) + "\"}";
  const Result<std::optional<rank::Judgement>> same = rank::judgement_from(again);
  POISE_CHECK(same.has_value() && same->has_value());
  POISE_CHECK((*same)->fault == judgement.fault);
  POISE_CHECK((*same)->verdict == judgement.verdict);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(data, data + size);
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = rest.find('\n');
    check_line(rest.substr(0, end));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return 0;
}
