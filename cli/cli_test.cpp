#include "cli/cli.h"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <ostream>
#include <sstream>
#include <streambuf>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/program.h"

namespace poise::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSound =
    "model Sound\n"
    "sense a : bool\n"
    "state A initial\n"
    "state B\n"
    "\n"
    "rule go: A -> B\n"
    "  when a\n"
    "\n"
    "rule back: B -> A\n"
    "  when not a\n";

// The rules set off each other.
constexpr const char* kFaulty =
    "model Faulty\n"
    "sense a : bool\n"
    "state A initial\n"
    "state B\n"
    "rule go: A -> B when a\n"
    "rule back: B -> A when a\n";

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

using CheckVerb = Files;
using FmtVerb = Files;
using GraphVerb = Files;

// ---- The call ----

TEST(CommandLine, AloneShowsHelpAndFails) {
  const Outcome alone = outcome({});
  EXPECT_EQ(alone.status, 2);
  EXPECT_EQ(alone.out, "");
  EXPECT_EQ(alone.err, outcome({"--help"}).out);
}

TEST(CommandLine, HelpNamesEveryVerbOfThisVersion) {
  const Outcome help = outcome({"--help"});
  EXPECT_EQ(help.status, 0);
  for (const char* verb :
       {"check", "fmt", "generate", "graph", "rank", "shake", "verify", "watch"}) {
    EXPECT_TRUE(contains(help.out, std::string("  ") + verb + " ")) << verb;
    const Outcome more = outcome({verb, "--help"});
    EXPECT_EQ(more.status, 0);
    EXPECT_TRUE(contains(more.out, std::string("Usage: poise ") + verb)) << verb;
    EXPECT_TRUE(contains(more.out, "Examples:")) << verb;
  }
  EXPECT_FALSE(contains(help.out, "serve"));
}

TEST(CommandLine, HelpFitsATerminal) {
  for (const std::vector<std::string>& args :
       std::vector<std::vector<std::string>>{{"--help"},
                                             {"check", "--help"},
                                             {"fmt", "-h"},
                                             {"generate", "-h"},
                                             {"graph", "-h"},
                                             {"rank", "-h"}}) {
    std::istringstream lines(outcome(args).out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << line;
  }
}

TEST(CommandLine, ShowsTheVersion) {
  EXPECT_TRUE(outcome({"--version"}).out.starts_with("poise "));
}

struct Wrong {
  std::vector<std::string> args;
  std::string message;
};

TEST(CommandLine, SaysWhatIsWrong) {
  const std::vector<Wrong> cases = {
      {{"chekc", "x"}, "unknown verb `chekc`; did you mean `check`?"},
      {{"home.poise"}, "did you mean `poise check home.poise`?"},
      {{"serve", "x"}, "`serve` is not in this version"},
      {{"--quiet", "check"}, "options follow the verb"},
      {{"check"}, "check needs a MODEL"},
      {{"check", "--onyl", "race", "x"}, "unknown option `--onyl`; did you mean `--only`?"},
      {{"check", "--format"}, "`--format` needs a value"},
      {{"check", "--format", "jsno", "x"}, "did you mean `json`?"},
      {{"check", "--engine", "fast", "x"},
       "--engine takes auto, enumerative, symbolic, hybrid, reference, not `fast`"},
      {{"check", "--only", "race,rule", "x"},
       "--only takes nondeterminism, dead-rule, dead-state, unreachable-state, race, cycle, not "
       "`rule`"},
      {{"check", "--ignore", "types", "x"}, "--ignore takes priorities, constraints, not `types`"},
      {{"check", "--count", "none", "x"}, "--count takes visited, rules, start, all"},
      {{"check", "--paths", "-1", "x"}, "--paths takes none, all or a number, not `-1`"},
      {{"check", "--jobs", "0", "x"}, "--jobs takes a number from 1"},
      {{"check", "--time-limit", "5x", "x"}, "--time-limit takes a duration like"},
      {{"check", "--time-limit", "1.2.3s", "x"}, "--time-limit takes a duration like"},
      {{"check", "--memory-limit", "lots", "x"}, "--memory-limit takes an amount like"},
      {{"check", "--color", "blue", "x"}, "--color takes auto, always, never"},
      {{"check", "-", "-"}, "standard input can be read only once"},
      {{"graph"}, "graph needs a MODEL"},
      {{"graph", "x", "y"}, "graph draws one model at a time, not 2"},
      {{"graph", "--format", "png", "x"}, "--format takes dot, svg, not `png`"},
      {{"fmt"}, "fmt needs a FILE"},
      {{"fmt", "--check", "--write", "x"}, "--check and --write exclude each other"},
      {{"fmt", "--write", "-"}, "--write cannot rewrite standard input"},
  };
  for (const Wrong& wrong : cases) {
    const Outcome said = outcome(wrong.args);
    EXPECT_EQ(said.status, 2) << wrong.message;
    EXPECT_EQ(said.out, "") << wrong.message;
    EXPECT_TRUE(said.err.starts_with("poise: ")) << said.err;
    EXPECT_TRUE(contains(said.err, wrong.message)) << said.err;
    EXPECT_LE(line_count(said.err), 2U) << said.err;
  }
}

// ---- check ----

TEST_F(CheckVerb, SaysByItsStatusWhetherSomethingWasFound) {
  EXPECT_EQ(outcome({"check", write("sound.poise", kSound)}).status, 0);
  EXPECT_EQ(outcome({"check", write("faulty.poise", kFaulty)}).status, 1);
}

TEST_F(CheckVerb, DrawsWithSignsThatTheLocaleHas) {
  const std::string model = write("faulty.poise", kFaulty);
  const auto is_ascii = [](const std::string& text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  };
  EXPECT_FALSE(is_ascii(outcome({"check", model}).out));
  const Environment ascii{.signs = Signs::Ascii};
  const std::string out = outcome({"check", model}, "", ascii).out;
  EXPECT_TRUE(is_ascii(out)) << out;
  EXPECT_TRUE(contains(out, "A -go-> B -back-> A (again)")) << out;
  const std::string wrong =
      write("wrong.poise", R"(sense color : {red, orange, yellow, green, blue, indigo, violet}
state A initial
rule r: A -> A when color == pink
)");
  EXPECT_TRUE(is_ascii(outcome({"check", wrong}, "", ascii).err));
  EXPECT_FALSE(is_ascii(outcome({"check", wrong}).err));
}

TEST_F(CheckVerb, ReadsStandardInput) {
  const Outcome said = outcome({"check", "--quiet", "-"}, kSound);
  EXPECT_EQ(said.status, 0);
  EXPECT_TRUE(said.out.starts_with("Sound: nothing found")) << said.out;
}

TEST_F(CheckVerb, GoesOnAfterAModelThatIsWrong) {
  const std::string wrong = write("wrong.poise", "state\n");
  const std::string faulty = write("faulty.poise", kFaulty);
  const Outcome said = outcome({"check", "--quiet", wrong, path("missing"), faulty});
  EXPECT_EQ(said.status, 2);
  EXPECT_TRUE(said.out.starts_with("Faulty: 2 cycles")) << said.out;
  EXPECT_TRUE(contains(said.err, wrong + ":")) << said.err;
  EXPECT_TRUE(contains(said.err, "poise: cannot read `" + path("missing") + "`: ")) << said.err;
}

TEST_F(CheckVerb, RefusesADirectory) {
  const Outcome said = outcome({"check", folder_.string()});
  EXPECT_EQ(said.status, 2);
  EXPECT_TRUE(contains(said.err, "it is a directory"));
}

TEST_F(CheckVerb, WritesOneObjectOrAnArray) {
  const std::string sound = write("sound.poise", kSound);
  EXPECT_TRUE(outcome({"check", "--format", "json", sound}).out.starts_with("{\n"));
  EXPECT_TRUE(outcome({"check", "--format", "json", "--", sound}).out.starts_with("{\n"));
  EXPECT_TRUE(outcome({"check", "--format", "json", sound, sound}).out.starts_with("[\n{\n"));
  EXPECT_TRUE(outcome({"check", "--format", "json", sound, path("missing")}).out.starts_with("["));
  EXPECT_EQ(outcome({"check", "--format", "json", path("missing")}).out, "");
}

TEST_F(CheckVerb, WritesToAFile) {
  const std::string model = write("faulty.poise", kFaulty);
  const Outcome said = outcome({"check", "--output", path("report"), model});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(contents(path("report")), outcome({"check", model}).out);
  EXPECT_EQ(outcome({"check", "--output", path("no/where"), model}).status, 2);
}

TEST_F(CheckVerb, CountsUnstableRulesWherePathsAreNotAsked) {
  const std::string model = write("faulty.poise", kFaulty);
  EXPECT_EQ(outcome({"check", "--paths", "none", model}).status, 1);
  EXPECT_EQ(outcome({"check", "--paths", "none", "--only", "dead-rule", model}).status, 0);
}

TEST_F(CheckVerb, IsColourfulOnATerminalOnly) {
  const std::string model = write("faulty.poise", kFaulty);
  const Environment terminal{.out_is_terminal = true, .err_is_terminal = true};
  const Environment colourless{.out_is_terminal = true, .no_color = true};
  const auto colourful = [&](std::vector<std::string> options, const Environment& environment) {
    options.insert(options.begin(), {"check", model});
    return contains(outcome(options, "", environment).out, "\x1b[");
  };
  EXPECT_FALSE(colourful({}, {}));
  EXPECT_TRUE(colourful({}, terminal));
  EXPECT_FALSE(colourful({}, colourless));
  EXPECT_TRUE(colourful({"--color", "always"}, colourless));
  EXPECT_FALSE(colourful({"--color", "never"}, terminal));
}

// A stream that takes nothing, like a full disk.
class Full : public std::streambuf {
 protected:
  int_type overflow(int_type) override { return traits_type::eof(); }
};

TEST_F(CheckVerb, NoticesThatItsOutputCannotBeWritten) {
  const std::vector<std::string> args = {"check", write("sound.poise", kSound)};
  std::istringstream in;
  Full full;
  std::ostream out(&full);
  std::ostringstream err;
  EXPECT_EQ(run(args, in, out, err), 2);
  EXPECT_TRUE(err.str().starts_with("poise: cannot write the output")) << err.str();
}

// ---- fmt ----

TEST_F(FmtVerb, PrintsTheCanonicalLayout) {
  const Outcome said = outcome({"fmt", "-"}, kFaulty);
  EXPECT_EQ(said.status, 0);
  EXPECT_NE(said.out, kFaulty);
  EXPECT_EQ(outcome({"fmt", "-"}, said.out).out, said.out);
}

TEST_F(FmtVerb, NamesTheFilesThatAreNotCanonical) {
  const std::string crooked = write("crooked.poise", kFaulty);
  const std::string straight = write("straight.poise", outcome({"fmt", "-"}, kFaulty).out);
  const Outcome said = outcome({"fmt", "--check", crooked, straight});
  EXPECT_EQ(said.status, 1);
  EXPECT_EQ(said.out, crooked + "\n");
  EXPECT_EQ(outcome({"fmt", "--check", straight}).status, 0);
}

TEST_F(FmtVerb, RewritesInPlaceAndKeepsLinksAndPermissions) {
  const std::string file = write("crooked.poise", kFaulty);
  const fs::perms mode = fs::perms::owner_read | fs::perms::owner_write | fs::perms::group_read;
  fs::permissions(file, mode);
  fs::create_symlink("crooked.poise", path("link.poise"));
  const Outcome said = outcome({"fmt", "--write", path("link.poise")});
  EXPECT_EQ(said.status, 0) << said.err;
  EXPECT_EQ(said.out, "");
  EXPECT_EQ(contents(file), outcome({"fmt", "-"}, kFaulty).out);
  EXPECT_EQ(fs::status(file).permissions(), mode);
  EXPECT_TRUE(fs::is_symlink(path("link.poise")));
  EXPECT_EQ(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()), 2);
}

TEST_F(FmtVerb, LeavesCanonicalFilesAlone) {
  const std::string file = write("straight.poise", outcome({"fmt", "-"}, kFaulty).out);
  const auto earlier = fs::last_write_time(file) - std::chrono::hours(1);
  fs::last_write_time(file, earlier);
  EXPECT_EQ(outcome({"fmt", "--write", file}).status, 0);
  EXPECT_EQ(fs::last_write_time(file), earlier);
}

TEST_F(FmtVerb, DoesNotTouchWhatItCannotRead) {
  const std::string file = write("wrong.poise", "state\n");
  const Outcome said = outcome({"fmt", "--write", file});
  EXPECT_EQ(said.status, 2);
  EXPECT_TRUE(contains(said.err, file + ":")) << said.err;
  EXPECT_EQ(contents(file), "state\n");
}

// ---- graph ----

// The search path of programs, changed for as long as this lives.
class SearchPath {
 public:
  explicit SearchPath(const std::string& folder) : before_(std::getenv("PATH")) {
    setenv("PATH", folder.c_str(), 1);
  }
  SearchPath(const SearchPath&) = delete;
  SearchPath& operator=(const SearchPath&) = delete;
  ~SearchPath() { setenv("PATH", before_.c_str(), 1); }

 private:
  std::string before_;
};

TEST_F(GraphVerb, ChoosesTheFormatByTheEndOfTheFile) {
  const std::string model = write("sound.poise", kSound);
  EXPECT_EQ(outcome({"graph", "--output", path("sound.dot"), model}).status, 0);
  EXPECT_TRUE(contents(path("sound.dot")).starts_with("digraph \"Sound\" {"));
  EXPECT_EQ(outcome({"graph", "--output", path("sound.svg"), model}).status, 0);
  EXPECT_TRUE(contains(contents(path("sound.svg")), "</svg>"));
  const Outcome other = outcome({"graph", "--output", path("sound.png"), model});
  EXPECT_EQ(other.status, 2);
  EXPECT_TRUE(contains(other.err, "--format says what to write")) << other.err;
}

TEST_F(GraphVerb, IsDoneWhateverTheFaults) {
  const Outcome said = outcome({"graph", "--faults", "-"}, kFaulty);
  EXPECT_EQ(said.status, 0);
  EXPECT_TRUE(contains(said.out, "class=cycle"));
  EXPECT_EQ(said.err, "");
}

TEST_F(GraphVerb, SaysThatGraphvizIsMissing) {
  const SearchPath nowhere(folder_.string());
  const Outcome said = outcome({"graph", "--format", "svg", "-"}, kSound);
  EXPECT_EQ(said.status, 2);
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(contains(said.err, "poise: a picture needs Graphviz")) << said.err;
  EXPECT_EQ(outcome({"graph", "-"}, kSound).status, 0);
}

TEST_F(GraphVerb, StopsAGraphvizThatTakesTooLong) {
  fs::permissions(write("dot", "#!/bin/sh\nwhile :; do :; done\n"), fs::perms::owner_all);
  const SearchPath here(folder_.string());
  const Outcome said = outcome({"graph", "--format", "svg", "--time-limit", "50ms", "-"}, kSound);
  EXPECT_EQ(said.status, 3);
  EXPECT_EQ(said.out, "");
  EXPECT_TRUE(contains(said.err, "the time was not enough")) << said.err;
}

TEST_F(GraphVerb, RepeatsWhatAGraphvizThatFailsSays) {
  fs::permissions(write("dot", "#!/bin/sh\necho 'Error: no room' >&2\nexit 1\n"),
                  fs::perms::owner_all);
  const SearchPath here(folder_.string());
  const Outcome said = outcome({"graph", "--format", "svg", "-"}, kSound);
  EXPECT_EQ(said.status, 2);
  EXPECT_TRUE(contains(said.err, "Graphviz could not draw the model: Error: no room")) << said.err;
}

}  // namespace
}  // namespace poise::cli
