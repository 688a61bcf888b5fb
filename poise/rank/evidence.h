#pragma once

// What a log says about the atoms of a model, as far as faults need it: the truth vectors that
// occurred, each once, with how often, how long, when first and when last. A log of a million
// lines has few of them, so everything that comes later is about few.

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

// The truths of all atoms at some moments of a log, which were equal.
struct Moment {
  std::vector<Truth> truths;  // by atom
  std::size_t entries = 0;
  double seconds = 0;  // how long it held, where the log has times
  std::size_t first_line = 0;
  std::optional<double> first_time;
  std::optional<double> last_time;
};

class Evidence {
 public:
  // An entry, in the order of the log. It holds until the next one of the same instance.
  void add(std::span<const Truth> truths, std::size_t line, std::optional<double> time,
           std::string_view app = {});
  // After the last entry: the last of each instance is taken to hold as long as its entries do on
  // average.
  void finish();

  [[nodiscard]] const std::vector<Moment>& moments() const { return moments_; }
  [[nodiscard]] std::size_t entries() const { return entries_; }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] bool has_times() const { return timed_ && seconds_ > 0; }
  // How often one moment followed another that differs, in one instance.
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
    std::uint32_t moment = 0;
    std::optional<double> time;
    double seconds = 0;
    std::size_t gaps = 0;
  };
  std::uint32_t moment_of(std::span<const Truth> truths);

  std::vector<Moment> moments_;
  std::unordered_map<std::string, std::uint32_t> known_;  // by truths, as bytes
  std::string key_;
  std::map<std::string, Instance, std::less<>> instances_;
  std::unordered_map<std::uint64_t, std::size_t> changes_;
  std::vector<std::uint32_t> beginnings_;
  std::size_t entries_ = 0;
  double seconds_ = 0;
  bool timed_ = true;
};

// What a log says about each of some situations.
[[nodiscard]] std::vector<Seen> seen(const Evidence& evidence,
                                     std::span<const finding::Conjunction* const> situations);

}  // namespace poise::rank
