#pragma once

// What MQTT messages mean: a file with a line for each sort of them.
//
//   # where the message comes from -> what it says        whose it is   when it was
//   topic home/+/gps              -> set                  app +1        time at
//   topic home/+/gps/speed        -> set gps.speed        app +1
//   topic gate/boxes              -> add B_stor
//   topic log/#                   -> line
//
// A message becomes a line of a log for each row that its topic matches, so whatever reads logs can
// go on from there. docs/watch.md is the description.

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/result.h"
#include "poise/base/source.h"
#include "poise/model/model.h"
#include "poise/watch/result.h"

namespace poise::cli {

struct MqttRow {
  enum class Action {
    SetAll,    // the payload is an object of variables
    SetOne,    // a value
    SetField,  // an object, of which one field is a value
    Add,       // an element or a member
    Remove,
    Line,  // a line of a log
  };
  std::string filter;
  Action action = Action::Line;
  std::string name;   // of the variable or stream
  std::string field;  // SetField
  bool text = false;  // SetOne, Add, Remove: the payload is a text as it is, without quotes
  std::string app;
  std::size_t app_wildcard = 0;  // the instance is what this `+` stands for, from 1 on; 0: `app`
  std::string time_field;        // of the payload; empty: the time of arrival
};

struct MqttMap {
  std::vector<MqttRow> rows;
};

struct MqttMapMistake {
  std::size_t line = 0;
  std::size_t column = 0;
  std::string message;
};
struct ReadMqttMap {
  std::optional<MqttMap> map;            // if there is no mistake
  std::vector<MqttMapMistake> mistakes;  // at most one a line
};
inline constexpr std::size_t kMostMqttMap = std::size_t{1} << 20;  // bytes
[[nodiscard]] ReadMqttMap mqtt_map_from(std::string_view text, const model::Model& model);

// Why a text is no topic filter; nothing if it is one.
[[nodiscard]] std::optional<std::string> mistake_in_filter(std::string_view filter);
// Why messages cannot be published under a name; nothing if they can.
[[nodiscard]] std::optional<std::string> mistake_in_topic(std::string_view topic);
// What each `+` stands for, where the topic matches the filter.
[[nodiscard]] std::optional<std::vector<std::string_view>> matched(std::string_view filter,
                                                                   std::string_view topic);

// The line that a row makes of a message whose topic it matches; nothing if the field that it asks
// for is not there. The line has no line breaks.
[[nodiscard]] Result<std::optional<std::string>> line_from(const MqttRow& row,
                                                           std::string_view topic,
                                                           std::string_view payload,
                                                           watch::Time arrival);

}  // namespace poise::cli
