// Any bytes are a log to watch. Both readers (plain, fast) and all three evaluators (full,
// incremental, counting) give the same occurrences and errors, line by line. A wrong line has no
// effect: without it, the other lines give the same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/check.h"
#include "poise/watch/input/feed.h"
#include "tests/fuzz/boxes.h"

namespace {

using namespace poise;

const model::Model& boxes() {
  static const model::Model model = fuzz::boxes_with(R"(
    extern close(x: real, n: int)
    rule g: B -> C when exists s in S[last 4s]: exists l in L[last 4s]: close(s.x, l.n)
    rule h: C -> A when close(speed, 3) and all s in S[last 9s]: not close(s.x, 7)
  )");
  return model;
}

bool close(const Rational& x, std::int64_t n) {
  const Rational distance = x - Rational(n);
  return distance < 1 && distance > -1;
}

// For each line, its occurrences as text, or its error.
struct Said {
  std::vector<std::string> lines;
  std::vector<bool> wrong;
  std::size_t adaptations = 0;
};

Said said_by(watch::Evaluation evaluation, watch::Feed::Reading reading,
             const std::vector<std::string_view>& lines) {
  const auto functions = watch::functions_for(boxes(), {watch::typed("close", close)});
  POISE_CHECK(functions.has_value());
  watch::Monitor monitor(boxes(),
                         {.evaluation = evaluation, .trace = true, .functions = *functions});
  watch::Feed feed(boxes(), monitor, reading);
  Said all;
  for (const std::string_view line : lines) {
    // The number is not 1, because the first line may have a byte order mark and lines move up when
    // others are left out.
    const auto said = feed.read(2, line);
    std::string& text = all.lines.emplace_back();
    all.wrong.push_back(!said);
    if (!said) {
      text = said.error().message;
      continue;
    }
    for (const watch::Occurrence& what : *said) {
      text += fuzz::shown(boxes(), what);
    }
  }
  all.adaptations = monitor.summary().adaptations;
  return all;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using watch::Evaluation;
  using watch::Feed;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  const Said expected = said_by(Evaluation::Full, Feed::Reading::Plain, lines);
  const Said other = said_by(Evaluation::Incremental, Feed::Reading::Fast, lines);
  POISE_CHECK(expected.lines == other.lines);
  POISE_CHECK(expected.adaptations == other.adaptations);
  POISE_CHECK(expected.lines == said_by(Evaluation::Counting, Feed::Reading::Fast, lines).lines);

  std::vector<std::string_view> right;
  std::vector<std::string> about_right;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (expected.wrong[i]) continue;
    right.push_back(lines[i]);
    about_right.push_back(expected.lines[i]);
  }
  POISE_CHECK(said_by(Evaluation::Incremental, Feed::Reading::Fast, right).lines == about_right);
  return 0;
}
