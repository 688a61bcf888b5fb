#include "poise/log/instances.h"

#include <fmt/format.h>

namespace poise::log {

Result<std::string_view> Instances::advance(std::string_view app, std::optional<double> time) {
  if (last_ == nullptr || last_->first != app) {
    auto found = times_.find(app);
    if (found == times_.end()) found = times_.emplace(app, std::nullopt).first;
    last_ = &*found;
  }
  std::optional<double>& latest = last_->second;
  if (time && latest && *time < *latest) {
    return failure(fmt::format("time goes back from {} to {}", *latest, *time));
  }
  if (time) latest = time;
  return std::string_view(last_->first);
}

}  // namespace poise::log
