// CLIPS 6.30 in the role of a monitor. It knows no windows: facts are retracted when they leave.
//
// Everything is done the way that is fastest for it: facts are put together without reading text,
// with symbols that were made before (numbers have a smaller hash table); no search for duplicates,
// of which there are none; whether a rule is satisfied is whether the agenda of its module has an
// entry. With `exists` there is one entry at most. Joins, with an entry for each pair, are as fast
// if r6 begins with the gate, where there are few readings, and a quarter slower if it does not.

#include "bench/peers/two_rules.h"

#ifdef POISE_HAVE_CLIPS

#include <array>
#include <deque>

extern "C" {
#include <clips/clips.h>
}
#include <fmt/format.h>

#include "bench/watch.h"
#include "poise/base/check.h"

namespace poise::bench {

namespace {

constexpr const char* kConstructs[] = {
    "(defmodule MAIN (export deftemplate ?ALL))",
    "(deftemplate MAIN::load (slot tag))",
    "(deftemplate MAIN::stor (slot tag))",
    "(deftemplate MAIN::gate (slot tag))",
    "(defmodule R6 (import MAIN deftemplate ?ALL))",
    "(defrule R6::r6 (exists (gate (tag ?x)) (stor (tag ?x))) =>)",
    "(defmodule R8 (import MAIN deftemplate ?ALL))",
    "(defrule R8::r8 (exists (load (tag ?x)) (not (stor (tag ?x)))) =>)",
};
constexpr std::array<const char*, kReadingStreams> kTemplates = {"load", "stor", "gate"};

class Clips {
 public:
  explicit Clips(std::uint64_t window) : clips_(CreateEnvironment()) {
    for (const char* construct : kConstructs) POISE_CHECK(EnvBuild(clips_, construct) != 0);
    EnvSetFactDuplication(clips_, TRUE);
    for (std::size_t i = 0; i < kReadingStreams; ++i) {
      templates_[i] = EnvFindDeftemplate(clips_, kTemplates[i]);
      POISE_CHECK(templates_[i] != nullptr);
    }
    for (std::uint64_t i = 0; i < boxes(window); ++i) {
      void* const tag = EnvAddSymbol(clips_, fmt::format("x{}", i).c_str());
      ++static_cast<symbolHashNode*>(tag)->count;  // in use: it stays
      tags_.push_back(tag);
    }
  }
  Clips(const Clips&) = delete;
  Clips& operator=(const Clips&) = delete;
  ~Clips() { DestroyEnvironment(clips_); }

  // By box.
  [[nodiscard]] const std::vector<void*>& tags() const { return tags_; }

  void* add(const Reading& reading, void* tag) {
    fact* const made = EnvCreateFact(clips_, templates_[reading.stream]);
    made->theProposition.theFields[0].type = SYMBOL;
    made->theProposition.theFields[0].value = tag;
    void* const known = EnvAssert(clips_, made);
    POISE_CHECK(known != nullptr);
    return known;
  }
  void remove(void* known) { POISE_CHECK(EnvRetract(clips_, known) != 0); }

  // Whether a rule of the module waits to be fired.
  [[nodiscard]] const defruleModule* agenda_of(const char* module) {
    void* const found = EnvFindDefmodule(clips_, module);
    POISE_CHECK(found != nullptr);
    return GetDefruleModuleItem(clips_, static_cast<defmodule*>(found));
  }

 private:
  void* clips_;
  std::array<void*, kReadingStreams> templates_{};
  std::vector<void*> tags_;
};

struct Known {
  std::int64_t ms;
  void* fact;
};

}  // namespace

std::optional<RulesRun> by_clips(std::span<const Reading> readings, std::uint64_t window) {
  Clips clips(window);
  const defruleModule* const r6 = clips.agenda_of("R6");
  const defruleModule* const r8 = clips.agenda_of("R8");
  std::deque<Known> known;  // all windows are of the same length
  const std::vector<void*> tags = tags_of(readings, clips.tags());
  RulesRun run;
  const Stopwatch stopwatch;
  for (std::size_t i = 0; i < readings.size(); ++i) {
    const Reading& reading = readings[i];
    while (!known.empty() && known.front().ms + static_cast<std::int64_t>(window) <= reading.ms) {
      clips.remove(known.front().fact);
      known.pop_front();
    }
    known.push_back({reading.ms, clips.add(reading, tags[i])});
    run.satisfied.r6 += std::size_t{r6->agenda != nullptr};
    run.satisfied.r8 += std::size_t{r8->agenda != nullptr};
  }
  run.seconds = stopwatch.seconds();
  return run;
}

}  // namespace poise::bench

#else

namespace poise::bench {

std::optional<RulesRun> by_clips(std::span<const Reading>, std::uint64_t) { return std::nullopt; }

}  // namespace poise::bench

#endif
