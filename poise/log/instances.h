#pragma once

// The application instances of a log and the time of each, which never goes back.

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "poise/base/result.h"
#include "poise/base/text.h"

namespace poise::log {

class Instances {
 public:
  Instances() = default;
  Instances(Instances&&) = default;  // no copies: last_ would point into the original
  Instances& operator=(Instances&&) = default;
  ~Instances() = default;

  // Moves an instance to a time; without one it stays where it is. Returns its name, which is valid
  // as long as this object; or an error if the time goes back, and nothing has changed.
  [[nodiscard]] Result<std::string_view> advance(std::string_view app, std::optional<double> time);

 private:
  using Times = std::unordered_map<std::string, std::optional<double>, TextHash, std::equal_to<>>;

  Times times_;
  Times::value_type* last_ = nullptr;  // the next line is often about the same instance
};

}  // namespace poise::log
