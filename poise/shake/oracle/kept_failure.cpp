#include "poise/shake/oracle/kept_failure.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "poise/base/utf8.h"
#include "poise/json/reader.h"
#include "poise/log/vocabulary.h"

namespace poise::shake {

namespace {

std::optional<double> number_from(std::string_view text) {
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

class FailureReader {
 public:
  FailureReader(std::string_view text, const Grid& grid) : json_(text, scratch_), grid_(grid) {}

  Result<KeptFailure> quake() {
    if (!json_.begin_object()) return json_.error();
    bool flow = false;
    while (const auto key = json_.next_key()) {
      if (*key == "model") {
        quake_.model = std::string(json_.string().value_or(""));
      } else if (*key == "failure") {
        quake_.failure = std::string(json_.string().value_or(""));
      } else if (*key == "flow" && !flow) {
        flow = true;
        if (!read_flow()) return failure();
      } else {
        json_.fail(json_.key_offset(), fmt::format("unexpected `{}`", log::shown(*key)));
      }
      if (json_.failed()) return json_.error();
    }
    if (!json_.finish()) return json_.error();
    if (quake_.contexts.empty()) return poise::failure("there is no flow in it");
    return std::move(quake_);
  }

 private:
  Failure failure() { return wrong_.empty() ? json_.error() : poise::failure(wrong_); }

  bool read_flow() {
    if (!json_.begin_array()) return false;
    while (json_.next_element()) {
      if (!read_context()) return false;
    }
    return !json_.failed();
  }

  bool read_context() {
    std::vector<std::string> values(grid_.properties.size());
    std::size_t ticks = 1;
    if (!json_.begin_object()) return false;
    while (const auto key = json_.next_key()) {
      const auto property = std::ranges::find(grid_.properties, *key, &Property::name);
      if (*key == "ticks" && property == grid_.properties.end()) {
        const auto text = json_.number();
        const auto number = text ? number_from(*text) : std::nullopt;
        const bool whole =
            number && *number >= 1 && *number <= kMostKeptTicks && std::floor(*number) == *number;
        if (!whole) return object("`ticks` is a whole number from 1 on");
        ticks = static_cast<std::size_t>(*number);
        continue;
      }
      if (property == grid_.properties.end()) {
        return object(fmt::format("`{}` is no property of the model", log::shown(*key)));
      }
      std::string& value = values[static_cast<std::size_t>(property - grid_.properties.begin())];
      if (!value.empty()) return object(fmt::format("`{}` is there twice", *key));
      const std::optional<std::string> read = read_value(property->kind);
      if (!read) return object(fmt::format("`{}` has a value of another kind", *key));
      value = *read;
    }
    if (json_.failed()) return false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (values[i].empty()) {
        return object(fmt::format("`{}` is missing", grid_.properties[i].name));
      }
    }
    if (quake_.contexts.size() + ticks > kMostKeptTicks) return object("it is too long");
    quake_.contexts.insert(quake_.contexts.end(), ticks, values);
    return true;
  }

  // A value as JSON; nothing if it is of another kind. Labels keep their quotes, because a label
  // may be called `null`.
  std::optional<std::string> read_value(Property::Kind kind) {
    switch (json_.kind()) {
      case json::Reader::Kind::Other:  // no JSON: the reader will say so
      case json::Reader::Kind::Null: break;
      case json::Reader::Kind::Number:
        if (kind != Property::Kind::Number) return std::nullopt;
        break;
      case json::Reader::Kind::Bool:
        if (kind != Property::Kind::Boolean) return std::nullopt;
        break;
      case json::Reader::Kind::String:
        if (kind != Property::Kind::Label) return std::nullopt;
        return fmt::format("\"{}\"", json_.string().value_or(""));
      case json::Reader::Kind::Object:
      case json::Reader::Kind::Array: return std::nullopt;
    }
    return std::string(json_.any().value_or("null"));
  }

  bool object(std::string message) {
    wrong_ = std::move(message);
    return false;
  }

  std::string scratch_;
  json::Reader json_;
  const Grid& grid_;
  KeptFailure quake_;
  std::string wrong_;
};

// The index of a value. A number that the property does not have is added to it.
Result<Index> index_of(Property& property, const std::string& json) {
  if (json == "null") return kNoValue;
  const std::string text =
      property.kind == Property::Kind::Label ? json.substr(1, json.size() - 2) : json;
  const auto known = std::ranges::find(property.texts, text);
  if (known != property.texts.end()) {
    return static_cast<Index>(known - property.texts.begin());
  }
  const std::optional<double> number = number_from(text);
  const bool allowed = property.kind == Property::Kind::Number && number &&
                       *number >= property.low && *number <= property.high &&
                       property.values.size() + 1 < kNoValue;
  if (!allowed) {
    return failure(fmt::format("`{}` cannot be {}", property.name, log::shown(text)));
  }
  // Appended, so that existing indices stay valid. Only searches need ascending values, and they
  // work on the grid without quakes.
  property.values.push_back(*number);
  property.texts.push_back(text);
  if (!property.boundary.empty()) property.boundary.push_back(false);
  if (!property.cells.empty()) property.cells.push_back(property.cells.back());
  return static_cast<Index>(property.values.size() - 1);
}

}  // namespace

Result<KeptFailure> kept_failure_from(std::string_view text, const Grid& grid) {
  if (first_invalid_byte(text)) return failure("it is not UTF-8");
  return FailureReader(text, grid).quake();
}

Result<Replay> replay_of(const KeptFailure& quake, const Grid& grid) {
  Replay replay{grid, {}};
  for (const std::vector<std::string>& context : quake.contexts) {
    Instance instance;
    for (std::size_t i = 0; i < context.size(); ++i) {
      const Result<Index> index = index_of(replay.grid.properties[i], context[i]);
      if (!index) return Failure(index.error());
      instance.push_back(*index);
    }
    replay.flow.push_back(std::move(instance));
  }
  for (std::size_t i = 0; i < replay.flow.size(); ++i) {
    if (is_valid(replay.grid, replay.flow[i])) continue;
    return failure(fmt::format("the context of tick {} cannot happen", i + 1));
  }
  return replay;
}

}  // namespace poise::shake
