#pragma once

// The evidence of a log about the atoms of a model: every truth vector that occurred, once, with
// how often, how long, when first and when last. A log of a million lines has few distinct vectors,
// so everything behind this point costs little, however long the log is.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "poise/finding/finding.h"
#include "poise/log/known_context.h"
#include "poise/rank/result.h"

namespace poise::rank {

// One truth vector of the atoms, with all entries of the log that show it.
struct Moment {
  std::vector<Truth> truths;  // by atom
  std::size_t entries = 0;
  double seconds = 0;  // how long it held in all, if the log has times
  std::size_t first_line = 0;
  std::optional<double> first_time;
  std::optional<double> last_time;
};

class Evidence {
 public:
  // Adds an entry; entries come in the order of the log. Each holds until the next one of the same
  // instance `app` of the application. `time` is in seconds.
  void add(std::span<const Truth> truths, std::size_t line, std::optional<double> time,
           std::string_view app = {});
  // To be called after the last entry. The last one of each instance is taken to hold as long as
  // the entries of this instance do on average.
  void finish();

  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }
  [[nodiscard]] std::size_t entries() const { return entries_; }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] bool has_times() const { return timed_ && seconds_ > 0; }
  // How often, within an instance, moment `to` followed the different moment `from`.
  struct Change {
    std::uint32_t from;
    std::uint32_t to;
    std::size_t times;
  };
  [[nodiscard]] std::vector<Change> changes() const;
  // The moments with which instances began.
  [[nodiscard]] const std::vector<std::uint32_t>& beginnings() const { return beginnings_; }

 private:
  struct Instance {
    std::uint32_t moment = 0;    // of its last entry
    std::optional<double> time;  // of its last entry
    double seconds = 0;          // between its entries, in all
    std::size_t gaps = 0;        // how many intervals that is
  };
  std::uint32_t moment_of(std::span<const Truth> truths);

  std::vector<Moment> moments_;
  std::unordered_map<std::string, std::uint32_t> known_;  // by truths, as bytes
  std::string key_;
  std::map<std::string, Instance, std::less<>> instances_;
  std::unordered_map<std::uint64_t, std::size_t> changes_;  // by from << 32 | to
  std::vector<std::uint32_t> beginnings_;
  std::size_t entries_ = 0;
  double seconds_ = 0;
  bool timed_ = true;
};

// What the log says about each of these situations. Costs one comparison of bit sets for each pair
// of a situation and a moment.
[[nodiscard]] std::vector<Seen> seen(const Evidence& evidence,
                                     std::span<const finding::Conjunction* const> situations);

}  // namespace poise::rank
