// In the long run an event takes no memory. This program counts every allocation: the first rounds
// of a log may allocate, the later ones must not.

#include <array>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "poise/base/random.h"
#include "poise/lang/lang.h"
#include "poise/watch/input/feed.h"
#include "poise/watch/monitor.h"

// Sanitizers bring allocators of their own.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define POISE_COUNTS_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define POISE_COUNTS_ALLOCATIONS 0
#else
#define POISE_COUNTS_ALLOCATIONS 1
#endif
#else
#define POISE_COUNTS_ALLOCATIONS 1
#endif

namespace {
std::size_t allocations = 0;
}

#if POISE_COUNTS_ALLOCATIONS

// The other forms of new and delete of the standard library call these, but for those of types
// with a larger alignment, of which there are none here.
void* operator new(std::size_t size) {
  ++allocations;
  void* const memory = std::malloc(size == 0 ? 1 : size);
  if (memory == nullptr) std::abort();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

#endif

namespace poise::watch {
namespace {

class Allocations : public testing::Test {
 protected:
  void SetUp() override {
    if (!POISE_COUNTS_ALLOCATIONS) GTEST_SKIP() << "a sanitizer counts allocations for itself";
  }
};

model::Model model_of(const std::string& name, const std::string& text) {
  lang::Parsed parsed = lang::parse({.name = name, .text = text});
  EXPECT_TRUE(parsed.model.has_value()) << parsed.diagnostics.front().message;
  return std::move(*parsed.model);
}

std::string contents(const std::string& path) {
  std::ifstream file(std::string(POISE_SOURCE_DIR) + "/" + path);
  EXPECT_TRUE(file.good()) << path;
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// How many allocations `round` makes, called with 0, 1, ...: after some calls that do not count,
// those of the later ones.
template <class Round>
std::size_t allocations_of(std::size_t before, std::size_t rounds, Round round) {
  const std::size_t at_first = allocations;
  for (std::size_t i = 0; i < before; ++i) round(i);
  const std::size_t start = allocations;
  EXPECT_GT(start, at_first);
  for (std::size_t i = before; i < before + rounds; ++i) round(i);
  return allocations - start;
}

constexpr std::array kEvaluations = {Evaluation::Incremental, Evaluation::Counting,
                                     Evaluation::Full};

// As r6 and r8 of the stock tracker, over windows of some seconds.
constexpr const char* kBoxes = R"(
  stream L { tag: string }
  stream S { tag: string, weight: real 0..99 }
  stream G { tag: string }
  sense limit : real 0..99
  extern heavy(weight: real, limit: real)
  let matched(a, b) = a.tag == b.tag
  state A initial
  state B
  rule r6: A -> B when exists s in S: exists g in G[last 6s]: matched(s, g)
  rule r8: A -> B when exists b in L[last 9s]: all s in S[last 9s]: not matched(b, s)
  rule next: A -> B when all s in S[next 3s]: s.weight < 30
  rule heavy: B -> A when exists s in S[last 4s]: heavy(s.weight, limit)
  rule back: B -> A when all s in S[last 6s]: not (exists g in G[last 6s]: matched(s, g)))";

bool heavy(const Rational& weight, const Rational& limit) { return weight > limit; }

const Externs kExterns = {typed("heavy", heavy)};

// A round of events, the same every time but for the times and, if so wanted, the tags.
struct Boxes {
  static constexpr std::size_t kEvents = 2'000;
  static constexpr Time kStep = 50'000'000;

  struct Planned {
    std::uint32_t kind;
    std::uint32_t tag;
    std::int64_t weight;
  };
  std::vector<Planned> planned;
  std::vector<std::string> tags;  // too long to stay inside a std::string

  Boxes() {
    Random random(7);
    for (std::size_t i = 0; i < kEvents; ++i) {
      planned.push_back({static_cast<std::uint32_t>(random.below(10)),
                         static_cast<std::uint32_t>(random.below(40)),
                         static_cast<std::int64_t>(random.below(99))});
    }
    for (int i = 0; i < 40; ++i) tags.push_back(fmt::format("a tag of a long box, number {}", i));
  }

  void play(Monitor& monitor, AppId app, std::size_t round) const {
    for (std::size_t i = 0; i < planned.size(); ++i) {
      const Planned& plan = planned[i];
      Event event;
      event.time = kStep * static_cast<Time>(round * kEvents + i);
      std::array<Cell, 2> element = {};
      std::array<Assignment, 1> assignments = {};
      if (plan.kind == 9) {
        const model::SlotId limit{0};
        assignments[0] = {limit, monitor.number(limit, Rational(plan.weight))};
        event.assignments = assignments;
      } else {
        event.stream = model::StreamId{plan.kind % 3};
        element[0] = monitor.text(tags[plan.tag]);
        if (event.stream->index == 1) {
          element[1] = monitor.number(*event.stream, 1, Rational(plan.weight));
        }
        event.element = std::span(element).first(event.stream->index == 1 ? 2 : 1);
        event.remove = plan.kind == 8;
      }
      if (!monitor.on_event(app, event)) std::abort();
    }
  }
};

TEST_F(Allocations, EventsMakeNone) {
  const model::Model model = model_of("boxes.poise", kBoxes);
  const Boxes boxes;
  for (const Evaluation evaluation : kEvaluations) {
    Monitor monitor(model, {.evaluation = evaluation,
                            .trace = true,
                            .functions = functions_for(model, kExterns).value()});
    const AppId app = monitor.app("");
    EXPECT_EQ(allocations_of(4, 10, [&](std::size_t i) { boxes.play(monitor, app, i); }), 0U);
    EXPECT_GT(monitor.summary().adaptations, 1'000U);
    EXPECT_GT(monitor.summary().expiries, 1'000U);
  }
}

// Tags that never come again take the places of those that nobody holds any more.
TEST_F(Allocations, NewTextsMakeNone) {
  const model::Model model = model_of("boxes.poise", kBoxes);
  Boxes boxes;
  Monitor monitor(model, {.functions = functions_for(model, kExterns).value()});
  const AppId app = monitor.app("");
  const auto round = [&](std::size_t number) {
    for (std::size_t i = 0; i < boxes.tags.size(); ++i) {
      fmt::format_to_n(boxes.tags[i].data(), 17, "{:08}-{:08}", number, i);
    }
    boxes.play(monitor, app, number);
  };
  EXPECT_EQ(allocations_of(20, 10, round), 0U);
}

TEST_F(Allocations, LinesOfALogMakeNone) {
  const model::Model model =
      model_of("stock-tracker.poise", contents("examples/stock-tracker.poise"));
  constexpr std::size_t kBefore = 2'200;
  constexpr std::size_t kRounds = kBefore + 300;
  constexpr int kLength = 200;  // seconds, longer than the log
  std::vector<std::string> lines;
  const std::string shift = contents("examples/stock-tracker-shift.jsonl");
  for (std::size_t round = 0; round < kRounds; ++round) {
    std::istringstream log(shift);
    for (std::string line; std::getline(log, line);) {
      // {"t": 4.5, ...} or {"t": 4.5}
      constexpr std::size_t kNumber = 6;
      const std::size_t end = line.find_first_of(",}");
      const double time = std::stod(line.substr(kNumber, end - kNumber));
      lines.push_back(fmt::format("{{\"t\": {:.3f}{}", time + static_cast<double>(round * kLength),
                                  line.substr(end)));
    }
  }
  const std::size_t length = lines.size() / kRounds;
  for (const Evaluation evaluation : kEvaluations) {
    Monitor monitor(model, {.evaluation = evaluation});
    Feed feed(model, monitor);
    const auto round = [&](std::size_t number) {
      for (std::size_t i = number * length; i < (number + 1) * length; ++i) {
        if (!feed.read(i + 1, lines[i])) std::abort();
      }
    };
    // The ring of a stream with an element a round is full only after some thousand.
    EXPECT_EQ(allocations_of(kBefore, kRounds - kBefore, round), 0U);
    EXPECT_GT(monitor.summary().adaptations, 500U);
  }
}

TEST_F(Allocations, LongRunsMakeNone) {
  std::string text = "sense go : bool\nstate S0 initial\n";
  constexpr int kStates = 200;
  for (int i = 1; i < kStates; ++i) text += fmt::format("state S{}\n", i);
  for (int i = 0; i < kStates; ++i) {
    const bool last = i + 1 == kStates;
    text += fmt::format("rule r{0}: S{0} -> S{1} when {2}\n", i, (i + 1) % kStates,
                        last ? "not go" : "go");
  }
  const model::Model model = model_of("long.poise", text);
  Monitor monitor(model, {});
  const AppId app = monitor.app("");
  const auto round = [&](std::size_t number) {
    const std::array<Assignment, 1> assignments = {
        Assignment{model::SlotId{0}, static_cast<Cell>(number % 2)}};
    Event event;
    event.time = static_cast<Time>(number);
    event.assignments = assignments;
    if (!monitor.on_event(app, event)) std::abort();
  };
  EXPECT_EQ(allocations_of(4, 100, round), 0U);
  EXPECT_EQ(monitor.summary().faults[static_cast<std::size_t>(Kind::Race)], 52U);
}

}  // namespace
}  // namespace poise::watch
