// Golden tests: the program, run in process on every case below tests/golden/, must print exactly
// the .out file beside the case.
//
// A case is a file that begins with lines like these, whatever follows them:
//
//   # run: check %s --format json       %s is the case itself; words may be 'quoted'
//   # run: check - < %s                 `< FILE` at the end is standard input
//   # exit: 1                           of every run, or one such line per run
//   # grow: 268435457                   optional: the file is made that long, with NUL bytes
//
// The .out file has standard output followed by standard error, with a line `--- stderr` between
// them if there are both; with several runs, each begins with a line `$ poise ARGS`.
//
// Runs take place in a scratch copy of tests/golden/ and examples/, in the folder of the case, so
// that outputs show bare file names and `poise fmt` may write. UPDATE_GOLDENS=1 rewrites the .out
// files (tools/update_goldens.sh).

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <ostream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "cli/cli.h"
#include "poise/diag/diagnostic.h"
#include "poise/finding/finding.h"

namespace poise {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = POISE_SOURCE_DIR;
const fs::path kGolden = kRoot / "tests" / "golden";

struct Case {
  fs::path path;                  // relative to tests/golden/
  std::vector<std::string> runs;  // as written, with %s replaced
  std::vector<int> exits;         // one per run
  std::uintmax_t size = 0;        // of `# grow`; 0: the file stays as it is

  friend void PrintTo(const Case& golden, std::ostream* out) { *out << golden.path.string(); }
};

fs::path expected_file(const Case& golden) {
  return (kGolden / golden.path).replace_extension(".out");
}

std::string contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// What follows `# key: ` in a line, if that is how it begins.
std::optional<std::string> directive(std::string_view line, std::string_view key) {
  const std::string start = "# " + std::string(key) + ": ";
  if (!line.starts_with(start)) return std::nullopt;
  return std::string(line.substr(start.size()));
}

// Nothing if the file is not a case.
std::optional<Case> case_from(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  Case golden{.path = path.lexically_relative(kGolden)};
  std::string line;
  for (bool first = true; std::getline(file, line); first = false) {
    if (first && line.starts_with("\xEF\xBB\xBF")) line.erase(0, 3);
    if (line.ends_with('\r')) line.pop_back();
    if (const auto run = directive(line, "run")) {
      golden.runs.push_back(replaced(*run, "%s", path.filename().string()));
    } else if (const auto exit = directive(line, "exit")) {
      golden.exits.push_back(std::stoi(*exit));
    } else if (const auto size = directive(line, "grow")) {
      golden.size = std::stoull(*size);
    } else {
      break;
    }
  }
  if (golden.runs.empty()) return std::nullopt;
  if (golden.exits.size() == 1) golden.exits.resize(golden.runs.size(), golden.exits.front());
  return golden;
}

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kGolden)) {
      if (!entry.is_regular_file() || entry.path().extension() == ".out") continue;
      if (auto golden = case_from(entry.path())) found.push_back(*std::move(golden));
    }
    std::ranges::sort(found, {}, &Case::path);
    return found;
  }();
  return all;
}

struct Call {
  std::vector<std::string> args;
  std::optional<std::string> input;  // the file behind `<`
};

// Words are separated by blanks; what stands in single quotes is one word.
Call call_from(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false;
  bool in_word = false;
  for (const char c : line) {
    if (c == '\'') {
      quoted = !quoted;
    } else if (c == ' ' && !quoted) {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c != '\'') words.back() += c;
  }
  Call call{.args = std::move(words)};
  if (call.args.size() >= 2 && call.args[call.args.size() - 2] == "<") {
    call.input = call.args.back();
    call.args.resize(call.args.size() - 2);
  }
  return call;
}

std::string with_newline(std::string text) {
  if (!text.empty() && !text.ends_with('\n')) text += "\n\\ no newline at the end\n";
  return text;
}

// A temporary copy of tests/golden/ and examples/, in which the cases run.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "poise_golden_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) std::abort();
    root_ = name;
    fs::create_directories(root_ / "tests");
    fs::copy(kGolden, root_ / "tests" / "golden", fs::copy_options::recursive);
    if (fs::exists(kRoot / "examples")) {
      fs::copy(kRoot / "examples", root_ / "examples", fs::copy_options::recursive);
    }
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::current_path(kRoot, ignored);
    fs::remove_all(root_, ignored);
  }

  [[nodiscard]] fs::path golden() const { return root_ / "tests" / "golden"; }

 private:
  fs::path root_;
};

const Scratch& scratch() {
  static const Scratch made;
  return made;
}

class Golden : public testing::TestWithParam<Case> {};

TEST_P(Golden, SaysWhatItsOutFileSays) {
  const Case& golden = GetParam();
  ASSERT_EQ(golden.exits.size(), golden.runs.size())
      << "write one `# exit: N` for all runs or one for each";
  for (const char* variable : {"NO_COLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "COLUMNS"}) {
    unsetenv(variable);
  }
  const fs::path copy = scratch().golden() / golden.path;
  fs::current_path(copy.parent_path());
  if (golden.size != 0) fs::resize_file(copy, golden.size);

  std::string actual;
  for (std::size_t i = 0; i < golden.runs.size(); ++i) {
    const Call call = call_from(golden.runs[i]);
    std::istringstream in(call.input ? contents(*call.input) : "");
    std::ostringstream out;
    std::ostringstream err;
    const int exit = cli::run(call.args, in, out, err);
    EXPECT_EQ(exit, golden.exits[i]) << "exit status of: poise " << golden.runs[i];

    if (golden.runs.size() > 1) actual += "$ poise " + golden.runs[i] + "\n";
    actual += with_newline(out.str());
    if (!out.str().empty() && !err.str().empty()) actual += "--- stderr\n";
    actual += with_newline(err.str());
  }
  // Leave no file of a quarter of a gigabyte for the next cases of the folder.
  if (golden.size != 0) fs::remove(copy);

  if (std::getenv("UPDATE_GOLDENS") != nullptr) {
    std::ofstream(expected_file(golden), std::ios::binary) << actual;
    return;
  }
  ASSERT_TRUE(fs::exists(expected_file(golden)))
      << expected_file(golden) << " is missing; tools/update_goldens.sh writes it:\n"
      << actual;
  EXPECT_EQ(contents(expected_file(golden)), actual)
      << "if the new text is right, tools/update_goldens.sh takes it over";
}

std::string test_name(const testing::TestParamInfo<Case>& info) {
  std::string name = info.param.path.string();
  std::ranges::replace_if(
      name, [](unsigned char c) { return std::isalnum(c) == 0; }, '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(cases()), test_name);

// Coverage: every diagnostic, kind of fault and format occurs in some .out file.

std::string all_expected() {
  std::string text;
  for (const Case& golden : cases()) text += contents(expected_file(golden));
  return text;
}

TEST(GoldenCoverage, ThereAreCases) { EXPECT_FALSE(cases().empty()); }

TEST(GoldenCoverage, EveryOutFileBelongsToOneCase) {
  std::map<fs::path, int> owners;
  for (const Case& golden : cases()) ++owners[expected_file(golden)];
  for (const auto& [file, count] : owners) EXPECT_EQ(count, 1) << "cases share " << file;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(kGolden)) {
    if (entry.path().extension() != ".out") continue;
    EXPECT_TRUE(owners.contains(entry.path())) << entry.path() << " has no case";
  }
}

TEST(GoldenCoverage, EveryDiagnosticHasACase) {
  const std::string text = all_expected();
  for (const diag::CodeInfo& info : diag::all_codes()) {
    const std::string tag = "[" + std::string(info.code) + "]";
    EXPECT_NE(text.find(tag), std::string::npos) << "no .out file shows " << tag;
  }
}

TEST(GoldenCoverage, EveryDiagnosticIsExplained) {
  std::istringstream document(contents(kRoot / "docs" / "diagnostics.md"));
  std::set<std::string> headings;
  for (std::string line; std::getline(document, line);) {
    if (!line.starts_with('#')) continue;
    line.erase(0, line.find_first_not_of("# "));
    headings.insert(replaced(line, "`", ""));
  }
  for (const diag::CodeInfo& info : diag::all_codes()) {
    EXPECT_TRUE(headings.contains(std::string(info.code)))
        << "docs/diagnostics.md has no heading `" << info.code << "`";
  }
}

TEST(GoldenCoverage, EveryFaultHasACase) {
  const std::string text = all_expected();
  for (const finding::FaultKind kind : finding::kAllFaultKinds) {
    const std::string name(finding::name(kind));
    EXPECT_TRUE(std::regex_search(text, std::regex("\\b" + name + "\\b")))
        << "no .out file shows a " << name;
  }
}

TEST(GoldenCoverage, EveryFormatHasACase) {
  std::set<std::string> formats;
  for (const Case& golden : cases()) {
    for (const std::string& run : golden.runs) {
      const std::vector<std::string> args = call_from(run).args;
      if (args.empty() || args.front() != "check") continue;
      const auto option = std::ranges::find(args, "--format");
      const bool named = option != args.end() && option + 1 != args.end();
      formats.insert(named ? *(option + 1) : "text");
    }
  }
  for (const char* format : {"text", "json", "sarif"}) {
    EXPECT_TRUE(formats.contains(format)) << "no case runs check --format " << format;
  }
}

}  // namespace
}  // namespace poise
