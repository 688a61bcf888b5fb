// CLI11 splits words into options, values and files, and knows each option's description. The
// layout of help and the messages are ours: they are part of the program's contract, and should not
// change with a library. CLI11 is slow to compile, so nothing else includes it.

#include "cli/command_line.h"

#include <algorithm>
#include <string_view>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <fmt/format.h>

#include "poise/base/text.h"
#include "poise/finding/finding.h"

namespace poise::cli {

namespace {

Failure failure(std::string message) { return Failure(Error{std::move(message)}); }

constexpr std::string_view kVerbs[] = {"check", "fmt"};
constexpr std::string_view kLaterVerbs[] = {"rank",  "verify",   "shake", "watch",
                                            "graph", "generate", "serve"};

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// ---- Help ----

std::string names_text(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  const std::string value = option.get_type_name();
  return joined(names, ", ") + (value.empty() ? "" : " " + value);
}

std::string indented(std::string_view text, std::size_t column) {
  std::string lines;
  for (const char c : text) {
    lines += c;
    if (c == '\n') lines.append(column, ' ');
  }
  return lines;
}

// Options by group, in the order they were added; a description's further lines are aligned.
std::string options_text(const CLI::App& app) {
  std::vector<std::string> groups;
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) continue;
    if (std::ranges::find(groups, option->get_group()) == groups.end()) {
      groups.push_back(option->get_group());
    }
  }
  constexpr std::size_t kColumn = 26;
  std::string text;
  for (const std::string& group : groups) {
    text += fmt::format("\n{}:\n", group);
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_positional() || option->get_group() != group) continue;
      text += fmt::format("  {:<{}}{}\n", names_text(*option), kColumn - 2,
                          indented(option->get_description(), kColumn));
    }
  }
  return text;
}

std::string verb_help(const CLI::App& app) {
  return fmt::format("{}\n{}{}\n", app.get_description(), options_text(app), app.get_footer());
}

// ---- Parsing ----

std::optional<std::string> unknown_option(const CLI::App& app) {
  for (const std::string& word : app.remaining()) {
    if (word.size() > 1 && word.front() == '-') return word.substr(0, word.find('='));
  }
  return std::nullopt;
}

Error unknown_option_error(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const auto guess = closest(word, candidates);
  return {fmt::format("unknown option `{}`{}\n`{} --help` lists the options", word,
                      guess ? fmt::format("; did you mean `{}`?", *guess) : "", app.get_name())};
}

// Puts the words into the app's variables. Help comes before anything that may be missing.
Result<std::optional<Say>> parsed(CLI::App& app, std::span<const std::string> words) {
  app.set_help_flag();
  bool help = false;
  app.add_flag("-h,--help", help, "this text")->group("More");
  app.allow_extras();
  std::vector<std::string> reversed(words.rbegin(), words.rend());  // as CLI11 wants them
  try {
    app.parse(std::move(reversed));
  } catch (const CLI::ArgumentMismatch& error) {
    const std::string_view what = error.what();
    return failure(fmt::format("`{}` needs a value", what.substr(0, what.find(':'))));
  } catch (const CLI::Error& error) {
    return failure(error.what());
  }
  if (help) return Say{verb_help(app)};
  if (const auto word = unknown_option(app)) return Failure(unknown_option_error(app, *word));
  return std::nullopt;
}

// An option with a value; given twice, the last counts.
template <class T>
CLI::Option* add_option(CLI::App& app, const std::string& name, T& variable, std::string value,
                        std::string description) {
  return app.add_option(name, variable, std::move(description))
      ->type_name(std::move(value))
      ->take_last();
}

std::string kind_names() {
  std::vector<std::string> names;
  for (const finding::FaultKind kind : finding::kAllFaultKinds) {
    names.emplace_back(finding::name(kind));
  }
  const std::span<const std::string> all = names;
  return joined(all.first(3), ", ") + ",\n" + joined(all.subspan(3), ", ");
}

Result<Call> check_call(std::span<const std::string> words) {
  CheckCall call;
  CLI::App app(
      "Finds the faults in the rules of a model: choices left to chance, rules and states that "
      "are\n"
      "of no use, and rules that set off one another, once or for ever.\n"
      "\n"
      "Usage: poise check [OPTIONS] MODEL...\n"
      "\n"
      "MODEL is a file; `-` is standard input.",
      "poise check");
  app.add_option("MODEL", call.models);
  const auto group = [](CLI::Option* option, const char* name) { option->group(name); };
  const char* what = "What is looked for";
  group(add_option(app, "--only", call.only, "KIND,...", "only these kinds: " + kind_names()),
        what);
  group(app.add_flag("--all", call.all, "faults in states that cannot be reached, too"), what);
  group(add_option(app, "--ignore", call.ignore, "WHAT,...",
                   "priorities: every satisfied rule may fire;\n"
                   "constraints: atoms are independent of each other"),
        what);
  group(add_option(app, "--paths", call.paths, "none|N|all",
                   "how many races and how many cycles to list, the shortest\n"
                   "first (1000)"),
        what);
  group(add_option(app, "--count", call.count, "OVER",
                   "over which atoms situations are counted: those of the rules of\n"
                   "the states a fault visits (visited, the default), of the rules\n"
                   "on its path (rules), of these and the start state's rules\n"
                   "(start), or of the whole model (all)"),
        what);
  const char* how = "How";
  group(add_option(app, "--engine", call.engine, "NAME", "auto (default) or reference"), how);
  group(add_option(app, "--jobs", call.jobs, "N", "how many threads may work (1)"), how);
  group(add_option(app, "--time-limit", call.time_limit, "TIME",
                   "stop after 10s, 500ms, 2m, ...; what was found is printed"),
        how);
  group(add_option(app, "--memory-limit", call.memory_limit, "SIZE",
                   "stop beyond 512M, 2G, ...; what was found is printed"),
        how);
  const char* output = "What is printed";
  group(add_option(app, "--format", call.format, "FORMAT",
                   "text (default), or json: docs/check-schema.json describes it"),
        output);
  group(add_option(app, "--output", call.output, "FILE", "write to FILE, not to standard output"),
        output);
  group(app.add_flag("--quiet", call.quiet, "of the text, only one line for each model"), output);
  group(add_option(app, "--color", call.color, "WHEN",
                   "auto (default: on a terminal, unless NO_COLOR is set), always\n"
                   "or never"),
        output);
  app.footer(
      "\nExamples:\n"
      "  poise check examples/phone-adapter.poise\n"
      "  poise check --only cycle,race --format json home.poise\n"
      "\n"
      "Exit status: 0 nothing found, 1 something found, 2 the model or the call is wrong,\n"
      "3 a limit was reached.");

  const Result<std::optional<Say>> said = parsed(app, words);
  if (!said) return Failure(said.error());
  if (*said) return Call(**said);
  if (call.models.empty()) return failure("check needs a MODEL\n`poise check --help` says how");
  return Call(call);
}

Result<Call> fmt_call(std::span<const std::string> words) {
  FmtCall call;
  CLI::App app(
      "Prints models in their one canonical layout. Comments and meaning stay as they are.\n"
      "\n"
      "Usage: poise fmt [OPTIONS] FILE...\n"
      "\n"
      "FILE is a model; `-` is standard input.",
      "poise fmt");
  app.add_option("FILE", call.files);
  app.add_flag("--check", call.check, "only name the files whose layout is not canonical")
      ->group("Options");
  app.add_flag("--write", call.write, "rewrite the files in place instead of printing them")
      ->group("Options");
  add_option(app, "--color", call.color, "WHEN",
             "of messages: auto (default: on a terminal, unless NO_COLOR is\n"
             "set), always or never")
      ->group("Options");
  app.footer(
      "\nExamples:\n"
      "  poise fmt home.poise\n"
      "  poise fmt --write examples/*.poise\n"
      "\n"
      "Exit status: 0 done, 1 --check found a file that is not canonical, 2 a file or the call is\n"
      "wrong.");

  const Result<std::optional<Say>> said = parsed(app, words);
  if (!said) return Failure(said.error());
  if (*said) return Call(**said);
  if (call.files.empty()) return failure("fmt needs a FILE\n`poise fmt --help` says how");
  if (call.check && call.write) return failure("--check and --write exclude each other");
  return Call(call);
}

Error unknown_verb(const std::string& word) {
  if (contains(kLaterVerbs, word)) return {fmt::format("`{}` is not in this version", word)};
  if (word.starts_with('-')) {
    return {
        fmt::format("unknown option `{}`; options follow the verb\n"
                    "`poise --help` lists the verbs",
                    word)};
  }
  if (word.ends_with(".poise")) {
    return {fmt::format("`{}` is not a verb; did you mean `poise check {}`?", word, word)};
  }
  const auto guess = closest(word, kVerbs);
  return {fmt::format("unknown verb `{}`{}\n`poise --help` lists the verbs", word,
                      guess ? fmt::format("; did you mean `{}`?", *guess) : "")};
}

}  // namespace

std::string general_help() {
  return "Poise finds the faults in the rules of applications that adapt to their context.\n"
         "\n"
         "Usage: poise VERB [OPTIONS] FILE...\n"
         "\n"
         "Verbs:\n"
         "  check    find the faults in the rules of a model\n"
         "  fmt      print a model in its canonical layout\n"
         "\n"
         "More:\n"
         "  poise VERB --help    the options of a verb\n"
         "  poise --version      the version\n"
         "\n"
         "Example:\n"
         "  poise check examples/phone-adapter.poise\n";
}

Result<Call> call_from(std::span<const std::string> args) {
  if (args.empty()) return failure("a verb is missing\n`poise --help` lists the verbs");
  const std::string& verb = args.front();
  if (verb == "check") return check_call(args.subspan(1));
  if (verb == "fmt") return fmt_call(args.subspan(1));
  if (verb == "-h" || verb == "--help" || verb == "help") return Call(Say{general_help()});
  if (verb == "--version") return Call(Say{"poise " POISE_VERSION "\n"});
  return Failure(unknown_verb(verb));
}

}  // namespace poise::cli
