// The matrix of mutants and flows, and the map of shapes.

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include <fmt/format.h>

#include "poise/report/svg/shake.h"
#include "poise/report/svg/strokes.h"

namespace poise::report {

// ---- Mutants ----

namespace {

constexpr double kMargin = 10;
constexpr double kHeader = 26;
constexpr double kMatrixLeft = 120;  // room for the names of mutants
constexpr std::string_view kKilledColor = "#d1352b";
constexpr std::string_view kEquivalentColor = "#ccc";

// `late`: when in the flow, 0 to 1.
double shade_of(double late) { return 1 - 0.8 * late; }

// The numbers of flows, above their columns: the first and every tenth, or every fifth with room.
std::string flow_numbers(std::size_t flows, double cell, double top) {
  const std::size_t every = cell >= 5 ? 5 : 10;
  std::string text = remark(kMatrixLeft - 6, top, "flow", "end");
  for (std::size_t i = 1; i <= flows; ++i) {
    if (i != 1 && i % every != 0) continue;
    text += remark(kMatrixLeft + (static_cast<double>(i) - 0.5) * cell, top, fmt::format("{}", i),
                   "middle");
  }
  return text;
}

std::string matrix_legend(double top) {
  struct Entry {
    std::string_view color;
    double opacity;
    std::string_view meaning;
  };
  constexpr std::array<Entry, 5> kEntries = {{{kKilledColor, 1, "killed at the first tick"},
                                              {kKilledColor, 0.6, "halfway"},
                                              {kKilledColor, 0.2, "at the last tick"},
                                              {"#fff", 1, "not killed"},
                                              {kEquivalentColor, 0.5, "equivalent"}}};
  std::string text;
  double left = kMatrixLeft;
  for (const Entry& entry : kEntries) {
    text += box(left, top, 12, 10, entry.color, entry.opacity);
    text += remark(left + 16, top + 9, entry.meaning);
    left += 28 + 5.5 * static_cast<double>(entry.meaning.size());
  }
  return text;
}

}  // namespace

std::string matrix_svg(const shake::Report& report) {
  const shake::MutationReport& mutation = *report.mutation;
  const double cell = std::clamp(700.0 / static_cast<double>(report.flows.size() + 1), 2.0, 14.0);
  constexpr double kRow = 12;
  std::string inside =
      label(kMatrixLeft, 16, "mutants (rows) and the flows that kill them (columns)");
  inside += matrix_legend(kHeader);
  inside += flow_numbers(report.flows.size(), cell, 2 * kHeader + 2);
  double top = 2 * kHeader + 4;
  std::string group;
  for (const shake::MutantResult& mutant : mutation.mutants) {
    if (mutant.group != group) {
      top += 4;
      group = mutant.group;
    }
    inside += remark(kMatrixLeft - 6, top + kRow - 3, mutant.id, "end");
    const bool equivalent = mutant.status == shake::MutantResult::Status::Equivalent;
    for (std::size_t i = 0; i < mutant.killed_at.size(); ++i) {
      const std::int32_t tick = mutant.killed_at[i];
      if (tick < 0 && !equivalent) continue;
      const auto last = static_cast<double>(std::max<std::size_t>(report.flows[i].size(), 2) - 1);
      const double late = tick < 0 ? 0 : static_cast<double>(tick) / last;
      inside +=
          box(kMatrixLeft + static_cast<double>(i) * cell, top, cell, kRow - 1,
              equivalent ? kEquivalentColor : kKilledColor, equivalent ? 0.5 : shade_of(late));
    }
    top += kRow;
  }
  const double width = kMatrixLeft + cell * static_cast<double>(report.flows.size()) + kMargin;
  constexpr double kLegendWidth = 560;
  return picture(std::max(width, kMatrixLeft + kLegendWidth), top + kMargin, inside);
}

// ---- Shapes ----

namespace {

constexpr double kCell = 26;
constexpr double kBlock = 3 * kCell + kMargin;
constexpr double kMapLeft = 150;  // room for the words beside the rows
constexpr double kMapTop = 80;

// A shade of nothing is white, of `most` full.
double shade_of(std::size_t count, std::size_t most) {
  return std::sqrt(static_cast<double>(count) / static_cast<double>(most));
}

// Beside the map: a block, enlarged, with what its rows and columns mean, and the shades.
std::string shapes_legend(double left, double top, std::size_t most) {
  constexpr std::array<std::string_view, 3> kViolent = {"under 15 %", "15 to 50 %",
                                                        "50 % and more"};
  constexpr std::array<std::string_view, 3> kHold = {"< 10 %", "< 33 %", "longer"};
  constexpr double kLarge = 48;
  std::string text = label(left, top, "in each block of nine:");
  text += remark(left, top + 16, "columns: the longest time without a change");
  for (std::size_t i = 0; i < 3; ++i) {
    const double offset = static_cast<double>(i) * kLarge;
    text += remark(left + offset + kLarge / 2, top + 32, kHold[i], "middle");
    text += remark(left + 3 * kLarge + 6, top + 38 + offset + kLarge / 2, kViolent[i]);
    for (std::size_t j = 0; j < 3; ++j) {
      text +=
          box(left + static_cast<double>(j) * kLarge, top + 38 + offset, kLarge, kLarge, "#fff", 1);
    }
  }
  const double below = top + 38 + 3 * kLarge;
  text += remark(left, below + 14, "rows: how many of the steps are violent");
  text += label(left, below + 40, "the number of flows, and its shade:");
  constexpr std::size_t kShades = 5;
  for (std::size_t i = 0; i < kShades; ++i) {
    const std::size_t count = (most * i + kShades - 2) / (kShades - 1);
    const double at = left + static_cast<double>(i) * (kCell + 4);
    text += box(at, below + 48, kCell, kCell - 6, kContextColor, shade_of(count, most));
    text += remark(at + kCell / 2, below + 48 + kCell + 6, fmt::format("{}", count), "middle");
  }
  return text;
}

// What the rows and columns of blocks mean.
std::string shapes_axes() {
  constexpr std::array<std::string_view, 3> kDistance = {"comes nearer", "stays", "moves away"};
  constexpr std::array<std::string_view, 3> kSteps = {"smaller", "alike", "greater"};
  std::string text =
      remark(kMapLeft, kMapTop - 24, "columns of blocks: later steps are, on average, …");
  text += remark(kMapLeft - 10, kMapTop - 24, "rows of blocks:", "end");
  text += remark(kMapLeft - 10, kMapTop - 10, "from its origin it …", "end");
  for (std::size_t i = 0; i < 3; ++i) {
    const double offset = static_cast<double>(i) * kBlock + 1.5 * kCell;
    text += label(kMapLeft - 10, kMapTop + offset + 4, kDistance[i], "end");
    text += label(kMapLeft + offset, kMapTop - 8, kSteps[i], "middle");
  }
  return text;
}

}  // namespace

// Nine blocks of nine cells. The block says how the distance to the origin (row) and the size of
// the steps (column) develop; the cell in it, how many steps are violent (row) and how long the
// longest hold is (column). The index of a shape is a number in base 3 with these four digits:
// distance, steps, violent, hold.
std::string shapes_svg(const shake::Report& report) {
  std::array<std::size_t, 81> counts{};
  for (const shake::FlowFacts& facts : report.facts) ++counts[facts.cell];
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(counts));
  const auto seen = counts.size() - static_cast<std::size_t>(std::ranges::count(counts, 0U));
  std::string inside = label(
      kMargin, 20,
      fmt::format("shapes of {} flows: {} of the 81 shapes occur", report.facts.size(), seen));
  inside += shapes_axes();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t row = i / 27 * 3 + i / 3 % 3;    // distance, violent
    const std::size_t column = i / 9 % 3 * 3 + i % 3;  // steps, hold
    const double left =
        kMapLeft + static_cast<double>(column) * kCell + static_cast<double>(column / 3) * kMargin;
    const double top =
        kMapTop + static_cast<double>(row) * kCell + static_cast<double>(row / 3) * kMargin;
    inside += box(left, top, kCell - 2, kCell - 2, kContextColor, shade_of(counts[i], most));
    if (counts[i] > 0) {
      inside +=
          label(left + kCell / 2 - 1, top + kCell / 2 + 3, fmt::format("{}", counts[i]), "middle");
    }
  }
  inside += shapes_legend(kMapLeft + 3 * kBlock + 30, kMapTop - 24, most);
  return picture(kMapLeft + 3 * kBlock + 330, kMapTop + 3 * kBlock + kMargin, inside);
}

}  // namespace poise::report
