#include "poise/report/svg/shake.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "poise/report/xml.h"

namespace poise::report {

using shake::FlowFacts;

namespace {

constexpr double kWidth = 900;
constexpr double kLeft = 120;  // room for the names of the bands
constexpr double kRight = 20;
constexpr double kBand = 46;  // height of a band
constexpr double kGap = 10;
constexpr double kTitle = 26;
constexpr std::array<std::string_view, 3> kStepColors = {"#2a9d4a", "#999", "#d1352b"};

std::string picture(double width, double height, const std::string& inside) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "width=\"{0:.0f}\" height=\"{1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
      "<rect width=\"{0:.0f}\" height=\"{1:.0f}\" fill=\"#fff\"/>\n{2}</svg>\n",
      width, height, inside);
}

std::string line(double x1, double y1, double x2, double y2, std::string_view color,
                 double width = 1) {
  return fmt::format(
      "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" stroke=\"{}\" "
      "stroke-width=\"{:g}\"/>\n",
      x1, y1, x2, y2, color, width);
}

std::string label(double x, double y, std::string_view text, std::string_view anchor = "start") {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n", x, y, anchor,
                     xml_escaped(text));
}

// The place of a value in its property's range, 0 to 1; by logarithms where the scale is
// logarithmic.
double share(const shake::Property& property, shake::Index index) {
  if (property.kind != shake::Property::Kind::Number) {
    const auto last = static_cast<double>(std::max<std::size_t>(property.values.size(), 2) - 1);
    return static_cast<double>(index) / last;
  }
  const auto scaled = [&](double value) { return property.log ? std::log(value) : value; };
  const double range = scaled(property.high) - scaled(property.low);
  return range > 0 ? (scaled(property.values[index]) - scaled(property.low)) / range : 0;
}

// A flow, drawn as bands one below the other, from `top` down.
class FlowPicture {
 public:
  FlowPicture(const shake::Report& report, const shake::Flow& flow, const FlowFacts& facts,
              const std::vector<shake::Variant>& variants, double top)
      : report_(report), flow_(flow), facts_(facts), variants_(variants), top_(top) {}

  std::string drawn(std::string_view title) {
    text_ += label(kLeft, top_ + 16, title);
    top_ += kTitle;
    add_distances();
    for (std::size_t i = 0; i < report_.grid.properties.size(); ++i) add_property(i);
    for (std::size_t i = 0; i < report_.fields.size(); ++i) add_field(i);
    return std::move(text_);
  }
  [[nodiscard]] double bottom() const { return top_; }

 private:
  [[nodiscard]] double x(double tick) const {
    const auto ticks = static_cast<double>(std::max<std::size_t>(flow_.size(), 1));
    return kLeft + tick / ticks * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double y(double part) const { return top_ + kBand - part * (kBand - 4); }

  void begin_band(std::string_view name) {
    text_ += label(kLeft - 8, top_ + kBand / 2 + 4, name, "end");
    text_ += line(kLeft, top_ + kBand, kWidth - kRight, top_ + kBand, "#ddd");
  }
  void end_band() { top_ += kBand + kGap; }

  void add_distances() {
    begin_band("from origin");
    for (std::size_t i = 0; i + 1 < facts_.distances.size(); ++i) {
      const auto at = static_cast<double>(i) + 0.5;
      text_ += line(x(at), y(facts_.distances[i]), x(at + 1), y(facts_.distances[i + 1]),
                    kStepColors[facts_.steps[i]], 2);
    }
    if (facts_.distances.size() == 1) {
      text_ += line(x(0), y(facts_.distances[0]), x(1), y(facts_.distances[0]), "#999", 2);
    }
    end_band();
  }

  // A step function with a value for each tick, interrupted where it is NaN.
  void add_steps(const std::vector<double>& shares, std::string_view color) {
    for (std::size_t i = 0; i < shares.size(); ++i) {
      const auto at = static_cast<double>(i);
      if (std::isnan(shares[i])) continue;
      text_ += line(x(at), y(shares[i]), x(at + 1), y(shares[i]), color, 2);
      if (i > 0 && !std::isnan(shares[i - 1]) && shares[i - 1] != shares[i]) {
        text_ += line(x(at), y(shares[i - 1]), x(at), y(shares[i]), color);
      }
    }
  }

  void add_property(std::size_t number) {
    const shake::Property& property = report_.grid.properties[number];
    begin_band(property.name);
    std::vector<double> shares;
    for (const shake::Instance& instance : flow_) {
      const shake::Index index = instance[number];
      shares.push_back(index == shake::kNoValue ? std::nan("") : share(property, index));
    }
    add_steps(shares, "#3b6fb6");
    end_band();
  }

  void add_field(std::size_t number) {
    const shake::Field& field = report_.fields[number];
    begin_band(field.name);
    double low = 0;
    double high = 1;
    for (const shake::Variant& variant : variants_) {
      low = std::min(low, variant[number]);
      high = std::max(high, variant[number]);
    }
    std::vector<double> shares;
    for (const shake::Variant& variant : variants_) {
      shares.push_back((variant[number] - low) / (high - low));
    }
    add_steps(shares, "#8a4fa3");
    add_values(field, number, shares);
    end_band();
  }

  // Writes the new value at each change that has room for it.
  void add_values(const shake::Field& field, std::size_t number,
                  const std::vector<double>& shares) {
    double free_from = 0;
    for (std::size_t i = 0; i < variants_.size(); ++i) {
      const bool same = i > 0 && variants_[i][number] == variants_[i - 1][number];
      const double at = x(static_cast<double>(i)) + 2;
      if (same || at < free_from) continue;
      const std::string text = shake::to_text(field, variants_[i][number]);
      text_ += label(at, y(shares[i]) + (shares[i] > 0.5 ? 12 : -3), text);
      free_from = at + 8 * static_cast<double>(text.size() + 1);
    }
  }

  const shake::Report& report_;
  const shake::Flow& flow_;
  const FlowFacts& facts_;
  const std::vector<shake::Variant>& variants_;
  double top_;
  std::string text_;
};

}  // namespace

std::string flow_svg(const shake::Report& report, std::size_t flow) {
  FlowPicture drawing(report, report.flows[flow], report.facts[flow], report.variants[flow], 0);
  const FlowFacts& facts = report.facts[flow];
  const std::string inside =
      drawing.drawn(fmt::format("flow {}: {}, {} earthquake profiles, longest hold {}", flow + 1,
                                facts.from, facts.profiles, facts.hold));
  return picture(kWidth, drawing.bottom() + kGap, inside);
}

std::string failure_svg(const shake::Report& report, const shake::Failing& failing) {
  FlowPicture before(report, failing.original, failing.original_facts, failing.original_variants,
                     0);
  std::string inside =
      before.drawn(fmt::format("{}: found after {} ticks", failing.name, failing.original.size()));
  FlowPicture after(report, failing.smallest, failing.smallest_facts, failing.smallest_variants,
                    before.bottom() + kGap);
  inside += after.drawn(fmt::format("the smallest flow that shows it: {}", failing.text));
  return picture(kWidth, after.bottom() + kGap, inside);
}

std::string matrix_svg(const shake::Report& report) {
  const shake::MutationReport& mutation = *report.mutation;
  const double cell = std::clamp(700.0 / static_cast<double>(report.flows.size() + 1), 2.0, 14.0);
  constexpr double kRow = 12;
  std::string inside = label(kLeft, 16, "mutants (rows) and the flows that kill them (columns)");
  double top = kTitle;
  std::string group;
  for (const shake::MutantResult& mutant : mutation.mutants) {
    if (mutant.group != group) {
      top += 4;
      group = mutant.group;
    }
    inside += fmt::format(
        "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\" font-size=\"9\">{}</text>\n",
        kLeft - 6, top + kRow - 3, xml_escaped(mutant.id));
    const bool equivalent = mutant.status == shake::MutantResult::Status::Equivalent;
    for (std::size_t i = 0; i < mutant.killed_at.size(); ++i) {
      const std::int32_t tick = mutant.killed_at[i];
      if (tick < 0 && !equivalent) continue;
      const auto ticks = static_cast<double>(std::max<std::size_t>(report.flows[i].size(), 1));
      const double late = tick < 0 ? 0 : static_cast<double>(tick) / ticks;
      inside += fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
          "fill-opacity=\"{:.2f}\"/>\n",
          kLeft + static_cast<double>(i) * cell, top, cell, kRow - 1,
          equivalent ? "#ccc" : "#d1352b", equivalent ? 0.5 : 1 - 0.8 * late);
    }
    top += kRow;
  }
  const double width = kLeft + cell * static_cast<double>(report.flows.size()) + kRight;
  constexpr double kTitleWidth = 420;
  return picture(std::max(width, kLeft + kTitleWidth), top + kGap, inside);
}

// Nine blocks of nine cells. The block says how the distance to the origin (row) and the size of
// the steps (column) develop; the cell in it, how many steps are violent (row) and how long the
// longest hold is (column). The index of a shape is a number in base 3 with these four digits:
// distance, steps, violent, hold.
std::string shapes_svg(const shake::Report& report) {
  constexpr double kCell = 26;
  constexpr std::array<std::string_view, 3> kDistance = {"down", "flat", "up"};
  constexpr std::array<std::string_view, 3> kSteps = {"shrinking", "flat", "growing"};
  std::array<std::size_t, 81> counts{};
  for (const FlowFacts& facts : report.facts) ++counts[facts.cell];
  const std::size_t most = std::max<std::size_t>(1, *std::ranges::max_element(counts));
  std::string inside = label(kLeft, 16, "shapes of flows: distance (rows), steps (columns)");
  for (std::size_t i = 0; i < counts.size(); ++i) {
    const std::size_t row = i / 27 * 3 + i / 3 % 3;    // distance, violent
    const std::size_t column = i / 9 % 3 * 3 + i % 3;  // steps, hold
    const double left =
        kLeft + static_cast<double>(column) * kCell + static_cast<double>(column / 3) * kGap;
    const double top =
        2 * kTitle + static_cast<double>(row) * kCell + static_cast<double>(row / 3) * kGap;
    inside += fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"#3b6fb6\" "
        "fill-opacity=\"{:.2f}\" stroke=\"#ccc\"/>\n",
        left, top, kCell - 2, kCell - 2,
        std::sqrt(static_cast<double>(counts[i]) / static_cast<double>(most)));
    if (counts[i] > 0) {
      inside +=
          label(left + kCell / 2 - 1, top + kCell / 2 + 3, fmt::format("{}", counts[i]), "middle");
    }
  }
  for (std::size_t i = 0; i < 3; ++i) {
    const double offset = static_cast<double>(i) * (3 * kCell + kGap) + 1.5 * kCell;
    inside += label(kLeft - 10, 2 * kTitle + offset, kDistance[i], "end");
    inside += label(kLeft + offset, 2 * kTitle - 6, kSteps[i], "middle");
  }
  const double size = 9 * kCell + 3 * kGap;
  inside += label(kLeft, 2 * kTitle + size + 10,
                  "in a block: violent steps few to most (down), hold short to long (right)");
  return picture(kLeft + size + 220, 2 * kTitle + size + 24, inside);
}

}  // namespace poise::report
