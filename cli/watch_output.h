#pragma once

// Where `poise watch` writes what a monitor says: standard output or a file, as it comes. Lines are
// put together to larger pieces; flush() before waiting.

#include <fstream>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>

#include "cli/files.h"
#include "poise/base/result.h"
#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/report/watch.h"
#include "poise/watch/result.h"

namespace poise::cli {

enum class WatchFormat { Text, JsonLines };

class WatchOutput {
 public:
  struct Options {
    WatchFormat format = WatchFormat::Text;
    diag::Color color = diag::Color::No;
    bool summary_only = false;  // of the text
    std::string file;           // empty: standard output
  };
  // The model and the stream must outlive it.
  WatchOutput(const model::Model& model, std::ostream& out, Options options)
      : model_(model), options_(std::move(options)), out_(out) {}
  [[nodiscard]] Result<void> open();

  // Each occurrence goes there, too, as JSON.
  void publish_by(std::function<void(std::string)> publish) { publish_ = std::move(publish); }

  void write(std::span<const watch::Occurrence> said);
  void write(const report::WatchSummary& summary);
  // An error stays.
  [[nodiscard]] Result<void> flush();

 private:
  const model::Model& model_;
  Options options_;
  std::ostream& out_;
  std::ofstream file_;
  std::string pending_;
  std::optional<Error> error_;
  std::function<void(std::string)> publish_;
};

}  // namespace poise::cli
