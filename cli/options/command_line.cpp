// CLI11 splits words into options, values and files, and keeps each option's description. The
// layout of help and the error messages are written here: they are part of the program's contract
// and must not change with a version of the library. CLI11 is slow to compile, so no other file
// includes it.

#include "cli/options/command_line.h"

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

constexpr std::string_view kVerbs[] = {"check", "fmt",   "generate", "graph",
                                       "rank",  "shake", "verify",   "watch"};
constexpr std::string_view kLaterVerbs[] = {"serve"};

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

// Options by group, in the order in which they were added. Further lines of a description are
// indented to its column.
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
      const std::string names = names_text(*option);
      const bool fits = names.size() + 4 <= kColumn;  // else the description starts a line
      text += fmt::format("  {:<{}}{}\n", names, kColumn - 2,
                          indented((fits ? "" : "\n") + option->get_description(), kColumn));
    }
  }
  return text;
}

std::string verb_help(const CLI::App& app) {
  return fmt::format("{}\n{}{}\n", app.get_description(), options_text(app), app.get_footer());
}

// ---- Parsing ----

// Words that are neither options nor values. `--`, after which all words are names, does not count.
std::vector<std::string> left_over(const CLI::App& app) {
  std::vector<std::string> words = app.remaining();
  std::erase(words, "--");
  return words;
}

std::optional<std::string> unknown_option(const CLI::App& app) {
  for (const std::string& word : left_over(app)) {
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

// Parses the words into the variables of the app. `--help` wins over mistakes in the rest of the
// call.
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
  if (const std::vector<std::string> others = left_over(app); !others.empty()) {
    return failure(fmt::format("`{}` is one word too many\n`{} --help` says how", others.front(),
                               app.get_name()));
  }
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

// The model of a verb that takes exactly one. `takes` is the verb of the message: "draws".
Result<std::string> only_model(const std::vector<std::string>& models, std::string_view verb,
                               std::string_view takes) {
  if (models.empty()) {
    return failure(fmt::format("{0} needs a MODEL\n`poise {0} --help` says how", verb));
  }
  if (models.size() > 1) {
    return failure(fmt::format("{} {} one model at a time, not {}", verb, takes, models.size()));
  }
  return models.front();
}

struct Verb {
  std::string_view name;
  std::string_view takes;
};

// Parses the call of a verb that takes one model and needs no further checks.
template <class VerbCall>
Result<Call> call_for_model(CLI::App& app, std::span<const std::string> words,
                            const std::vector<std::string>& models, const Verb& verb,
                            VerbCall& call) {
  const Result<std::optional<Say>> said = parsed(app, words);
  if (!said) return Failure(said.error());
  if (*said) return Call(**said);
  const Result<std::string> model = only_model(models, verb.name, verb.takes);
  if (!model) return Failure(model.error());
  call.model = *model;
  return Call(call);
}

// ---- Options of several verbs ----

template <class VerbCall>
void add_limits(CLI::App& app, VerbCall& call, const char* group) {
  add_option(app, "--time-limit", call.time_limit, "TIME",
             "stop after 10s, 500ms, 2m, ...; what was found is printed")
      ->group(group);
  add_option(app, "--memory-limit", call.memory_limit, "SIZE",
             "stop beyond 512M, 2G, ...; what was found is printed")
      ->group(group);
}

void add_output(CLI::App& app, std::string& file, const char* group) {
  add_option(app, "--output", file, "FILE", "write to FILE, not to standard output")->group(group);
}

void add_color(CLI::App& app, std::string& when, const char* group) {
  add_option(app, "--color", when, "WHEN",
             "auto (default: on a terminal, unless NO_COLOR is set), always\n"
             "or never")
      ->group(group);
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
  group(app.add_flag("--all", call.all,
                     "faults in states that cannot be reached, and harmless choices"),
        what);
  group(add_option(app, "--ignore", call.ignore, "WHAT,...",
                   "priorities: every satisfied rule may fire;\n"
                   "constraints: atoms are independent of each other"),
        what);
  group(add_option(app, "--paths", call.paths, "none|N|all",
                   "how many races, cycles and sets of rules that compete to list\n"
                   "of each kind, the shortest first (1000)"),
        what);
  group(add_option(app, "--count", call.count, "OVER",
                   "over which atoms situations are counted: those of the rules of\n"
                   "the states a fault visits (visited, the default), of the rules\n"
                   "on its path (rules), of these and the start state's rules\n"
                   "(start), or of the whole model (all)"),
        what);
  const char* how = "How";
  group(add_option(app, "--engine", call.engine, "NAME",
                   "auto (default), hybrid, symbolic, enumerative or\n"
                   "reference: the same findings in other ways"),
        how);
  group(add_option(app, "--jobs", call.jobs, "N", "how many threads may work (one per core)"), how);
  group(add_option(app, "--time-limit", call.time_limit, "TIME",
                   "stop after 10s, 500ms, 2m, ...; what was found is printed"),
        how);
  group(add_option(app, "--memory-limit", call.memory_limit, "SIZE",
                   "stop beyond 512M, 2G, ...; what was found is printed"),
        how);
  const char* output = "What is printed";
  group(add_option(app, "--format", call.format, "FORMAT",
                   "text (default), json (docs/check-schema.json describes it) or\n"
                   "sarif (SARIF 2.1.0, for code scanning)"),
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

Result<Call> generate_call(std::span<const std::string> words) {
  GenerateCall call;
  CLI::App app(
      "Prints a random model, by the recipe of the paper that Poise's kinds of faults are from. "
      "The\n"
      "same call prints the same model, everywhere.\n"
      "\n"
      "Usage: poise generate --states N --rules N --variables N [OPTIONS]",
      "poise generate");
  const char* size = "Size";
  add_option(app, "--states", call.states, "N", "so many states; the first is the initial one")
      ->group(size);
  add_option(app, "--rules", call.rules, "N",
             "so many rules: at least one for each state, and at most\n"
             "--max-rules-per-state")
      ->group(size);
  add_option(app, "--variables", call.variables, "N",
             "so many variables, each used by a rule; a rule uses at most\n"
             "--max-variables-per-rule")
      ->group(size);
  add_option(app, "--max-rules-per-state", call.max_rules_per_state, "N",
             "at most so many rules leave a state (8)")
      ->group(size);
  add_option(app, "--max-variables-per-rule", call.max_variables_per_rule, "N",
             "at most so many variables are in a predicate (5)")
      ->group(size);
  const char* what = "What it is like";
  add_option(app, "--seed", call.seed, "N", "another seed, another model (1)")->group(what);
  app.add_flag("--tied", call.tied,
               "three priorities, so that chance has a say; else the rules of\n"
               "a state have different ones")
      ->group(what);
  add_option(app, "--sensed", call.sensed, "N",
             "variables are comparisons of so many sensed numbers; else\n"
             "sensed booleans")
      ->group(what);
  add_output(app, call.output, what);
  app.footer(
      "\nExamples:\n"
      "  poise generate --states 10 --rules 40 --variables 10 --output random.poise\n"
      "  poise generate --states 200 --rules 600 --variables 200 --tied --sensed 20 --seed 7\n"
      "\n"
      "Exit status: 0 done, 2 the call is wrong: no model can have these sizes.");

  const Result<std::optional<Say>> said = parsed(app, words);
  if (!said) return Failure(said.error());
  if (*said) return Call(**said);
  if (!call.states || !call.rules || !call.variables) {
    return failure(
        "generate needs --states, --rules and --variables\n`poise generate --help` says how");
  }
  return Call(call);
}

Result<Call> graph_call(std::span<const std::string> words) {
  GraphCall call;
  CLI::App app(
      "Draws a model: states are boxes, rules are arrows with their name, priority and, where it "
      "is\n"
      "short, their guard.\n"
      "\n"
      "Usage: poise graph [OPTIONS] MODEL\n"
      "\n"
      "MODEL is a file; `-` is standard input.",
      "poise graph");
  std::vector<std::string> models;
  app.add_option("MODEL", models);
  const char* what = "What is drawn";
  app.add_flag("--faults", call.faults,
               "look for faults as `poise check` does, and make them stand out")
      ->group(what);
  add_option(app, "--format", call.format, "FORMAT",
             "dot (default): the language of Graphviz; or svg: a picture, for\n"
             "which Graphviz must be installed. Without it, the end of FILE\n"
             "decides")
      ->group(what);
  add_output(app, call.output, what);
  const char* how = "How";
  add_option(app, "--time-limit", call.time_limit, "TIME",
             "stop looking for faults, or drawing, after 10s, 500ms, 2m, ...;\n"
             "by default Graphviz may draw for a minute")
      ->group(how);
  add_option(app, "--color", call.color, "WHEN",
             "of messages: auto (default: on a terminal, unless NO_COLOR is\n"
             "set), always or never")
      ->group(how);
  app.footer(
      "\nExamples:\n"
      "  poise graph --faults --output home.svg home.poise\n"
      "  poise graph home.poise | dot -Tpng > home.png\n"
      "\n"
      "Exit status: 0 done, whatever the faults, 2 the model or the call is wrong or Graphviz is\n"
      "missing, 3 a limit was reached.");

  return call_for_model(app, words, models, {"graph", "draws"}, call);
}

Result<Call> rank_call(std::span<const std::string> words) {
  RankCall call;
  CLI::App app(
      "Says which faults are real: prunes those that cannot happen, and ranks the rest by a log of "
      "the\n"
      "environment. What happened when the log was replayed comes first, then what it makes "
      "likely.\n"
      "Verdicts on some faults improve the ranking of the others.\n"
      "\n"
      "Usage: poise rank [OPTIONS] MODEL --log LOG\n"
      "\n"
      "MODEL and LOG are files; `-` is standard input. A log is JSON Lines or CSV, also "
      "compressed\n"
      "by gzip or zstd.",
      "poise rank");
  std::vector<std::string> models;
  app.add_option("MODEL", models);
  const char* what = "What is ranked";
  add_option(app, "--log", call.log, "LOG", "what the environment did")->group(what);
  app.add_flag("--all", call.all, "faults in states that cannot be reached, too")->group(what);
  add_option(app, "--paths", call.paths, "none|N|all",
             "how many races, cycles and sets of rules that compete, of each\n"
             "kind the shortest first (1000)")
      ->group(what);
  add_option(app, "--cases", call.cases, "N",
             "at most so many faults, each in one situation (100000)")
      ->group(what);
  add_option(app, "--count", call.count, "OVER",
             "what a situation is: the truth of the atoms of the start state's\n"
             "rules and those on the path (start, the default), or visited,\n"
             "rules or all, as for check")
      ->group(what);
  add_option(app, "--prune", call.prune, "HOW",
             "exactly (default): by types and constraints; pairs: only by pairs\n"
             "of atoms, as in the paper")
      ->group(what);
  app.add_flag("--strict", call.strict, "stop at a line of a file that cannot be read")
      ->group(what);
  const char* how = "How";
  add_option(app, "--method", call.method, "NAME",
             "likelihood (default): what happened in the log, then what it makes\n"
             "likely; paper: conflict with pairs of atoms")
      ->group(how);
  add_option(app, "--start", call.start, "STATE",
             "where the log begins: initial (default), a state, or any if it is\n"
             "not known")
      ->group(how);
  add_option(app, "--support", call.support, "SHARE",
             "of entries that a probabilistic constraint needs (0.25)")
      ->group(how);
  add_option(app, "--confidence", call.confidence, "SHARE", "that it needs (0.5)")->group(how);
  add_option(app, "--jobs", call.jobs, "N", "how many threads may work (one per core)")->group(how);
  add_option(app, "--time-limit", call.time_limit, "TIME",
             "stop looking for faults after 10s, 500ms, 2m, ...")
      ->group(how);
  add_option(app, "--memory-limit", call.memory_limit, "SIZE",
             "stop looking for faults beyond 512M, 2G, ...")
      ->group(how);
  const char* verdicts = "Verdicts";
  add_option(app, "--feedback", call.feedback, "FILE", "apply the verdicts in FILE")
      ->group(verdicts);
  app.add_flag("--interactive", call.interactive,
               "ask for verdicts one by one, and keep them in the file of\n"
               "--feedback")
      ->group(verdicts);
  add_option(app, "--raise", call.raise, "SHARE",
             "what a rejected fault adds to the confidence of the constraints\n"
             "that it violates (0.05)")
      ->group(verdicts);
  add_option(app, "--truth", call.truth, "FILE",
             "verdicts that are true: says how good the ranking is")
      ->group(verdicts);
  const char* output = "What is printed";
  add_option(app, "--explain", call.explain, "constraints",
             "what cannot be and what is likely, instead of the ranking")
      ->group(output);
  add_option(app, "--graph", call.graph, "FILE",
             "write the constraint graph, as JSON if FILE ends in .json, else\n"
             "for Graphviz")
      ->group(output);
  add_option(app, "--top", call.top, "N", "how many groups of faults to show (20)")->group(output);
  add_option(app, "--format", call.format, "FORMAT",
             "text (default), json (docs/rank-schema.json describes it) or\n"
             "sarif (SARIF 2.1.0)")
      ->group(output);
  add_output(app, call.output, output);
  app.add_flag("--quiet", call.quiet, "of the text, only the first line")->group(output);
  add_color(app, call.color, output);
  app.footer(
      "\nExamples:\n"
      "  poise rank examples/tasker.poise --log examples/tasker-week.csv\n"
      "  poise rank home.poise --log home.jsonl.gz --feedback verdicts.jsonl --interactive\n"
      "\n"
      "Exit status: 0 no fault is left, 1 faults are left, 2 a file or the call is wrong, 3 a "
      "limit\n"
      "was reached.");

  const Result<std::optional<Say>> said = parsed(app, words);
  if (!said) return Failure(said.error());
  if (*said) return Call(**said);
  const Result<std::string> model = only_model(models, "rank", "takes");
  if (!model) return Failure(model.error());
  call.model = *model;
  if (!call.explain.empty() && call.explain != "constraints") {
    return failure(fmt::format("--explain explains `constraints`, not `{}`", call.explain));
  }
  if (call.interactive && (call.format != "text" || !call.output.empty() || !call.graph.empty() ||
                           !call.explain.empty() || !call.truth.empty())) {
    return failure(
        "--interactive goes with none of --format, --output, --graph, --explain, --truth");
  }
  if (!call.explain.empty() && call.format == "sarif") {
    return failure("--explain goes with the formats text and json");
  }
  if (call.log.empty() && call.explain.empty()) {
    return failure("rank needs --log LOG\n`poise rank --help` says how");
  }
  return Call(call);
}

Result<Call> watch_call(std::span<const std::string> words) {
  WatchCall call;
  CLI::App app(
      "Watches applications adapt, by a log of what they sense, and reports each choice left to\n"
      "chance, each race and each cycle when it happens.\n"
      "\n"
      "Usage: poise watch [OPTIONS] MODEL [--input LOG | --mqtt URL --mqtt-map FILE]\n"
      "\n"
      "MODEL and LOG are files; `-` is standard input, which is also read without --input. A log "
      "is\n"
      "JSON Lines, also compressed by gzip or zstd.",
      "poise watch");
  std::vector<std::string> models;
  app.add_option("MODEL", models);
  const char* what = "What is watched";
  add_option(app, "--input", call.input, "LOG", "the log (standard input)")->group(what);
  app.add_flag("--follow", call.follow, "go on reading LOG as it grows")->group(what);
  add_option(app, "--lateness", call.lateness, "D",
             "put lines of an instance in order that come up to D too late\n"
             "(5s, 250ms, 2m); leave out those that come later")
      ->group(what);
  app.add_flag("--strict", call.strict, "stop at a line that cannot be read")->group(what);
  const char* how = "How";
  add_option(app, "--choose", call.choose, "WHICH",
             "of several triggered rules: first (default), as declared, or\n"
             "random")
      ->group(how);
  add_option(app, "--seed", call.seed, "N", "of --choose random (1)")->group(how);
  add_option(app, "--evaluate", call.evaluate, "HOW",
             "incremental (default); full: every rule of a state again after\n"
             "every change; or counting: counters also where they do not pay.\n"
             "The faults are the same")
      ->group(how);
  const char* crash = "Through crashes";
  add_option(app, "--state", call.state, "DIR",
             "keep in DIR how far it has come, and go on from there when called\n"
             "again; with --output FILE")
      ->group(crash);
  add_option(app, "--state-every", call.state_every, "TIME", "how often (1s)")->group(crash);
  const char* output = "What is printed";
  app.add_flag("--trace", call.trace, "adaptations, too")->group(output);
  app.add_flag("--plan", call.plan,
               "how each condition over streams would be evaluated; no log is\n"
               "read")
      ->group(output);
  add_option(app, "--format", call.format, "FORMAT",
             "text (default) or jsonl: a JSON object a line")
      ->group(output);
  add_output(app, call.output, output);
  app.add_flag("--quiet", call.quiet, "of the text, only the summary")->group(output);
  add_option(app, "--metrics", call.metrics, "[ADDRESS:]PORT",
             "serve figures for Prometheus at /metrics, to this machine only\n"
             "unless an address is given; port 0: any that is free")
      ->group(output);
  app.add_flag("--untimed", call.untimed,
               "without how long events took: the same log gives the same bytes")
      ->group(output);
  add_color(app, call.color, output);
  const char* mqtt = "MQTT";
  add_option(app, "--mqtt", call.mqtt.url, "URL",
             "a broker of MQTT messages: mqtt://user@host:1883 or mqtts://host")
      ->group(mqtt);
  add_option(app, "--mqtt-map", call.mqtt.map, "FILE",
             "watch its messages; FILE says what each topic means")
      ->group(mqtt);
  add_option(app, "--mqtt-publish", call.mqtt.publish, "TOPIC",
             "publish what is found, a JSON object a message")
      ->group(mqtt);
  add_option(app, "--mqtt-user", call.mqtt.user, "NAME", "instead of a user in URL")->group(mqtt);
  add_option(app, "--mqtt-password-file", call.mqtt.password_file, "FILE",
             "its first line is the password; or set POISE_MQTT_PASSWORD")
      ->group(mqtt);
  add_option(app, "--mqtt-ca", call.mqtt.ca, "FILE",
             "certificates of authorities to trust, instead of the system's")
      ->group(mqtt);
  add_option(app, "--mqtt-cert", call.mqtt.certificate, "FILE", "our certificate")->group(mqtt);
  add_option(app, "--mqtt-key", call.mqtt.key, "FILE", "its key")->group(mqtt);
  app.footer(
      "\nExamples:\n"
      "  poise watch examples/stock-tracker.poise --input examples/stock-tracker-shift.jsonl\n"
      "  poise watch home.poise --input home.jsonl --follow --format jsonl --trace\n"
      "  poise watch home.poise --mqtt mqtt://localhost --mqtt-map home.map --metrics 9464\n"
      "\n"
      "Exit status: 0 no fault, 1 faults, 2 a file or the call is wrong.");

  return call_for_model(app, words, models, {"watch", "takes"}, call);
}

// The options beyond the question whether a model can fail: simulation, plots, export.
void add_verify_extras(CLI::App& app, VerifyCall& call) {
  const char* seen = "Simulation";
  add_option(app, "--simulate", call.simulate, "N",
             "replay each counterexample N times with errors by chance, and\n"
             "make N random runs (of at most --bound steps, else 30)")
      ->group(seen);
  add_option(app, "--plot", call.plot, "FILE.svg",
             "draw how often counterexamples happened, by their probability")
      ->group(seen);
  const char* proofs = "Certificates";
  add_option(app, "--certificate", call.certificate, "FILE",
             "if it is safe for any number of steps, write the proof of that")
      ->group(proofs);
  add_option(app, "--check", call.check, "FILE",
             "verify nothing, but confirm a certificate; needs no MODEL, but if\n"
             "there is one, it has to be the one of the certificate")
      ->group(proofs);
  const char* others = "For other checkers";
  add_option(app, "--export", call.export_format, "FORMAT",
             "verify nothing, print the question: horn (any number of steps),\n"
             "smt2 (at most --bound steps), smv (nuXmv), prism or jani (with\n"
             "probabilities, values in steps)")
      ->group(others);
  add_option(app, "--path", call.path, "RULE,...", "of smt2: whether this path can fail")
      ->group(others);
  add_option(app, "--step", call.step, "H",
             "of prism and jani: real values are multiples of H (a tenth of\n"
             "the least error)")
      ->group(others);
}

Result<Call> verify_call(std::span<const std::string> words) {
  VerifyCall call;
  CLI::App app(
      "Says whether a model can fail, in the world that it describes: with what actions do to what "
      "is\n"
      "sensed, and with errors of sensors and actions. Safe is safe for any number of steps.\n"
      "\n"
      "Usage: poise verify [OPTIONS] MODEL\n"
      "       poise verify [OPTIONS] --check FILE [MODEL]\n"
      "\n"
      "MODEL is a file with at least one `failure`; `-` is standard input.",
      "poise verify");
  std::vector<std::string> models;
  app.add_option("MODEL", models);
  const char* what = "What is looked at";
  add_option(app, "--bound", call.bound, "K",
             "paths of at most K steps, all of them counted; without it, any\n"
             "number of steps")
      ->group(what);
  add_option(app, "--mode", call.mode, "MODE",
             "actual (default); ideal: without errors; naive: without errors\n"
             "and without what actions do")
      ->group(what);
  app.add_flag("--as-printed", call.as_printed,
               "actions tie sensed values to each other, as in the ISM paper")
      ->group(what);
  app.add_flag("--no-odds", call.no_odds, "leave out how likely paths are")->group(what);
  add_option(app, "--rate", call.rate, "R",
             "decisions per hour: also say how likely a path is within an hour,\n"
             "which is rather more than it is, since no hour is at its worst\n"
             "with every decision")
      ->group(what);
  add_option(app, "--mission", call.mission, "N",
             "also say how likely a failure is within N decisions, all paths\n"
             "together: at least and at most, in the worst environment")
      ->group(what);
  const char* how = "How";
  add_option(app, "--engine", call.engine, "NAME",
             "auto (default), zones or smt: the same findings in other ways")
      ->group(how);
  add_option(app, "--seed", call.seed, "N", "of estimates by chance (1)")->group(how);
  add_limits(app, call, how);
  const char* output = "What is printed";
  add_option(app, "--paths", call.paths, "none|N|all",
             "how many paths that fail to list, the shortest first (100)")
      ->group(output);
  add_option(app, "--format", call.format, "FORMAT",
             "text (default), json (docs/verify-schema.json describes it) or\n"
             "sarif (SARIF 2.1.0)")
      ->group(output);
  add_output(app, call.output, output);
  app.add_flag("--quiet", call.quiet, "of the text, only the verdict")->group(output);
  add_color(app, call.color, output);
  add_verify_extras(app, call);
  app.footer(
      "\nExamples:\n"
      "  poise verify examples/robot-car.poise\n"
      "  poise verify --bound 10 --mode ideal --format json examples/robot-car.poise\n"
      "  poise verify --bound 5 --simulate 10000 --plot odds.svg examples/robot-car.poise\n"
      "  poise verify --export horn examples/robot-car.poise | z3 -in\n"
      "  poise verify --certificate thermostat.json examples/thermostat-noise.poise\n"
      "  poise verify --check thermostat.json\n"
      "\n"
      "Exit status: 0 safe, 1 unsafe, 2 the model or the call is wrong, 3 unknown, or a limit was\n"
      "reached. With --check: 0 confirmed, 1 not confirmed, 2 wrong, 3 unknown.");

  const Result<std::optional<Say>> said = parsed(app, words);
  if (!said) return Failure(said.error());
  if (*said) return Call(**said);
  if (!call.check.empty() && models.empty()) return Call(call);
  const Result<std::string> model = only_model(models, "verify", "takes");
  if (!model) return Failure(model.error());
  call.model = *model;
  return Call(call);
}

void add_shake_results(CLI::App& app, ShakeCall& call) {
  const char* results = "What is kept";
  add_option(app, "--quakes", call.quakes, "DIR",
             "failures of former runs are tried first, new ones are added")
      ->group(results);
  add_option(app, "--replay", call.replay, "FILE", "show what happens in one of them, and no more")
      ->group(results);
  add_option(app, "--pictures", call.pictures, "DIR",
             "drawings (SVG): failures before and after shrinking, flows, who\n"
             "kills whom, shapes")
      ->group(results);
  add_option(app, "--mutation-report", call.mutation_file, "FILE",
             "mutants for viewers of mutation tests (schema 2)")
      ->group(results);
  add_option(app, "--matrix", call.matrix_file, "FILE.csv", "which flow kills which mutant, when")
      ->group(results);
  add_option(app, "--export", call.export_format, "FORMAT",
             "print one flow and no report: csv, or as load for k6 or locust;\n"
             "junit: the report as test cases, for build servers")
      ->group(results);
  add_option(app, "--flow", call.export_flow, "N|fN",
             "of --export: flow N, or the smallest flow of failure N (f1)")
      ->group(results);
  add_option(app, "--load", call.load, "PROPERTY", "of k6 and locust: what the load is")
      ->group(results);
}

Result<Call> shake_call(std::span<const std::string> words) {
  ShakeCall call;
  CLI::App app(
      "Shakes a policy: shows it contexts that change smoothly, violently, or not at all for a "
      "while,\n"
      "and says what it should not have done, each with the smallest flow of contexts that shows "
      "it.\n"
      "\n"
      "Usage: poise shake [OPTIONS] MODEL\n"
      "\n"
      "MODEL is a policy, or states and rules; `-` is standard input. Files that end in .fll or "
      ".fcl\n"
      "are fuzzy controllers, one in .pict is only good for --tuples.",
      "poise shake");
  std::vector<std::string> models;
  app.add_option("MODEL", models);
  const char* what = "What is shaken";
  add_option(app, "--reference", call.reference, "MODEL", "what it should do, every tick")
      ->group(what);
  add_option(app, "--program", call.program, "COMMAND",
             "a program in place of the policy: it reads a context a line and\n"
             "writes a variant a line, as JSON")
      ->group(what);
  add_option(app, "--timeout", call.timeout, "TIME", "for an answer of the program (1s)")
      ->group(what);
  add_option(app, "--reset", call.reset, "HOW",
             "before each flow: restart the program (default), or tell it by a\n"
             "line: line")
      ->group(what);
  const char* flows = "How";
  add_option(app, "--generator", call.generator, "NAME",
             "portfolio (default), paper, or for comparison random, bang-bang,\n"
             "walk, earthquake, hold")
      ->group(flows);
  add_option(app, "--flows", call.flows, "N", "how many (100; fewer if they are long)")
      ->group(flows);
  add_option(app, "--length", call.length, "N",
             "their length in ticks (60, or as many as expectations take)")
      ->group(flows);
  add_option(app, "--values", call.values, "N",
             "how many values of a number are tried, if its constants are not\n"
             "more (12)")
      ->group(flows);
  add_option(app, "--trace", call.trace, "LOG", "a recorded log: also say how near flows are to it")
      ->group(flows);
  add_option(app, "--tuples", call.tuples, "T",
             "no shaking: print contexts that cover all T-tuples of values, 1 to 4")
      ->group(flows);
  add_option(app, "--seed", call.seed, "N", "of all chance (1)")->group(flows);
  add_option(app, "--jobs", call.jobs, "N", "threads (one for each core)")->group(flows);
  add_limits(app, call, flows);
  const char* mutants = "Mutants";
  add_option(app, "--mutants", call.mutants, "GROUPS",
             "how well the flows would find planted faults: all, or some of F1,\n"
             "F2, F3, F4 (the paper's), threshold, comparison, value, priority,\n"
             "dropped, timer")
      ->group(mutants);
  add_option(app, "--min-score", call.min_score, "SHARE",
             "fewer mutants killed than that counts as found: 0.9")
      ->group(mutants);
  add_option(app, "--min-coverage", call.min_coverage, "SHARE", "likewise, fewer pairs covered")
      ->group(mutants);
  add_shake_results(app, call);
  const char* output = "What is printed";
  add_option(app, "--format", call.format, "FORMAT",
             "text (default), json (docs/shake-schema.json describes it) or\n"
             "sarif (SARIF 2.1.0)")
      ->group(output);
  add_output(app, call.output, output);
  app.add_flag("--quiet", call.quiet, "of the text, only the last line")->group(output);
  add_color(app, call.color, output);
  app.footer(
      "\nExamples:\n"
      "  poise shake examples/policies/thermostat.poise\n"
      "  poise shake --mutants F1,F2,F3,F4 examples/policies/web-server.poise\n"
      "  poise shake --program 'python3 controller.py' --quakes quakes model.poise\n"
      "  poise shake --export k6 --flow f1 --load density examples/policies/web-server.poise\n"
      "\n"
      "Exit status: 0 nothing failed, 1 something failed, 2 the model or the call is wrong, 3 a "
      "limit\n"
      "was reached.");

  return call_for_model(app, words, models, {"shake", "takes"}, call);
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
         "  check       find the faults in the rules of a model\n"
         "  fmt         print a model in its canonical layout\n"
         "  generate    print a random model\n"
         "  graph       draw a model, and what is at fault in it\n"
         "  rank        say which faults are real, by a log of the environment\n"
         "  shake       let a policy's context change in every way, and see what it does\n"
         "  verify      say whether a model can fail, with errors of sensors and actions\n"
         "  watch       report faults as they happen, on a log or a live stream\n"
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
  if (verb == "generate") return generate_call(args.subspan(1));
  if (verb == "graph") return graph_call(args.subspan(1));
  if (verb == "rank") return rank_call(args.subspan(1));
  if (verb == "shake") return shake_call(args.subspan(1));
  if (verb == "verify") return verify_call(args.subspan(1));
  if (verb == "watch") return watch_call(args.subspan(1));
  if (verb == "-h" || verb == "--help" || verb == "help") return Call(Say{general_help()});
  if (verb == "--version") return Call(Say{"poise " POISE_VERSION "\n"});
  return Failure(unknown_verb(verb));
}

}  // namespace poise::cli
