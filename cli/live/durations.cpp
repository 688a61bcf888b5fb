#include "cli/live/durations.h"

#include <algorithm>
#include <bit>

namespace poise::cli {

void Durations::add(std::chrono::steady_clock::duration time) {
  const auto nanoseconds = static_cast<std::uint64_t>(std::max<std::int64_t>(
      1, std::chrono::duration_cast<std::chrono::nanoseconds>(time).count()));
  ++counts_[bucket(nanoseconds)];
  ++count_;
  longest_ = std::max(longest_, nanoseconds);
}

std::optional<report::WatchTimes> Durations::times() const {
  if (count_ == 0) return std::nullopt;
  return report::WatchTimes{at(0.5), at(0.99), static_cast<double>(longest_)};
}

void Durations::write(ByteWriter& out) const {
  out.number(longest_);
  out.number(static_cast<std::uint64_t>(
      std::ranges::count_if(counts_, [](std::size_t count) { return count > 0; })));
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    if (counts_[i] == 0) continue;
    out.number(i);
    out.number(counts_[i]);
  }
}

void Durations::read(ByteReader& in) {
  *this = {};
  longest_ = in.number();
  const std::size_t used = in.count();
  for (std::size_t i = 0; i < used; ++i) {
    const std::uint64_t bucket = in.number();
    const std::uint64_t count = in.number();
    if (bucket >= counts_.size()) return in.fail();
    counts_[bucket] += count;
    count_ += count;
  }
}

std::size_t Durations::bucket(std::uint64_t value) {
  if (value < kSteps) return value;
  const auto power = static_cast<std::size_t>(std::bit_width(value) - 1);
  return kSteps * (power - 3) + (value >> (power - 4) & (kSteps - 1));
}

double Durations::value_of(std::size_t bucket) {
  if (bucket < kSteps) return static_cast<double>(bucket);
  const std::size_t power = bucket / kSteps + 3;
  return static_cast<double>((kSteps + bucket % kSteps) << (power - 4));
}

double Durations::at(double share) const {
  const auto wanted = static_cast<std::size_t>(share * static_cast<double>(count_));
  std::size_t before = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    before += counts_[i];
    if (before > wanted) return std::min(value_of(i), static_cast<double>(longest_));
  }
  return static_cast<double>(longest_);
}

}  // namespace poise::cli
