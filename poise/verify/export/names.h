#pragma once

// Names for other checkers: unique, of letters, digits and underscores, and no reserved words of
// the checker. `gps.speed` becomes gps_speed.

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "poise/verify/system/system.h"
#include "poise/verify/system/transitions.h"

namespace poise::verify {

class ExportNames {
 public:
  // `kept` are reserved words; single letters are avoided as well.
  ExportNames(const System& system, std::span<const std::string_view> kept);

  [[nodiscard]] const std::string& slot(model::SlotId id) const { return slots_[id.index]; }
  [[nodiscard]] const std::string& state(model::StateId id) const { return states_[id.index]; }
  [[nodiscard]] const std::string& failure(model::FailureId id) const {
    return failures_[id.index];
  }
  // disF, disF__sensed, disF__2: after two acts.
  [[nodiscard]] std::string unknown(const Unknown& unknown) const;

 private:
  std::string fresh(std::string_view wanted);

  std::set<std::string, std::less<>> taken_;
  std::vector<std::string> slots_;
  std::vector<std::string> states_;
  std::vector<std::string> failures_;
};

// Letters, digits and single underscores, beginning with a letter.
[[nodiscard]] std::string plain_name(std::string_view text);

// A text for a comment, without line breaks, whatever the names in it.
[[nodiscard]] std::string one_line(std::string_view text);

}  // namespace poise::verify
