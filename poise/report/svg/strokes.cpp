#include "poise/report/svg/strokes.h"

#include <fmt/format.h>

#include "poise/report/xml.h"

namespace poise::report {

std::string picture(double width, double height, const std::string& inside) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n{2}</svg>\n",
      width, height, inside);
}

std::string line(double x1, double y1, double x2, double y2, std::string_view color, double width) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{:g}\"/>\n",
      x1, y1, x2, y2, color, width);
}

std::string label(double x, double y, std::string_view text, std::string_view anchor) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     xml_escaped(text));
}

std::string remark(double x, double y, std::string_view text, std::string_view anchor) {
  return fmt::format(
      "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" font-size=\"10\" "
      "fill=\"#555\">{}</text>\n",
      x, y, anchor, xml_escaped(text));
}

std::string box(double x, double y, double width, double height, std::string_view color,
                double opacity) {
  return fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
      "fill-opacity=\"{:.2f}\" stroke=\"#ccc\" stroke-width=\"0.5\"/>\n",
      x, y, width, height, color, opacity);
}

std::string shortened(std::string_view text, std::size_t most) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U;
    if (begins && ++count > most) return std::string(text.substr(0, i)) + "…";
  }
  return std::string(text);
}

}  // namespace poise::report
