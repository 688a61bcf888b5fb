#include "poise/base/figures.h"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace poise {
namespace {

// The nearest figure, or its neighbour in the direction if that is on the wrong side.
std::string figure_towards(double value, int digits, double direction) {
  std::string nearest = fmt::format("{:.{}g}", value, digits);
  const double read = std::strtod(nearest.c_str(), nullptr);
  if ((value - read) * direction <= 0) return nearest;
  const double unit = std::pow(10, std::floor(std::log10(value)) - (digits - 1));
  return fmt::format("{:.{}g}", read + direction * unit, digits);
}

}  // namespace

std::string figure_up(double value, int digits) { return figure_towards(value, digits, 1); }
std::string figure_down(double value, int digits) { return figure_towards(value, digits, -1); }

}  // namespace poise
