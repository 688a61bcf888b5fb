#pragma once

// The output of `poise watch`: standard output or a file, written as the monitor reports. Lines are
// collected into larger pieces, so the event loop must call flush() before it waits.

#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "cli/io/file.h"
#include "cli/io/streams.h"
#include "poise/base/result.h"
#include "poise/diag/render.h"
#include "poise/model/model.h"
#include "poise/report/watch_summary.h"
#include "poise/watch/result.h"

namespace poise::cli {

enum class WatchFormat { Text, JsonLines };

// How much of a file was written, and its last bytes, by which a later run recognises the file.
struct OutputMark {
  std::uint64_t size = 0;
  std::uint64_t tail_size = 0;
  std::uint64_t tail = 0;  // the hash of the last tail_size bytes
  friend bool operator==(const OutputMark&, const OutputMark&) = default;
};

class WatchOutput {
 public:
  struct Options {
    WatchFormat format = WatchFormat::Text;
    diag::Color color = diag::Color::No;
    Signs signs = Signs::Utf8;
    bool summary_only = false;  // of the text format: --quiet
    std::string file;           // empty: standard output
  };
  // The model and the stream must outlive it.
  WatchOutput(const model::Model& model, std::ostream& out, Options options)
      : model_(model), options_(std::move(options)), out_(out) {}
  // Creates the file, or empties it; does nothing for standard output.
  [[nodiscard]] Result<void> open();
  // Opens the file of an earlier run and cuts it back to what it had then, so that nothing is
  // written twice. An error if it is another file.
  [[nodiscard]] Result<void> go_on_from(const OutputMark& mark);

  // Each occurrence is also handed to `publish`, as JSON.
  void publish_by(std::function<void(std::string)> publish) { publish_ = std::move(publish); }

  void write(std::span<const watch::Occurrence> said);
  void write(const report::WatchSummary& summary);
  // Once it has failed, it always fails.
  [[nodiscard]] Result<void> flush();
  // flush(), and then the file is on the disk.
  [[nodiscard]] Result<OutputMark> sync();
  // Whether go_on_from() could take back what was written: it goes to a regular file.
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
  bool named_ = false;      // the entry in its folder is on the disk, too
  std::optional<Error> error_;
  std::function<void(std::string)> publish_;
};

}  // namespace poise::cli
