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
  Likelihood,  // how long it held in the log; if it never did, how likely it is to be possible
};
[[nodiscard]] std::string_view name(Method method);

// The verdict of a person on a case. Confirmed: it happens; Rejected: it never does.
enum class Verdict : std::uint8_t { None, Confirmed, Rejected };
[[nodiscard]] std::string_view name(Verdict verdict);

// A deterministic constraint: the two literals never hold together. If they are the same literal,
// it never holds.
struct Exclusion {
  finding::Literal first;
  finding::Literal second;  // not before the first
  friend auto operator<=>(const Exclusion&, const Exclusion&) = default;
};
// In the language: "not (gps.place == home and gps.place == office)", "gps.speed > 70 implies
// gps.speed > 5".
[[nodiscard]] std::string to_text(const model::Model& model, const Exclusion& exclusion);

// A probabilistic constraint: if `from` holds then `to` probably does. An edge of the constraint
// graph in the AFChecker paper.
struct Edge {
  finding::Literal from;
  finding::Literal to;
  double support = 0;     // the share of entries in which both hold
  double confidence = 0;  // Eq. 1: share in which `to` holds, of the entries in which `from` does
};
// "gps.place == office -> gps.on".
[[nodiscard]] std::string to_text(const model::Model& model, const Edge& edge);

// What a log says about one situation.
struct Seen {
  std::size_t entries = 0;  // in which it held
  std::size_t known = 0;    // in which it is known whether it held
  std::size_t times = 0;    // how often it began to hold
  double seconds = 0;       // how long it held in all, if the log has times
  std::size_t first_line = 0;
  std::optional<double> first_time;
  std::optional<double> last_time;
};

// How often a case happened when the log was replayed (replay.h).
struct Happened {
  std::size_t times = 0;
  std::size_t at_most = 0;  // more than `times` only where the state is not known at the start
  // When it happened first and last; none if it did not or if the log has no times.
  std::optional<double> first_time;
  std::optional<double> last_time;
  std::size_t first_line = 0;  // 0 if it did not
};

struct ReplaySummary {
  // Whether the whole log was replayed, or why nothing of it was.
  enum class End {
    Whole,
    Streams,     // rules ask about streams
    LongRun,     // a run was too long to be followed to its end
    ManyStarts,  // too many configurations fit to the beginning of the log
    TimeLimit,
    MemoryLimit,
    NoLog,
  };
  End end = End::NoLog;
  std::size_t instances = 0;
  std::size_t unknown_starts = 0;  // instances whose state was not known at the start
  std::size_t most_starts = 1;     // configurations from which one of these was executed, at most
  std::size_t undecided = 0;       // instances that are in one of several states to the end
  std::size_t firings = 0;         // rules that fired, in instances whose state is known
  std::size_t incidents = 0;       // faults that happened
  std::size_t unlisted = 0;        // of these: none of the cases that are ranked
};

// What a replay says about cases. All lists are by case; empty if there was no replay.
struct Executed {
  ReplaySummary summary;
  std::vector<Happened> happened;
  // How often it was to be expected beyond what is certain: by its occasions (occasions.h), and
  // from the states in which the application may have been at first, each as likely as the others.
  std::vector<double> expected;
};

// Why a case has its place, the best first.
enum class Basis {
  Happened,   // the fault itself happened in the log
  Possible,   // it happens from some of the states in which the application may have been at first
  Situation,  // it did not happen, but its situation was there
  Likeness,   // neither; the place is by what is like it
};
// "happened", "possible", "situation", "likeness".
[[nodiscard]] std::string_view name(Basis basis);

// How likely a situation is, as a share of time; without times as a share of entries.
struct Estimate {
  double share = 0;  // as seen, smoothed by the Chow-Liu tree
  double low = 0;    // the ends of a 95 % interval
  double high = 0;
};

struct Ranked {
  std::uint32_t the_case = 0;
  Verdict verdict = Verdict::None;
  double probability = 0;      // that it is real, by the method
  std::optional<double> gain;  // Eq. 5: what a verdict tells about the others; none if left open
  Basis basis = Basis::Likeness;
  std::optional<Happened> happened;  // none if the log was not replayed
  Seen seen;                         // of its situation
  Estimate likelihood;
  // The strongest objections to it. By the paper's method: edges that it violates. By likelihood:
  // literals that never held in the log, or never held together.
  std::vector<Edge> violated;
  std::vector<finding::Conjunction> never;
};
// "gps.place == office -> gps.on (0.97)", "gps.on and clock < 480 never together".
[[nodiscard]] std::vector<std::string> objections(const model::Model& model, const Ranked& ranked);

struct Pruned {
  std::uint32_t the_case = 0;
  std::optional<std::uint32_t> exclusion;  // none: by types and constraints as a whole
  std::optional<Happened> happened = {};   // in the log, against the types or constraints
};

// How good a ranking is, where it is known which cases are true (ranking.h: qualities()).
struct Quality {
  std::string ranking;   // "static", "dynamic", "random", "ideal"
  double dcg = 0;        // normalised
  double top_true = 0;   // R-precision: the precision among the first R, if R cases are true
  double top_tenth = 0;  // the precision in the first tenth
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
  ReplaySummary replay;
  std::vector<finding::Fault> faults;
  std::vector<finding::Case> cases;
  std::vector<Exclusion> exclusions;
  std::vector<Edge> edges;
  std::vector<Ranked> ranked;  // best first; verdicts: confirmed before all, rejected behind all
  std::vector<Pruned> pruned;
  std::size_t pruned_by_pairs = 0;
  std::size_t pruned_exactly = 0;
  std::size_t verdicts = 0;            // that were applied
  std::size_t verdicts_of_none = 0;    // that name no case of this model
  std::size_t verdicts_of_pruned = 0;  // that name a pruned case
  std::vector<Quality> quality;
  Extent extent;
};

}  // namespace poise::rank
