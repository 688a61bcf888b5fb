#pragma once

// The command line taken apart: words in, a call with its options out. What the options' words mean
// is for values.h.

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "poise/base/result.h"

namespace poise::cli {

// Help or the version was asked for; nothing else is to be done.
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
  std::string jobs = "1";
  bool all = false;
  bool quiet = false;
};

struct FmtCall {
  std::vector<std::string> files;
  std::string color = "auto";
  bool check = false;
  bool write = false;
};

using Call = std::variant<Say, CheckCall, FmtCall>;

// A failure may have a second line that helps.
[[nodiscard]] Result<Call> call_from(std::span<const std::string> args);

// What `poise --help` says.
[[nodiscard]] std::string general_help();

}  // namespace poise::cli
