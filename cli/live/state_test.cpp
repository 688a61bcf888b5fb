#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/io/log_file.h"
#include "cli/live/state_folder.h"
#include "cli/live/watch_state.h"
#include "poise/base/bytes.h"

namespace poise::cli {
namespace {

namespace fs = std::filesystem;

// A folder of its own for each test, which goes with it.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "poise-state-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() { fs::remove_all(path_); }

  [[nodiscard]] std::string at(const char* name) const { return (path_ / name).string(); }
  void write(const char* name, std::string_view text) const {
    std::ofstream(at(name), std::ios::binary) << text;
  }

 private:
  fs::path path_;
};

WatchState some_state() {
  WatchState state;
  state.model = 0xFEDCBA9876543210;
  state.options = "--trace --format jsonl";
  state.input = {.position = {.bytes = 1234567, .lines = 4321},
                 .head_size = 4096,
                 .head = 17,
                 .line_start = 1234500,
                 .line_size = 66,
                 .line = 18};
  state.output = {.size = 999, .tail_size = 999, .tail = 19};
  state.wrong_lines = 3;
  state.late_lines = 4;
  state.unknown_names = 5;
  state.first_unknown = {.name = "nowhere", .line = 77};
  state.durations.add(std::chrono::microseconds(3));
  state.durations.add(std::chrono::milliseconds(3));
  state.held_back = {{.number = 4320, .text = "{}"}, {.number = 4321, .text = ""}};
  state.monitor = std::string("any bytes\0", 10);
  return state;
}

TEST(WatchState, ComesBackAsItWas) {
  const WatchState state = some_state();
  const std::string bytes = bytes_of(state);
  const Result<WatchState> again = watch_state_from(bytes);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(bytes_of(*again), bytes);
  EXPECT_EQ(again->input, state.input);
  EXPECT_EQ(again->output, state.output);
  EXPECT_EQ(again->options, state.options);
  EXPECT_EQ(again->monitor, state.monitor);
  ASSERT_TRUE(again->first_unknown.has_value());
  EXPECT_EQ(again->first_unknown->name, "nowhere");
  ASSERT_EQ(again->held_back.size(), 2U);
  EXPECT_EQ(again->held_back[0].text, "{}");
  ASSERT_TRUE(again->durations.times().has_value());
  EXPECT_EQ(again->durations.times()->longest, state.durations.times()->longest);
  EXPECT_EQ(again->durations.times()->median, state.durations.times()->median);
}

TEST(WatchState, IsRefusedWhereBytesAreMissing) {
  constexpr std::string_view kFormat = "poise watch state 1\n";
  const std::string bytes = bytes_of(some_state());
  const std::string inside(*unsealed(kFormat, bytes));
  for (std::size_t i = 0; i < inside.size(); ++i) {
    EXPECT_FALSE(watch_state_from(bytes.substr(0, i)).has_value());
    EXPECT_FALSE(watch_state_from(sealed(kFormat, inside.substr(0, i))).has_value());
    // Whatever it is then, it is read to its end and not beyond.
    std::string other = inside;
    other[i] = static_cast<char>(~other[i]);
    static_cast<void>(watch_state_from(sealed(kFormat, other)));
  }
  EXPECT_FALSE(watch_state_from(sealed(kFormat, inside + "x")).has_value());
}

TEST(StateFolder, KeepsTheLastBytesForOneProcess) {
  const Scratch scratch;
  {
    const Result<StateFolder> folder = StateFolder::open(scratch.at("state"));
    ASSERT_TRUE(folder.has_value());
    EXPECT_EQ(*folder->kept(), std::nullopt);
    ASSERT_TRUE(folder->keep("one").has_value());
    ASSERT_TRUE(folder->keep(std::string("t\0wo", 4)).has_value());
    EXPECT_EQ(*folder->kept(), std::string("t\0wo", 4));
    EXPECT_FALSE(StateFolder::open(scratch.at("state")).has_value());
  }
  scratch.write("state/state.tmp", "left over by a crash");
  const Result<StateFolder> folder = StateFolder::open(scratch.at("state"));
  ASSERT_TRUE(folder.has_value());
  EXPECT_EQ(*folder->kept(), std::string("t\0wo", 4));
  ASSERT_TRUE(folder->keep("three").has_value());
  EXPECT_EQ(*folder->kept(), "three");
  EXPECT_FALSE(fs::exists(scratch.at("state/state.tmp")));
}

TEST(StateFolder, StaysAsItIsWhenItCannotKeep) {
  const Scratch scratch;
  const Result<StateFolder> folder = StateFolder::open(scratch.at("state"));
  ASSERT_TRUE(folder.has_value());
  ASSERT_TRUE(folder->keep("one").has_value());
  fs::create_directory(scratch.at("state/state.tmp"));  // which no file can have for its name
  EXPECT_FALSE(folder->keep("two").has_value());
  EXPECT_EQ(*folder->kept(), "one");
}

std::vector<std::string> lines_of(LineSource& source) {
  std::vector<std::string> lines;
  while (true) {
    const auto line = source.next();
    if (!line || !*line) return lines;
    lines.emplace_back(**line);
  }
}

// From every line of a log that takes several chunks, with lines of all lengths.
TEST(LineSource, GoesOnBehindAMark) {
  const Scratch scratch;
  std::string text;
  for (std::size_t i = 0; i < 400; ++i) {
    text += std::to_string(i) + std::string(i % 37 == 0 ? 9'000 : i % 90, 'x') + "\r\n";
  }
  text += "no line feed";
  scratch.write("log", text);
  Result<LineSource> all = LineSource::open_live(scratch.at("log"), -1);
  ASSERT_TRUE(all.has_value());
  const std::vector<std::string> lines = lines_of(*all);
  ASSERT_EQ(lines.size(), 401U);
  // Also of the reader that has to take all of them.
  std::istringstream stream(text);
  Result<LineSource> whole = LineSource::open("-", stream);
  ASSERT_TRUE(whole.has_value());
  for (std::size_t taken = 1; taken <= 400; ++taken) {
    ASSERT_TRUE(whole->take().has_value());
    const Mark mark = whole->mark();
    Result<LineSource> rest = LineSource::open_live(scratch.at("log"), -1);
    ASSERT_TRUE(rest.has_value());
    ASSERT_EQ(*rest->go_to(mark), true);
    ASSERT_EQ(rest->mark(), mark);
    ASSERT_EQ(lines_of(*rest),
              std::vector(lines.begin() + static_cast<std::ptrdiff_t>(taken), lines.end()));
  }
  // A line that is not finished is still to come.
  const Mark before = whole->mark();
  const Result<LineSource::Taken> last = whole->take();
  ASSERT_TRUE(last.has_value());
  EXPECT_FALSE(last->finished);
  EXPECT_EQ(whole->mark(), before);
  EXPECT_EQ(whole->position().bytes, text.size());
}

TEST(LineSource, KnowsAnotherLogByItsMark) {
  const Scratch scratch;
  const std::string text = "first\nsecond\nthird\n";
  scratch.write("log", text);
  Result<LineSource> source = LineSource::open_live(scratch.at("log"), -1);
  ASSERT_TRUE(source->take().has_value());
  ASSERT_TRUE(source->take().has_value());
  const Mark mark = source->mark();
  const auto found = [&](std::string_view other) {
    scratch.write("log", other);
    Result<LineSource> again = LineSource::open_live(scratch.at("log"), -1);
    EXPECT_EQ(*again->go_to(mark), true);
    return again->mark() == mark;
  };
  EXPECT_TRUE(found(text));
  EXPECT_TRUE(found("first\nsecond\n"));
  EXPECT_TRUE(found("first\nsecond\nanother\n"));
  EXPECT_FALSE(found("First\nsecond\nthird\n"));
  EXPECT_FALSE(found("first\nSecond\nthird\n"));
  EXPECT_FALSE(found("first\nsecond and more\n"));
  EXPECT_FALSE(found("first\n"));
  EXPECT_FALSE(found(""));
}

}  // namespace
}  // namespace poise::cli
