#pragma once

// The values of options: from the user's words to typed values. An error is one line that names the
// option, what it takes and, if a word is close, what may have been meant.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "cli/options/resident_memory.h"
#include "poise/base/budget.h"
#include "poise/base/parallel.h"
#include "poise/base/result.h"
#include "poise/check/check.h"
#include "poise/finding/finding.h"

namespace poise::cli {

enum class Format { Text, Json, Sarif };
enum class GraphFormat { Dot, Svg };
enum class ColorChoice { Auto, Always, Never };

struct Ignored {
  bool priorities = false;
  bool constraints = false;
};

[[nodiscard]] Result<check::Engine> engine_from(std::string_view word);
[[nodiscard]] Result<Format> format_from(std::string_view word);
[[nodiscard]] Result<GraphFormat> graph_format_from(std::string_view word);
// By the extension of the file.
[[nodiscard]] Result<GraphFormat> graph_format_of_file(std::string_view file);
[[nodiscard]] Result<ColorChoice> color_from(std::string_view word);
[[nodiscard]] Result<check::Count> count_from(std::string_view word);
// "race,cycle"
[[nodiscard]] Result<std::vector<finding::FaultKind>> kinds_from(std::string_view words);
// "priorities,constraints"
[[nodiscard]] Result<Ignored> ignored_from(std::string_view words);
// "none" is 0; "all" is nothing, which means no bound.
[[nodiscard]] Result<std::optional<std::size_t>> paths_from(std::string_view word);
[[nodiscard]] Result<std::size_t> jobs_from(std::string_view word);
[[nodiscard]] Result<std::uint64_t> number_from(std::string_view option, std::string_view word);
// "10s", "500ms", "2m", "1.5h"; a bare number is seconds.
[[nodiscard]] Result<std::chrono::milliseconds> duration_from(std::string_view option,
                                                              std::string_view word);
// "512M", "2G"; a bare number is bytes.
[[nodiscard]] Result<std::size_t> bytes_from(std::string_view word);

// A number from 0 to 1.
[[nodiscard]] Result<double> share_from(std::string_view option, std::string_view word);

// Reads many options in a row and keeps the first error, so that callers check once, at the end.
class WordReader {
 public:
  template <class T, class Variable>
  void read(const Result<T>& value, Variable& variable) {
    if (value) {
      variable = *value;
    } else if (wrong_.message.empty()) {
      wrong_ = value.error();
    }
  }
  [[nodiscard]] const Error& wrong() const { return wrong_; }

 private:
  Error wrong_;
};

// The options --time-limit and --memory-limit, which several verbs have.
template <class Call>
void read_limits(WordReader& reader, const Call& call, Limits& limits) {
  if (call.time_limit) reader.read(duration_from("--time-limit", *call.time_limit), limits.time);
  if (!call.memory_limit) return;
  reader.read(bytes_from(*call.memory_limit), limits.memory_bytes);
  limits.memory_in_use = resident_memory;
}

// The options of the search for faults: --count, --paths, --jobs and the limits.
template <class Call>
void read_search(WordReader& reader, const Call& call, check::Options& options) {
  reader.read(count_from(call.count), options.count);
  reader.read(paths_from(call.paths), options.paths);
  options.jobs = hardware_threads();
  if (call.jobs) reader.read(jobs_from(*call.jobs), options.jobs);
  read_limits(reader, call, options.limits);
}

}  // namespace poise::cli
