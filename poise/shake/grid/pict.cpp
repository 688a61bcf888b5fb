#include "poise/shake/grid/pict.h"

#include <algorithm>
#include <numeric>
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
  if (word != "if" && word != "not") return false;
  const std::string_view rest = trimmed(line.substr(word.size()));
  return rest.empty() || rest.front() == '[' || rest.front() == '(' ||
         folded(rest).starts_with("not");
}

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
      PictConstraints read = pict_constraints(text_, *constraints, properties_);
      for (PictError& error : read.errors) {
        mistake(text_.substr(error.offset, 0), std::move(error.message));
      }
      grid.constraints = std::move(read.constraints);
    }
    if (result_.mistakes.empty()) {
      grid.properties = std::move(properties_);
      result_.grid = std::move(grid);
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
    if (line.starts_with('{')) {
      mistake(line, "sub-models are not understood: all parameters are combined alike");
      return;
    }
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) {
      mistake(line, "neither a parameter (`name: value, value`) nor a constraint");
      return;
    }
    const std::string_view name = trimmed(line.substr(0, colon));
    if (name.empty()) {
      mistake(line, "a parameter without a name");
      return;
    }
    if (!names_.insert(folded(name)).second) {
      mistake(name, fmt::format("a second parameter `{}`", name));
      return;
    }
    if (names_.size() > kMaxParameters) {
      mistake(name, fmt::format("more than {} parameters", kMaxParameters));
      return;
    }
    std::vector<std::string> values;
    std::string_view rest = line.substr(colon + 1);
    for (bool last = false; !last;) {
      const std::size_t comma = rest.find(',');
      last = comma == std::string_view::npos;
      if (!add_values(trimmed(rest.substr(0, comma)), values)) return;
      last = last || values.size() > kMaxValues;
      if (!last) rest.remove_prefix(comma + 1);
    }
    all_values_ += values.size();
    if (values.size() > kMaxValues || all_values_ > kMaxAllValues) {
      mistake(name, fmt::format("too many values: at most {} of a parameter and {} of all",
                                kMaxValues, kMaxAllValues));
      return;
    }
    add_property(name, std::move(values));
  }

  // Adds a value, or, for <Parameter>, the values of another parameter.
  bool add_values(std::string_view item, std::vector<std::string>& values) {
    if (item.starts_with('<') && item.ends_with('>')) {
      const std::string other = folded(trimmed(item.substr(1, item.size() - 2)));
      const auto found = std::ranges::find(
          properties_, other, [](const Property& property) { return folded(property.name); });
      if (found == properties_.end()) {
        mistake(item, "no parameter of this name is defined before");
        return false;
      }
      values.insert(values.end(), found->texts.begin(), found->texts.end());
      return true;
    }
    const std::size_t alias = item.find('|');
    if (alias != std::string_view::npos) {
      remark(item, "only the first name of a value is used");
      item = trimmed(item.substr(0, alias));
    }
    if (item.starts_with('~')) {
      mistake(item, "values marked as negative are not understood");
      return false;
    }
    item = without_weight(item);
    if (item.empty()) {
      mistake(item, "a value is empty");
      return false;
    }
    values.emplace_back(item);
    return true;
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

  void add_property(std::string_view name, std::vector<std::string> texts) {
    Property property{.name = std::string(name), .values = {}, .texts = {}};
    std::vector<double> numbers;
    for (const std::string& text : texts) {
      if (const std::optional<double> number = pict_number(text)) numbers.push_back(*number);
    }
    const bool number = numbers.size() == texts.size();
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (number) {
      std::ranges::stable_sort(order, {}, [&](std::size_t i) { return numbers[i]; });
    } else if (texts.size() == 2 && folded(texts[0]) == "true" && folded(texts[1]) == "false") {
      std::swap(order[0], order[1]);
    }
    std::unordered_set<std::string> seen;
    for (const std::size_t i : order) {
      const double value = number ? numbers[i] : static_cast<double>(property.values.size());
      const bool twice = number ? !property.values.empty() && property.values.back() == value
                                : !seen.insert(texts[i]).second;
      if (twice) {
        mistake(name, fmt::format("`{}` has the value `{}` twice", name, texts[i]));
        return;
      }
      property.values.push_back(value);
      property.texts.push_back(std::move(texts[i]));
    }
    const std::size_t count = property.values.size();
    property.boundary.assign(count, !number);
    if (number) {
      property.low = property.values.front();
      property.high = property.values.back();
      property.boundary.front() = property.boundary.back() = true;
      property.cells.assign(count, 0);
      property.cell_names = {"any"};
    } else {
      const bool truth =
          count == 2 && folded(property.texts[0]) == "false" && folded(property.texts[1]) == "true";
      property.kind = truth ? Property::Kind::Boolean : Property::Kind::Label;
      property.cells.resize(count);
      std::iota(property.cells.begin(), property.cells.end(), 0U);
      property.cell_names = property.texts;
    }
    properties_.push_back(std::move(property));
  }

  std::string_view text_;
  LineIndex lines_;
  std::vector<Property> properties_;
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
