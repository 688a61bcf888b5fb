#pragma once

// A ranking as plain data: which cases of which faults are left, best first, and which are pruned.
// A *case* is a fault in one situation (finding/case.h).

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "poise/base/extent.h"
#include "poise/finding/case.h"
#include "poise/finding/finding.h"
#include "poise/model/model.h"

namespace poise::rank {

enum class Method {
  Paper,       // AFChecker: conflict with what pairs of atoms make likely, and information gain
  Likelihood,  // how long it held in the log, and whether it can be where it never did
};
[[nodiscard]] std::string_view name(Method method);

// What a person says about a case: it happens, or it never does.
enum class Verdict : std::uint8_t { None, Confirmed, Rejected };
[[nodiscard]] std::string_view name(Verdict verdict);

// Never both. An atom with itself: that literal never holds.
struct Exclusion {
  finding::Literal first;
  finding::Literal second;  // not before the first
  friend auto operator<=>(const Exclusion&, const Exclusion&) = default;
};
// A deterministic constraint in the language: "not (gps.place == home and gps.place == office)",
// "gps.speed > 70 implies gps.speed > 5".
[[nodiscard]] std::string to_text(const model::Model& model, const Exclusion& exclusion);

// A probabilistic constraint: where one literal holds, so does the other. An edge of the paper's
// constraint graph.
struct Edge {
  finding::Literal from;
  finding::Literal to;
  double support = 0;     // the share of entries in which both hold
  double confidence = 0;  // Eq. 1: of those in which `from` holds, the share in which `to` does
};
// "gps.place == office -> gps.on".
[[nodiscard]] std::string to_text(const model::Model& model, const Edge& edge);

// What a log says about one situation.
struct Seen {
  std::size_t entries = 0;  // in which it held
  std::size_t known = 0;    // in which it is known whether it held
  std::size_t times = 0;    // that it came about
  double seconds = 0;
  std::size_t first_line = 0;
  std::optional<double> first_time;
  std::optional<double> last_time;
};

// How likely a whole situation is, as a share of time.
struct Estimate {
  double share = 0;  // seen and smoothed
  double low = 0;    // 95 %
  double high = 0;
};

struct Ranked {
  std::uint32_t the_case = 0;
  Verdict verdict = Verdict::None;
  double probability = 0;      // that it is real, by the method
  std::optional<double> gain;  // Eq. 5: what a verdict tells about the others; none if left open
  Seen seen;
  Estimate likelihood;
  // What speaks against it most, by the method: constraints that it violates, or what never held,
  // together if it is more than one.
  std::vector<Edge> violated;
  std::vector<finding::Conjunction> never;
};
// "gps.place == office -> gps.on (0.97)", "gps.on and clock < 480 never together".
[[nodiscard]] std::vector<std::string> objections(const model::Model& model, const Ranked& ranked);

struct Pruned {
  std::uint32_t the_case = 0;
  std::optional<std::uint32_t> exclusion;  // else types and constraints as a whole
};

// How good rankings are where it is known what is true.
struct Quality {
  std::string ranking;  // "static", "dynamic", "random", "ideal"
  double dcg = 0;       // normalised
  double top_true = 0;  // the share of true ones among the first so many as are true
  double top_tenth = 0;
};

struct LogSummary {
  std::size_t entries = 0;
  std::size_t skipped = 0;        // lines that could not be read
  std::size_t distinct = 0;       // truth vectors
  std::optional<double> seconds;  // that it covers
};

struct Report {
  Method method = Method::Likelihood;
  LogSummary log;
  std::vector<finding::Fault> faults;
  std::vector<finding::Case> cases;
  std::vector<Exclusion> exclusions;
  std::vector<Edge> edges;
  std::vector<Ranked> ranked;  // best first; verdicts: confirmed before all, rejected behind all
  std::vector<Pruned> pruned;
  std::size_t pruned_by_pairs = 0;
  std::size_t pruned_exactly = 0;
  std::size_t verdicts = 0;            // that were applied
  std::size_t verdicts_of_none = 0;    // that are about no case of this model
  std::size_t verdicts_of_pruned = 0;  // that are about a case which cannot be
  std::vector<Quality> quality;
  Extent extent;
};

}  // namespace poise::rank
