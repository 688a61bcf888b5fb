#pragma once

// Where `poise watch` writes what a monitor says: standard output or a file, as it comes. Lines are
// put together to larger pieces; flush() before waiting.

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/io/file.h"
#include "poise/base/result.h"
#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/report/watch_summary.h"
#include "poise/watch/result.h"

namespace poise::cli {

enum class WatchFormat { Text, JsonLines };

// How much of a file was written, and by what it is known again: its last bytes.
struct OutputMark {
  std::uint64_t size = 0;
  std::uint64_t tail_size = 0;
  std::uint64_t tail = 0;  // their hash
  friend bool operator==(const OutputMark&, const OutputMark&) = default;
};

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
  // A new file, if it is not standard output.
  [[nodiscard]] Result<void> open();
  // The file of an earlier run, cut back to what it had then. The error: it is another one.
  [[nodiscard]] Result<void> go_on_from(const OutputMark& mark);

  // Each occurrence goes there, too, as JSON.
  void publish_by(std::function<void(std::string)> publish) { publish_ = std::move(publish); }

  void write(std::span<const watch::Occurrence> said);
  void write(const report::WatchSummary& summary);
  // An error stays.
  [[nodiscard]] Result<void> flush();
  // The same; then what was written to the file is on the disk.
  [[nodiscard]] Result<OutputMark> sync();
  // Whether what was written can be taken back: it goes to a file, and not to a device.
  [[nodiscard]] bool can_be_cut() const;

 private:
  [[nodiscard]] Result<void> open_file(int flags);
  [[nodiscard]] Failure cannot(std::string_view why) const;

  const model::Model& model_;
  Options options_;
  std::ostream& out_;
  File file_;
  std::string pending_;
  std::uint64_t size_ = 0;  // of the file
  std::string tail_;        // its last bytes
  bool named_ = false;      // its name is on the disk, too
  std::optional<Error> error_;
  std::function<void(std::string)> publish_;
};

}  // namespace poise::cli
