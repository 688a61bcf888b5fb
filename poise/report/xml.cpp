#include "poise/report/xml.h"

#include "poise/base/utf8.h"

namespace poise::report {

std::string xml_escaped(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    const std::string_view written = text.substr(0, c.length);
    text.remove_prefix(c.length);
    if (!c.valid || c.value == 0x7f || (c.value < 0x20 && c.value != '\n')) {
      result += "\uFFFD";
      continue;
    }
    switch (c.value) {
      case '&': result += "&amp;"; break;
      case '<': result += "&lt;"; break;
      case '>': result += "&gt;"; break;
      case '"': result += "&quot;"; break;
      default: result += written;
    }
  }
  return result;
}

}  // namespace poise::report
