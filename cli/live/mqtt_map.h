#pragma once

// The meaning of MQTT messages: a map is a file with a row for each sort of message.
//
//   # where the message comes from -> what it says        whose it is   when it was
//   topic home/+/gps              -> set                  app +1        time at
//   topic home/+/gps/speed        -> set gps.speed        app +1
//   topic gate/boxes              -> add B_stor
//   topic log/#                   -> line
//
// For each row whose filter its topic matches, a message becomes a line of a log, in JSON. So
// everything that reads logs can read messages. docs/watch.md describes the format.

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
    SetAll,    // the payload is an object: variables and their values
    SetOne,    // it is the value of the variable `name`
    SetField,  // it is an object, and `field` has the value of the variable
    Add,       // it is an element of the stream, or a member of the set, `name`
    Remove,    // likewise
    Line,      // it is a line of a log
  };
  std::string filter;
  Action action = Action::Line;
  std::string name;              // of the variable or stream
  std::string field;             // SetField
  bool text = false;             // SetOne, Add, Remove: the payload is a plain text, without quotes
  std::string app;               // the instance, if app_wildcard is 0
  std::size_t app_wildcard = 0;  // else the instance is what the `+` of this number matches
  std::string time_field;        // the field of the payload that has the time; empty: its arrival
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

// The reason why a text is no topic filter; nothing if it is one.
[[nodiscard]] std::optional<std::string> mistake_in_filter(std::string_view filter);
// The reason why messages cannot be published under a topic; nothing if they can.
[[nodiscard]] std::optional<std::string> mistake_in_topic(std::string_view topic);
// If the topic matches the filter: what each `+` stands for.
[[nodiscard]] std::optional<std::vector<std::string_view>> matched(std::string_view filter,
                                                                   std::string_view topic);

// The line that a row makes of a message whose topic it matches; nothing if the field that it asks
// for is not there. The line has no line breaks.
[[nodiscard]] Result<std::optional<std::string>> line_from(const MqttRow& row,
                                                           std::string_view topic,
                                                           std::string_view payload,
                                                           watch::Time arrival);

}  // namespace poise::cli
