#include "cli/verbs/verify_export.h"

#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "cli/io/files.h"
#include "poise/base/text.h"
#include "poise/verify/export/horn.h"
#include "poise/verify/export/jani.h"
#include "poise/verify/export/prism.h"
#include "poise/verify/export/smt2.h"
#include "poise/verify/export/smv.h"

namespace poise::cli {

namespace {

// "r0,r0,r1"
Result<std::vector<model::RuleId>> rules_from(const model::Model& model, std::string_view words) {
  std::vector<model::RuleId> rules;
  while (true) {
    const std::size_t comma = words.find(',');
    const std::string_view word = words.substr(0, comma);
    std::optional<model::RuleId> found;
    std::vector<std::string_view> names;
    for (const model::RuleId id : model.rules.ids()) {
      names.push_back(model.rules[id].name);
      if (model.rules[id].name == word) found = id;
    }
    if (!found) {
      const auto guess = closest(word, names);
      return failure(fmt::format("--path: there is no rule `{}`{}", word,
                                 guess ? fmt::format("; did you mean `{}`?", *guess) : ""));
    }
    rules.push_back(*found);
    if (comma == std::string_view::npos) return rules;
    words = words.substr(comma + 1);
  }
}

// A positive decimal.
Result<Rational> step_from(std::string_view word) {
  const std::size_t digits = word.find_first_not_of("0123456789");
  const bool whole = digits == std::string_view::npos;
  const bool decimal = !whole && digits > 0 && word[digits] == '.' && digits + 1 < word.size() &&
                       word.find_first_not_of("0123456789", digits + 1) == std::string_view::npos;
  if (!word.empty() && (whole || decimal)) {
    Rational step = Rational::from_decimal(word);
    if (step.sign() > 0) return step;
  }
  return failure(fmt::format("--step takes a positive number, not `{}`", word));
}

Result<std::string> smt2(const VerifyCall& call, const verify::Options& options,
                         const verify::System& system, Budget& budget) {
  if (call.path) {
    const Result<std::vector<model::RuleId>> path = rules_from(*system.model, *call.path);
    if (!path) return Failure(path.error());
    return verify::smt2_text(system, *path);
  }
  if (!options.bound) {
    return failure("--export smt2 needs --bound K or --path RULE,...; horn needs neither");
  }
  return verify::smt2_text(system, *options.bound, budget);
}

Result<verify::Mdp> mdp(const VerifyCall& call, const verify::System& system) {
  std::optional<Rational> step;
  if (call.step) {
    const Result<Rational> read = step_from(*call.step);
    if (!read) return Failure(read.error());
    step = *read;
  }
  return verify::mdp_of(system, step);
}

Result<std::string> text_of(const VerifyCall& call, const verify::Options& options,
                            const model::Model& model, Budget& budget) {
  const verify::System system = verify::system_of(model, options.mode);
  const std::string& format = *call.export_format;
  const bool stepped = format == "prism" || format == "jani";
  if (call.path && format != "smt2") return failure("--path goes with --export smt2");
  if (call.step && !stepped) return failure("--step goes with --export prism or jani");
  if (format == "smt2") return smt2(call, options, system, budget);
  if (format == "horn") return verify::horn_text(system);
  if (format == "smv") return verify::smv_text(system);
  if (stepped) {
    const Result<verify::Mdp> made = mdp(call, system);
    if (!made) return Failure(made.error());
    return format == "prism" ? verify::prism_text(*made) : verify::jani_text(*made);
  }
  return Failure(
      Error{fmt::format("--export is smt2, horn, smv, prism or jani, not `{}`", format)});
}

}  // namespace

Result<Status> exported(const VerifyCall& call, const verify::Options& options,
                        const model::Model& model, const Streams& streams) {
  Budget budget(options.limits);
  const Result<std::string> text = text_of(call, options, model, budget);
  if (!text && budget.seen() != Exhausted::No) {
    complain(streams, fmt::format("{}: {}", call.model, text.error().message));
    return Status::LimitReached;
  }
  if (!text) return Failure(text.error());
  Output output(streams.out, call.output);
  output.write(*text);
  const Result<void> written = output.finish();
  if (!written) return Failure(written.error());
  return Status::NothingFound;
}

}  // namespace poise::cli
