// The input is a NUL byte and the bytes of a snapshot, or a log, a NUL byte and changes to the
// snapshot that the log leads to. A snapshot either is refused or is restored. Then a snapshot of
// the restored monitor restores to itself, and all evaluators continue in the same way. The seal (a
// checksum) is put on here, since no fuzzer would guess it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/bytes.h"
#include "poise/base/check.h"
#include "poise/watch/input/feed.h"
#include "poise/watch/snapshot.h"
#include "tests/fuzz/boxes.h"

namespace {

using namespace poise;

constexpr std::string_view kFormat = "poise watch snapshot 1\n";

const model::Model& boxes() {
  static const model::Model model = fuzz::boxes_with("");
  return model;
}

// The occurrences of a log as text, and the errors of its wrong lines.
std::string said_about(std::string_view log, watch::Monitor& monitor) {
  watch::Feed feed(boxes(), monitor);
  std::string text;
  while (!log.empty()) {
    const std::size_t end = log.find('\n');
    const auto said = feed.read(2, log.substr(0, end));
    log.remove_prefix(end == std::string_view::npos ? log.size() : end + 1);
    if (!said) {
      text += said.error().message + ";";
      continue;
    }
    for (const watch::Occurrence& what : *said) {
      text += fuzz::shown(boxes(), what);
    }
  }
  return text;
}

// Applies changes of three bytes each: an offset in two bytes, low byte first, and the new byte.
std::string changed(std::string bytes, std::string_view changes) {
  for (; changes.size() >= 3 && !bytes.empty(); changes.remove_prefix(3)) {
    const auto at = [&](std::size_t i) {
      return std::size_t{static_cast<unsigned char>(changes[i])};
    };
    bytes[(at(0) + 256 * at(1)) % bytes.size()] = changes[2];
  }
  return bytes;
}

// The content of a snapshot, without its seal.
std::string snapshot_from(std::string_view input) {
  const std::size_t end = input.find('\0');
  if (end == 0) return std::string(input.substr(1));
  watch::Monitor monitor(boxes(), {});
  static_cast<void>(said_about(input.substr(0, end), monitor));
  const std::string bytes = watch::snapshot(monitor);
  const Result<std::string_view> inside = unsealed(kFormat, bytes);
  POISE_CHECK(inside.has_value());
  return changed(std::string(*inside),
                 end == std::string_view::npos ? std::string_view() : input.substr(end + 1));
}

// A log to continue with after the snapshot.
constexpr std::string_view kMore =
    R"({"t": 0, "add": "S", "value": {"tag": "x1", "x": 1, "ok": true}}
{"t": 3, "add": "L", "value": {"tag": "x2", "n": 50}}
{"t": 4, "remove": "L", "value": {"tag": "x1", "n": 7}}
{"t": 5, "set": {"on": true, "speed": 0.123456789}}
{"t": 6, "app": "f", "remove": "S", "value": {"tag": "x1", "x": 0.25, "ok": true, "kind": "red"}}
{"t": 20, "add": "S", "value": {"tag": "x1", "x": 0.25, "ok": true, "kind": "red"}}
{"t": 30, "app": "f"}
{"t": 7000000000}
)";

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using watch::Evaluation;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  watch::Monitor first(boxes(), {.evaluation = Evaluation::Full});
  POISE_CHECK(!watch::restore(first, input));
  const std::string bytes = sealed(kFormat, snapshot_from(input));
  if (!watch::restore(first, bytes)) return 0;

  const std::string again = watch::snapshot(first);
  const std::string said = said_about(kMore, first);
  const std::string after = watch::snapshot(first);
  for (const Evaluation evaluation : {Evaluation::Incremental, Evaluation::Counting}) {
    watch::Monitor other(boxes(), {.evaluation = evaluation});
    POISE_CHECK(watch::restore(other, again).has_value());
    POISE_CHECK(watch::snapshot(other) == again);
    POISE_CHECK(said_about(kMore, other) == said);
    POISE_CHECK(watch::snapshot(other) == after);
  }
  return 0;
}
