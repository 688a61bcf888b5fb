#pragma once

// Parsing of the command line: words in, a call out, which is a struct for each verb. Values of
// options are still text here, as the user wrote them or as the default is; words.h and the verbs
// interpret them. An option without a default is an optional, or an empty string where that would
// be no sensible value.

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "poise/base/result.h"

namespace poise::cli {

// Help or the version was asked for: print the text and do nothing else.
struct Say {
  std::string text;
};

struct CheckCall {
  std::vector<std::string> models;
  std::optional<std::string> only;
  std::optional<std::string> ignore;
  std::optional<std::string> time_limit;
  std::optional<std::string> memory_limit;
  std::string engine = "auto";
  std::string count = "visited";
  std::string paths = "1000";
  std::string format = "text";
  std::string output;
  std::string color = "auto";
  std::optional<std::string> jobs;
  bool all = false;
  bool quiet = false;
};

struct FmtCall {
  std::vector<std::string> files;
  std::string color = "auto";
  bool check = false;
  bool write = false;
};

struct GenerateCall {
  std::optional<std::string> states;
  std::optional<std::string> rules;
  std::optional<std::string> variables;
  std::optional<std::string> seed;
  std::optional<std::string> max_rules_per_state;
  std::optional<std::string> max_variables_per_rule;
  std::optional<std::string> sensed;
  std::string output;
  bool tied = false;
};

struct GraphCall {
  std::string model;
  std::optional<std::string> format;
  std::optional<std::string> time_limit;
  std::string output;
  std::string color = "auto";
  bool faults = false;
};

struct RankCall {
  std::string model;
  std::string log;
  std::string feedback;
  std::string truth;
  std::string explain;
  std::string graph;
  std::string method = "likelihood";
  std::string prune = "exactly";
  std::string support = "0.25";
  std::string confidence = "0.5";
  std::string raise = "0.05";
  std::string top = "20";
  std::string cases = "100000";
  std::string count = "start";
  std::string paths = "1000";
  std::string format = "text";
  std::string output;
  std::string color = "auto";
  std::optional<std::string> start;
  std::optional<std::string> jobs;
  std::optional<std::string> time_limit;
  std::optional<std::string> memory_limit;
  bool all = false;
  bool interactive = false;
  bool strict = false;
  bool quiet = false;
};

// Options for an MQTT broker. Empty: not given.
struct MqttCall {
  std::string url;
  std::string map;
  std::string publish;
  std::string user;
  std::string password_file;
  std::string ca;
  std::string certificate;
  std::string key;
};

struct WatchCall {
  std::string model;
  std::string input = "-";
  MqttCall mqtt;
  std::string choose = "first";
  std::string evaluate = "incremental";
  std::optional<std::string> seed;
  std::optional<std::string> lateness;
  std::optional<std::string> metrics;
  std::string state;
  std::optional<std::string> state_every;
  std::string format = "text";
  std::string output;
  std::string color = "auto";
  bool follow = false;
  bool strict = false;
  bool trace = false;
  bool plan = false;
  bool quiet = false;
  bool untimed = false;
};

struct VerifyCall {
  std::string model;
  std::string mode = "actual";
  std::string engine = "auto";
  std::optional<std::string> bound;
  std::string paths = "100";
  std::optional<std::string> seed;
  std::optional<std::string> rate;
  std::optional<std::string> mission;
  std::optional<std::string> time_limit;
  std::optional<std::string> memory_limit;
  std::string format = "text";
  std::string output;
  std::string color = "auto";
  std::optional<std::string> simulate;
  std::string plot;
  std::string certificate;  // a file to write
  std::string check;        // a certificate to check; the model may be empty then
  std::optional<std::string> export_format;
  std::optional<std::string> path;
  std::optional<std::string> step;
  bool as_printed = false;
  bool no_odds = false;
  bool quiet = false;
};

struct ShakeCall {
  std::string model;
  std::string generator = "portfolio";
  std::optional<std::string> flows;
  std::optional<std::string> length;
  std::string values = "12";
  std::optional<std::string> seed;
  std::optional<std::string> jobs;
  std::string reference;
  std::string program;
  std::string timeout = "1s";
  std::string reset = "restart";
  std::string trace;
  std::optional<std::string> mutants;  // groups: "all" or "F1,threshold"
  std::optional<std::string> min_score;
  std::optional<std::string> min_coverage;
  std::string quakes;
  std::string replay;
  std::string pictures;
  std::string mutation_file;
  std::string matrix_file;
  std::optional<std::string> export_format;
  std::optional<std::string> export_flow;
  std::string load;
  std::optional<std::string> tuples;
  std::optional<std::string> time_limit;
  std::optional<std::string> memory_limit;
  std::string format = "text";
  std::string output;
  std::string color = "auto";
  bool quiet = false;
};

using Call = std::variant<Say, CheckCall, FmtCall, GenerateCall, GraphCall, RankCall, ShakeCall,
                          VerifyCall, WatchCall>;

// The error may have a second line with a hint.
[[nodiscard]] Result<Call> call_from(std::span<const std::string> args);

// The text of `poise --help`.
[[nodiscard]] std::string general_help();

}  // namespace poise::cli
