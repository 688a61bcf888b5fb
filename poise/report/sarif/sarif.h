#pragma once

// The reports of `check`, `rank`, `verify` and `shake` as SARIF 2.1.0, for viewers and for services
// that keep track of results: one log with one run, whatever the number of models. Every fault is a
// result, on a line of its own. docs/check.md maps what a report says to the keys of SARIF.
//
//   report::SarifLog log({.version = "0.1.0"});
//   log.add(model, check::run(model));
//   out << log.json();

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "poise/base/source.h"
#include "poise/check/result.h"
#include "poise/diag/diagnostic.h"
#include "poise/model/model.h"
#include "poise/rank/result.h"
#include "poise/report/sarif/rules.h"
#include "poise/report/sink.h"
#include "poise/shake/result.h"
#include "poise/verify/result.h"

namespace poise::report {

enum class UnstableRules {
  LeftOut,
  AreResults,  // instead of races and cycles, with `--paths none`
};

enum class Overlaps {
  LeftOut,
  AreResults,  // those that were asked for, instead of nondeterminism, with `--paths none`
};

struct SarifOptions {
  std::string version;  // of the program
  SarifVerb verb = SarifVerb::Check;
  UnstableRules unstable = UnstableRules::LeftOut;
  Overlaps overlaps = Overlaps::LeftOut;
};

// Collects the reports of one model after another. It keeps their JSON, not the models: memory is
// that of the log.
class SarifLog {
 public:
  explicit SarifLog(SarifOptions options) : options_(std::move(options)) {}

  void add(const model::Model& model, const check::Report& report);

  // Each fault once, as its best-ranked case; `rank` is that case's probability in percent. Cases
  // that the user rejected are left out.
  void add(const model::Model& model, const rank::Report& report);

  // Each hazard, with its shortest path.
  void add(const model::Model& model, const verify::Report& report);

  // Each failure, with its smallest flow, and each mutant that no flow kills.
  void add(const model::Model& model, const shake::Report& report);

  // A file that is not a valid model. Of very many diagnostics only the first are included.
  void add(const Source& source, const diag::Diagnostics& diagnostics);

  // A file that could not be read at all.
  void add_unreadable(std::string_view file, std::string_view message);

  // A JSON object that ends with a line break: piece by piece, or as a whole.
  void write(const Sink& sink) const;
  [[nodiscard]] std::string json() const;

 private:
  struct Begun {
    std::string artifact;   // the location of the model
    std::size_t namesakes;  // models of the same name before it
  };
  void add(const model::Model& model, const finding::Fault& fault, std::string result);
  Begun begun(const model::Model& model, bool complete, const std::string& stopped);

  SarifOptions options_;
  bool successful_ = true;
  std::map<std::string, std::size_t> names_;  // of models so far, with how many have it
  std::vector<std::string> artifacts_;        // JSON, as are the following
  std::vector<std::string> notifications_;
  std::vector<std::string> results_;
  // Indices of rules of which some result takes conditions as free.
  std::set<std::size_t> assuming_;
};

}  // namespace poise::report
