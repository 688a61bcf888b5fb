#include "poise/shake/grid/pict.h"

#include <algorithm>
#include <numeric>
#include <set>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "poise/base/utf8.h"
#include "poise/shake/grid/pict_constraints.h"
#include "poise/shake/grid/pict_lexer.h"

namespace poise::shake {

namespace {

constexpr std::size_t kMaxParameters = 1000;
constexpr std::size_t kMaxValues = 1000;  // of a parameter
constexpr std::size_t kMaxAllValues = 20'000;
constexpr std::size_t kMaxMistakes = 100;

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return text.substr(text.size());
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

// Whether a line, without blanks around it, is the first line of the constraints.
bool begins_constraints(std::string_view line) {
  if (line.starts_with('[') || line.starts_with('(')) return true;
  const std::string word = folded(line.substr(0, line.find_first_of(" \t([:")));
  if (word == "ISNEGATIVE" || word == "ISPOSITIVE")
    return line.substr(word.size()).starts_with('(');
  if (word != "IF" && word != "NOT") return false;
  const std::string rest = folded(trimmed(line.substr(word.size())));
  return rest.empty() || rest.starts_with('[') || rest.starts_with('(') ||
         rest.starts_with("NOT") || rest.starts_with("ISNEGATIVE") ||
         rest.starts_with("ISPOSITIVE");
}

// A value as the file has it.
struct PictValue {
  std::string text;  // without `~`
  bool negative = false;

  [[nodiscard]] std::string shown() const { return (negative ? "~" : "") + text; }
};

class PictReader {
 public:
  explicit PictReader(std::string_view text) : text_(text), lines_(text) {}

  ImportedGrid run() {
    std::size_t at = text_.starts_with("\xEF\xBB\xBF") ? 3 : 0;
    std::optional<std::size_t> constraints;
    while (at < text_.size() && !constraints && !full()) {
      const std::size_t end = std::min(text_.find('\n', at), text_.size());
      const std::string_view line = trimmed(text_.substr(at, end - at));
      if (begins_constraints(line)) {
        constraints = offset(line);
      } else if (!line.empty() && !line.starts_with('#')) {
        definition(line);
      }
      at = end + 1;
    }
    if (properties_.empty() && result_.mistakes.empty()) {
      mistake(text_.substr(text_.size()), "there are no parameters");
    }
    Grid grid;
    // After mistakes in parameters, constraints that use them would only report them again.
    if (constraints && result_.mistakes.empty()) {
      PictConstraints read = pict_constraints(text_, *constraints, parameters_);
      for (PictError& error : read.errors) {
        mistake(text_.substr(error.offset, 0), std::move(error.message));
      }
      for (PictError& ignored : read.remarks) {
        remark(text_.substr(ignored.offset, 0), std::move(ignored.message));
      }
      grid.constraints = std::move(read.constraints);
    }
    if (result_.mistakes.empty()) {
      grid.properties = std::move(properties_);
      result_.grid = std::move(grid);
      const auto has_negative = [](const PictParameter& parameter) {
        return std::ranges::find(parameter.negative, true) != parameter.negative.end();
      };
      if (std::ranges::any_of(parameters_, has_negative)) {
        for (PictParameter& parameter : parameters_) {
          result_.plan.negative.push_back(std::move(parameter.negative));
        }
      }
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::size_t offset(std::string_view part) const {
    return static_cast<std::size_t>(part.data() - text_.data());
  }
  [[nodiscard]] Position position(std::string_view part) const {
    return lines_.position(static_cast<std::uint32_t>(offset(part)));
  }
  [[nodiscard]] bool full() const { return result_.mistakes.size() >= kMaxMistakes; }
  void mistake(std::string_view part, std::string message) {
    if (!full()) result_.mistakes.push_back({.at = position(part), .message = std::move(message)});
  }
  void remark(std::string_view part, std::string message) {
    if (result_.remarks.size() >= kMaxMistakes) return;
    result_.remarks.push_back({.at = position(part), .message = std::move(message)});
  }

  void definition(std::string_view line) {
    if (line.starts_with('{')) return sub_model(line);
    std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) colon = line.find(',');
    if (colon == std::string_view::npos) {
      return mistake(line, "neither a parameter (`name: value, value`) nor a constraint");
    }
    const std::string_view name = trimmed(line.substr(0, colon));
    if (name.starts_with('$')) return mistake(name, "a parameter for results is not understood");
    const std::size_t at = name.rfind('@');
    if (at != std::string_view::npos && pict_number(trimmed(name.substr(at + 1)))) {
      return mistake(name.substr(at), "an order of one parameter is not understood");
    }
    if (!names_.insert(folded(name)).second) {
      mistake(name, fmt::format("a second parameter `{}`", name));
      return;
    }
    if (names_.size() > kMaxParameters) {
      mistake(name, fmt::format("more than {} parameters", kMaxParameters));
      return;
    }
    std::vector<PictValue> values;
    std::string_view rest = line.substr(colon + 1);
    for (bool last = false; !last;) {
      const std::size_t comma = rest.find(',');
      last = comma == std::string_view::npos;
      add_values(trimmed(rest.substr(0, comma)), values);
      last = last || values.size() > kMaxValues;
      if (!last) rest.remove_prefix(comma + 1);
    }
    all_values_ += values.size();
    if (values.size() > kMaxValues || all_values_ > kMaxAllValues) {
      mistake(name, fmt::format("too many values: at most {} of a parameter and {} of all",
                                kMaxValues, kMaxAllValues));
      return;
    }
    add_parameter(name, std::move(values));
  }

  [[nodiscard]] std::optional<std::size_t> parameter(std::string_view name) const {
    const auto found =
        std::ranges::find(parameters_, folded(name),
                          [](const PictParameter& parameter) { return folded(parameter.name); });
    if (found == parameters_.end()) return std::nullopt;
    return static_cast<std::size_t>(found - parameters_.begin());
  }

  // { A, B, C } @ 2
  void sub_model(std::string_view line) {
    const std::size_t close = line.find('}');
    if (close == std::string_view::npos) return mistake(line, "`}` is missing");
    SubModel made;
    std::string_view names = line.substr(1, close - 1);
    for (bool last = false; !last;) {
      const std::size_t comma = names.find(',');
      last = comma == std::string_view::npos;
      const std::string_view name = trimmed(names.substr(0, comma));
      const std::optional<std::size_t> found = parameter(name);
      if (!found) {
        return remark(name, fmt::format("unknown parameter `{}`: the sub-model is ignored", name));
      }
      made.properties.push_back(*found);
      if (!last) names.remove_prefix(comma + 1);
    }
    std::ranges::sort(made.properties);
    const auto twice = std::unique(made.properties.begin(), made.properties.end());
    if (twice != made.properties.end()) remark(line, "a parameter is in the sub-model twice");
    made.properties.erase(twice, made.properties.end());
    const std::string_view order = trimmed(line.substr(close + 1));
    if (!order.empty()) {
      const std::string_view number = trimmed(order.substr(1));
      const double most = static_cast<double>(std::min<std::size_t>(made.properties.size(), 4));
      const double strength = pict_number(number).value_or(0);
      if (order.front() != '@' || !(strength >= 1 && strength <= most)) {
        return mistake(order, fmt::format("an order from 1 to {} (`@ 2`) should be here", most));
      }
      made.strength = static_cast<unsigned>(strength);
    }
    result_.plan.sub_models.push_back(std::move(made));
  }

  // Adds a value, or, for <Parameter>, the values of another parameter.
  void add_values(std::string_view item, std::vector<PictValue>& values) {
    if (item.size() > 1 && item.starts_with('<') && item.ends_with('>')) {
      if (const auto other = parameter(item.substr(1, item.size() - 2))) {
        const PictParameter& of = parameters_[*other];
        for (std::size_t i = 0; i < of.texts.size(); ++i) {
          values.push_back({of.texts[i], of.negative[i]});
        }
        return;
      }
    }
    item = without_weight(item);
    const std::size_t alias = item.find('|');
    if (alias != std::string_view::npos) {
      remark(item, "only the first name of a value is used");
      item = trimmed(item.substr(0, alias));
    }
    const bool negative = item.starts_with('~');
    if (negative) item = trimmed(item.substr(1));
    values.push_back({std::string(item), negative});
  }

  std::string_view without_weight(std::string_view item) {
    const std::size_t open = item.rfind('(');
    if (open == std::string_view::npos || !item.ends_with(')')) return item;
    const std::string_view weight = trimmed(item.substr(open + 1, item.size() - open - 2));
    if (weight.empty() || weight.find_first_not_of("0123456789") != std::string_view::npos) {
      return item;
    }
    remark(item, "weights of values are not used");
    return trimmed(item.substr(0, open));
  }

  void add_parameter(std::string_view name, std::vector<PictValue> values) {
    std::set<std::pair<std::string, bool>> seen;
    std::erase_if(values, [&](const PictValue& value) {
      if (seen.emplace(value.text, value.negative).second) return false;
      remark(name, fmt::format("`{}` has the value `{}` twice", name, value.shown()));
      return true;
    });
    const auto is_negative = [](const PictValue& value) { return value.negative; };
    if (std::ranges::all_of(values, is_negative)) {
      return mistake(name, fmt::format("all values of `{}` are negative", name));
    }
    std::vector<double> numbers;
    for (const PictValue& value : values) {
      if (const std::optional<double> number = pict_number(value.text)) numbers.push_back(*number);
    }
    const bool number = numbers.size() == values.size();
    const std::set<double> different(numbers.begin(), numbers.end());
    const bool ordered = number && different.size() == numbers.size();
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (ordered) {
      std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
    } else if (values.size() == 2 && folded(values[0].text) == "TRUE" &&
               folded(values[1].text) == "FALSE") {
      std::swap(order[0], order[1]);
    }
    Property property{.name = std::string(name), .values = {}, .texts = {}};
    PictParameter made{.name = property.name, .values = {}, .texts = {}};
    for (const std::size_t i : order) {
      property.values.push_back(ordered ? numbers[i] : static_cast<double>(made.texts.size()));
      property.texts.push_back(values[i].shown());
      made.texts.push_back(std::move(values[i].text));
      made.negative.push_back(values[i].negative);
      if (number) made.numbers.push_back(numbers[i]);
    }
    complete(property, ordered);
    made.values = property.values;
    properties_.push_back(std::move(property));
    parameters_.push_back(std::move(made));
  }

  // What follows from a property's values.
  static void complete(Property& property, bool number) {
    const std::size_t count = property.values.size();
    property.boundary.assign(count, !number);
    if (number) {
      property.low = property.values.front();
      property.high = property.values.back();
      property.boundary.front() = property.boundary.back() = true;
      property.cells.assign(count, 0);
      property.cell_names = {"any"};
      return;
    }
    const bool truth =
        count == 2 && folded(property.texts[0]) == "FALSE" && folded(property.texts[1]) == "TRUE";
    property.kind = truth ? Property::Kind::Boolean : Property::Kind::Label;
    property.cells.resize(count);
    std::iota(property.cells.begin(), property.cells.end(), 0U);
    property.cell_names = property.texts;
  }

  std::string_view text_;
  LineIndex lines_;
  std::vector<Property> properties_;
  std::vector<PictParameter> parameters_;  // the same, as constraints see them
  std::unordered_set<std::string> names_;  // folded
  std::size_t all_values_ = 0;
  ImportedGrid result_;
};

}  // namespace

ImportedGrid read_pict(std::string_view text) {
  ImportedGrid refused;
  if (text.size() > kMaxPictSize) {
    refused.mistakes.push_back({.at = {}, .message = "the file is too large"});
    return refused;
  }
  if (const std::optional<std::size_t> bad = first_invalid_byte(text)) {
    const Position at = LineIndex(text).position(static_cast<std::uint32_t>(*bad));
    refused.mistakes.push_back({.at = at, .message = "this is not UTF-8"});
    return refused;
  }
  return PictReader(text).run();
}

}  // namespace poise::shake
