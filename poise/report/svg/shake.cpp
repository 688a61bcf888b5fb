#include "poise/report/svg/shake.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "poise/report/svg/strokes.h"

namespace poise::report {

using shake::FlowFacts;

namespace {

constexpr double kWidth = 900;
constexpr double kLeft = 120;  // room for the names of the bands
constexpr double kRight = 80;  // room for the ends of the scales
constexpr double kBand = 46;   // height of a band
constexpr double kGap = 10;
constexpr double kTitle = 26;
constexpr double kAxis = 30;  // height of a time axis
constexpr std::array<std::string_view, 3> kStepColors = {"#2a9d4a", "#999", "#d1352b"};

// ---- Time ----

struct TimeAxis {
  double step = 1;  // from one label to the next, in seconds
  double unit = 1;  // of the labels, in seconds
  std::string_view unit_name = "s";
};

// The least power of ten, or twice or five times one, that is not less.
double round_up(double number) {
  const double power = std::pow(10, std::floor(std::log10(number)));
  for (const double times : {1, 2, 5}) {
    if (times * power >= number) return times * power;
  }
  return 10 * power;
}

// With ten labels or fewer, at round times.
TimeAxis time_axis(double seconds) {
  constexpr std::array<double, 17> kRound = {1,   2,   5,    10,   15,   30,    60,    120,  300,
                                             600, 900, 1800, 3600, 7200, 10800, 21600, 43200};
  constexpr double kDay = 86400;
  const double least = seconds / 10;
  double step = least < 1 ? round_up(least) : round_up(least / kDay) * kDay;
  if (least >= 1) {
    const auto found = std::ranges::lower_bound(kRound, least);
    if (found != kRound.end()) step = *found;
  }
  if (step < 60) return {step, 1, "s"};
  if (step < 3600) return {step, 60, "min"};
  if (step < kDay) return {step, 3600, "h"};
  return {step, kDay, "days"};
}

// ---- Flows ----

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
    add_time();
    return std::move(text_);
  }
  [[nodiscard]] double bottom() const { return top_; }

 private:
  [[nodiscard]] double x(double tick) const {
    const auto ticks = static_cast<double>(std::max<std::size_t>(flow_.size(), 1));
    return kLeft + tick / ticks * (kWidth - kLeft - kRight);
  }
  [[nodiscard]] double y(double part) const { return top_ + kBand - part * (kBand - 4); }

  // `low` and `high`: what the lower and the upper end of the band mean.
  void begin_band(std::string_view name, std::string_view low, std::string_view high) {
    text_ += label(kLeft - 8, top_ + kBand / 2 + 4, shortened(name, 17), "end");
    text_ += remark(kWidth - kRight + 6, y(0) + 2, shortened(low, 12));
    text_ += remark(kWidth - kRight + 6, y(1) + 6, shortened(high, 12));
    text_ += line(kLeft, top_ + kBand, kWidth - kRight, top_ + kBand, "#ddd");
  }
  void end_band() { top_ += kBand + kGap; }

  void add_time() {
    const double whole = static_cast<double>(flow_.size()) * report_.tick;
    if (!(whole > 0)) return;
    const TimeAxis axis = time_axis(whole);
    text_ += line(kLeft, top_, kWidth - kRight, top_, "#555");
    for (std::size_t i = 0; static_cast<double>(i) * axis.step <= whole * (1 + 1e-9); ++i) {
      const double time = static_cast<double>(i) * axis.step;
      text_ += line(x(time / report_.tick), top_, x(time / report_.tick), top_ + 4, "#555");
      text_ += remark(x(time / report_.tick), top_ + 15, fmt::format("{:g}", time / axis.unit),
                      "middle");
    }
    text_ += remark(kLeft - 8, top_ + 15, fmt::format("time, {}", axis.unit_name), "end");
    top_ += kAxis;
  }

  void add_distances() {
    begin_band("from origin", "0", "1");
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
    if (property.kind == shake::Property::Kind::Number) {
      begin_band(property.name, fmt::format("{:g}{}", property.low, property.log ? ", log" : ""),
                 fmt::format("{:g}", property.high));
    } else {
      begin_band(property.name, property.texts.front(), property.texts.back());
    }
    std::vector<double> shares;
    for (const shake::Instance& instance : flow_) {
      const shake::Index index = instance[number];
      shares.push_back(index == shake::kNoValue ? std::nan("") : share(property, index));
    }
    add_steps(shares, kContextColor);
    end_band();
  }

  void add_field(std::size_t number) {
    const shake::Field& field = report_.fields[number];
    double low = 0;
    double high = 1;
    for (const shake::Variant& variant : variants_) {
      low = std::min(low, variant[number]);
      high = std::max(high, variant[number]);
    }
    begin_band(field.name, shake::to_text(field, low), shake::to_text(field, high));
    std::vector<double> shares;
    for (const shake::Variant& variant : variants_) {
      shares.push_back((variant[number] - low) / (high - low));
    }
    add_steps(shares, kVariantColor);
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

// What the colours of flows mean.
std::string flow_legend(double top) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> kEntries = {
      {{kStepColors[0], "smooth step"},
       {kStepColors[1], "moderate step"},
       {kStepColors[2], "violent step"},
       {kContextColor, "context: what is sensed"},
       {kVariantColor, "variant: what is decided"}}};
  std::string text;
  double left = kLeft;
  for (const auto& [color, meaning] : kEntries) {
    text += line(left, top, left + 16, top, color, 3);
    text += remark(left + 20, top + 4, meaning);
    left += 36 + 6 * static_cast<double>(meaning.size());
  }
  return text;
}

}  // namespace

std::string flow_svg(const shake::Report& report, std::size_t flow) {
  FlowPicture drawing(report, report.flows[flow], report.facts[flow], report.variants[flow], 0);
  const FlowFacts& facts = report.facts[flow];
  const std::string inside =
      drawing.drawn(fmt::format("flow {}: {}, {} earthquake profiles, longest hold {}", flow + 1,
                                facts.from, facts.profiles, facts.hold));
  return picture(kWidth, drawing.bottom() + kTitle, inside + flow_legend(drawing.bottom() + kGap));
}

std::string failure_svg(const shake::Report& report, const shake::Failing& failing) {
  FlowPicture before(report, failing.original, failing.original_facts, failing.original_variants,
                     0);
  std::string inside =
      before.drawn(fmt::format("{}: found after {} ticks", failing.name, failing.original.size()));
  FlowPicture after(report, failing.smallest, failing.smallest_facts, failing.smallest_variants,
                    before.bottom() + kGap);
  inside += after.drawn(fmt::format("the smallest flow that shows it: {}", failing.text));
  return picture(kWidth, after.bottom() + kTitle, inside + flow_legend(after.bottom() + kGap));
}

}  // namespace poise::report
