#pragma once

// What pictures of shaking are made of, as elements of SVG. Places and sizes are in pixels.

#include <cstddef>
#include <string>
#include <string_view>

namespace poise::report {

inline constexpr std::string_view kContextColor = "#3b6fb6";
inline constexpr std::string_view kVariantColor = "#8a4fa3";

// A whole picture on white.
[[nodiscard]] std::string picture(double width, double height, const std::string& inside);
[[nodiscard]] std::string line(double x1, double y1, double x2, double y2, std::string_view color,
                               double width = 1);
// Text; `anchor` is start, middle or end.
[[nodiscard]] std::string label(double x, double y, std::string_view text,
                                std::string_view anchor = "start");
// Small and grey: what explains a picture.
[[nodiscard]] std::string remark(double x, double y, std::string_view text,
                                 std::string_view anchor = "start");
[[nodiscard]] std::string box(double x, double y, double width, double height,
                              std::string_view color, double opacity);

// At most so many characters.
[[nodiscard]] std::string shortened(std::string_view text, std::size_t most);

}  // namespace poise::report
