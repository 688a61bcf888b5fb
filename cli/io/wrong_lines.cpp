#include "cli/io/wrong_lines.h"

#include <fmt/format.h>

#include "poise/base/text.h"

namespace poise::cli {

namespace {

constexpr std::size_t kMostComplaints = 5;

}  // namespace

Error WrongLines::at(std::size_t number, const Error& error) const {
  return {fmt::format("{}:{}: {}", path_, number, error.message)};
}

void WrongLines::add(std::size_t number, const Error& error) {
  if (++count_ <= kMostComplaints) complain(streams_, at(number, error).message);
}

void WrongLines::finish() const {
  if (count_ <= kMostComplaints) return;
  complain(streams_,
           fmt::format("{}: {} skipped", path_,
                       counted(count_ - kMostComplaints, "more line was", "more lines were")));
}

}  // namespace poise::cli
