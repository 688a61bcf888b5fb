#include "poise/generate/generate.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cli/io/files.h"
#include "cli/options/words.h"
#include "cli/verbs/verbs.h"

namespace poise::cli {

namespace {

// Options that are not given keep their defaults.
Result<generate::Options> options_from(const GenerateCall& call) {
  generate::Options options;
  std::optional<Error> wrong;
  const auto read = [&wrong](std::string_view option, const std::optional<std::string>& word,
                             auto& value) {
    if (!word || wrong) return;
    const Result<std::uint64_t> number = number_from(option, *word);
    if (number) {
      value = *number;
    } else {
      wrong = number.error();
    }
  };
  read("--states", call.states, options.states);
  read("--rules", call.rules, options.rules);
  read("--variables", call.variables, options.variables);
  read("--seed", call.seed, options.seed);
  read("--max-rules-per-state", call.max_rules_per_state, options.max_rules_per_state);
  read("--max-variables-per-rule", call.max_variables_per_rule, options.max_variables_per_rule);
  read("--sensed", call.sensed, options.sensed);
  if (wrong) return Failure(*wrong);
  if (call.tied) options.priorities = generate::Priorities::Tied;
  return options;
}

}  // namespace

Result<Status> generate(const GenerateCall& call, const Streams& streams) {
  const Result<generate::Options> options = options_from(call);
  if (!options) return Failure(options.error());
  const Result<std::string> text = generate::model_text(*options);
  if (!text) return Failure(text.error());
  Output output(streams.out, call.output);
  output.write(*text);
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  return Status::NothingFound;
}

}  // namespace poise::cli
