#include "poise/shake/flows/realism.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "poise/base/check.h"

namespace poise::shake {

Recording recording_of(const Grid& grid, const Flow& flow) {
  Recording recording;
  for (const Instance& instance : flow) recording.push_back(values_of(grid, instance));
  return recording;
}

double kolmogorov_smirnov(const std::vector<double>& a, const std::vector<double>& b) {
  POISE_CHECK(!a.empty() && !b.empty());
  double most = 0;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < a.size() && j < b.size()) {
    const double x = std::min(a[i], b[j]);
    while (i < a.size() && a[i] == x) ++i;
    while (j < b.size() && b[j] == x) ++j;
    most = std::max(most, std::abs(static_cast<double>(i) / static_cast<double>(a.size()) -
                                   static_cast<double>(j) / static_cast<double>(b.size())));
  }
  return most;
}

Reference::Reference(const ContextSpace& space, const Recording& recorded) : space_(&space) {
  POISE_CHECK(recorded.size() >= 2);
  Samples samples = samples_of(recorded);
  properties_ = std::move(samples.properties);
  steps_ = std::move(samples.steps);
}

Reference::Samples Reference::samples_of(const Recording& recording) const {
  Samples samples;
  for (std::size_t k = 0; k < space_->size(); ++k) {
    std::vector<double> values;
    for (const std::vector<double>& context : recording) {
      // "No value" counts as a value, less than all others.
      values.push_back(std::isnan(context[k]) ? -std::numeric_limits<double>::infinity()
                                              : context[k]);
    }
    std::ranges::sort(values);
    samples.properties.push_back(std::move(values));
  }
  for (std::size_t i = 1; i < recording.size(); ++i) {
    samples.steps.push_back(space_->distance_of(recording[i - 1], recording[i]));
  }
  std::ranges::sort(samples.steps);
  return samples;
}

Realism Reference::realism_of(const Recording& recording) const {
  Realism realism;
  if (recording.size() < 2) return realism;
  const Samples samples = samples_of(recording);
  double most = realism.steps = kolmogorov_smirnov(samples.steps, steps_);
  for (std::size_t k = 0; k < properties_.size(); ++k) {
    realism.properties.push_back(kolmogorov_smirnov(samples.properties[k], properties_[k]));
    most = std::max(most, realism.properties.back());
  }
  realism.value = 1 - most;
  return realism;
}

Realism Reference::realism_of(const Grid& grid, const Flow& flow) const {
  return realism_of(recording_of(grid, flow));
}

}  // namespace poise::shake
